// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block under way: its state, its memory, and who of its threads waits for what. A block whose threads
// wait is run by bringing each thread to its next wait (`wake`), and by waking those whose wait is over,
// until all have ended.
#pragma once

#include "checker.h"
#include "executor.h"
#include "tensor_memory.h"

#include <chrono>
#include <csetjmp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace kiln {

// Where a thread that throws goes back to (NativeThread::abort_thread), and where the host thread's stack
// ends.
struct AbortPoint {
  abi::Unwinding unwinding{};
  std::jmp_buf back;
  volatile uint32_t thrower = 0; ///< its linear index in the block
};

/// Memory that grows and is kept. What is in it is lost when it grows.
class BlockMemory {
public:
  std::byte *reserve(uint64_t bytes) {
    if (bytes > size_) {
      memory_ = std::make_unique_for_overwrite<Unit[]>((bytes + sizeof(Unit) - 1) / sizeof(Unit));
      size_ = bytes;
    }
    return reinterpret_cast<std::byte *>(memory_.get());
  }
  uint64_t size() const { return size_; }

private:
  struct alignas(64) Unit {
    std::byte bytes[64];
  };
  std::unique_ptr<Unit[]> memory_;
  uint64_t size_ = 0;
};

struct GridLaunch;

/// Frames point into `state`, so a block does not move.
class Block {
public:
  enum class Status { Done, AtGrid, Spinning, Stuck };

  Block() {
    state.run = this;
    state.abort_thread = &abort;
  }
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  abi::NativeThread state{};
  AbortPoint abort;
  GridLaunch *launch = nullptr; ///< whose block it is
  BlockMemory shared;
  Status status = Status::Done; ///< Done, and not touched, in kernels without waits
  Overdue overdue;              ///< where a thread found that the launch has outlived its time limit
  // Of checked kernels; null in others.
  AccessChecker *checker = nullptr;
  std::unique_ptr<SharedShadow> shadow;
  uint64_t shared_bytes = 0; ///< static and dynamic

  /// Of the block with this number; lives until another one asks, or until end_tensor_memory.
  TensorMemory *tensor_memory(const uint32_t (&block)[3]);
  /// Reports columns that are still allocated, as an exception of the launch.
  void end_tensor_memory();
  /// Frees the 256 KiB of tensor memory, after end_tensor_memory().
  void free_tensor_memory() { tensor_.reset(); }

  bool check_access(uint32_t thread, const void *pointer, uint64_t bytes, const abi::AccessSite *site);

  void *frames(uint64_t frame_bytes, uint32_t threads);
  /// From the first waits on, until all threads have ended or none can go on.
  void run(void (*wake)(void *));
  /// Behind a barrier of the grid: every block has come to it.
  void go_on();
  /// Of a block that is Spinning: its threads wait for what others write, of this block or another. Each
  /// looks again.
  void poll();
  /// Whether one of its threads did anything but idle turns since the last call.
  bool has_moved() { return std::exchange(moved_, false); }
  /// The last run was cut short for the sake of other blocks: its threads pass barriers or warp operations on
  /// and on.
  bool ran_long() const { return ran_long_; }
  /// Of a block that is Stuck, or Spinning for ever.
  Deadlock deadlock() const;
  uint64_t bytes() const {
    return shared.size() + frames_.size() + waits_.size() * sizeof(abi::Wait) +
           (tensor_ ? sizeof(TensorMemory) : 0);
  }

private:
  void rounds();
  void wake(uint32_t thread) { wake_(frames_memory_ + thread * frame_bytes_); }
  void wake_all(); ///< behind a barrier
  bool all_at(const abi::WaitSite *site, uint32_t first) const;
  bool advance_warps();
  bool advance_warp(uint32_t first);
  bool advance_active(uint32_t first, uint32_t waiting);
  void perform(abi::WaitKind kind, uint32_t first, uint32_t lanes);
  void wake_lanes(uint32_t first, uint32_t lanes);
  bool pass_barrier();
  enum class Spins { None, Idle, Counted, Moved };
  void wake_spinners();
  Spins judge_spinners();
  /// The block has run for a while, and other blocks wait for its host thread.
  bool has_run_long();

  BlockMemory frames_;
  std::vector<abi::Wait> waits_;
  std::vector<uint64_t> idle_turns_; ///< of each thread, when its waits were judged last
  std::byte *frames_memory_ = nullptr;
  uint64_t frame_bytes_ = 0;
  std::unique_ptr<TensorMemory> tensor_;
  std::optional<std::array<uint32_t, 3>> tensor_block_; ///< whose it is
  bool moved_ = false, ran_long_ = false;
  bool passed_ = false; ///< threads have passed other waits than spins since spins were judged
  uint32_t threads_ = 0, first_live_ = 0, ended_ = 0;
  uint32_t rounds_ = 0;                           ///< since the clock was read
  std::chrono::steady_clock::time_point begin_{}; ///< of this poll, when the clock was first read; else 0
  void (*wake_)(void *) = nullptr;
};

} // namespace kiln
