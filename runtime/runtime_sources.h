// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Julia files of runtime/library, embedded at build time (tools/embed).
#pragma once

#include <kiln/extension/language/internal/library_file.h>

#include <vector>

namespace kiln {

/// The files that every session has, in load order, indexed, each with its manifest line. The table and all
/// text are static.
std::span<const LibraryFile> runtime_library();
/// The files of runtime/library/program (CMake target kiln_program_sources). Indices count on from those.
std::span<const LibraryFile> program_library();

/// Files of a target's overlay (`overlay: NAME`), in load order.
inline std::vector<EmbeddedSource> library_overlay(std::string_view name) {
  std::vector<EmbeddedSource> files;
  for (const LibraryFile &file : runtime_library())
    if (file.overlay == name) files.push_back(file.source);
  return files;
}

} // namespace kiln
