// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bundle_launch BUNDLE [OPENS]: how long a bundle takes to open, and each of its kernels from its name to the
// end of its first launch, on the CPU, in this process. It links what libkiln-runtime.so is made of and no
// compiler. bench/bundle.py makes the bundle.
#include <kiln/bundle.h>
#include <kiln/runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace kiln;
using Clock = std::chrono::steady_clock;

namespace {

double microseconds(Clock::time_point from) {
  return std::chrono::duration<double, std::micro>(Clock::now() - from).count();
}

void row(const char *what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  auto at = [&](double share) { return times[size_t(share * double(times.size() - 1))]; };
  std::printf("| %s | %zu | %.1f | %.1f | %.1f | %.1f |\n", what, times.size(), at(0.5), at(0.9), at(0.99),
              at(1));
}

/// Bytes for any parameter: arrays of 16 elements in each direction, all zero, and ones elsewhere.
struct Arguments {
  std::vector<std::vector<std::byte>> bytes;
  std::vector<const void *> pointers;
  explicit Arguments(const BundleKernel &kernel) {
    static std::vector<std::byte> memory(1 << 22);
    for (const BundleParameter &p : kernel.parameters()) {
      auto &value = bytes.emplace_back(p.size);
      if (p.type.starts_with("CuDeviceArray{")) {
        std::vector<uint64_t> words(p.size / 8, 16);
        words[0] = uint64_t(reinterpret_cast<uintptr_t>(memory.data()));
        words[1] = memory.size();
        words.back() = 1;
        for (size_t i = 2; i + 1 < words.size(); i++) words.back() *= 16;
        std::memcpy(value.data(), words.data(), p.size);
      } else {
        value[0] = std::byte(1);
      }
    }
    for (const auto &value : bytes) pointers.push_back(value.data());
  }
};

} // namespace

int main(int count, char **words) {
  if (count < 2) return std::puts("bundle_launch BUNDLE [OPENS]"), 2;
  const size_t opens = count > 2 ? size_t(std::atoi(words[2])) : 100;
  std::vector<double> opening, verifying, loading, first, again;
  Clock::time_point at = Clock::now();
  auto bundle = Bundle::open(words[1]);
  const double cold = microseconds(at);
  if (!bundle.ok()) return std::puts(bundle.error().what().c_str()), 1;
  for (size_t i = 0; i < opens; i++) {
    at = Clock::now();
    (void)Bundle::open(words[1]);
    opening.push_back(microseconds(at));
  }
  auto runtime = Runtime::open();
  const Device cpu = (*runtime)->cpu();
  size_t failed = 0;
  for (size_t i = 0; i < bundle->size(); i++) {
    const BundleKernel listed = bundle->kernel(i);
    const Arguments arguments(listed);
    auto launch = [&](std::vector<double> &times, bool is_first) {
      at = Clock::now();
      auto found = bundle->find(listed.name(), listed.signature());
      auto kernel = found->load(cpu);
      if (!kernel.ok()) return std::puts(kernel.error().what().c_str()), std::exit(1);
      if (is_first) loading.push_back(microseconds(at));
      const auto ran = (*runtime)->launch(*kernel, {}, arguments.pointers);
      times.push_back(microseconds(at));
      failed += is_first && !ran.ok(); // an exception: zeros are not what every kernel takes
    };
    launch(first, true);
    launch(again, false);
  }
  for (int i = 0; i < 5; i++) {
    at = Clock::now();
    (void)bundle->verify();
    verifying.push_back(microseconds(at));
  }
  std::printf("%zu kernels; %zu threw on these arguments\n\n", bundle->size(), failed);
  std::printf("| microseconds | times | median | p90 | p99 | most |\n|---|---|---|---|---|---|\n");
  row("open, the first in the process", {cold});
  row("open", opening);
  row("verify all code", verifying);
  row("name to loaded kernel, first", loading);
  row("name to the end of its first launch", first);
  row("name to the end of a later launch", again);
  return 0;
}
