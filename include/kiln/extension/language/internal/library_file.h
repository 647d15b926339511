// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of Kiln's own library and when it loads: the table that tools/embed makes of runtime/library.
#pragma once

#include <kiln/extension/language/embedded.h>

namespace kiln {

/// A file of runtime/library and the condition under which a session loads it, from the file's manifest line
/// (docs/library.md). Other files are named by their index in load order; those of a host library
/// (kiln/extension/language/internal/host_library.h) continue the core's numbers.
struct LibraryFile {
  EmbeddedSource source;
  std::string_view overlay;                ///< the method table of its definitions; empty: the common one
  bool waits = false;                      ///< for one of `names`, a package, or a file that brings it
  bool loads_with_packages = false;        ///< when the first package is loaded from its sources
  std::span<const std::string_view> names; ///< of the user's code; "rand*": all that begin so
  std::span<const uint16_t> needs;         ///< waiting files that load before it
  int32_t with = -1;                       ///< the file that brings it; -1: none
};

} // namespace kiln
