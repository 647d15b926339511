// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one reader of options: a config from named values, as JSON, C, Python, manifests and the command line
// give them.
#pragma once

#include "options.h"
#include "target_list.h"

#include <architectures/architectures.h>

#include <functional>
#include <optional>

namespace kiln {

struct OptionContext {
  const TargetList &targets;
  OptionDoor door = OptionDoor::Json;
  /// Finds hooks by their name. Null: there is no session that could know any.
  std::function<Result<std::shared_ptr<const JobHooks>>(std::string_view)> find_hooks = {};
};

/// Reads an object of options: {"target": "ptx", "arch": "sm_90", "O": 3}. Options of targets outside this
/// tree are called as their fields. `base`: the config that the options change. Its target holds where the
/// object names none. Error: Input, with every fault and its place.
Result<CompilerConfig> read_options(const JsonValue &object, const OptionContext &context,
                                    const CompilerConfig &base = {});

/// Makes a config for each architecture of "arch": "sm_80,sm_90a" or ["sm_80", "sm_90a"]. One config where
/// there is no "arch", and for targets without such architectures. Errors: as read_options.
Result<std::vector<CompilerConfig>> read_options_each(const JsonValue &object, const OptionContext &context,
                                                      const CompilerConfig &base = {});

/// Parses an object of options. An empty text is an object without any.
Result<JsonValue> parse_options(std::string_view json);

} // namespace kiln
