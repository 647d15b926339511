// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes specs of the ptx target for a given GPU, and for another architecture.
#pragma once

#include <architectures/architectures.h>
#include <job/job.h>

namespace kiln::ptx {

/// As Target::for_device.
Result<TargetSpec> spec_for_device(TargetSpec spec, const DeviceFacts &device);
/// Implements Target::for_architecture. Keeps a PTX ISA that the user chose, if it is new enough.
std::optional<TargetSpec> spec_for_architecture(const TargetSpec &spec, std::string_view arch);
/// Implements Target::retry: returns the spec of the GPU's own architecture with suffix `a`, if the job needs
/// it. Code without the suffix is tried first: it runs on more GPUs and may be precompiled.
std::optional<TargetSpec> retry_with_specific(const Error &error, const TargetSpec &spec,
                                              const DeviceFacts &device);

} // namespace kiln::ptx
