// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session of the language, and the host functions of its programs: print and launch.
#pragma once

#include "language.h"

#include <kiln/kiln.h>

namespace lisp {

/// Only as thread-safe as its Session.
class Program {
public:
  /// `device`: "cpu", or "cuda" and "cuda:1" for GPUs. Errors: Session::open's, Usage, Machine.
  static kiln::Result<std::unique_ptr<Program>> open(std::string_view device,
                                                     kiln::SessionOptions options = {});

  kiln::Session &session() { return *session_; }
  Language &language() { return *language_; }
  const kiln::Device &device() const { return device_; }
  /// Receives the output of print.
  std::function<void(std::string_view)> out;

private:
  kiln::Result<void> add_host_functions(kiln::Interpreter &interpreter);
  kiln::Result<kiln::Value> launch(std::span<const kiln::Value> arguments);
  std::unique_ptr<kiln::Session> session_;
  Language *language_ = nullptr; ///< owned by the session
  kiln::Device device_;
};

} // namespace lisp
