// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of a test's own.
#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace kiln::test {

/// It goes with the object, and all that lies in it.
struct Scratch {
  std::filesystem::path path;
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "kiln-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) FAIL("no folder can be made like " << name);
    path = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
};

} // namespace kiln::test
