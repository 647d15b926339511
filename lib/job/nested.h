// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validates and searches nested configs (CompilerConfig::nested).
#pragma once

#include <kiln/job.h>

#include <string>
#include <string_view>

namespace kiln {

class Target;
class TargetList;

/// Maximum depth of nested configs.
inline constexpr int max_nested_depth = 8;

/// Checks the nested configs of a job for `target` at every depth, and fills in the defaults of their
/// targets. Error: Usage, naming the nested config.
Result<void> check_nested(CompilerConfig &config, const Target &target, const TargetList &targets);

/// Finds a nested config by name; null: there is none.
const NestedConfig *find_nested(const CompilerConfig &config, std::string_view name);

/// Returns the hooks of the config or of a config nested in it; null: none has hooks.
const JobHooks *any_hooks(const CompilerConfig &config);

/// True if hooks of the config, or of a config nested in it, allow this function to stay undefined.
bool is_intrinsic_of_hooks(const CompilerConfig &config, std::string_view function);

} // namespace kiln
