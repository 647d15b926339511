// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which shapes of launches fit a device, and what is said of those that do not. The limits are made up, or
// those of the CUDA C++ programming guide's table of compute capability 9.0.
#include <catch2/catch.hpp>
#include <host/host.h>

using namespace kiln;

namespace {

constexpr DeviceLimits small{
    .threads_of_block = 8, .block = {8, 4, 2}, .grid = {100, 10, 1}, .shared_bytes = 64};
constexpr DeviceLimits hopper{.threads_of_block = 1024,
                              .block = {1024, 1024, 64},
                              .grid = {0x7fffffff, 65535, 65535},
                              .shared_bytes = 227 * 1024};
constexpr uint32_t huge = 0xffffffff;

/// Empty: it fits. Without the kind.
std::string fault(const LaunchShape &shape, uint64_t fixed = 0, const DeviceLimits &limits = small) {
  Result<void> checked = check_shape(shape, fixed, limits, "Some GPU");
  CHECK(checked.ok() == fits(shape, fixed, limits, limits.threads_of_block));
  if (checked.ok()) return "";
  CHECK(checked.error().kind() == ErrorKind::Usage);
  return checked.error().diagnostics()[0].message;
}

} // namespace

TEST_CASE("shapes up to the limits fit") {
  CHECK(fault({}).empty());
  CHECK(fault({{100, 10, 1}, {8, 1, 1}, 64}).empty());
  CHECK(fault({{1, 1, 1}, {1, 4, 2}, 0}, 64).empty());
  CHECK(fault({{1, 1, 1}, {2, 2, 2}, 40}, 24).empty());
  CHECK(fault({{0x7fffffff, 65535, 65535}, {16, 1, 64}, 227 * 1024 - 16}, 16, hopper).empty());
}

TEST_CASE("what does not fit is told with what is asked for and the limit") {
  CHECK(fault({{1, 0, 1}, {1, 1, 1}, 0}) ==
        "a launch of 1x0x1 blocks of 1x1x1 threads: every dimension must be at least 1");
  CHECK(fault({{1, 1, 1}, {0, huge, huge}, 0}) ==
        "a launch of 1x1x1 blocks of 0x4294967295x4294967295 threads: every dimension must be at least 1");
  CHECK(fault({{101, 1, 1}, {1, 1, 1}, 0}) ==
        "a grid of 101x1x1 blocks is too large: Some GPU runs at most 100x10x1");
  CHECK(fault({{1, 1, huge}, {1, 1, 1}, 0}) ==
        "a grid of 1x1x4294967295 blocks is too large: Some GPU runs at most 100x10x1");
  CHECK(fault({{1, 1, 1}, {9, 1, 1}, 0}) == "a block of 9 threads: Some GPU runs at most 8");
  CHECK(fault({{1, 1, 1}, {8, 2, 1}, 0}) == "a block of 16 threads: Some GPU runs at most 8");
  CHECK(fault({{1, 1, 1}, {1, 5, 1}, 0}) ==
        "a block of 1x5x1 threads: Some GPU runs at most 8x4x2 in each direction");
  CHECK(fault({{1, 1, 1}, {1, 1, 1}, 65}) ==
        "a block with 65 bytes of shared memory: Some GPU has at most 64");
  CHECK(fault({{1, 1, 1}, {1, 1, 1}, 40}, 25) ==
        "a block with 65 bytes of shared memory: Some GPU has at most 64");
  CHECK(fault({{1, 1, 1}, {1, 1, 1}, 0}, 65) ==
        "a block with 65 bytes of shared memory: Some GPU has at most 64");
}

TEST_CASE("products and sums that overflow do not fit") {
  // 2^64 threads, which is 0 in 64 bits.
  CHECK(fault({{1, 1, 1}, {1u << 22, 1u << 21, 1u << 21}, 0}, 0, hopper) ==
        "a block of 4194304x2097152x2097152 threads: Some GPU runs at most 1024");
  CHECK(fault({{1, 1, 1}, {huge, huge, huge}, 0}, 0, hopper) ==
        "a block of 4294967295x4294967295x4294967295 threads: Some GPU runs at most 1024");
  CHECK(fault({{1, 1, 1}, {1, 1, 1}, ~uint64_t(0)}, 16) ==
        "a block with 18446744073709551615 bytes of shared memory: Some GPU has at most 64");
}

TEST_CASE("the CPU runs what CUDA's devices run") {
  const DeviceLimits &cpu = Executor::limits();
  CHECK(cpu.threads_of_block == hopper.threads_of_block);
  CHECK(cpu.block == hopper.block);
  CHECK(cpu.grid == hopper.grid);
  CHECK(cpu.shared_bytes == hopper.shared_bytes);
  Result<void> checked = Executor::check({.threads = {1025, 1, 1}}, 0);
  REQUIRE_FALSE(checked.ok());
  CHECK(checked.error().diagnostics()[0].message == "a block of 1025 threads: the CPU runs at most 1024");
  // Dynamic shared memory begins behind the static part at a multiple of 16 bytes.
  CHECK(Executor::check({.shared_bytes = 227 * 1024 - 16}, 1).ok());
  CHECK_FALSE(Executor::check({.shared_bytes = 227 * 1024 - 15}, 1).ok());
}
