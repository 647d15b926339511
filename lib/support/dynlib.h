// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens dynamic libraries at run time, so that the program also runs on machines without these libraries.
#pragma once

#include <kiln/result.h>

#include <string>
#include <vector>

namespace kiln {

/// An open dynamic library. It stays loaded until the process ends, since NVIDIA's libraries leak memory when
/// unloaded, and their own threads may still run. Cheap to copy.
class DynamicLibrary {
public:
  /// Opens the first of `candidates` (paths or sonames) that loads. Error: Machine, naming each attempt.
  KILN_PROGRAMS_API static Result<DynamicLibrary> open(const std::vector<std::string> &candidates);

  KILN_PROGRAMS_API void *symbol(const char *name) const; ///< null if missing
  const std::string &path() const { return path_; }

private:
  DynamicLibrary(void *handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void *handle_ = nullptr;
  std::string path_;
};

} // namespace kiln
