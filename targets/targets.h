// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Room targets (layer 7): all targets by kind.
#pragma once

#include <job/job.h>

#include <optional>
#include <string_view>
#include <vector>

namespace kiln {

/// The target's one immutable object, shared by all threads.
const Target &find_target(TargetKind kind);
/// By its name ("native", "ptx"); null if there is none.
const Target *find_target(std::string_view name);
/// Every target, in order of TargetKind.
std::vector<const Target *> all_targets();

} // namespace kiln
