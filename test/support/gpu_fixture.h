// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session on the fake CUDA driver, and a count of what the calling thread allocates.
#pragma once

#include <catch2/catch.hpp>

#include <fake_cuda/fake_cuda.h>
#include <kiln/kiln.h>

#include <dlfcn.h>

#include <cstdlib>

namespace kiln::test {

/// Set while it lives.
class Environment {
public:
  Environment(const char *name, const std::string &value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Environment() { ::unsetenv(name_); }
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;

private:
  const char *name_;
};

/// The fake driver's own functions.
class Fake {
public:
  Fake() : driver_("KILN_CUDA_DRIVER", KILN_FAKE_CUDA), library_(::dlopen(KILN_FAKE_CUDA, RTLD_NOW)) {
    if (!library_) FAIL(::dlerror());
    function<fake_cuda_log_t>("fake_cuda_log")(0);
  }
  uint64_t count(const char *name) { return function<fake_cuda_count_t>("fake_cuda_count")(name); }
  FakeLiving living() { return function<fake_cuda_living_t>("fake_cuda_living")(); }
  void log() { function<fake_cuda_log_t>("fake_cuda_log")(1); }
  std::string calls() { return function<fake_cuda_calls_t>("fake_cuda_calls")(); }
  void throws(uint32_t kind, const char *name, const char *location) {
    FakeException exception{kind, name, location};
    function<fake_cuda_throw_t>("fake_cuda_throw")(&exception);
  }
  void record_parameters(uint64_t count) {
    function<fake_cuda_record_parameters_t>("fake_cuda_record_parameters")(count);
  }
  FakeLaunch last_launch() { return function<fake_cuda_last_launch_t>("fake_cuda_last_launch")(); }
  void *new_context(int device) { return function<fake_cuda_new_context_t>("fake_cuda_new_context")(device); }
  template <class F> F *function(const char *name) { return reinterpret_cast<F *>(::dlsym(library_, name)); }

private:
  Environment driver_;
  void *library_;
};

template <class T> T take(Result<T> result) {
  if (!result.ok()) FAIL(result.error().what());
  return std::move(*result);
}
inline void done(const Result<void> &result) {
  if (!result.ok()) FAIL(result.error().what());
}
/// "kind name: message / hint" of an error's first diagnostic.
template <class T> std::string failure(const Result<T> &result) {
  if (result.ok()) return "no error";
  const Diagnostic &d = result.error().diagnostics()[0];
  std::string text = std::to_string(int(result.error().kind())) + " " + std::string(d.name()) + ": " +
                     d.message + " / " + d.hint;
  for (const Note &note : d.notes) text += " / " + note.text;
  return text;
}

/// PTX of two kernels without a body to speak of, and two variables; the first kernel has Kiln's kernel
/// state.
inline std::shared_ptr<const Artifact> ptx(const char *entry = "first", bool state = true) {
  Artifact artifact{.kind = ArtifactKind::Assembly,
                    .bytes = R"(.version 8.0
.target sm_50
.address_size 64
.global .align 4 .b8 table[16];
.const .align 8 .b8 factors[64];
.visible .entry first(.param .u64 a, .param .u64 b, .param .u64 c) { ret; }
.visible .entry second(.param .u64 a, .param .u64 b) { ret; }
)",
                    .entry = entry,
                    .parameters = {{0, 8, 8}, {1, 8, 8}},
                    .has_kernel_state = state,
                    .return_size = 0,
                    .shared_bytes = 0,
                    .resources = {},
                    .assembler = {}};
  return std::make_shared<const Artifact>(std::move(artifact));
}

/// A session with a GPU, a stream there and a kernel of two 8-byte parameters.
struct Gpu {
  explicit Gpu(int number = 0)
      : session(take(Session::open())), device(take(session->gpu(number))),
        stream(take(session->stream(device))), kernel(take(session->load_kernel(ptx(), device))) {}
  Result<void> launch(const LaunchShape &shape = {.threads = {32, 1, 1}}, const LaunchOptions &options = {}) {
    return launch(stream, kernel, shape, options);
  }
  Result<void> launch(Stream &in, const Kernel &which, const LaunchShape &shape = {.threads = {32, 1, 1}},
                      const LaunchOptions &options = {}) {
    const void *arguments[] = {&a, &b};
    return in.launch(which, shape, arguments, options);
  }
  uint64_t a = 11, b = 22;
  std::unique_ptr<Session> session;
  Device device;
  Stream stream;
  Kernel kernel;
};

} // namespace kiln::test
