// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the maximum memory bandwidth of a device, to which reports compare the bandwidths of kernels.
#include "run.h"

#include <kiln/extension/language/calls.h>

#include <algorithm>

namespace kiln {

namespace {

/// Size of each of two arrays, in bytes: larger than any L2 cache.
constexpr uint64_t gpu_bytes = uint64_t(256) << 20, cpu_bytes = uint64_t(32) << 20, element_bytes = 16;
constexpr uint32_t gpu_threads = 256, cpu_threads = 1024;
constexpr int rounds = 7;

constexpr std::string_view text = R"(module KilnTuneCeiling
using CUDA
function copy(to, from)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    @inbounds to[i] = from[i]
    return
end
end
)";

} // namespace

Result<double> copy_ceiling(Session &session, const Device &device) {
  const std::string call = "KilnTuneCeiling.copy(CuDeviceVector{UInt128,1}, CuDeviceVector{UInt128,1})";
  if (!resolve_call(session, call).ok()) KILN_CHECK(session.load("kiln_tune_ceiling.jl", std::string(text)));
  KILN_TRY(const Kernel kernel, session.prepare(call, {.debug_level = 0}, device));
  const uint64_t bytes = device.is_gpu() ? gpu_bytes : cpu_bytes;
  const uint32_t threads = device.is_gpu() ? gpu_threads : cpu_threads;
  KILN_TRY(Stream stream, session.stream(device));
  KILN_TRY(const Buffer from, stream.allocate(bytes));
  KILN_TRY(const Buffer to, stream.allocate(bytes));
  KILN_CHECK(stream.fill(from.data(), 1, bytes));
  KILN_CHECK(stream.fill(to.data(), 2, bytes));
  const auto count = int64_t(bytes / element_bytes);
  const Argument arguments[] = {Argument::array_of("UInt128", to.data(), {count}, element_bytes),
                                Argument::array_of("UInt128", from.data(), {count}, element_bytes)};
  const void *pointers[] = {arguments[0].bytes.data(), arguments[1].bytes.data()};
  const LaunchShape shape{.blocks = {uint32_t(uint64_t(count) / threads), 1, 1}, .threads = {threads, 1, 1}};
  const Event begin, end;
  double fastest = 0;
  for (int i = 0; i <= rounds; i++) { // round 0 warms up
    KILN_CHECK(stream.record(begin));
    KILN_CHECK(stream.launch(kernel, shape, pointers));
    KILN_CHECK(stream.record(end));
    KILN_CHECK(stream.synchronize());
    KILN_TRY(const auto time, Event::between(begin, end));
    if (i > 0 && time.count() > 0)
      fastest = std::max(fastest, 2 * double(bytes) / double(time.count()) * 1e9);
  }
  return fastest;
}

} // namespace kiln
