// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random configs, and what a user would write for one. Neither uses a reader or writer of Kiln's.
#pragma once

#include <catch2/catch.hpp>
#include <job/job.h>

#include <random>

namespace kiln::test {

/// Calls visit(row, field) for every plain field of the config, the target's too.
template <class Config, class Visitor> void for_each_field(Config &config, Visitor &&visit) {
  const auto visit_own = [&](std::string_view name, auto &field) { visit(*find_field(name), field); };
  if (config.target.template is<PtxOptions>()) {
    if constexpr (std::is_const_v<Config>)
      PtxOptions::visit(config.target.template get<PtxOptions>(), visit_own);
    else
      PtxOptions::visit(config.target.template edit<PtxOptions>(), visit_own);
  } else {
    if constexpr (std::is_const_v<Config>)
      NativeOptions::visit(config.target.template get<NativeOptions>(), visit_own);
    else
      NativeOptions::visit(config.target.template edit<NativeOptions>(), visit_own);
  }
#define KILN_TARGET_OPTION(type, field, ...) visit(*find_field(#field), config.target.field);
#define KILN_JOB_OPTION(type, field, ...) visit(*find_field(#field), config.field);
#include <kiln/config.def>
}

class RandomConfigs {
public:
  explicit RandomConfigs(unsigned seed) : random_(seed) {}

  /// `with_unnamed`: fields that no option sets vary, too.
  CompilerConfig next(bool with_unnamed) {
    CompilerConfig config;
    if (below(2)) config.target = PtxOptions();
    const std::string target(config.target.name());
    for_each_field(config, [&](const ConfigOption &row, auto &field) {
      if ((with_unnamed || !row.name.empty()) && row.is_for(target) && below(3)) fill(row, field);
    });
    if (config.target.is<PtxOptions>()) { // set by the option of sm
      auto &options = config.target.edit<PtxOptions>();
      options.arch_specific = options.sm >= 90 && below(3) == 0; // sm_90a, sm_100f, ...
      options.family_specific = options.sm >= 100 && !options.arch_specific && below(3) == 0;
    }
    return config;
  }
  unsigned below(unsigned n) { return unsigned(random_() % n); }

private:
  template <class T> T one_of(std::initializer_list<T> all) {
    return all.begin()[below(unsigned(all.size()))];
  }
  void fill(const ConfigOption &, bool &field) { field = below(2); }
  void fill(const ConfigOption &row, std::string &field) {
    using namespace std::string_literals;
    if (row.values.form == OptionForm::Cpu)
      field = one_of({"znver3"s, "x86-64-v3"s});
    else
      field = one_of({"entry_1"s, "+avx2,-fma"s, "a \"b\\ \xc3\xa4"s, "="s});
  }
  void fill(const ConfigOption &, Extents &field) {
    for (uint32_t &extent : field) extent = 1 + below(64);
  }
  template <class T>
    requires std::is_enum_v<T>
  void fill(const ConfigOption &row, T &field) {
    field = T(below(unsigned(row.values.choices.size())));
  }
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  void fill(const ConfigOption &row, T &field) {
    switch (row.values.form) {
    case OptionForm::Architecture: field = T(one_of({70, 80, 90, 100, 121})); break;
    case OptionForm::Version: field = T(60 + below(31)); break;
    default: field = T(row.values.min + below(unsigned(row.values.max - row.values.min + 1)));
    }
  }
  std::mt19937 random_;
};

/// An option as a user writes it.
struct Written {
  std::string name, value;
  bool is_flag = false, is_number = false;
  bool is_on_command_line = true;
};

inline void write(std::vector<Written> &out, const ConfigOption &row, bool field, const CompilerConfig &) {
  std::string name(row.name);
  const bool is_default_true = row.values.clears || !row.values.negation.empty();
  if (field == is_default_true) return;
  if (!row.values.negation.empty()) name = row.values.negation;
  out.push_back({.name = name, .value = "true", .is_flag = true});
}
inline void write(std::vector<Written> &out, const ConfigOption &row, const std::string &field,
                  const CompilerConfig &) {
  if (!field.empty()) out.push_back({.name = std::string(row.name), .value = field});
}
inline void write(std::vector<Written> &out, const ConfigOption &row, const Extents &field,
                  const CompilerConfig &) {
  if (field[0])
    out.push_back(
        {.name = std::string(row.name), .value = fmt::format("{},{},{}", field[0], field[1], field[2])});
}
inline void write(std::vector<Written> &out, const ConfigOption &row, Contraction field,
                  const CompilerConfig &) {
  static const char *const names[] = {"default", "off", "on"};
  out.push_back({.name = std::string(row.name), .value = names[int(field)]});
}
inline void write(std::vector<Written> &, const ConfigOption &, EntryAbi, const CompilerConfig &) {}
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
void write(std::vector<Written> &out, const ConfigOption &row, T field, const CompilerConfig &config) {
  std::string value = std::to_string(field);
  if (row.values.form == OptionForm::Architecture) {
    const auto &options = config.target.get<PtxOptions>();
    value = fmt::format("sm_{}{}", value, options.arch_specific ? "a" : options.family_specific ? "f" : "");
  } else if (row.values.form == OptionForm::Version) {
    if (field == 0) return;
    value = fmt::format("{}.{}", int(field) / 10, int(field) % 10);
  }
  out.push_back(
      {.name = std::string(row.name), .value = value, .is_number = row.values.form == OptionForm::Number});
}

/// The options that make the config out of the defaults.
inline std::vector<Written> written(const CompilerConfig &config) {
  std::vector<Written> out{{.name = "target", .value = std::string(config.target.name())}};
  for_each_field(config, [&](const ConfigOption &row, const auto &field) {
    const size_t before = out.size();
    if (!row.name.empty() && row.is_for(config.target.name())) write(out, row, field, config);
    for (size_t i = before; i < out.size(); i++) out[i].is_on_command_line = row.has_flag();
  });
  return out;
}

template <class T> std::string text_of(const T &field) {
  if constexpr (std::is_same_v<T, Extents>)
    return fmt::format("{},{},{}", field[0], field[1], field[2]);
  else if constexpr (std::is_enum_v<T>)
    return std::to_string(int(field));
  else
    return fmt::format("{}", field);
}

/// Names of the fields that differ.
inline std::string difference(const CompilerConfig &a, const CompilerConfig &b) {
  if (a.target.name() != b.target.name()) return "target";
  std::vector<std::string> of_b;
  for_each_field(b, [&](const ConfigOption &, const auto &field) { of_b.push_back(text_of(field)); });
  std::string out;
  size_t i = 0;
  for_each_field(a, [&](const ConfigOption &row, const auto &field) {
    if (text_of(field) != of_b[i]) out += fmt::format("{}: {} and {}; ", row.field, text_of(field), of_b[i]);
    i++;
  });
  return out;
}

} // namespace kiln::test
