// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report_file.h"

#include <support/read_number.h>

namespace kiln::tool {

namespace {

constexpr uint64_t schema_version = 1;
constexpr std::string_view hint = "name files that --timings=json:FILE has written";

/// Splits text with several concatenated JSON values: returns begin and end of each value.
std::vector<std::pair<size_t, size_t>> values_in(std::string_view text) {
  std::vector<std::pair<size_t, size_t>> values;
  size_t begin = std::string_view::npos, depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        i++;
      else if (c == '"')
        in_string = false;
      continue;
    }
    if (begin == std::string_view::npos && std::string_view(" \t\r\n").find(c) == std::string_view::npos)
      begin = i;
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') depth++;
    if ((c == '}' || c == ']') && depth > 0 && --depth == 0) {
      values.emplace_back(begin, i + 1);
      begin = std::string_view::npos;
    }
  }
  if (begin != std::string_view::npos)
    values.emplace_back(begin, text.size()); // an incomplete value, or text that is no JSON
  return values;
}

Result<const JsonValue *> check_version(const JsonValue &report) {
  KILN_TRY(const uint64_t version, number_member(report, "kiln_timings"));
  if (version == schema_version) return &report;
  return no_report(fmt::format("this report has version {} of the schema, and this Kiln reads {}", version,
                               schema_version),
                   report.at);
}

} // namespace

void read_reports(const std::string &path, const std::function<void(Result<const JsonValue *>)> &each) {
  Result<std::string> text = read_file(path, uint64_t(1) << 30);
  if (!text.ok()) return each(text.take_error());
  const auto file = std::make_shared<const SourceFile>(0, path, std::move(*text));
  const auto values = values_in(file->text());
  if (values.empty()) return each(no_report(fmt::format("{} holds no timing report", path), {}));
  for (const auto &[begin, end] : values) {
    Result<JsonValue> parsed = parse_json(file, begin, end);
    if (!parsed.ok()) {
      Error error = parsed.take_error();
      error.diagnostics()[0].hint = std::string(hint);
      each(std::move(error));
    } else if (parsed->is(JsonValue::Kind::Array)) {
      for (const JsonValue &item : parsed->items) each(check_version(item));
    } else {
      each(check_version(*parsed));
    }
  }
}

Error no_report(std::string what, const Location &at) {
  return input_error(std::move(what), at, std::string(hint));
}

Result<const JsonValue *> member(const JsonValue &object, std::string_view name, JsonValue::Kind kind) {
  const JsonValue *found = object.is(JsonValue::Kind::Object) ? object.find(name) : nullptr;
  if (!found) return no_report(fmt::format("this is no timing report: it has no `{}`", name), object.at);
  if (!found->is(kind))
    return no_report(fmt::format("`{}` of a timing report is not {}", name, found->kind_name()), found->at);
  return found;
}

Result<std::string> text_member(const JsonValue &object, std::string_view name) {
  KILN_TRY(const JsonValue *found, member(object, name, JsonValue::Kind::String));
  return found->text;
}

Result<uint64_t> number_member(const JsonValue &object, std::string_view name) {
  KILN_TRY(const JsonValue *found, member(object, name, JsonValue::Kind::Number));
  if (const auto number = read_number<uint64_t>(found->text)) return *number;
  return no_report(fmt::format("`{}` of a timing report is a whole number, not {}", name, found->text),
                   found->at);
}

Result<std::string> optional_text_member(const JsonValue &object, std::string_view name) {
  const JsonValue *found = object.is(JsonValue::Kind::Object) ? object.find(name) : nullptr;
  if (found && found->is(JsonValue::Kind::Null)) return std::string();
  return text_member(object, name);
}

} // namespace kiln::tool
