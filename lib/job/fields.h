// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A config as a list of named values and back. Traces, options in JSON and messages to worker processes are
// such lists.
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
  std::string name; ///< of the struct's field; "target" holds the target's name
  FieldValue value;
  bool operator==(const ConfigField &) const = default;
};

/// All fields in the digest's order, except those of KILN_JOB_PART. Enumerations are their names.
std::vector<ConfigField> plain_fields(const CompilerConfig &config);
/// A config with these fields. A missing field has its default. Errors: Usage for an unknown target; Input
/// for an unknown field and for a value that does not fit its field.
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

/// The config as an object of JSON by the names of its fields, and back. Errors (Input): a target that is not
/// in the list, an unknown field, a value that does not fit it, a linked file with other content than the
/// recorded one.
std::string config_json(const CompilerConfig &config);
Result<CompilerConfig> config_from_json(const JsonValue &object, const TargetList &targets);
/// For people: the fields of `config` that differ from those of `from`, as an object of JSON, in which linked
/// files and nested configs are their number. Empty: there is no difference.
std::string config_difference(const CompilerConfig &config, const CompilerConfig &from);

} // namespace kiln
