// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executor with kernels that are written here: orders of blocks, memory that is kept, waits.
#include <catch2/catch.hpp>
#include <host/host.h>
#include <host/tensor_memory.h>

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <future>
#include <mutex>
#include <set>
#include <vector>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

using Index = std::array<uint32_t, 3>;

struct Seen {
  std::mutex mutex;
  std::vector<Index> blocks;
  std::set<void *> frames;
};

void note_block(abi::NativeThread *state, void *const *args, uint32_t, uint32_t) {
  Seen &seen = **static_cast<Seen *const *>(args[0]);
  std::lock_guard lock(seen.mutex);
  seen.blocks.push_back({state->block[0], state->block[1], state->block[2]});
}

/// Goes on to neighbours as long as it may.
void note_blocks(abi::NativeThread *state, void *const *args, uint32_t first, uint32_t count) {
  note_block(state, args, first, count);
  for (; state->more; state->more--) {
    state->block[0]++;
    note_block(state, args, first, count);
  }
}

/// A thread that waits at one place `times` times; its frame holds what a compiled one would.
struct Frame {
  abi::Wait *wait;
  const abi::WaitSite *site;
  uint32_t times;
};
void wake(void *memory) {
  Frame &frame = *static_cast<Frame *>(memory);
  frame.wait->site = frame.times-- ? frame.site : nullptr;
}
constexpr abi::WaitSite here{abi::WaitKind::Barrier, 0, nullptr}, there{abi::WaitKind::Barrier, 1, nullptr},
    grid{abi::WaitKind::Grid, 2, nullptr};

template <class Site> void start(abi::NativeThread *state, void *const *args, uint32_t count, Site site_of) {
  auto *frames = static_cast<Frame *>(kiln_native_frames(state, sizeof(Frame), count));
  {
    Seen &seen = **static_cast<Seen *const *>(args[0]);
    std::lock_guard lock(seen.mutex);
    seen.frames.insert(frames);
  }
  for (uint32_t t = 0; t < count; t++) {
    frames[t] = {&state->waits[t], site_of(t), 3};
    wake(&frames[t]);
  }
  kiln_native_rounds(state, &wake);
}
void wait_together(abi::NativeThread *state, void *const *args, uint32_t, uint32_t count) {
  start(state, args, count, [](uint32_t) { return &here; });
}
void wait_apart(abi::NativeThread *state, void *const *args, uint32_t, uint32_t count) {
  start(state, args, count, [](uint32_t t) { return t < 2 ? &here : &there; });
}
void wait_for_grid(abi::NativeThread *state, void *const *args, uint32_t, uint32_t count) {
  start(state, args, count, [](uint32_t) { return &grid; });
}
void wait_for_grid_with_tensor_memory(abi::NativeThread *state, void *const *args, uint32_t first,
                                      uint32_t count) {
  CHECK(kiln_native_tensor_memory(state) != nullptr);
  wait_for_grid(state, args, first, count);
}

LaunchOutcome run(Executor &executor, abi::NativeKernel kernel, const LaunchShape &shape, Seen &seen) {
  Seen *pointer = &seen;
  void *args[] = {static_cast<void *>(&pointer)};
  LaunchOutcome outcome;
  Result<void> done = executor.run(kernel, shape, args, 0, outcome);
  INFO((done.ok() ? "" : done.error().what()));
  CHECK(done.ok());
  return outcome;
}

} // namespace

TEST_CASE("every block runs once, in whatever order") {
  const LaunchShape shape{{5, 4, 3}, {2, 1, 1}, 0};
  std::set<std::vector<Index>> orders;
  for (uint64_t order = 0; order < 100; order++) {
    Executor executor({.threads = 1, .order = order});
    Seen seen;
    run(executor, note_block, shape, seen);
    CHECK(seen.blocks.size() == 60);
    CHECK(std::set<Index>(seen.blocks.begin(), seen.blocks.end()).size() == 60);
    if (order == 0) {
      CHECK(seen.blocks[1] == Index{1, 0, 0});
      CHECK(seen.blocks[5] == Index{0, 1, 0});
    }
    orders.insert(seen.blocks);
  }
  CHECK(orders.size() > 50);
}

TEST_CASE("blocks that one call runs are not run again") {
  for (Index blocks : {Index{1, 1, 1}, {1, 7, 1}, {7, 1, 1}, {5, 4, 3}, {300, 2, 1}})
    for (unsigned threads : {1u, 3u})
      for (uint64_t order : {0, 5}) {
        Executor executor({.threads = threads, .order = order});
        Seen seen;
        run(executor, note_blocks, {blocks, {2, 1, 1}, 0}, seen);
        std::set<Index> different(seen.blocks.begin(), seen.blocks.end());
        INFO(blocks[0] << " x " << blocks[1] << " x " << blocks[2] << ", " << threads << " threads, order "
                       << order);
        CHECK(seen.blocks.size() == blocks[0] * blocks[1] * blocks[2]);
        CHECK(different.size() == seen.blocks.size());
        CHECK(*different.rbegin() == Index{blocks[0] - 1, blocks[1] - 1, blocks[2] - 1});
      }
}

TEST_CASE("frames are kept from launch to launch") {
  Executor executor({.threads = 1});
  Seen seen;
  for (int i = 0; i < 5; i++)
    CHECK_FALSE(run(executor, wait_together, {{3, 1, 1}, {64, 1, 1}, 0}, seen).deadlock);
  CHECK(seen.frames.size() == 1);
}

TEST_CASE("blocks that wait for the grid are kept too") {
  Executor executor({.threads = 2});
  Seen seen;
  for (int i = 0; i < 5; i++)
    CHECK_FALSE(run(executor, wait_for_grid, {{20, 1, 1}, {8, 1, 1}, 0}, seen).deadlock);
  CHECK(seen.frames.size() >= 20);
  CHECK(seen.frames.size() <= 24);
}

TEST_CASE("tensor memory counts among the memory of waiting blocks") {
  const auto launch = [](Executor &executor, abi::NativeKernel kernel, const LaunchShape &shape) {
    Seen seen, *pointer = &seen;
    void *args[] = {static_cast<void *>(&pointer)};
    LaunchOutcome outcome;
    Result<void> done = executor.run(kernel, shape, args, 0, outcome);
    return done.ok() ? std::string() : std::string(done.error().what());
  };
  constexpr uint64_t tensor_bytes = 256 << 10;
  constexpr uint32_t too_many = max_resident_bytes / tensor_bytes, some = 300;
  Executor executor({.threads = 1});
  CHECK_THAT(launch(executor, wait_for_grid_with_tensor_memory, {{too_many, 1, 1}, {1, 1, 1}, 0}),
             Contains("they do not fit"));
  CHECK(launch(executor, wait_for_grid_with_tensor_memory, {{some, 1, 1}, {1, 1, 1}, 0}) == "");
  // The blocks that are kept for the next launch have freed theirs: else this one would not fit.
  constexpr uint32_t almost_all = max_resident_bytes / (max_shared_bytes + 1024) - 100;
  static_assert(100 * max_shared_bytes < 256 * tensor_bytes);
  CHECK(launch(executor, wait_for_grid, {{almost_all, 1, 1}, {1, 1, 1}, max_shared_bytes}) == "");
}

TEST_CASE("a deadlock names its places, and the next launch is well") {
  Executor executor;
  Seen seen;
  LaunchOutcome outcome = run(executor, wait_apart, {{3, 1, 1}, {5, 1, 1}, 0}, seen);
  REQUIRE(outcome.deadlock);
  REQUIRE(outcome.deadlock->places.size() == 2);
  CHECK(outcome.deadlock->places[0].site == &here);
  CHECK(outcome.deadlock->places[0].threads == 2);
  CHECK(outcome.deadlock->places[1].site == &there);
  CHECK(outcome.deadlock->places[1].threads == 3);
  CHECK(outcome.deadlock->places[1].first == Index{2, 0, 0});
  CHECK_FALSE(run(executor, wait_together, {{3, 1, 1}, {5, 1, 1}, 0}, seen).deadlock);
}

TEST_CASE("what does not fit is refused before anything runs") {
  Executor executor;
  Seen seen;
  Seen *pointer = &seen;
  void *args[] = {static_cast<void *>(&pointer)};
  auto refused = [&](const LaunchShape &shape, uint64_t fixed = 0) -> std::string {
    LaunchOutcome outcome;
    Result<void> done = executor.run(note_block, shape, args, fixed, outcome);
    return done.ok() ? "" : done.error().what();
  };
  constexpr uint32_t huge = 0xffffffff;
  CHECK_THAT(refused({{1, 1, 1}, {1025, 1, 1}, 0}), Contains("1025 threads"));
  CHECK_THAT(refused({{1, 1, 1}, {huge, huge, huge}, 0}), Contains("at most 1024"));
  CHECK_THAT(refused({{1, 1, 1}, {1, 1, 65}, 0}), Contains("each direction"));
  CHECK_THAT(refused({{huge, huge, huge}, {1, 1, 1}, 0}), Contains("too large"));
  CHECK_THAT(refused({{1, 0, 1}, {1, 1, 1}, 0}), Contains("at least 1"));
  CHECK_THAT(refused({{1, 1, 1}, {1, 1, 1}, max_shared_bytes}, 1), Contains("shared memory"));
  CHECK_THAT(refused({{1, 1, 1}, {1, 1, 1}, ~uint64_t(0)}, 16), Contains("shared memory"));
  CHECK(seen.blocks.empty());
  CHECK(refused({{1, 1, 1}, {1024, 1, 1}, max_shared_bytes}).empty());
}

// ---- oneTBB speaks up on stderr once a process, so a process of its own is asked.

TEST_CASE("child of the test below: queues of executors", "[.]") {
  for (unsigned threads :
       {0u, 1u, 2u, 7u}) { // 0: as oneTBB has them; 7: more than most machines that run this have
    Executor executor({.threads = threads});
    std::promise<void> done;
    executor.enqueue([](void *context) { static_cast<std::promise<void> *>(context)->set_value(); }, &done);
    done.get_future().wait();
  }
}

TEST_CASE("streams of an executor leave stderr alone") {
  char path[] = "/proc/self/exe", program[4096] = "";
  REQUIRE(::readlink(path, program, sizeof program - 1) > 0);
  std::string command = fmt::format(
      "env -u TBB_VERSION '{}' 'child of the test below: queues of executors' 2>&1 >/dev/null", program);
  std::FILE *child = ::popen(command.c_str(), "r");
  REQUIRE(child);
  std::string said;
  char buffer[512];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, child)) said.append(buffer, n);
  CHECK(::pclose(child) == 0);
  CHECK(said == "");
}

namespace {

/// A block that allocates tensor memory, and frees it unless it is block (2, 1, 0).
void use_tensor_memory(abi::NativeThread *state, void *const *args, uint32_t, uint32_t) {
  Seen &seen = **static_cast<Seen *const *>(args[0]);
  const auto use = [&] {
    TensorMemory *memory = kiln_native_tensor_memory(state);
    const bool is_fresh = memory->used == 0 && memory->firsts == 0 && memory->closed == 0;
    CHECK(memory == kiln_native_tensor_memory(state));
    memory->used = memory->firsts = memory->closed = 1;
    memory->lanes[127][511] = state->block[0];
    CHECK(kiln_native_tensor_memory(state)->used == 1);
    if (!(state->block[0] == 2 && state->block[1] == 1)) memory->used = 0;
    std::lock_guard lock(seen.mutex);
    if (is_fresh) seen.blocks.push_back({state->block[0], state->block[1], state->block[2]});
  };
  use();
  for (; state->more; state->more--) {
    state->block[0]++;
    use();
  }
}

} // namespace

TEST_CASE("each block has tensor memory of its own, and has to free its columns") {
  for (uint64_t order : {0, 7}) {
    Executor executor({.threads = 1, .order = order});
    Seen seen;
    LaunchOutcome outcome = run(executor, use_tensor_memory, {{5, 2, 1}, {1, 1, 1}, 0}, seen);
    CHECK(std::set<Index>(seen.blocks.begin(), seen.blocks.end()).size() == 10);
    CHECK(outcome.exception.status == 2);
    CHECK(outcome.exception.block[0] == 2);
    CHECK(outcome.exception.block[1] == 1);
    CHECK_THAT(std::string(reinterpret_cast<const char *>(uintptr_t(outcome.exception.name))),
               Contains("ended with columns of tensor memory allocated"));
    CHECK_THAT(std::string(outcome.exception.text), Contains("tcgen05_dealloc"));
    Seen again;
    CHECK(run(executor, use_tensor_memory, {{2, 2, 1}, {1, 1, 1}, 0}, again).exception.status == 0);
    CHECK(again.blocks.size() == 4);
  }
  abi::NativeThread plain{}; // a plain function has no block
  CHECK(kiln_native_tensor_memory(&plain) == nullptr);
}
