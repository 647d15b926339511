// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kiln adds to a launch: medians of batches, raw and Kiln's by turns in one run, so that clocks and
// other programs touch both.
#include "runtime.h"

#include <dlfcn.h>

#include <chrono>

namespace kiln::gpu_test {

namespace {

using LaunchKernel = int(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                         void **, void **);

/// The kernel as the driver alone loads it.
struct Raw {
  void *function = nullptr;
  LaunchKernel *launch = nullptr;
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
  void *library = nullptr, *kernel = nullptr;
  return set_current && load_data && get_kernel && get_function && raw.launch && set_current(context) == 0 &&
         load_data(&library, artifact.bytes.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == 0 &&
         get_kernel(&kernel, library, artifact.entry.c_str()) == 0 &&
         get_function(&raw.function, kernel) == 0;
}

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
  std::vector<double> raw_times, kiln_times, differences;
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
  auto kiln_launch = [&] { return stream.launch(kernel, shape, arguments).ok(); };
  for (int round = -20; round < rounds; round++) {
    bool raw_first = round % 2 == 0;
    double first = raw_first ? timed(raw_launch) : timed(kiln_launch),
           second = raw_first ? timed(kiln_launch) : timed(raw_launch);
    if (round < 0) continue;
    raw_times.push_back(raw_first ? first : second);
    kiln_times.push_back(raw_first ? second : first);
    differences.push_back(kiln_times.back() - raw_times.back());
  }
  t.check("launches of both kinds run", good);
  double difference = median(differences);
  std::printf(
      "launch: cuLaunchKernel %.0f ns, Stream::launch %.0f ns, difference %.0f ns (medians of %d rounds of %d launches by turns; goal: 100 ns): %s\n",
      median(raw_times), median(kiln_times), difference, rounds, launches,
      difference <= 100 ? "met" : "not met");
}

} // namespace kiln::gpu_test
