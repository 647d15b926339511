// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/source.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// `text` as a JSON string, with its quotes. Bytes above 0x7f pass as they are (UTF-8).
std::string json_string(std::string_view text);

/// A value of a JSON file that knows where it stands, so that what is wrong with it can be shown there.
struct JsonValue {
  enum class Kind : uint8_t { Null, Boolean, Number, String, Array, Object };
  struct Name {
    std::string text;
    Location at;
  };
  Kind kind = Kind::Null;
  bool boolean = false;
  std::string text;             ///< of a string; of a number as it is written
  std::vector<JsonValue> items; ///< of an array; the values of an object
  std::vector<Name> names;      ///< of an object, one a value, in the file's order, each once
  Location at;

  const JsonValue *find(std::string_view name) const; ///< of an object; null: not there
  bool is(Kind other) const { return kind == other; }
  std::string_view kind_name() const; ///< "a string", for messages
};

/// The one value (RFC 8259) in the bytes [begin, end) of a file. Errors (Input): where it is no JSON, and
/// why; a name that an object has twice.
Result<JsonValue> parse_json(const std::shared_ptr<const SourceFile> &file, size_t begin = 0,
                             size_t end = std::string_view::npos);

/// The whole numbers of {"from": 1, "to": 8, "step": 1} or {"from": 1, "to": 8, "factor": 2}, at most `most`.
/// A fault (where, what, a hint) is told, and the numbers before it are the result.
std::vector<int64_t> read_json_range(
    const JsonValue &range, size_t most,
    const std::function<void(const Location &, std::string, std::string)> &fault);

} // namespace kiln
