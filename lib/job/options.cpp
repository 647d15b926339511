// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.h"

#include <support/read_number.h>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace kiln {

namespace {

// Functions that kiln/config.def uses in its column `values`.
constexpr OptionValues flag() { return {}; }
constexpr OptionValues flag_or(std::string_view negation, std::string_view meaning) {
  return {.negation = negation, .negation_meaning = meaning};
}
constexpr OptionValues off() { return {.clears = true}; }
constexpr OptionValues text(std::string_view placeholder) {
  return {.form = OptionForm::Text, .placeholder = placeholder};
}
constexpr OptionValues number(int64_t min, int64_t max, std::string_view placeholder) {
  return {.form = OptionForm::Number, .placeholder = placeholder, .min = min, .max = max};
}
constexpr OptionValues extents() { return {.form = OptionForm::Extents, .placeholder = "X[,Y[,Z]]"}; }
constexpr OptionValues choice(std::span<const std::string_view> choices) {
  return {.form = OptionForm::Choice, .placeholder = "CHOICE", .choices = choices};
}
constexpr OptionValues cpu_name() { return {.form = OptionForm::Cpu, .placeholder = "ARCH"}; }
constexpr OptionValues architecture() { return {.form = OptionForm::Architecture, .placeholder = "ARCH"}; }
constexpr OptionValues version() { return {.form = OptionForm::Version, .placeholder = "VERSION"}; }
constexpr OptionValues target_name() { return {.form = OptionForm::Target, .placeholder = "TARGET"}; }
constexpr OptionValues files() { return {.form = OptionForm::Files, .placeholder = "FILE"}; }
constexpr OptionValues hooks_name() { return {.form = OptionForm::Hooks, .placeholder = "NAME"}; }
constexpr OptionValues configs() { return {.form = OptionForm::Configs, .placeholder = "CONFIGS"}; }

constexpr ConfigOption rows[] = {
#define KILN_ROW(type, field, value, name, values, scope, meaning)                                           \
  {#field, name, values, #scope, meaning, false},
#define KILN_JOB_OPTION KILN_ROW
#define KILN_JOB_PART(type, field, value, name, values, scope, meaning)                                      \
  {#field, name, values, #scope, meaning, true},
#define KILN_TARGET_OPTION KILN_ROW
#define KILN_NATIVE_OPTION KILN_ROW
#define KILN_PTX_OPTION KILN_ROW
#define KILN_SPIRV_OPTION KILN_ROW
#include <kiln/config.def>
#undef KILN_ROW
};

/// Edit distance of two names (optimal string alignment): letters to insert, remove, replace or swap with
/// their neighbour.
size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); i++)
    for (size_t j = 0; j <= b.size(); j++) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string accepted(const OptionValues &values) {
  switch (values.form) {
  case OptionForm::Flag: return "true or false";
  case OptionForm::Number: return fmt::format("a whole number from {} to {}", values.min, values.max);
  case OptionForm::Extents: return "X[,Y[,Z]], numbers above 0";
  case OptionForm::Architecture: return "sm_<number>, such as sm_90, sm_90a or sm_100f";
  case OptionForm::Version: return "a version such as 8.5";
  case OptionForm::Files: return "a path, or a list of them";
  case OptionForm::Configs: return "an object of configs by their names";
  case OptionForm::Choice: {
    std::string out;
    for (const std::string_view &each : values.choices)
      out += fmt::format("{}{}", out.empty() ? "" : &each == &values.choices.back() ? " or " : ", ", each);
    return out;
  }
  default: return "a string";
  }
}

} // namespace

std::string_view ConfigOption::target() const {
  return scope == "any" || scope == "in_text" || scope == "code" ? std::string_view() : scope;
}

std::span<const ConfigOption> named_options() {
  static const std::vector<ConfigOption> named = [] {
    std::vector<ConfigOption> all;
    std::ranges::copy_if(rows, std::back_inserter(all),
                         [](const ConfigOption &row) { return !row.name.empty(); });
    return all;
  }();
  return named;
}

const ConfigOption *find_field(std::string_view field) {
  const auto found = std::ranges::find(rows, field, &ConfigOption::field);
  return found == std::end(rows) ? nullptr : &*found;
}

std::string spelled(std::string_view name, OptionDoor door) {
  switch (door) {
  case OptionDoor::Json: return fmt::format("\"{}\"", name);
  case OptionDoor::CommandLine: return fmt::format("{}{}", name.size() == 1 ? "-" : "--", name);
  case OptionDoor::Cpp: break;
  }
  return fmt::format("CompilerConfig::{}", name);
}

std::string similar_name(std::string_view name, std::span<const std::string> known) {
  std::string similar;
  size_t fewest = name.size() / 3;
  for (const std::string &each : known)
    if (const size_t changed = edits(name, each); changed > 0 && changed <= fewest) {
      fewest = changed - 1;
      similar = each;
    }
  if (!similar.empty()) return similar;
  size_t longest = 1; // a common prefix must be longer than this
  for (const std::string &each : known) {
    const auto same =
        size_t(std::mismatch(each.begin(), each.end(), name.begin(), name.end()).first - each.begin());
    if (same <= longest || 2 * same < std::min(each.size(), name.size())) continue;
    longest = same;
    similar = each;
  }
  return similar;
}

std::string unknown_option(std::string_view name, OptionDoor door, std::span<const std::string> known) {
  const std::string similar = similar_name(name, known);
  return fmt::format("there is no option {}{}", spelled(name, door),
                     similar.empty() ? "" : fmt::format("; did you mean {}?", spelled(similar, door)));
}

std::string wrong_value(std::string_view spelled_name, const OptionValues &values, std::string_view given) {
  return fmt::format("{} takes {}, not {}", spelled_name, accepted(values), given);
}

Result<Extents> read_extents(std::string_view spelled_name, std::string_view text) {
  Extents all{1, 1, 1};
  std::string_view rest = text;
  for (size_t i = 0;; i++) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const uint32_t extent = read_number<uint32_t>(rest.substr(0, comma)).value_or(0);
    if (i == 3 || extent == 0)
      return usage_error(wrong_value(spelled_name, extents(), fmt::format("`{}`", text)));
    all[i] = extent;
    if (comma == rest.size()) return all;
    rest.remove_prefix(comma + 1);
  }
}

} // namespace kiln
