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

/// The calls that one method may take (internal/call_shape.h).
struct EmbeddedShape {
  uint8_t parameters = 0;
  bool is_vararg = false;
  uint16_t num_heads = 0;
  uint32_t first_head = 0; ///< index into EmbeddedShapes::heads
};

/// A type of one parameter; names are indices into EmbeddedShapes::names, of which the first is empty.
struct EmbeddedHead {
  uint16_t parameter = 0, name = 0, inner = 0;
};

/// The shapes of a file's methods.
struct EmbeddedShapes {
  std::span<const EmbeddedShape> shapes;
  std::span<const EmbeddedHead> heads;
  std::span<const std::string_view> names; ///< of types
};

/// A statement that defines methods of a name, and the shapes of these methods.
struct EmbeddedMethods {
  uint16_t statement = 0; ///< index into EmbeddedSource::later
  uint16_t num_shapes = 0;
  uint32_t first_shape = 0; ///< index into EmbeddedShapes::shapes
};

/// A name that an embedded file defines, and the statements that do so, in order. A session defines the name
/// when the name is first looked up. It evaluates a statement of `methods` when a call that one of its
/// methods may take is first looked up.
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
  EmbeddedShapes shapes;
};

} // namespace kiln
