// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An assembler that uses a GPU's driver, for machines without an installed assembler that supports the GPU.
#pragma once

#include <host/host.h>
#include <job/job.h>

namespace kiln {

/// Makes an assembler from the driver of `device`, which it keeps open. `target` generates the assembly. `sm`
/// is the architecture of the code; 0: the job's. The identity contains the driver's release, since each
/// release has another compiler. The driver assembles about as fast as nvJitLink.
std::unique_ptr<Assembler> driver_assembler(std::shared_ptr<CudaDevice> device, const Target &target, int sm);

} // namespace kiln
