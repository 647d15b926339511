// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts a config to a list of named values and back, for traces, options in JSON, and messages to worker
// processes.
#pragma once

#include "target_list.h"

#include <kiln/job.h>
#include <support/support.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kiln {

using FieldValue = std::variant<bool, int64_t, std::string, std::vector<uint32_t>>;

struct ConfigField {
  std::string name; ///< of the struct's field; "target" is the target's name
  FieldValue value;
  bool operator==(const ConfigField &) const = default;
};

/// Returns all plain fields (KILN_JOB_OPTION in kiln/config.def), in the order in which keys digest them.
/// Enumerations are given by name.
std::vector<ConfigField> plain_fields(const CompilerConfig &config);
/// Makes a config from plain fields. A missing field has its default. Errors: Usage for an unknown target;
/// Input for an unknown field, or for a value that does not fit.
Result<CompilerConfig> config_from_fields(std::span<const ConfigField> fields, const TargetList &targets);

/// An option of a target: its name, its default, and the range if it is a number.
struct TargetField {
  std::string name;
  FieldValue value;
  int64_t min = 0, max = 0;
};
/// Error: that of Target::read_spec.
Result<std::vector<TargetField>> target_fields(const Target &target);

/// Sets the target's option `name` in `spec`. Errors: Usage if the target has no such option, or if the value
/// does not fit.
KILN_PROGRAMS_API Result<void> set_target_field(TargetSpec &spec, const TargetList &targets,
                                                std::string_view name, FieldValue value);

/// A field's value as JSON.
std::string json_of(const FieldValue &value);

/// Converts a config to a JSON object, whose names are those of the config's fields, and back. Errors
/// (Input): an unknown target or field, a value that does not fit, or a linked file whose content has
/// changed.
std::string config_json(const CompilerConfig &config);
Result<CompilerConfig> config_from_json(const JsonValue &object, const TargetList &targets);
/// Returns the fields of `config` that differ from `from`, as a JSON object for messages. Linked files and
/// nested configs are given as a count. Empty: no difference.
std::string config_difference(const CompilerConfig &config, const CompilerConfig &from);

} // namespace kiln
