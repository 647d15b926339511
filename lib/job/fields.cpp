// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fields.h"

#include <kiln/extension/llvm/target.h>

#include <fmt/format.h>

#include <algorithm>
#include <climits>

namespace kiln {

namespace {

std::span<const std::string_view> names_of(EntryAbi) { return entry_abi_names; }
std::span<const std::string_view> names_of(Contraction) { return contraction_names; }

/// Enumerations were validated by check_config.
template <class T> FieldValue value_of(const T &field) {
  if constexpr (std::is_enum_v<T>)
    return std::string(names_of(field)[size_t(field)]);
  else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>)
    return field;
  else
    return int64_t(field);
}

/// Stores a value in a field. Returns false if the value does not fit the field's type.
bool store(const FieldValue &value, bool &field) {
  const bool *given = std::get_if<bool>(&value);
  return given && (field = *given, true);
}
bool store(const FieldValue &value, std::string &field) {
  const std::string *given = std::get_if<std::string>(&value);
  return given && (field = *given, true);
}
bool store(const FieldValue &value, Extents &field) {
  const auto *given = std::get_if<std::vector<uint32_t>>(&value);
  return given && given->size() == field.size() &&
         (std::copy(given->begin(), given->end(), field.begin()), true);
}
template <class T>
  requires std::is_integral_v<T>
bool store(const FieldValue &value, T &field) {
  const int64_t *given = std::get_if<int64_t>(&value);
  return given && std::in_range<T>(*given) && (field = T(*given), true);
}
template <class T>
  requires std::is_enum_v<T>
bool store(const FieldValue &value, T &field) {
  const std::string *given = std::get_if<std::string>(&value);
  const auto names = names_of(field);
  const auto found = given ? std::ranges::find(names, *given) : names.end();
  return found != names.end() && (field = T(found - names.begin()), true);
}

struct FieldCollector final : TargetOptionVisitor {
  std::vector<ConfigField> &fields;
  explicit FieldCollector(std::vector<ConfigField> &into) : fields(into) {}
  void option(std::string_view name, bool value) override { add(name, value); }
  void option(std::string_view name, int64_t value) override { add(name, value); }
  void option(std::string_view name, std::string_view value) override { add(name, std::string(value)); }
  void option(std::string_view name, std::span<const uint32_t> values) override {
    add(name, std::vector<uint32_t>(values.begin(), values.end()));
  }
  void add(std::string_view name, FieldValue value) {
    fields.push_back({std::string(name), std::move(value)});
  }
};

Error wrong_value_of(std::string_view name, const FieldValue &value) {
  return input_error(fmt::format("the field {} cannot be {}", name, json_of(value)));
}

} // namespace

std::string json_of(const FieldValue &value) {
  if (const bool *flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const int64_t *number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  if (const std::string *text = std::get_if<std::string>(&value)) return json_string(*text);
  return fmt::format("[{}]", fmt::join(std::get<std::vector<uint32_t>>(value), ","));
}

std::vector<ConfigField> plain_fields(const CompilerConfig &config) {
  std::vector<ConfigField> fields;
  FieldCollector collector(fields);
  collector.add("target", std::string(config.target.name()));
  config.target.visit(collector);
#define KILN_TARGET_OPTION(type, field, ...) collector.add(#field, value_of(config.target.field));
#include <kiln/config.def>
#define KILN_JOB_OPTION(type, field, ...) collector.add(#field, value_of(config.field));
#include <kiln/config.def>
  return fields;
}

Result<CompilerConfig> config_from_fields(std::span<const ConfigField> fields, const TargetList &targets) {
  std::vector<bool> is_used(fields.size());
  Result<void> done;
  auto take = [&](std::string_view name, auto &field) {
    for (size_t i = 0; i < fields.size() && done.ok(); i++) {
      if (fields[i].name != name) continue;
      is_used[i] = true;
      if (!store(fields[i].value, field)) done = wrong_value_of(name, fields[i].value);
    }
  };
  CompilerConfig config;
  std::string name(config.target.name());
  take("target", name);
  KILN_CHECK(std::move(done));
  done = {};
  KILN_TRY(const Target *target, targets.find(name));
  KILN_TRY(config.target, target->read_spec([&](std::string_view option, TargetOptionPlace place) {
    std::visit([&](auto *field) { take(option, *field); }, place);
    return Result<void>();
  }));
#define KILN_TARGET_OPTION(type, field, ...) take(#field, config.target.field);
#include <kiln/config.def>
#define KILN_JOB_OPTION(type, field, ...) take(#field, config.field);
#include <kiln/config.def>
  KILN_CHECK(std::move(done));
  for (size_t i = 0; i < fields.size(); i++)
    if (!is_used[i]) return input_error(fmt::format("this version of Kiln has no option {}", fields[i].name));
  return config;
}

Result<std::vector<TargetField>> target_fields(const Target &target) {
  std::vector<TargetField> fields;
  auto add = [&](std::string_view name, const auto &field) {
    using T = std::remove_cvref_t<decltype(field)>;
    TargetField made{std::string(name), false};
    if constexpr (std::is_same_v<T, Extents>)
      made.value = std::vector<uint32_t>(field.begin(), field.end());
    else
      made.value = value_of(field);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      made.min = std::numeric_limits<T>::min(), made.max = std::numeric_limits<T>::max();
    fields.push_back(std::move(made));
  };
  KILN_CHECK(target.read_spec([&](std::string_view name, TargetOptionPlace place) {
    std::visit([&](auto *field) { add(name, *field); }, place);
    return Result<void>();
  }));
  return fields;
}

Result<void> set_target_field(TargetSpec &spec, const TargetList &targets, std::string_view name,
                              FieldValue value) {
  std::vector<ConfigField> own;
  FieldCollector collector(own);
  spec.visit(collector);
  const auto found = std::ranges::find(own, name, &ConfigField::name);
  if (found == own.end())
    return usage_error(fmt::format("the target {} has no option {}", spec.name(), name));
  found->value = std::move(value);
  KILN_TRY(const Target *target, targets.find(spec.name()));
  KILN_TRY(TargetSpec changed,
           target->read_spec([&](std::string_view option, TargetOptionPlace place) -> Result<void> {
             const auto field = std::ranges::find(own, option, &ConfigField::name);
             if (field == own.end() || std::visit([&](auto *at) { return store(field->value, *at); }, place))
               return {};
             return usage_error(fmt::format("the option {} of the target {} cannot be {}", option,
                                            spec.name(), json_of(field->value)));
           }));
  changed.copy_common_options(spec);
  spec = std::move(changed);
  return {};
}

} // namespace kiln
