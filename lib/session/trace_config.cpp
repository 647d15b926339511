// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config_fields.h"
#include "trace.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace kiln {

namespace {

// Only configs of jobs, which check_config has seen.
std::string json_of(EntryAbi abi) { return json_string(entry_abi_names[size_t(abi)]); }
std::string json_of(std::string_view text) { return json_string(text); }
std::string json_of(const std::string &text) { return json_string(text); }
std::string json_of(bool value) { return value ? "true" : "false"; }
template <class T>
  requires std::is_integral_v<T>
std::string json_of(T value) {
  return std::to_string(value);
}

std::string digest_text(const std::array<uint64_t, 2> &digest) {
  return Fingerprint{digest[0], digest[1]}.hex();
}

Result<LinkedFile> linked_from(const JsonValue &value) {
  const JsonValue *path = value.find("path"), *digest = value.find("digest");
  if (!path || !digest) return input_error("a linked file without its path or digest", value.at);
  KILN_TRY(LinkedFile file, read_linked_file(path->text));
  if (digest_text(file.digest) != digest->text)
    return input_error(fmt::format("the linked file {} is not what it was", path->text), value.at);
  return file;
}

using Fields = std::vector<std::pair<std::string_view, std::string>>;

/// All but files, hooks and nested configs, as JSON; those of one name, an array's, joined.
Fields plain_fields(const CompilerConfig &config) {
  Fields fields;
  visit_fields(config, [&](std::string_view name, const auto &value) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, LinkedKind>) {
      if (name.starts_with("linked")) return; // told by their paths
      if (name.starts_with("hooks")) return;  // they are code
      if (name.starts_with("nested")) return; // each is an object
      if (!fields.empty() && fields.back().first == name)
        fields.back().second += "," + json_of(value);
      else
        fields.emplace_back(name, json_of(value));
    }
  });
  return fields;
}

/// Behind `out`, an object that has begun.
void add_field(std::string &out, std::string_view name, const std::string &value) {
  const bool is_array = name == "max_threads" || name == "required_threads" || name == "cluster";
  out += fmt::format("{}\"{}\":{}{}{}", out.size() > 1 ? "," : "", name, is_array ? "[" : "", value,
                     is_array ? "]" : "");
}

} // namespace

std::string config_difference(const CompilerConfig &config, const CompilerConfig &from) {
  if (config == from) return {};
  const Fields fields = plain_fields(config), theirs = plain_fields(from);
  std::string out = "{";
  for (const auto &field : fields)
    if (std::find(theirs.begin(), theirs.end(), field) == theirs.end())
      add_field(out, field.first, field.second);
  if (config.linked != from.linked) add_field(out, "linked", std::to_string(config.linked.size()));
  if (config.nested != from.nested) add_field(out, "nested", std::to_string(config.nested.size()));
  if (config.hooks != from.hooks) add_field(out, "hooks", "true");
  return out == "{" ? std::string() : out + "}";
}

std::string config_json(const CompilerConfig &config) {
  std::string out = "{";
  for (const auto &[name, value] : plain_fields(config)) add_field(out, name, value);
  if (!config.linked.empty()) {
    out += ",\"linked\":[";
    for (const LinkedFile &file : config.linked) {
      std::error_code unknown;
      auto path = std::filesystem::absolute(file.name, unknown);
      out += fmt::format("{}{{\"path\":{},\"digest\":\"{}\"}}", &file == &config.linked[0] ? "" : ",",
                         json_string(unknown ? file.name : path.string()), digest_text(file.digest));
    }
    out += "]";
  }
  if (!config.nested.empty()) {
    out += ",\"nested\":{";
    for (const NestedConfig &nested : config.nested)
      out += fmt::format("{}{}:{}", &nested == &config.nested[0] ? "" : ",", json_string(nested.name),
                         config_json(*nested.config));
    out += "}";
  }
  return out + "}";
}

/// `take` reads a field by its name, and remembers that it was asked for.
template <class Take>
static Result<TargetSpec> target_from_json(const JsonValue &object, const TargetList &targets, Take &&take) {
  std::string name(TargetSpec().name());
  take("target", name);
  auto target = targets.find(name);
  if (!target.ok())
    return input_error(target.error().diagnostics()[0].message, object.at,
                       "name an embedder's targets to read_job_trace, as to SessionOptions");
  KILN_TRY(TargetSpec spec,
           (*target)->read_spec([&](std::string_view option, TargetOptionPlace place) -> Result<void> {
             std::visit(
                 [&](auto *field) {
                   if constexpr (requires { field->size(), (*field)[0] = 0u; } &&
                                 !std::is_same_v<decltype(field), std::string *>)
                     for (auto &item : *field) take(option, item);
                   else
                     take(option, *field);
                 },
                 place);
             return {};
           }));
  take("fast_math", spec.fast_math);
  take("contract", spec.contract);
  return spec;
}

Result<CompilerConfig> config_from_json(const JsonValue &object, const TargetList &targets) {
  CompilerConfig config;
  std::map<std::string_view, size_t> used; // how many values of each name were taken
  std::optional<Error> fault;
  auto take = [&](std::string_view name, auto &field) {
    const JsonValue *value = object.find(name);
    size_t turn = used[name]++;
    if (!value || fault) return; // it keeps its default
    if (value->is(JsonValue::Kind::Array)) {
      if (turn >= value->items.size()) return;
      value = &value->items[turn];
    }
    if (!set_field(field, *value))
      fault = input_error(fmt::format("{} cannot be {}", name, value->kind_name()), value->at);
  };
  visit_fields(config, take);
  KILN_TRY(config.target, target_from_json(object, targets, take));
  if (fault) return std::move(*fault);
  for (const JsonValue::Name &name : object.names)
    if (!used.contains(name.text) && name.text != "linked" && name.text != "nested")
      return input_error(fmt::format("this version of Kiln has no option {}", name.text), name.at);
  if (const JsonValue *linked = object.find("linked"))
    for (const JsonValue &file : linked->items) {
      KILN_TRY(LinkedFile read, linked_from(file));
      config.linked.push_back(std::move(read));
    }
  if (const JsonValue *nested = object.find("nested"))
    for (const JsonValue::Name &name : nested->names) {
      KILN_TRY(CompilerConfig read, config_from_json(*nested->find(name.text), targets));
      config.nested.push_back(
          {std::string(name.text), std::make_shared<const CompilerConfig>(std::move(read))});
    }
  return config;
}

} // namespace kiln
