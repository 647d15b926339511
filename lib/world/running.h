// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods whose lowered code the interpreter is at. A program's statement may compile kernels, and that may
// make the inference table shed what nobody uses: World::forget leaves these methods as they are.
#pragma once

#include <kiln/extension/language/method.h>

namespace kiln {

/// Counts while it lives. Thread-safe.
class RunningMethod {
public:
  explicit RunningMethod(const Method &method);
  ~RunningMethod();
  RunningMethod(const RunningMethod &) = delete;
  RunningMethod &operator=(const RunningMethod &) = delete;

private:
  const Method &method_;
};

bool is_running(const Method &method);

} // namespace kiln
