// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the manifest: one line in each library file's leading comment, with the file's module and load time.
// docs/library.md explains the line.
//
//   line    = "# module: " MODULE { "; " clause }
//   clause  = "after: " FILES       these load first; FILES are paths in runtime/library without ".jl"
//           | "when: " TRIGGERS     the file waits for one of these
//           | "with: " FILE         the file waits, and loads whenever FILE does, after it
//           | "overlay: " TABLE     methods go to the table of this target, or of programs' host code
//   trigger = NAME                  the user's code has this name; SVector also means @SVector
//           | NAME "*"              a name that begins so
//           | "[package]"           a package is loaded from its sources
//
// Without `when` and `with`, a file loads when a session opens. Files of the folder program load only in
// sessions that run programs.
#pragma once

#include <support/support.h>

namespace kiln::embed {

struct ManifestEntry {
  std::shared_ptr<const SourceFile> source; ///< named by its path: "base/random.jl"
  std::string module, overlay;
  bool is_for_programs = false, waits = false, loads_with_packages = false;
  std::vector<std::string> names;    ///< triggers other than events
  std::vector<size_t> needs, brings; ///< waiting files by index: those loaded first; those loaded with it
};

/// Reads the manifest entries of all files in load order: after the files of `after` and `with`, then by kind
/// and path. Errors: Input, with each fault of each line.
Result<std::vector<ManifestEntry>> read_manifest(std::span<const std::shared_ptr<const SourceFile>> files);

} // namespace kiln::embed
