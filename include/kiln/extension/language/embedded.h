// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of Kiln's own library as bytes in the program, with an index made when the program was built
// (tools/embed). So a session first reads only the statements that it needs at once.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kiln {

/// A top-level statement, in bytes of its file.
struct EmbeddedStatement {
  uint32_t begin = 0, end = 0;
  uint16_t module = 0;   ///< the file's module: an index into EmbeddedSource::modules
  bool is_common = true; ///< its methods are common ones, though the file is an overlay's
};

/// A function, or a type that is called, and the statements that define methods of it, in their order.
struct EmbeddedCallee {
  std::string_view name;
  uint16_t module = 0; ///< module in which it is bound
  bool is_function = true;
  std::span<const uint16_t> statements; ///< indices into EmbeddedSource::later
};

struct EmbeddedSource {
  std::string_view name, text;
  std::span<const std::string_view> modules; ///< full names: "Base.FastMath"
  std::span<const EmbeddedStatement> now;    ///< evaluated when the file is loaded
  std::span<const EmbeddedStatement> later;  ///< statements that only define methods of `callees`
  std::span<const EmbeddedCallee> callees;
};

} // namespace kiln
