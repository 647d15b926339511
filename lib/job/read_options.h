// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reader of options: named values to a config, for JSON, C, Python, manifests and the command line.
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
  /// Finds hooks by name. Null: without a session there are no hooks.
  std::function<Result<std::shared_ptr<const JobHooks>>(std::string_view)> find_hooks = {};
};

/// Reads an object of options: {"target": "ptx", "arch": "sm_90", "O": 3}. Options of external targets have
/// their fields' names. `base`: the config that the options modify; its target is used if the object names
/// none. Error: Input, with every fault and its place.
Result<CompilerConfig> read_options(const JsonValue &object, const OptionContext &context,
                                    const CompilerConfig &base = {});

/// Makes one config for each architecture of "arch": "sm_80,sm_90a" or ["sm_80", "sm_90a"]. A single config
/// without "arch", or for targets without such architectures. Errors: those of read_options.
Result<std::vector<CompilerConfig>> read_options_each(const JsonValue &object, const OptionContext &context,
                                                      const CompilerConfig &base = {});

/// Parses an object of options. An empty text is an empty object.
Result<JsonValue> parse_options(std::string_view json);

} // namespace kiln
