// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads TOML as plain values: the subset that projects, manifests and preferences use.
#pragma once

#include <kiln/result.h>

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kiln::julia {

struct TomlValue;
using TomlTable = std::map<std::string, TomlValue, std::less<>>;
using TomlArray = std::vector<TomlValue>;

/// A TOML value. Dates are kept as text.
struct TomlValue {
  std::variant<bool, int64_t, double, std::string, TomlArray, TomlTable> value;

  const std::string *text() const { return std::get_if<std::string>(&value); }
  const TomlArray *array() const { return std::get_if<TomlArray>(&value); }
  const TomlTable *table() const { return std::get_if<TomlTable>(&value); }
};

const TomlValue *find(const TomlTable &table, std::string_view key);       ///< null: no such key
const TomlTable *find_table(const TomlTable &table, std::string_view key); ///< null: no such table
std::string text_of(const TomlTable &table, std::string_view key);         ///< "": no such string

/// Reads a TOML file. Error: Input for wrong text, with its place; for an unreadable file, the error of
/// reading.
Result<TomlTable> read_toml(const std::string &path);

} // namespace kiln::julia
