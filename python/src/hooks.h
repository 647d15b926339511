// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls from C++ to the package's Python code: functions of the module kiln._hooks.
#pragma once

#include <nanobind/nanobind.h>

namespace kiln::python {

/// The module kiln._hooks, which registers itself on import. Call it with the GIL.
inline nanobind::object &hooks() {
  static auto *held = new nanobind::object; // outlives the interpreter
  return *held;
}

} // namespace kiln::python
