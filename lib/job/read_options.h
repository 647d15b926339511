// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a config from named values in JSON, for C, Python, manifests and the command line.
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
  /// Finds hooks by the name that a session gave them. Null: there is no session, so that no hooks exist.
  std::function<Result<std::shared_ptr<const JobHooks>>(std::string_view)> find_hooks = {};
};

/// Reads a JSON object of options: {"target": "ptx", "arch": "sm_90", "O": 3}. Options of external targets
/// have the names of their fields. `base`: the config to change; its target is used if the object names none.
/// Error: Input, listing every fault with its place.
Result<CompilerConfig> read_options(const JsonValue &object, const OptionContext &context,
                                    const CompilerConfig &base = {});

/// Makes one config per architecture of "arch": "sm_80,sm_90a" or ["sm_80", "sm_90a"]. Makes a single config
/// if the object has no "arch", or if the target has no such architectures. Errors: those of read_options().
Result<std::vector<CompilerConfig>> read_options_each(const JsonValue &object, const OptionContext &context,
                                                      const CompilerConfig &base = {});

/// Parses an object of options. An empty text is an empty object.
Result<JsonValue> parse_options(std::string_view json);

} // namespace kiln
