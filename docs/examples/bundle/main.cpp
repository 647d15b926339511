// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with three kernels written in Julia, but without a compiler: it opens a bundle that was built
// with it, and launches the kernels through the typed wrappers of the bundle's header.
//
//   main [cpu|cuda|opencl] [BUNDLE]
#include "kernels.h"

#include <kiln/bundle.h>
#include <kiln/opencl.h>
#include <kiln/runtime.h>

#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
double milliseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

/// Exits with the error.
template <class T> auto must(kiln::Result<T> result) {
  if (!result.ok()) {
    std::fputs(result.error().what().c_str(), stderr);
    std::exit(int(result.error().kind()));
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Host data in memory that the device can access.
template <class T> struct OnDevice {
  OnDevice(kiln::Stream &stream, std::vector<T> values)
      : host(std::move(values)), buffer(must(stream.allocate(host.size() * sizeof(T)))) {
    must(stream.copy(buffer.data(), host.data(), buffer.bytes()));
  }
  T *data() { return buffer.template as<T>(); }
  void read(kiln::Stream &stream) {
    must(stream.copy(host.data(), buffer.data(), buffer.bytes()));
    must(stream.synchronize());
  }
  std::vector<T> host;
  kiln::Buffer buffer;
};

} // namespace

int main(int count, char **words) {
  kiln::avoid_opencl_driver_faults();
  const Clock::time_point started = Clock::now();
  auto runtime = must(kiln::Runtime::open());
  const kiln::Device device = must(runtime->device(count > 1 ? words[1] : "cpu"));
  const Clock::time_point ready = Clock::now();
  const kiln::Bundle bundle = must(kiln::Bundle::open(count > 2 ? words[2] : KERNELS));
  const Clock::time_point opened = Clock::now();
  kiln::Stream stream = must(runtime->stream(device));

  constexpr int64_t n = 1000;
  std::vector<float> ones(n, 1), rising(n);
  for (int64_t i = 0; i < n; i++) rising[size_t(i)] = float(i);
  OnDevice<float> y(stream, ones), x(stream, rising), sums(stream, std::vector<float>(4));
  const kiln::LaunchShape shape{.blocks = {4, 1, 1}, .threads = {256, 1, 1}};

  const Clock::time_point before = Clock::now();
  const auto saxpy = must(kernels::saxpy::load(bundle, device));
  must(saxpy.launch(stream, shape, {y.data(), n}, {x.data(), n}, 2.0f));
  must(stream.synchronize());
  const Clock::time_point launched = Clock::now();
  y.read(stream);
  for (int64_t i = 0; i < n; i++)
    if (y.host[size_t(i)] != 2.0f * float(i) + 1.0f)
      return std::printf("saxpy is wrong at %lld\n", (long long)i), 1;

  const auto block_sums = must(kernels::block_sums::load(bundle, device));
  must(block_sums.launch(stream, shape, {sums.data(), 4}, {x.data(), n}));
  sums.read(stream);
  float total = 0;
  for (float sum : sums.host) total += sum;
  if (total != float(n * (n - 1) / 2)) return std::printf("block_sums is wrong: %g\n", total), 1;

  constexpr int width = 64, height = 48, limit = 100;
  const kernels::View view{.left = -2.0f, .lower = -1.2f, .step = 0.05f};
  OnDevice<int32_t> image(stream, std::vector<int32_t>(width * height));
  const auto escape = must(kernels::escape::load(bundle, device));
  must(escape.launch(stream, {.blocks = {4, 3, 1}, .threads = {16, 16, 1}}, {image.data(), {width, height}},
                     view, limit));
  image.read(stream);
  int differ = 0;
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++) {
      const std::complex<double> c(view.left + float(i + 1) * view.step,
                                   view.lower + float(j + 1) * view.step);
      std::complex<double> z = 0;
      int steps = 0;
      while (steps < limit && std::norm(z) <= 4) z = z * z + c, steps++;
      differ += std::abs(image.host[size_t(i + width * j)] - steps) > 1;
    }
  if (differ > width * height / 100)
    return std::printf("escape is wrong at %d points\n", differ), 1; // float here, double on the host

  std::printf(
      "three kernels on %s: device %.3f ms, bundle opened in %.3f ms, first launch done %.3f ms later\n",
      device.info().name.c_str(), milliseconds(started, ready), milliseconds(ready, opened),
      milliseconds(before, launched));
  return 0;
}
