// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source files of Kiln's own library, embedded in the program. Each has an index that tools/embed makes at
// build time, so that a session evaluates most statements only when they are needed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kiln {

/// A top-level statement of an embedded file; offsets are bytes.
struct EmbeddedStatement {
  uint32_t begin = 0, end = 0;
  uint16_t module = 0;   ///< module of the statement: an index into EmbeddedSource::modules
  bool is_common = true; ///< in a file of an overlay: its methods go to the common method table
};

/// Hash of a name: FNV-1a with 32 bits.
constexpr uint32_t hash_of_name(std::string_view name) {
  uint32_t hash = 0x811c9dc5u;
  for (char c : name) hash = (hash ^ uint8_t(c)) * 0x01000193u;
  return hash;
}

/// A statement that defines methods of a name. If it has guards, all its methods take a value or type of one
/// of the types with these names. Until code looks up one of these names, no call can reach the methods.
struct EmbeddedMethods {
  uint16_t statement = 0; ///< index into EmbeddedSource::later
  std::span<const std::string_view> guards;
};

/// A name that an embedded file defines, and the statements that do so, in order. A session defines the name
/// when the name is first looked up. It evaluates `methods` when a method of the function or type is first
/// looked up.
struct EmbeddedName {
  enum class Kind : uint8_t {
    Function,
    Type,
    Constant,
    Imported, ///< the name of another module, `from`
    Exported  ///< `module` exports the name, which has an entry of its own
  };
  std::string_view name;
  uint32_t hash = 0;   ///< hash_of_name(name)
  uint16_t module = 0; ///< module of the name: an index into EmbeddedSource::modules
  uint16_t from = 0;   ///< Imported: module that defines the name: an index into EmbeddedSource::modules
  Kind kind = Kind::Function;
  std::span<const uint16_t> definition; ///< bind the name: indices into EmbeddedSource::later
  std::span<const EmbeddedMethods> methods;
};

struct EmbeddedSource {
  std::string_view name, text;
  std::span<const std::string_view> modules; ///< full names: "Base.FastMath"
  std::span<const EmbeddedStatement> now;    ///< statements that are evaluated when the file is loaded
  std::span<const EmbeddedStatement> later;  ///< statements that wait until one of `names` is needed
  std::span<const EmbeddedName> names;
  /// Statements that define methods for any type as callee, `(::Type{T})(x) where T`; evaluated when a method
  /// of some type is first looked up. Indices into `later`.
  std::span<const uint16_t> for_types;
};

} // namespace kiln
