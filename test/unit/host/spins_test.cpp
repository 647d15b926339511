// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executor with threads that read until another one writes, without a barrier: kernels that are written
// here as compiled code would be. They end where somebody writes, and are told by their places where nobody
// does.
#include <catch2/catch.hpp>
#include <host/host.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace spins_test {

using namespace kiln;

namespace {

using Clock = std::chrono::steady_clock;

constexpr abi::WaitSite first_loop{abi::WaitKind::Spin, 0, "waits.jl:7"},
    second_loop{abi::WaitKind::Spin, 1, "waits.jl:12"};

/// What the kernel's threads do, and what they share. `turn` is one turn of a thread's loop: whether the
/// thread goes round once more.
struct Program {
  std::function<bool(uint32_t block, uint32_t thread)> turn;
  std::function<const abi::WaitSite *(uint32_t thread)> site = [](uint32_t) { return &first_loop; };
  bool counts = false; ///< the loop's turns: they leave nothing as it was
};

struct Frame {
  Program *program;
  abi::Wait *wait;
  uint32_t block, thread;
};

void wake(void *memory) {
  auto &[program, wait, block, thread] = *static_cast<Frame *>(memory);
  const bool goes_on = program->turn(block, thread);
  wait->value = program->counts ? 0 : wait->value + 1;
  wait->site = goes_on ? program->site(thread) : nullptr;
}

void kernel(abi::NativeThread *state, void *const *args, uint32_t, uint32_t count) {
  auto *frames = static_cast<Frame *>(kiln_native_frames(state, sizeof(Frame), count));
  for (uint32_t t = 0; t < count; t++) {
    frames[t] = {*static_cast<Program *const *>(args[0]), &state->waits[t], state->block[0], t};
    state->waits[t].value = 0;
    wake(&frames[t]);
  }
  kiln_native_rounds(state, &wake);
}

LaunchOutcome run(Executor &executor, Program program, uint32_t blocks, uint32_t threads) {
  Program *pointer = &program;
  void *args[] = {&pointer};
  LaunchOutcome outcome;
  Result<void> done = executor.run(kernel, {{blocks, 1, 1}, {threads, 1, 1}, 0}, args, 0, outcome);
  INFO((done.ok() ? "" : done.error().what()));
  CHECK(done.ok());
  return outcome;
}

} // namespace

TEST_CASE("threads that wait for another thread's write end, each behind the one it waits for") {
  for (unsigned host_threads : {1u, 2u, 8u})
    for (uint64_t order : {0, 3}) {
      constexpr uint32_t blocks = 5, threads = 64;
      std::atomic<uint32_t> next[blocks]{};
      std::vector<uint32_t> ended[blocks];
      Program relay;
      relay.turn = [&](uint32_t block, uint32_t thread) { // the last thread begins
        if (next[block] != threads - 1 - thread) return true;
        ended[block].push_back(thread);
        ++next[block];
        return false;
      };
      Executor executor({.threads = host_threads, .order = order});
      INFO(host_threads << " threads of the host, order " << order);
      CHECK_FALSE(run(executor, relay, blocks, threads).deadlock);
      std::vector<uint32_t> backwards(threads);
      std::iota(backwards.rbegin(), backwards.rend(), 0);
      for (const auto &order_of_block : ended) CHECK(order_of_block == backwards);
    }
}

TEST_CASE("blocks that wait for one that begins later end") {
  for (unsigned host_threads : {1u, 2u, 8u}) {
    constexpr uint32_t blocks = 40;
    std::atomic<uint32_t> next = blocks - 1, ended = 0, of_block[blocks]{};
    Program backwards;
    backwards.turn = [&](uint32_t block, uint32_t) {
      if (next != block) return true;
      ++ended;
      // The last of three, which need not be thread 2: its turn may come between another block's write and
      // the other threads' next look.
      if (++of_block[block] == 3) --next;
      return false;
    };
    Executor executor({.threads = host_threads});
    INFO(host_threads << " threads of the host");
    CHECK_FALSE(run(executor, backwards, blocks, 3).deadlock);
    CHECK(ended == 3 * blocks);
  }
}

TEST_CASE("a wait for what nobody writes ends the launch, and names the lines") {
  Executor executor({.threads = 2, .idle_limit = std::chrono::milliseconds(100)});
  Program never;
  never.turn = [](uint32_t block, uint32_t thread) { return block != 0 && thread != 3; };
  never.site = [](uint32_t thread) { return thread < 2 ? &first_loop : &second_loop; };
  const auto begin = Clock::now();
  LaunchOutcome outcome = run(executor, never, 3, 6);
  CHECK(Clock::now() - begin >= std::chrono::milliseconds(100));
  REQUIRE(outcome.deadlock);
  CHECK(outcome.deadlock->block[0] != 0); // that one has ended
  CHECK(outcome.deadlock->ended == 1);
  REQUIRE(outcome.deadlock->places.size() == 2);
  const Deadlock::Place &first = outcome.deadlock->places[0], &second = outcome.deadlock->places[1];
  CHECK(std::string(first.site->location) == "waits.jl:7");
  CHECK(first.threads == 2);
  CHECK(std::string(second.site->location) == "waits.jl:12");
  CHECK(second.threads == 3);
  CHECK(second.first[0] == 2);

  Program ends;
  ends.turn = [](uint32_t, uint32_t) { return false; };
  CHECK_FALSE(run(executor, ends, 3, 6).deadlock);
}

TEST_CASE("turns that count never are a deadlock, however long they take") {
  Executor executor({.threads = 1, .idle_limit = std::chrono::milliseconds(20)});
  const auto until = Clock::now() + std::chrono::milliseconds(200);
  Program timeout;
  timeout.counts = true;
  timeout.turn = [&](uint32_t, uint32_t) { return Clock::now() < until; };
  CHECK_FALSE(run(executor, timeout, 2, 4).deadlock);
  CHECK(Clock::now() >= until);
}

TEST_CASE("a write in time is seen: one block reads for longer than the others take, then is written to") {
  Executor executor({.threads = 2, .idle_limit = std::chrono::milliseconds(1000)});
  std::atomic<bool> written = false;
  const auto until = Clock::now() + std::chrono::milliseconds(150);
  Program mixed;
  mixed.turn = [&](uint32_t block, uint32_t) {
    if (block == 0) return !written;
    if (Clock::now() < until) return true;
    written = true;
    return false;
  };
  CHECK_FALSE(run(executor, mixed, 2, 4).deadlock);
}

TEST_CASE("a thread that works for longer than the idle limit while the others wait for it is no deadlock") {
  for (const unsigned host_threads : {1u, 2u}) {
    Executor executor({.threads = host_threads, .idle_limit = std::chrono::milliseconds(50)});
    std::atomic<bool> written = false;
    Program working;
    working.turn = [&](uint32_t block, uint32_t thread) {
      if (block != 1 || thread != 2) return !written;
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      written = true;
      return false;
    };
    CHECK_FALSE(run(executor, working, 3, 4).deadlock);
  }
}

} // namespace spins_test
