// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of Kiln's own library and the conditions under which it loads. tools/embed generates a table of
// these from runtime/library.
#pragma once

#include <kiln/extension/language/embedded.h>

namespace kiln {

/// A file of runtime/library and the conditions under which a session loads it, from the file's manifest line
/// (docs/library.md). Fields refer to other files by their index in load order. Files of a host library
/// (host_library.h) have the indices after those of runtime/library.
struct LibraryFile {
  EmbeddedSource source;
  std::string_view overlay; ///< overlay method table of its definitions; empty: the common table
  bool waits = false;       ///< loads only on demand: for one of `names`, for a package, or with another file
  bool loads_with_packages = false; ///< loads when the first package is loaded from its sources
  /// Names in user code that load it; "rand*": all names that begin with rand.
  std::span<const std::string_view> names;
  std::span<const uint16_t> needs; ///< indices of on-demand files that must load before this one
  int32_t with = -1;               ///< index of the file that loads this file too; -1: none
};

} // namespace kiln
