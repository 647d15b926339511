// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toml.h"

#include <kiln/extension/language/source.h>

#ifdef KILN_HAS_TOML
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>
#endif

#include <fmt/format.h>

#include <sstream>

namespace kiln::julia {

#ifdef KILN_HAS_TOML
namespace {

constexpr int max_depth = 64; ///< maximum nesting of values; a manifest has three levels

TomlValue plain(const toml::node &node, int depth) {
  if (depth > max_depth) return {};
  if (const auto *text = node.as_string()) return {text->get()};
  if (const auto *number = node.as_integer()) return {number->get()};
  if (const auto *number = node.as_floating_point()) return {number->get()};
  if (const auto *truth = node.as_boolean()) return {truth->get()};
  if (const auto *array = node.as_array()) {
    TomlArray elements;
    for (const toml::node &element : *array) elements.push_back(plain(element, depth + 1));
    return {std::move(elements)};
  }
  if (const auto *table = node.as_table()) {
    TomlTable entries;
    for (auto &&[key, value] : *table) entries.emplace(std::string(key.str()), plain(value, depth + 1));
    return {std::move(entries)};
  }
  std::ostringstream text; // a date or a time
  node.visit([&](auto &&value) {
    if constexpr (toml::is_chronological<decltype(value)>) text << value.get();
  });
  return {text.str()};
}

} // namespace

Result<TomlTable> read_toml(const std::string &path) {
  KILN_TRY(std::string text, read_source_file(path));
  toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) {
    const toml::source_position at = parsed.error().source().begin;
    return make_error(ErrorCode::SyntaxError,
                      fmt::format("{}:{}:{}: {}", path, at.line, at.column, parsed.error().description()));
  }
  TomlValue value = plain(parsed.table(), 0);
  return std::get<TomlTable>(std::move(value.value));
}
#else
Result<TomlTable> read_toml(const std::string &path) {
  return usage_error(
      fmt::format("{}: this build of Kiln reads no packages; build it with KILN_BUILD_PROGRAMS=ON", path));
}
#endif

const TomlValue *find(const TomlTable &table, std::string_view key) {
  auto it = table.find(key);
  return it == table.end() ? nullptr : &it->second;
}

const TomlTable *find_table(const TomlTable &table, std::string_view key) {
  const TomlValue *value = find(table, key);
  return value ? value->table() : nullptr;
}

std::string text_of(const TomlTable &table, std::string_view key) {
  const TomlValue *value = find(table, key);
  return value && value->text() ? *value->text() : std::string();
}

} // namespace kiln::julia
