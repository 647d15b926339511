// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kiln adds to cuLaunchKernel, against a driver that returns at once (stub_cuda.cpp): nanoseconds and
// allocations a launch, through C++ and C, by handle and by name. The same beside a real driver is
// test/system/gpu/launch_overhead.cpp. launch_overhead [--rounds N] [--launches N]
#include "measure.h"
#include "must.h"

#include <dlfcn.h>
#include <kiln/c.h>
#include <kiln/kiln.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

using bench::must;

namespace {

uint64_t allocations = 0; ///< of this program, which has one thread

constexpr const char *source =
    "function touch(y, a, b, c)\n if a == 12345\n @inbounds y[1] = b + c\n end\n return\nend\nplus(a, b) = a + b\n";
constexpr const char *call = "touch(CuDeviceVector{Int64,1}, Int64, Int64, Int64)";

int rounds = 21, launches = 100'000; ///< of a round
double driver = 0;                   ///< nanoseconds of the stub's own cuLaunchKernel

template <class F> void measure(const char *name, F &&launch) {
  bench::Series series;
  uint64_t allocated = 0;
  for (int round = -2; round < rounds; round++) {
    const uint64_t before = allocations;
    const auto start = bench::Moment::now();
    for (int i = 0; i < launches; i++) launch();
    const double took = (bench::Moment::now() - start).wall_us * 1e3 / launches;
    if (round >= 0) series.add(took), allocated += allocations - before;
  }
  if (driver == 0) driver = series.median();
  std::printf("| %s | %.1f ns | %.1f to %.1f ns | %.1f | %.1f |\n", name, series.median(),
              series.percentile(0), series.percentile(0.9), series.median() - driver,
              double(allocated) / rounds / launches);
}

/// A block on the CPU, on this thread.
void measure_cpu(kiln::Session &session) {
  const kiln::Kernel kernel = must(session.prepare(call));
  const kiln::HostFunction function = must(session.prepare_function("plus(Int64, Int64)"));
  std::vector<int64_t> memory(128);
  const kiln::Argument y = kiln::Argument::array(memory.data(), {128});
  int64_t a = 1, b = 2, c = 3, result = 0;
  const void *arguments[] = {y.bytes.data(), &a, &b, &c}, *numbers[] = {&a, &b};
  const kiln::LaunchShape shape{.blocks = {1, 1, 1}, .threads = {32, 1, 1}};
  kiln::Stream stream = session.stream();
  const auto launch = [&](const kiln::LaunchOptions &options = {}) {
    if (!session.launch(kernel, shape, arguments, options).ok()) std::abort();
  };
  std::printf("\n| the CPU, one block | median | least to p90 | | allocations |\n|---|---|---|---|---|\n");
  measure("Session::launch", [&] { launch(); });
  measure("HostFunction::call", [&] {
    if (!function.call(numbers, &result).ok()) std::abort();
  });
  const kiln::StopSource stop;
  measure("Session::launch with a stop source", [&] { launch({.stop = &stop}); });
  measure("HostFunction::call with a stop source", [&] {
    if (!function.call(numbers, &result, stop).ok()) std::abort();
  });
  session.start_timings();
  measure("Session::launch, timed", [&] { launch(); });
  session.start_timings({.kernels = true});
  measure("Session::launch, kernels timed too", [&] { launch(); });
}

} // namespace

void *operator new(size_t bytes) {
  allocations++;
  if (void *made = std::malloc(bytes ? bytes : 1)) return made;
  throw std::bad_alloc();
}
void operator delete(void *gone) noexcept { std::free(gone); }
void operator delete(void *gone, size_t) noexcept { std::free(gone); }

int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i++)
    if (!std::strcmp(argv[i], "--rounds"))
      rounds = std::atoi(argv[i + 1]);
    else if (!std::strcmp(argv[i], "--launches")) // few under a profiler
      launches = std::atoi(argv[i + 1]);
  ::setenv("KILN_CUDA_DRIVER", KILN_STUB_CUDA, 1);

  kiln::SessionOptions options;
  options.cache_dir = "";
  auto session = must(kiln::Session::open(options));
  if (auto loaded = session->load("touch.jl", source); !loaded.ok())
    std::fputs(loaded.error().what().c_str(), stderr);
  kiln::Device gpu = must(session->gpu());
  kiln::Kernel kernel = must(session->prepare(call, {}, gpu));
  kiln::Stream stream = must(session->stream(gpu));
  kiln::Buffer memory = must(stream.allocate(1024));
  kiln::Argument y = kiln::Argument::array(memory.as<int64_t>(), {128});
  int64_t a = 1, b = 2, c = 3;
  const void *arguments[] = {y.bytes.data(), &a, &b, &c};
  const kiln::LaunchShape shape{.blocks = {1, 1, 1}, .threads = {32, 1, 1}};

  kiln_error *error = nullptr;
  kiln_session *c_session = nullptr;
  kiln_session_options c_options = {};
  c_options.struct_size = sizeof c_options;
  c_options.cache_dir = "";
  must(kiln_session_open(&c_options, &c_session, &error), error);
  must(kiln_load(c_session, "touch.jl", source, std::strlen(source), &error), error);
  kiln_device *c_device = nullptr;
  kiln_kernel *c_kernel = nullptr;
  kiln_stream *c_stream = nullptr;
  must(kiln_device_in_context(c_session, gpu.native_context(), &c_device, &error), error);
  must(kiln_prepare(c_session, call, nullptr, c_device, &c_kernel, &error), error);
  must(kiln_stream_open(c_session, c_device, &c_stream, &error), error);
  kiln_shape c_shape = {};
  c_shape.struct_size = sizeof c_shape;
  c_shape.threads[0] = 32;
  const int64_t length = 128;
  kiln_buffer *buffer = nullptr;
  must(kiln_stream_allocate(c_stream, 1024, &buffer, &error), error);
  kiln_argument named[4] = {};
  for (kiln_argument &each : named) each.struct_size = sizeof each, each.type = "Int64";
  named[0].kind = KILN_ARRAY;
  named[0].data = kiln_buffer_data(buffer);
  named[0].ndim = 1;
  named[0].dims = &length;
  int64_t *scalars[] = {&a, &b, &c};
  for (int i = 0; i < 3; i++) named[i + 1].data = scalars[i];
  kiln_launch_options by_name = {};
  by_name.struct_size = sizeof by_name;
  by_name.function = "touch";
  by_name.threads[0] = 32;
  by_name.arguments = named;
  by_name.count = 4;
  by_name.stream = c_stream;

  using LaunchKernel = int(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           void *, void **, void **);
  auto *raw = reinterpret_cast<LaunchKernel *>(::dlsym(::dlopen(KILN_STUB_CUDA, RTLD_NOW), "cuLaunchKernel"));

  std::printf(
      "| launch, 4 arguments | median | least to p90 | above the driver, ns | allocations |\n|---|---|---|---|---|\n");
  measure("cuLaunchKernel",
          [&] { raw(nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, const_cast<void **>(arguments), nullptr); });
  measure("Stream::launch", [&] {
    if (!stream.launch(kernel, shape, arguments).ok()) std::abort();
  });
  measure("kiln_kernel_launch", [&] {
    if (kiln_kernel_launch(c_kernel, c_stream, &c_shape, arguments, 4, nullptr)) std::abort();
  });
  measure("kiln_launch_ex, by name", [&] {
    if (kiln_launch_ex(c_session, &by_name, nullptr)) std::abort();
  });
  measure_cpu(*session);
  kiln_buffer_free(buffer);
  kiln_stream_free(c_stream);
  kiln_kernel_free(c_kernel);
  kiln_device_free(c_device);
  kiln_session_close(c_session);
  return 0;
}
