// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Configs of nested jobs (CompilerConfig::nested): validation and queries.
#pragma once

#include <kiln/job.h>

#include <string>
#include <string_view>

namespace kiln {

class Target;
class TargetList;

/// Maximum depth of nested configs.
inline constexpr int max_nested_depth = 8;

/// Checks the nested configs of a job of `target` at every depth, and fills in their targets' defaults.
/// Errors: Usage, naming the nested config.
Result<void> check_nested(CompilerConfig &config, const Target &target, const TargetList &targets);

/// Null: no nested config of this name.
const NestedConfig *find_nested(const CompilerConfig &config, std::string_view name);

/// Hooks of the config, or of a nested one at any depth; null: none.
const JobHooks *any_hooks(const CompilerConfig &config);

/// True if hooks of the config or of a nested one permit this function to stay undefined.
bool is_intrinsic_of_hooks(const CompilerConfig &config, std::string_view function);

} // namespace kiln
