// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/kiln.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace kiln::gpu_test {

/// A session on a GPU, and what was found.
struct Test {
  std::unique_ptr<Session> session;
  Device device;
  int checks = 0, failed = 0;

  void check(const char *what, bool right, const std::string &details = {}) {
    checks++;
    failed += !right;
    std::printf("%s: %s%s%s\n", right ? "ok" : "WRONG", what, details.empty() ? "" : ": ", details.c_str());
    std::fflush(stdout);
  }
  void note(const std::string &text) { std::printf("note: %s\n", text.c_str()); }
  /// What has to be, or nothing behind it makes sense.
  template <class T> T take(Result<T> result) {
    if (!result.ok()) end(result.error());
    return std::move(*result);
  }
  void done(const Result<void> &result) {
    if (!result.ok()) end(result.error());
  }
  Stream stream() { return take(session->stream(device)); }
  Kernel prepare(const char *call) { return take(session->prepare(call, {}, device)); }

private:
  [[noreturn]] static void end(const Error &error) {
    std::printf("WRONG: %s\n", error.what().c_str());
    std::fflush(stdout);
    std::_Exit(1);
  }
};

/// Host time of Stream::launch beside cuLaunchKernel's with equal arguments, by turns.
void launch_overhead(Test &test);

} // namespace kiln::gpu_test
