// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specs of the ptx target for a GPU and for another architecture.
#pragma once

#include <architectures/architectures.h>
#include <job/job.h>

namespace kiln::ptx {

/// As Target::for_device.
Result<TargetSpec> spec_for_device(TargetSpec spec, const DeviceFacts &device);
/// As Target::for_architecture. Keeps a PTX ISA that was chosen and is new enough.
std::optional<TargetSpec> spec_for_architecture(const TargetSpec &spec, std::string_view arch);
/// As Target::retry: returns the spec of the GPU's own architecture with `a`, if the job needs it. Plain code
/// comes first because it serves more GPUs and can come from precompiled entries.
std::optional<TargetSpec> retry_with_specific(const Error &error, const TargetSpec &spec,
                                              const DeviceFacts &device);

} // namespace kiln::ptx
