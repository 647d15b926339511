// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic libraries looked up at run time, so that the same binary runs where they are missing.
#pragma once

#include <kiln/result.h>

#include <string>
#include <vector>

namespace kiln {

/// An open library; closed with the last owner. Move-only.
class DynamicLibrary {
public:
  /// Opens the first of `candidates` (paths or sonames) that loads. Error: Machine, naming each attempt.
  KILN_PROGRAMS_API static Result<DynamicLibrary> open(const std::vector<std::string> &candidates);
  KILN_PROGRAMS_API DynamicLibrary(DynamicLibrary &&other) noexcept;
  DynamicLibrary &operator=(DynamicLibrary &&other) noexcept;
  KILN_PROGRAMS_API ~DynamicLibrary();

  KILN_PROGRAMS_API void *symbol(const char *name) const; ///< null if missing
  const std::string &path() const { return path_; }

private:
  DynamicLibrary(void *handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void *handle_ = nullptr;
  std::string path_;
};

} // namespace kiln
