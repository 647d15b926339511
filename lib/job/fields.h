// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of a config to a list of named values and back, for traces, options in JSON, and messages to
// worker processes.
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

/// All fields in digest order, without those of KILN_JOB_PART. Enumerations are given by name.
std::vector<ConfigField> plain_fields(const CompilerConfig &config);
/// Makes a config from these fields. A missing field has its default. Errors: Usage for an unknown target;
/// Input for an unknown field, or a value that does not fit its field.
Result<CompilerConfig> config_from_fields(std::span<const ConfigField> fields, const TargetList &targets);

/// An option of a target: its default, and the range of a number.
struct TargetField {
  std::string name;
  FieldValue value;
  int64_t min = 0, max = 0;
};
/// Error: that of Target::read_spec.
Result<std::vector<TargetField>> target_fields(const Target &target);

/// Sets one option of the spec's target. Errors: Usage for a target without this option, and for a value that
/// does not fit.
KILN_PROGRAMS_API Result<void> set_target_field(TargetSpec &spec, const TargetList &targets,
                                                std::string_view name, FieldValue value);

/// A field's value as JSON.
std::string json_of(const FieldValue &value);

/// Conversion between a config and a JSON object with its fields' names. Errors (Input): a target that is not
/// in the list, an unknown field, a value that does not fit, a linked file whose content has changed.
std::string config_json(const CompilerConfig &config);
Result<CompilerConfig> config_from_json(const JsonValue &object, const TargetList &targets);
/// Fields of `config` that differ from `from`, as a JSON object for messages. Linked files and nested configs
/// are shown as their number. Empty: no difference.
std::string config_difference(const CompilerConfig &config, const CompilerConfig &from);

} // namespace kiln
