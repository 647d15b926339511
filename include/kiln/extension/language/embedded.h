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

/// A function, or a type with constructors, and the statements that define its methods, in order.
struct EmbeddedCallee {
  std::string_view name;
  uint16_t module = 0; ///< module of the name: an index into EmbeddedSource::modules
  bool is_function = true;
  std::span<const uint16_t> statements; ///< indices into EmbeddedSource::later
};

struct EmbeddedSource {
  std::string_view name, text;
  std::span<const std::string_view> modules; ///< full names: "Base.FastMath"
  std::span<const EmbeddedStatement> now;    ///< statements that are evaluated when the file is loaded
  /// Statements that only define methods of `callees`; evaluated on first use.
  std::span<const EmbeddedStatement> later;
  std::span<const EmbeddedCallee> callees;
};

} // namespace kiln
