// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Configs of nested jobs (CompilerConfig::nested): whether they can stand within a job's config, and what of
// them others ask for.
#pragma once

#include <kiln/job.h>

#include <string>
#include <string_view>

namespace kiln {

class Target;
class TargetList;

/// Nested configs within nested configs: more than this many levels are an error.
inline constexpr int max_nested_depth = 8;

/// Whether the nested configs are such as a job of `target` can have, at every depth. Each of them is
/// replaced by one whose target's defaults are filled in. Errors: Usage, naming the nested config.
Result<void> check_nested(CompilerConfig &config, const Target &target, const TargetList &targets);

/// Null: there is none of this name.
const NestedConfig *find_nested(const CompilerConfig &config, std::string_view name);

/// Hooks of the config, or else of a nested one at any depth; null: there are none.
const JobHooks *any_hooks(const CompilerConfig &config);

/// Whether hooks of the config or of a nested one say that this function may stay undefined.
bool is_intrinsic_of_hooks(const CompilerConfig &config, std::string_view function);

} // namespace kiln
