// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component targets (layer 8): the list of Kiln's own targets.
#pragma once

#include <job/job.h>

#include <span>
#include <string_view>
#include <vector>

namespace kiln {

/// Lists Kiln's targets. Each target is an immutable object that all threads share.
std::vector<const Target *> all_targets();
/// Joins Kiln's targets and those of an embedder (SessionOptions::targets). Error: Usage if two have the same
/// name.
Result<TargetList> list_targets(std::span<const Target *const> others);
/// List of Kiln's targets. Lives as long as the process.
const TargetList &own_targets();
/// Finds a target by its name ("native", "ptx", "spirv"). Null: unknown name.
const Target *find_target(std::string_view name);
/// Finds the target of a spec, which must belong to one of Kiln's targets.
const Target &find_target(const TargetSpec &spec);

} // namespace kiln
