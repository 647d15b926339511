// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU's driver where the machine has no other assembler, or none that knows the GPU.
#pragma once

#include <host/host.h>
#include <job/job.h>

namespace kiln {

/// `sm`: what it makes code for; 0: what the job names. Slower than nvJitLink by nothing that matters, and
/// its release is part of its identity, since each brings another compiler. It holds the device. `target`
/// makes the text.
std::unique_ptr<Assembler> driver_assembler(std::shared_ptr<CudaDevice> device, const Target &target, int sm);

} // namespace kiln
