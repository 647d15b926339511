// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Julia files of runtime/library, embedded at build time (tools/embed).
#pragma once

#include <kiln/extension/language/internal/library_file.h>

#include <vector>

namespace kiln {

/// Files of the library that every session has, in load order, each with its parsed manifest line. The table
/// and all text are static.
std::span<const LibraryFile> runtime_library();
/// Files of runtime/library/program (CMake target kiln_program_sources). Their indices continue those of
/// runtime_library().
std::span<const LibraryFile> program_library();

/// Files of a target's overlay (`overlay: NAME`), in load order.
inline std::vector<EmbeddedSource> library_overlay(std::string_view name) {
  std::vector<EmbeddedSource> files;
  for (const LibraryFile &file : runtime_library())
    if (file.overlay == name) files.push_back(file.source);
  return files;
}

} // namespace kiln
