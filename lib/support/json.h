// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/source.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Quotes `text` as a JSON string. Valid UTF-8 stays as it is; U+FFFD replaces each invalid sequence.
std::string json_string(std::string_view text);

/// A value of a JSON file, with its source place for messages.
struct JsonValue {
  enum class Kind : uint8_t { Null, Boolean, Number, String, Array, Object };
  struct Name {
    std::string text;
    Location at;
  };
  Kind kind = Kind::Null;
  bool boolean = false;
  std::string text;             ///< value of a string; text of a number as written
  std::vector<JsonValue> items; ///< elements of an array; values of an object
  std::vector<Name> names;      ///< names of an object's values, unique, in file order
  Location at;

  const JsonValue *find(std::string_view name) const; ///< of an object; null: missing
  bool is(Kind other) const { return kind == other; }
  std::string_view kind_name() const; ///< "a string", for messages
};

/// Parses the bytes [begin, end) of a file as one value (RFC 8259). Errors (Input): invalid JSON, with the
/// place and reason; a repeated name in an object.
Result<JsonValue> parse_json(const std::shared_ptr<const SourceFile> &file, size_t begin = 0,
                             size_t end = std::string_view::npos);

/// Expands {"from": 1, "to": 8, "step": 1} or {"from": 1, "to": 8, "factor": 2} to a list of whole numbers.
/// More than `most` numbers are a fault. Calls `fault` (place, message, hint) for a fault, and then returns
/// the numbers found so far.
std::vector<int64_t> read_json_range(
    const JsonValue &range, size_t most,
    const std::function<void(const Location &, std::string, std::string)> &fault);

} // namespace kiln
