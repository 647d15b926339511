// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specs of the ptx target for a GPU, and for another architecture.
#pragma once

#include <architectures/architectures.h>
#include <job/job.h>

namespace kiln::ptx {

/// As Target::for_device.
Result<TargetSpec> spec_for_device(TargetSpec spec, const DeviceFacts &device);
/// As Target::for_architecture. The PTX ISA stays where it is new enough and was chosen.
std::optional<TargetSpec> spec_for_architecture(const TargetSpec &spec, std::string_view arch);
/// As Target::retry: the GPU's own architecture with `a`, if the job needs it. Plain code serves more GPUs,
/// and precompiled entries hold it.
std::optional<TargetSpec> retry_with_specific(const Error &error, const TargetSpec &spec,
                                              const DeviceFacts &device);

} // namespace kiln::ptx
