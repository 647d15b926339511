// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of gpu_runtime: one function a subject, over the kernels of runtime.cpp.
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

inline constexpr LaunchShape shape{.blocks = {64, 1, 1}, .threads = {256, 1, 1}};
inline constexpr int64_t length = 64 * 256;

/// An array of Int64 on the device.
struct Array {
  Array(Test &test, Stream &stream)
      : buffer(test.take(stream.allocate(uint64_t(length) * 8))),
        argument(Argument::array(buffer.as<int64_t>(), {length})) {
    test.done(stream.fill(buffer.data(), 0, buffer.bytes()));
  }
  const void *bytes() const { return argument.bytes.data(); }
  bool all(Test &test, Stream &stream, int64_t value) const {
    std::vector<int64_t> host(static_cast<size_t>(length));
    test.done(stream.copy(host.data(), buffer.data(), buffer.bytes()));
    test.done(stream.synchronize());
    return std::all_of(host.begin(), host.end(), [&](int64_t v) { return v == value; });
  }
  Buffer buffer;
  Argument argument;
};

/// Session::prepare_many (runtime_many.cpp).
void many_kernels(Test &test);

// What goes wrong, and what is refused (runtime_faults.cpp).
void exceptions(Test &test);
void bad_input(Test &test);
/// A kernel that loses the context, in a process of its own: `self` --sticky, which runs sticky().
void sticky_error(Test &test, const char *self);
/// Returns the exit status of that process.
int sticky(Test &test);

/// Host time of Stream::launch beside cuLaunchKernel's with equal arguments, by turns.
void launch_overhead(Test &test);

} // namespace kiln::gpu_test
