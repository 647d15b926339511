// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TOML as plain values: what there is of it in projects, manifests and preferences.
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

/// Dates are kept as text.
struct TomlValue {
  std::variant<bool, int64_t, double, std::string, TomlArray, TomlTable> value;

  const std::string *text() const { return std::get_if<std::string>(&value); }
  const TomlArray *array() const { return std::get_if<TomlArray>(&value); }
  const TomlTable *table() const { return std::get_if<TomlTable>(&value); }
};

const TomlValue *find(const TomlTable &table, std::string_view key);       ///< null: no such key
const TomlTable *find_table(const TomlTable &table, std::string_view key); ///< null: no table of that name
std::string text_of(const TomlTable &table, std::string_view key);         ///< "": no text of that name

/// Error: Input, "file:line:column: what"; also for a file that cannot be read.
Result<TomlTable> read_toml(const std::string &path);

} // namespace kiln::julia
