// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses a GPU's driver as the assembler if the machine has no other one that supports the GPU.
#pragma once

#include <host/host.h>
#include <job/job.h>

namespace kiln {

/// `sm`: architecture of the code; 0: the job's. `target` generates the text. Holds the device.
/// The driver's release is part of its identity, since each release has another compiler. The driver
/// assembles about as fast as nvJitLink.
std::unique_ptr<Assembler> driver_assembler(std::shared_ptr<CudaDevice> device, const Target &target, int sm);

} // namespace kiln
