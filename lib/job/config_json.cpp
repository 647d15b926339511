// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fields.h"

#include <support/read_number.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace kiln {

namespace {

std::string digest_text(const std::array<uint64_t, 2> &digest) {
  return Fingerprint{digest[0], digest[1]}.hex();
}

Result<LinkedFile> linked_from(const JsonValue &value) {
  const JsonValue *path = value.find("path"), *digest = value.find("digest");
  if (!path || !digest) return input_error("a linked file without its path or digest", value.at);
  KILN_TRY(LinkedFile file, read_linked_file(path->text));
  if (digest_text(file.digest) != digest->text)
    return input_error(fmt::format("the linked file {} has changed since it was recorded", path->text),
                       value.at);
  return file;
}

template <class T> std::optional<T> number_from(const JsonValue &value) {
  return value.is(JsonValue::Kind::Number) ? read_number<T>(value.text) : std::nullopt;
}

std::optional<FieldValue> field_value(const JsonValue &value) {
  if (value.is(JsonValue::Kind::Boolean)) return value.boolean;
  if (value.is(JsonValue::Kind::String)) return value.text;
  if (value.is(JsonValue::Kind::Number)) {
    if (const auto number = number_from<int64_t>(value)) return *number;
    return std::nullopt;
  }
  if (!value.is(JsonValue::Kind::Array)) return std::nullopt;
  std::vector<uint32_t> numbers;
  for (const JsonValue &item : value.items) {
    const auto number = number_from<uint32_t>(item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Appends `"name":value` to the text of a JSON object that is not closed yet.
void add_field(std::string &out, std::string_view name, std::string_view value) {
  out += fmt::format("{}\"{}\":{}", out.size() > 1 ? "," : "", name, value);
}

bool is_part(std::string_view name) { return name == "linked" || name == "nested"; }

} // namespace

std::string config_difference(const CompilerConfig &config, const CompilerConfig &from) {
  if (config == from) return {};
  const std::vector<ConfigField> fields = plain_fields(config), theirs = plain_fields(from);
  std::string out = "{";
  for (const ConfigField &field : fields)
    if (std::ranges::find(theirs, field) == theirs.end()) add_field(out, field.name, json_of(field.value));
  if (config.linked != from.linked) add_field(out, "linked", std::to_string(config.linked.size()));
  if (config.nested != from.nested) add_field(out, "nested", std::to_string(config.nested.size()));
  if (config.hooks != from.hooks) add_field(out, "hooks", "true");
  return out == "{" ? std::string() : out + "}";
}

std::string config_json(const CompilerConfig &config) {
  std::string out = "{";
  for (const ConfigField &field : plain_fields(config)) add_field(out, field.name, json_of(field.value));
  if (!config.linked.empty()) {
    std::string files;
    for (const LinkedFile &file : config.linked) {
      std::error_code unknown;
      const auto path = std::filesystem::absolute(file.name, unknown);
      files += fmt::format("{}{{\"path\":{},\"digest\":\"{}\"}}", files.empty() ? "" : ",",
                           json_string(unknown ? file.name : path.string()), digest_text(file.digest));
    }
    add_field(out, "linked", "[" + files + "]");
  }
  if (!config.nested.empty()) {
    std::string configs;
    for (const NestedConfig &nested : config.nested)
      configs += fmt::format("{}{}:{}", configs.empty() ? "" : ",", json_string(nested.name),
                             config_json(*nested.config));
    add_field(out, "nested", "{" + configs + "}");
  }
  return out + "}";
}

Result<CompilerConfig> config_from_json(const JsonValue &object, const TargetList &targets) {
  std::vector<ConfigField> fields;
  for (size_t i = 0; i < object.names.size(); i++) {
    const JsonValue &value = object.items[i];
    const std::string &name = object.names[i].text;
    if (is_part(name)) continue;
    auto read = field_value(value);
    if (!read)
      return input_error(fmt::format("the field {} cannot be {}", name, value.kind_name()), value.at);
    fields.push_back({name, std::move(*read)});
  }
  auto made = config_from_fields(fields, targets);
  if (!made.ok()) {
    const Diagnostic &why = made.error().diagnostics()[0];
    const bool is_target = made.error().kind() == ErrorKind::Usage;
    return input_error(why.message, object.at,
                       is_target ? "name an embedder's targets to read_job_trace, as to SessionOptions" : "");
  }
  CompilerConfig config = std::move(*made);
  if (const JsonValue *linked = object.find("linked"))
    for (const JsonValue &file : linked->items) {
      KILN_TRY(LinkedFile read, linked_from(file));
      config.linked.push_back(std::move(read));
    }
  if (const JsonValue *nested = object.find("nested"))
    for (const JsonValue::Name &name : nested->names) {
      KILN_TRY(CompilerConfig read, config_from_json(*nested->find(name.text), targets));
      config.nested.push_back({name.text, std::make_shared<const CompilerConfig>(std::move(read))});
    }
  return config;
}

} // namespace kiln
