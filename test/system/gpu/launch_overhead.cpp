// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kiln adds to a launch: medians of batches, raw and Kiln's by turns in one run, so that clocks and
// other programs touch both.
#include "runtime.h"

#include <dlfcn.h>

#include <kiln/c.h>

#include <chrono>
#include <cstring>

namespace kiln::gpu_test {

namespace {

using LaunchKernel = int(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                         void **, void **);

/// The kernel as the driver alone loads it.
struct Raw {
  void *function = nullptr;
  LaunchKernel *launch = nullptr;
  int (*get_current)(void **) = nullptr, (*set_current)(void *) = nullptr;
};

bool load(const Artifact &artifact, void *context, Raw &raw) {
  const char *named = std::getenv("KILN_CUDA_DRIVER");
  void *driver = ::dlopen(named && *named ? named : "libcuda.so.1", RTLD_NOW);
  if (!driver) return false;
  auto set_current = reinterpret_cast<int (*)(void *)>(::dlsym(driver, "cuCtxSetCurrent"));
  auto load_data =
      reinterpret_cast<int (*)(void **, const void *, int *, void **, unsigned, int *, void **, unsigned)>(
          ::dlsym(driver, "cuLibraryLoadData"));
  auto get_kernel =
      reinterpret_cast<int (*)(void **, void *, const char *)>(::dlsym(driver, "cuLibraryGetKernel"));
  auto get_function = reinterpret_cast<int (*)(void **, void *)>(::dlsym(driver, "cuKernelGetFunction"));
  raw.launch = reinterpret_cast<LaunchKernel *>(::dlsym(driver, "cuLaunchKernel"));
  raw.set_current = set_current;
  raw.get_current = reinterpret_cast<int (*)(void **)>(::dlsym(driver, "cuCtxGetCurrent"));
  void *library = nullptr, *kernel = nullptr;
  return set_current && load_data && get_kernel && get_function && raw.launch && raw.get_current &&
         set_current(context) == 0 &&
         load_data(&library, artifact.bytes.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == 0 &&
         get_kernel(&kernel, library, artifact.entry.c_str()) == 0 &&
         get_function(&raw.function, kernel) == 0;
}

/// The kernel once more, through handles of the C API.
struct COpen {
  kiln_session *session = nullptr;
  kiln_device *device = nullptr;
  kiln_kernel *kernel = nullptr;
  kiln_stream *stream = nullptr;
  bool good = false;

  explicit COpen(Test &t) {
    constexpr const char *source =
        "function touch(y, a, b, c)\n if a == 12345\n @inbounds y[1] = b + c\n end\n return\nend\n";
    kiln_session_options options{};
    options.struct_size = sizeof options;
    options.cache_dir = "";
    kiln_error *error = nullptr;
    good = kiln_session_open(&options, &session, &error) == KILN_OK &&
           kiln_load(session, "touch.jl", source, std::strlen(source), &error) == KILN_OK &&
           kiln_device_in_context(session, t.device.native_context(), &device, &error) == KILN_OK &&
           kiln_prepare(session, "touch(CuDeviceVector{Int64,1}, Int64, Int64, Int64)", nullptr, device,
                        &kernel, &error) == KILN_OK;
    if (!good) std::fputs(kiln_error_text(error), stdout);
    kiln_error_free(error);
  }
  ~COpen() {
    kiln_stream_free(stream);
    kiln_kernel_free(kernel);
    kiln_device_free(device);
    kiln_session_close(session);
  }
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

} // namespace

void launch_overhead(Test &t) {
  Stream stream = t.stream();
  Buffer memory = t.take(stream.allocate(1024));
  Argument y = Argument::array(memory.as<int64_t>(), {128});
  int64_t a = 1, b = 2, c = 3;
  Kernel kernel = t.prepare("touch(CuDeviceVector{Int64,1}, Int64, Int64, Int64)");
  Raw raw;
  if (!load(kernel.artifact(), t.device.native_context(), raw))
    return t.check("the kernel loads by the driver alone", false);
  const void *arguments[] = {y.bytes.data(), &a, &b, &c};
  abi::PtxKernelState no_state{};
  std::vector<void *> pointers;
  if (kernel.artifact().has_kernel_state) pointers.push_back(&no_state);
  for (const void *argument : arguments) pointers.push_back(const_cast<void *>(argument));
  void *handle = stream.native_handle();
  LaunchShape shape{.blocks = {1, 1, 1}, .threads = {32, 1, 1}};

  constexpr int launches = 200, rounds = 500; // fewer than the driver's queue holds
  bool good = true;
  auto timed = [&](auto launch) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; i++) good &= launch();
    double time =
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / launches;
    good &= stream.synchronize().ok();
    return time;
  };
  auto raw_launch = [&] {
    return raw.launch(raw.function, 1, 1, 1, 32, 1, 1, 0, handle, pointers.data(), nullptr) == 0;
  };
  // What each launch asks the driver besides.
  std::vector<double> asked;
  for (int round = 0; round < 51; round++) {
    void *context = nullptr;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 10'000; i++) good &= raw.get_current(&context) == 0;
    asked.push_back(
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / 10'000);
  }
  std::printf("launch: cuCtxGetCurrent %.1f ns\n", median(asked));
  raw.set_current(nullptr);
  const int without =
      raw_launch() ? 0 : raw.launch(raw.function, 1, 1, 1, 32, 1, 1, 0, handle, pointers.data(), nullptr);
  raw.set_current(t.device.native_context());
  std::printf("launch: without a current context cuLaunchKernel returns %d\n", without);
  // `goal` in nanoseconds above cuLaunchKernel.
  auto compare = [&](const char *name, double goal, auto launch) {
    std::vector<double> raw_times, times, differences;
    for (int round = -20; round < rounds; round++) {
      bool raw_first = round % 2 == 0;
      double first = raw_first ? timed(raw_launch) : timed(launch),
             second = raw_first ? timed(launch) : timed(raw_launch);
      if (round < 0) continue;
      raw_times.push_back(raw_first ? first : second);
      times.push_back(raw_first ? second : first);
      differences.push_back(times.back() - raw_times.back());
    }
    double difference = median(differences);
    std::printf(
        "launch: cuLaunchKernel %.0f ns, %s %.0f ns, difference %.0f ns (medians of %d rounds of %d launches by turns; goal: %.0f ns): %s\n",
        median(raw_times), name, median(times), difference, rounds, launches, goal,
        difference <= goal ? "met" : "not met");
  };
  compare("Stream::launch", 100, [&] { return stream.launch(kernel, shape, arguments).ok(); });

  COpen c_api(t);
  t.check("the C API opens the same kernel", c_api.good);
  if (!c_api.good) return;
  kiln_shape c_shape{};
  c_shape.struct_size = sizeof c_shape;
  c_shape.threads[0] = 32;
  // Into the same stream of the driver's, so that its queue is as full for both.
  t.check("the C API takes a stream of the driver's",
          kiln_stream_of(c_api.session, c_api.device, handle, &c_api.stream, nullptr) == KILN_OK);
  compare("kiln_kernel_launch", 60, [&] {
    return kiln_kernel_launch(c_api.kernel, c_api.stream, &c_shape, arguments, 4, nullptr) == KILN_OK;
  });
  const int64_t length = 128;
  kiln_buffer *buffer = nullptr; // of the session that launches, as programs have it
  t.check("the C API allocates", kiln_stream_allocate(c_api.stream, 1024, &buffer, nullptr) == KILN_OK);
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
  by_name.stream = c_api.stream;
  compare("kiln_launch_ex by name", 250,
          [&] { return kiln_launch_ex(c_api.session, &by_name, nullptr) == KILN_OK; });
  kiln_buffer_free(buffer);
  t.check("launches of all kinds run", good);
}

} // namespace kiln::gpu_test
