// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of kiln/config.def as values, and messages about options, for the command line, JSON and C++.
#pragma once

#include <kiln/job.h>
#include <support/support.h>

#include <span>
#include <string>
#include <string_view>

namespace kiln {

enum class OptionForm : uint8_t {
  Flag,         ///< true or false
  Text,         ///< a string
  Number,       ///< an integer between the row's `min` and `max`
  Extents,      ///< "X[,Y[,Z]]", or a list of numbers
  Choice,       ///< one of `choices`
  Cpu,          ///< an LLVM CPU name
  Architecture, ///< "sm_90a"; also sets the fields arch_specific and family_specific
  Version,      ///< "8.5" as the number 85
  Target,       ///< the name of a target
  Files,
  Hooks,
  Configs ///< nested configs; Files, Hooks and Configs are no plain values
};

/// Valid values of an option.
struct OptionValues {
  OptionForm form = OptionForm::Flag;
  std::string_view placeholder; ///< for a value, in help: "LEVEL"
  int64_t min = 0, max = 0;
  std::span<const std::string_view> choices;
  std::string_view negation, negation_meaning; ///< an additional flag that clears the field: "no-kernel"
  bool clears = false;                         ///< the option's flag clears the field
};

/// A row of kiln/config.def.
struct ConfigOption {
  std::string_view field, name;
  OptionValues values;
  std::string_view scope; ///< any, in_text, code, or a target's name
  std::string_view meaning;
  bool is_part = false; ///< KILN_JOB_PART

  /// Target to which the option belongs; empty: all targets have it.
  std::string_view target() const;
  bool is_for(std::string_view target_name) const { return target().empty() || target() == target_name; }
  bool is_flag() const { return values.form == OptionForm::Flag; }
  /// True if the command line has a flag for this option.
  bool has_flag() const { return !name.empty() && scope != "in_text"; }
};

/// All rows of the table that have a name, in table order.
std::span<const ConfigOption> named_options();
/// Finds the row of a field of CompilerConfig, of TargetSpec, or of a target's options. Null: there is none.
const ConfigOption *find_field(std::string_view field);

// ---- messages

/// Interface through which a user gave an option. Messages spell the option as that interface does.
enum class OptionDoor : uint8_t {
  Json,        ///< "maxregs"
  CommandLine, ///< --maxregs
  Cpp          ///< CompilerConfig::max_registers; the name is the field's
};
std::string spelled(std::string_view name, OptionDoor door);
/// Returns the known name most like `name`: by few changed letters, or else by the longest common prefix.
/// Empty: no name is similar.
std::string similar_name(std::string_view name, std::span<const std::string> known);
/// Makes the message for an unknown option. `known`: names of which a similar one is suggested.
std::string unknown_option(std::string_view name, OptionDoor door, std::span<const std::string> known);
/// Makes the message for an invalid value. `given`: the value as text.
std::string wrong_value(std::string_view spelled_name, const OptionValues &values, std::string_view given);

/// Reads extents written as "X[,Y[,Z]]". A missing extent is 1. Error: Usage.
Result<Extents> read_extents(std::string_view spelled_name, std::string_view text);

} // namespace kiln
