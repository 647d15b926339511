// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program against kiln/*.h that a string of bytes decides: sessions, devices, kernels, streams, buffers,
// events and graphs are opened, used and destroyed in any order, with null, negative, overflowing and empty
// values, dead handles and wrong kinds. Used by the fuzzer (api.cpp) and by a short test of the suite
// (test/unit/session/api_test.cpp).
//
// What only the caller can know is kept: memory is as large as the arguments say and outlives the launches.
#pragma once

#include <kiln/foreign.h>
#include <kiln/kiln.h>
#include <kiln/precompile.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kiln::fuzz {

/// Bytes as decisions; zeros behind the last.
class Decisions {
public:
  Decisions(const uint8_t *data, size_t size) : data_(data), size_(size) {}
  bool done() const { return at_ >= size_; }
  uint8_t byte() { return at_ < size_ ? data_[at_++] : 0; }
  size_t below(size_t n) { return n ? byte() % n : 0; }
  template <class T> const T &of(const std::vector<T> &values) { return values[below(values.size())]; }

private:
  const uint8_t *data_;
  size_t size_, at_ = 0;
};

class ApiProgram {
public:
  /// `fault` is told of what may not be: an internal error, an error without a text. `with_gpus`: a CUDA
  /// driver is there, a fake one that runs nothing.
  ApiProgram(Decisions decisions, std::function<void(const std::string &)> fault, bool with_gpus)
      : d_(decisions), fault_(std::move(fault)), with_gpus_(with_gpus) {}
  void run(size_t max_steps = 64);
  size_t accepted = 0, refused = 0; ///< calls that succeeded, and that answered with an error

private:
  void step();
  template <class T> bool judge(const char *what, const Result<T> &result) {
    (result.ok() ? accepted : refused)++;
    if (!result.ok() &&
        (result.error().kind() == ErrorKind::Internal || result.error().diagnostics().empty() ||
         result.error().diagnostics()[0].message.empty()))
      fault_(std::string(what) + ": " + result.error().what());
    return result.ok();
  }
  template <class T> T *any(std::vector<T> &values) {
    return values.empty() ? nullptr : &values[d_.below(values.size())];
  }
  Session *session();
  Device device();
  std::string call();
  CompilerConfig config();
  LaunchShape shape();
  LaunchOptions options();
  Argument argument();
  std::vector<const void *> pointers();
  void open();
  void load();
  void launch_by_name();
  void launch_kernel();
  void use_stream();
  void use_events();
  void capture();
  void ask();
  void foreign();
  void precompile_list();
  void move_or_destroy();

  Decisions d_;
  std::function<void(const std::string &)> fault_;
  bool with_gpus_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::vector<Device> devices_;
  std::vector<Kernel> kernels_;
  std::vector<Stream> streams_;
  std::vector<Buffer> buffers_;
  std::vector<Event> events_;
  std::vector<Graph> graphs_;
  std::vector<std::shared_ptr<const Artifact>> artifacts_;
};

} // namespace kiln::fuzz
