// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives C++ the module kiln._hooks: the functions of the Python package that C++ calls.
#pragma once

#include <nanobind/nanobind.h>

namespace kiln::python {

/// Returns the Python module kiln._hooks, which registers itself when it is imported. Call it with the GIL.
inline nanobind::object &hooks() {
  static auto *held = new nanobind::object; // outlives the interpreter
  return *held;
}

} // namespace kiln::python
