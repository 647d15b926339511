// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The object files of test/support/objects. A test's CMakeLists.txt gives their paths (use_test_objects).
#pragma once

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace kiln::test {

/// The bytes of objects/<name>.c, compiled.
inline std::string test_object(const std::string &name) {
  std::istringstream paths(KILN_TEST_OBJECTS);
  for (std::string path; std::getline(paths, path, '|');) {
    if (std::filesystem::path(path).filename().string().rfind(name + ".c", 0) != 0) continue;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    REQUIRE(!bytes.str().empty());
    return bytes.str();
  }
  FAIL("no object " << name << " among " << KILN_TEST_OBJECTS);
  return {};
}

} // namespace kiln::test
