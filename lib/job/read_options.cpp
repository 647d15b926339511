// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_options.h"

#include <support/read_number.h>

#include "fields.h"

#include <kiln/extension/llvm/target.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln {

namespace {

using Kind = JsonValue::Kind;

/// Reads "8.5" as 85.
std::optional<int64_t> version_in(std::string_view text) {
  const size_t dot = text.find('.');
  const auto major = read_number<int>(text.substr(0, dot));
  const auto minor = dot == text.npos ? std::optional<int>(0) : read_number<int>(text.substr(dot + 1));
  if (!major || !minor || *major < 0 || *major > 99 || *minor < 0 || *minor > 9) return std::nullopt;
  return *major * 10 + *minor;
}

/// Text of a JSON value for messages: strings and numbers as written, other values by their kind.
std::string shown(const JsonValue &value) {
  if (value.is(Kind::String) || value.is(Kind::Number)) return fmt::format("`{}`", value.text);
  return std::string(value.kind_name());
}

class Reader {
public:
  /// `arch`: architecture to use in place of the object's "arch". Null: use the object's.
  Reader(const JsonValue &object, const OptionContext &context, const CompilerConfig &base,
         const GpuArch *arch = nullptr)
      : object_(object), context_(context), base_(base), arch_(arch) {}

  Result<CompilerConfig> read() {
    CompilerConfig config = base_;
    if (const Target *target = read_target()) {
      auto plain = read_fields(*target);
      if (!plain.ok()) return fail(plain.error().diagnostics()[0]);
      config = std::move(*plain);
      config.linked = base_.linked;
      config.hooks = base_.hooks;
      config.nested = base_.nested;
      report_others(*target);
    }
    if (const JsonValue *value = object_.find("link")) read_linked(*value, config);
    if (const JsonValue *value = object_.find("hooks")) read_hooks(*value, config);
    if (const JsonValue *value = object_.find("nested")) read_nested(*value, config);
    if (!faults_.empty()) return Error(std::move(faults_));
    return config;
  }

private:
  const JsonValue &object_;
  const OptionContext &context_;
  const CompilerConfig &base_;
  const GpuArch *const arch_;
  std::vector<std::string> known_; ///< names of the target's options
  std::vector<ConfigField> fields_;
  std::vector<Diagnostic> faults_;

  std::string name_of(std::string_view name) const { return spelled(name, context_.door); }
  void fault(const Location &at, std::string message, std::string hint = {}) {
    faults_.push_back(
        {.code = ErrorCode::OptionError, .message = std::move(message), .at = at, .hint = std::move(hint)});
  }
  Error fail(const Diagnostic &why) {
    if (faults_.empty()) fault(object_.at, why.message, why.hint);
    return Error(std::move(faults_));
  }
  /// Reports an invalid value at its place in the JSON text.
  void wrong(std::string_view name, const OptionValues &values, const JsonValue &value) {
    fault(value.at, wrong_value(name_of(name), values, shown(value)));
  }
  void wrong_kind(std::string_view name, const OptionValues &values, const JsonValue &value) {
    fault(value.at, wrong_value(name_of(name), values, value.kind_name()));
  }
  const JsonValue *take(std::string_view name) {
    known_.emplace_back(name);
    return object_.find(name);
  }
  void set(std::string_view field, FieldValue value) {
    const auto found = std::ranges::find(fields_, field, &ConfigField::name);
    if (found != fields_.end()) found->value = std::move(value);
  }

  // ---- plain fields

  const Target *read_target() {
    const JsonValue *given = object_.find("target");
    const OptionValues &values = find_field("target")->values;
    if (given && !given->is(Kind::String)) return wrong_kind("target", values, *given), nullptr;
    const std::string name = given ? given->text : std::string(base_.target.name());
    if (auto known = context_.targets.find(name); known.ok()) return *known;
    std::vector<std::string_view> names;
    for (const Target *each : context_.targets.all()) names.push_back(each->name());
    const OptionValues choice{.form = OptionForm::Choice, .choices = names};
    fault(given ? given->at : object_.at, wrong_value(name_of("target"), choice, fmt::format("`{}`", name)));
    return nullptr;
  }

  Result<CompilerConfig> read_fields(const Target &target) {
    CompilerConfig start = base_;
    if (target.name() != base_.target.name()) {
      KILN_TRY(start.target,
               target.read_spec([](std::string_view, TargetOptionPlace) { return Result<void>(); }));
      start.target.copy_common_options(base_.target);
    }
    fields_ = plain_fields(start);
    bool has_rows = false;
    for (const ConfigOption &option : named_options()) {
      if (!option.is_for(target.name())) continue;
      has_rows |= !option.target().empty() && find_own(option.field);
      if (option.is_part)
        known_.emplace_back(option.name);
      else
        read_option(option);
    }
    if (!has_rows) {
      KILN_TRY(const std::vector<TargetField> own, target_fields(target));
      for (const TargetField &field : own) read_own(field);
    }
    if (!faults_.empty()) return start; // unused
    return config_from_fields(fields_, context_.targets);
  }
  bool find_own(std::string_view field) const {
    return std::ranges::find(fields_, field, &ConfigField::name) != fields_.end();
  }

  void read_option(const ConfigOption &option) {
    if (option.is_flag()) return read_flag(option);
    if (option.values.form == OptionForm::Architecture && arch_) {
      known_.emplace_back(option.name);
      return set_architecture(option, *arch_);
    }
    if (const JsonValue *value = take(option.name))
      read_value(option.name, option.field, option.values, *value);
  }

  void read_flag(const ConfigOption &option) {
    const auto flag = [&](std::string_view name) -> std::optional<bool> {
      const JsonValue *value = name.empty() ? nullptr : take(name);
      if (!value) return std::nullopt;
      if (value->is(Kind::Boolean)) return value->boolean;
      wrong_kind(name, option.values, *value);
      return std::nullopt;
    };
    const auto given = flag(option.name), negated = flag(option.values.negation);
    if (given == true && negated == true)
      return fault(
          object_.find(option.values.negation)->at,
          fmt::format("{} and {} exclude each other", name_of(option.name), name_of(option.values.negation)));
    if (given && !option.values.clears) set(option.field, *given);
    if ((given == true && option.values.clears) || negated == true) set(option.field, false);
  }

  void read_value(std::string_view name, std::string_view field, const OptionValues &values,
                  const JsonValue &value) {
    const bool is_text = value.is(Kind::String);
    switch (values.form) {
    case OptionForm::Number: { // the number may be written as a string
      const auto number = is_text || value.is(Kind::Number) ? read_number<int64_t>(value.text) : std::nullopt;
      if (!number || *number < values.min || *number > values.max) return wrong(name, values, value);
      return set(field, *number);
    }
    case OptionForm::Extents: return read_extent_list(name, field, values, value);
    case OptionForm::Choice:
      if (!is_text || std::ranges::find(values.choices, value.text) == values.choices.end())
        return wrong(name, values, value);
      return set(field, value.text);
    case OptionForm::Architecture: return read_architecture(name, values, value);
    case OptionForm::Version:
      if (!is_text) return wrong_kind(name, values, value);
      if (value.text.empty()) return; // the default
      if (const auto version = version_in(value.text)) return set(field, *version);
      return wrong(name, values, value);
    case OptionForm::Cpu:
      if (is_text && value.text.starts_with("sm_"))
        return fault(value.at, fmt::format("{}: {} is an architecture of the target {}", name_of(name),
                                           value.text, find_field("sm")->target()));
      [[fallthrough]];
    default:
      if (!is_text) return wrong_kind(name, values, value);
      return set(field, value.text);
    }
  }

  /// Reads extents given as "16,16", 256, or [16, 16].
  void read_extent_list(std::string_view name, std::string_view field, const OptionValues &values,
                        const JsonValue &value) {
    std::string joined = value.text;
    for (const JsonValue &item : value.items) joined += (joined.empty() ? "" : ",") + item.text;
    const auto read = read_extents(name_of(name), joined);
    if (!read.ok()) return fault(value.at, read.error().diagnostics()[0].message);
    set(field, std::vector<uint32_t>(read->begin(), read->end()));
  }

  void read_architecture(std::string_view name, const OptionValues &values, const JsonValue &value) {
    if (value.is(Kind::Array))
      return fault(value.at, fmt::format("{} names one architecture here, not a list of them", name_of(name)),
                   "read_configs (kiln_compile_each in C) takes a list");
    if (!value.is(Kind::String)) return wrong_kind(name, values, value);
    if (value.text.empty()) return; // the default
    if (const auto arch = parse_arch(value.text)) return set_architecture(*find_field("sm"), *arch);
    if (value.text.find(',') == std::string::npos) return wrong(name, values, value);
    fault(value.at, fmt::format("{} takes one architecture here, not `{}`", name_of(name), value.text));
  }
  /// Sets the architecture, and resets the target's version options to the architecture's defaults.
  void set_architecture(const ConfigOption &option, GpuArch arch) {
    set(option.field, int64_t(arch.sm));
    set("arch_specific", arch.variant == ArchVariant::Specific);
    set("family_specific", arch.variant == ArchVariant::Family);
    for (const ConfigOption &other : named_options())
      if (other.values.form == OptionForm::Version && other.scope == option.scope)
        set(other.field, int64_t(0));
  }

  /// Reads an option of a target that has no row in kiln/config.def, such as that of an external target.
  void read_own(const TargetField &field) {
    const JsonValue *value = take(field.name);
    if (!value) return;
    if (std::holds_alternative<bool>(field.value)) {
      if (!value->is(Kind::Boolean)) return wrong_kind(field.name, {}, *value);
      return set(field.name, value->boolean);
    }
    OptionValues values{.form = OptionForm::Text};
    if (std::holds_alternative<int64_t>(field.value))
      values = {.form = OptionForm::Number, .min = field.min, .max = field.max};
    else if (std::holds_alternative<std::vector<uint32_t>>(field.value))
      values.form = OptionForm::Extents;
    read_value(field.name, field.name, values, *value);
  }

  /// Reports names in the JSON object that are not options of this target.
  void report_others(const Target &target) {
    for (const JsonValue::Name &name : object_.names) {
      if (std::ranges::find(known_, name.text) != known_.end()) continue;
      const auto other = std::ranges::find(named_options(), name.text, &ConfigOption::name);
      if (other != named_options().end())
        fault(name.at, fmt::format("{} is for the target {}, not {}", name_of(name.text), other->target(),
                                   target.name()));
      else
        fault(name.at, unknown_option(name.text, context_.door, known_),
              "docs/guide/options.md lists the options");
    }
  }

  // ---- parts

  void read_hooks(const JsonValue &value, CompilerConfig &config) {
    if (!value.is(Kind::String)) return wrong_kind("hooks", find_field("hooks")->values, value);
    if (value.text.empty()) return;
    if (!context_.find_hooks)
      return fault(value.at, "hooks are a session's: Session::add_hooks, Session::read_config");
    auto found = context_.find_hooks(value.text);
    if (!found.ok()) return fault(value.at, found.error().diagnostics()[0].message);
    config.hooks = std::move(*found);
  }

  void read_linked(const JsonValue &value, CompilerConfig &config) {
    auto add = [&](const JsonValue &one) {
      if (!one.is(Kind::String)) return wrong_kind("link", find_field("linked")->values, one);
      auto file = read_linked_file(one.text);
      if (!file.ok())
        return fault(one.at, file.error().diagnostics()[0].message, file.error().diagnostics()[0].hint);
      config.linked.push_back(std::move(*file));
    };
    if (!value.is(Kind::Array)) return add(value);
    for (const JsonValue &one : value.items) add(one);
  }

  void read_nested(const JsonValue &value, CompilerConfig &config) {
    if (!value.is(Kind::Object)) return wrong_kind("nested", find_field("nested")->values, value);
    for (const JsonValue::Name &name : value.names) {
      const JsonValue &options = *value.find(name.text);
      if (!options.is(Kind::Object)) {
        fault(options.at, fmt::format("{} takes an object of options, not {}", name_of("nested." + name.text),
                                      options.kind_name()));
        continue;
      }
      const CompilerConfig defaults;
      auto read = Reader(options, context_, defaults).read();
      if (read.ok())
        config.nested.push_back({name.text, std::make_shared<const CompilerConfig>(std::move(*read))});
      else
        faults_.insert(faults_.end(), read.error().diagnostics().begin(), read.error().diagnostics().end());
    }
  }
};

} // namespace

Result<CompilerConfig> read_options(const JsonValue &object, const OptionContext &context,
                                    const CompilerConfig &base) {
  return Reader(object, context, base).read();
}

Result<std::vector<CompilerConfig>> read_options_each(const JsonValue &object, const OptionContext &context,
                                                      const CompilerConfig &base) {
  const JsonValue *given = object.find("arch"), *target = object.find("target");
  const std::string_view name = target ? std::string_view(target->text) : base.target.name();
  const auto row = std::ranges::find_if(named_options(), [&](const ConfigOption &option) {
    return option.values.form == OptionForm::Architecture && option.target() == name;
  });
  std::vector<CompilerConfig> configs;
  if (!given || row == named_options().end()) {
    KILN_TRY(CompilerConfig config, read_options(object, context, base));
    configs.push_back(std::move(config));
    return configs;
  }
  const std::string option = spelled(row->name, context.door);
  const std::span<const JsonValue> items =
      given->is(Kind::Array) ? std::span<const JsonValue>(given->items) : std::span(given, 1);
  if (items.empty())
    return make_error(ErrorCode::OptionError, fmt::format("{} has no value", option), given->at);
  std::vector<GpuArch> archs;
  for (const JsonValue &item : items) {
    if (!item.is(Kind::String))
      return make_error(ErrorCode::OptionError,
                        fmt::format("{} takes a string, or a list of strings", option), item.at);
    auto named = parse_archs(option, item.text);
    if (!named.ok())
      return make_error(ErrorCode::OptionError, named.error().diagnostics()[0].message, item.at);
    for (const GpuArch arch : *named)
      if (std::ranges::find(archs, arch) == archs.end()) archs.push_back(arch);
  }
  for (const GpuArch arch : archs) {
    KILN_TRY(CompilerConfig config, Reader(object, context, base, &arch).read());
    configs.push_back(std::move(config));
  }
  return configs;
}

Result<JsonValue> parse_options(std::string_view json) {
  auto file = std::make_shared<const SourceFile>(0, "options", std::string(json.empty() ? "{}" : json));
  KILN_TRY(JsonValue object, parse_json(file));
  if (!object.is(Kind::Object))
    return make_error(ErrorCode::OptionError,
                      fmt::format("options are an object of JSON, not {}", object.kind_name()), object.at);
  return object;
}

} // namespace kiln
