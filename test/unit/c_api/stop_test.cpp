// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stop sources in C: from a signal handler, for launches by name and by handle, and for plain functions.
#include "open.h"

#include <kiln/c_device.h>
#include <kiln/c_language.h>

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <thread>

namespace stop_test {

using Catch::Matchers::Contains;
using namespace kiln::test;

namespace {

kiln_stop_source *source_of_handler = nullptr;
std::atomic<int> answer{-1};
void on_signal(int) { answer = kiln_stop_source_request(source_of_handler); }

struct Stopping : OpenSession {
  Stopping() {
    ok(load("spin(y) = (while y[1] == 0f0; end; return)\nfor_ever(x) = (while x > 0; x = x * 1.0; end; x)\n",
            &error),
       error);
    ok(kiln_stop_source_create(&stop, &error), error);
    argument.struct_size = sizeof argument;
    argument.kind = KILN_ARRAY;
    argument.type = "Float32";
    argument.data = y;
    argument.ndim = 1;
    argument.dims = &length;
  }
  ~Stopping() { kiln_stop_source_free(stop); }
  Stopping(const Stopping &) = delete;
  Stopping &operator=(const Stopping &) = delete;

  float y[1] = {};
  const int64_t length = 1;
  kiln_argument argument = {};
  kiln_stop_source *stop = nullptr;
};

/// Requests a stop a moment later, by a signal to this thread.
class Signal {
public:
  explicit Signal(kiln_stop_source *stop) {
    source_of_handler = stop;
    answer = -1;
    struct sigaction action{};
    action.sa_handler = on_signal;
    ::sigaction(SIGUSR1, &action, &before_);
    sends_ = std::thread([here = ::pthread_self()] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      ::pthread_kill(here, SIGUSR1);
    });
  }
  ~Signal() {
    sends_.join();
    ::sigaction(SIGUSR1, &before_, nullptr);
  }
  Signal(const Signal &) = delete;
  Signal &operator=(const Signal &) = delete;

private:
  struct sigaction before_{};
  std::thread sends_;
};

void check_stopped(int status, kiln_error *error) {
  CHECK(status == KILN_USAGE);
  CHECK(std::string(kiln_error_kind(error, 0)) == "Stopped");
  CHECK(kiln_error_code(error, 0) == 204);
  kiln_error_free(error);
}

} // namespace

TEST_CASE("launches and calls are stopped from C, in a signal handler") {
  Stopping s;
  kiln_launch_options launch = {};
  launch.struct_size = sizeof launch;
  launch.function = "spin";
  launch.arguments = &s.argument;
  launch.count = 1;
  launch.stop = s.stop;
  {
    const Signal signal(s.stop);
    check_stopped(kiln_launch_ex(s.session, &launch, &s.error), s.error);
  }
  CHECK(answer == 1);
  CHECK(kiln_stop_source_requested(s.stop) == 1);
  CHECK(kiln_stop_source_request(s.stop) == 0);
  ok(kiln_stop_source_reset(s.stop, &s.error), s.error);
  CHECK(kiln_stop_source_requested(s.stop) == 0);

  kiln_function *function = nullptr;
  ok(kiln_prepare_function(s.session, "for_ever(Float64)", nullptr, &function, &s.error), s.error);
  double x = 1, result = 5;
  const void *arguments[] = {&x};
  {
    const Signal signal(s.stop);
    check_stopped(kiln_function_call_with(function, arguments, 1, &result, s.stop, &s.error), s.error);
  }
  CHECK(result == 5);
  x = -1;
  check_stopped(kiln_function_call_with(function, arguments, 1, &result, s.stop, &s.error), s.error);
  ok(kiln_stop_source_reset(s.stop, &s.error), s.error);
  ok(kiln_function_call_with(function, arguments, 1, &result, s.stop, &s.error), s.error);
  CHECK(result == -1);
  kiln_function_free(function);
}

TEST_CASE("a launch of a handle keeps what it needs of a source that is freed") {
  Stopping s;
  kiln_device *cpu = nullptr;
  kiln_kernel *kernel = nullptr;
  kiln_stream *stream = nullptr;
  ok(kiln_device_open(s.session, "cpu", &cpu, &s.error), s.error);
  ok(kiln_prepare(s.session, "spin(CuDeviceVector{Float32,1})", nullptr, cpu, &kernel, &s.error), s.error);
  ok(kiln_stream_open(s.session, cpu, &stream, &s.error), s.error);
  kiln_shape shape = {};
  shape.struct_size = sizeof shape;
  shape.stop = s.stop;
  uint64_t header[4] = {};
  ok(kiln_array_header(header, sizeof header, s.y, sizeof(float), 1, &s.length, &s.error), s.error);
  const void *arguments[] = {header};
  ok(kiln_kernel_launch(kernel, stream, &shape, arguments, 1, &s.error), s.error);
  CHECK(kiln_stop_source_request(s.stop) == 1);
  kiln_stop_source_free(s.stop);
  check_stopped(kiln_stream_synchronize(stream, &s.error), s.error);
  CHECK(kiln_kernel_launch(kernel, stream, &shape, arguments, 1, &s.error) == KILN_USAGE);
  CHECK_THAT(told(s.error), Contains("kiln_stop_source"));
  CHECK(kiln_stop_source_request(s.stop) == 0);
  CHECK(kiln_stop_source_requested(nullptr) == 0);
  CHECK(kiln_stop_source_create(nullptr, nullptr) == KILN_USAGE);
  CHECK(kiln_stop_source_reset(s.stop, nullptr) == KILN_USAGE);
  s.stop = nullptr;
  kiln_stream_free(stream);
  kiln_kernel_free(kernel);
  kiln_device_free(cpu);
}

} // namespace stop_test
