// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component targets (layer 8): the targets that come with Kiln.
#pragma once

#include <job/job.h>

#include <span>
#include <string_view>
#include <vector>

namespace kiln {

/// Each is one immutable object, shared by all threads.
std::vector<const Target *> all_targets();
/// Kiln's own, and an embedder's (SessionOptions::targets). Error: Usage, for a second one of a name.
Result<TargetList> list_targets(std::span<const Target *const> others);
/// Kiln's own, as a list. Lives as long as the process.
const TargetList &own_targets();
/// By its name ("native", "ptx"); null if there is none.
const Target *find_target(std::string_view name);
/// Of a spec whose target comes with Kiln.
const Target &find_target(const TargetSpec &spec);

} // namespace kiln
