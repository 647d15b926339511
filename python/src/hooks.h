// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from C++ to the package's own Python: functions of the module kiln._hooks.
#pragma once

#include <nanobind/nanobind.h>

namespace kiln::python {

/// The module kiln._hooks, which sets itself when it is imported. With the GIL.
inline nanobind::object &hooks() {
  static auto *held = new nanobind::object; // outlives the interpreter
  return *held;
}

} // namespace kiln::python
