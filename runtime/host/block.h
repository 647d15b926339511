// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One running block: its state, its memory, and the wait of each thread. The block brings each thread to its
// next wait (`wake`), then wakes the threads whose wait is over, until all threads have ended.
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

// Jump target of a throwing thread (NativeThread::abort_thread), and the end of the host thread's stack.
struct AbortPoint {
  abi::Unwinding unwinding{};
  std::jmp_buf back;
  volatile uint32_t thrower = 0; ///< linear index in the block
};

/// Reusable memory that only grows. Growing discards the contents.
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

/// One block. It does not move, since frames point into `state`.
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
  GridLaunch *launch = nullptr; ///< launch of this block
  BlockMemory shared;
  Status status = Status::Done; ///< stays Done in kernels without waits
  Overdue overdue;              ///< place where a thread found that the time limit was over
  // Null in unchecked kernels.
  AccessChecker *checker = nullptr;
  std::unique_ptr<SharedShadow> shadow;
  uint64_t shared_bytes = 0; ///< static + dynamic

  /// Tensor memory of the block with this number. Valid until the next call for another block, or
  /// end_tensor_memory().
  TensorMemory *tensor_memory(const uint32_t (&block)[3]);
  /// Reports columns that are still allocated as an exception of the launch.
  void end_tensor_memory();
  /// Frees the 256 KiB of tensor memory, after end_tensor_memory().
  void free_tensor_memory() { tensor_.reset(); }

  bool check_access(uint32_t thread, const void *pointer, uint64_t bytes, const abi::AccessSite *site);

  void *frames(uint64_t frame_bytes, uint32_t threads);
  /// Runs the block after its threads reached their first waits, until all ended or none can go on.
  void run(void (*wake)(void *));
  /// Resumes after a grid barrier that every block has reached.
  void resume();
  /// Lets each thread of a Spinning block read its variable again. Threads of this block or of another write
  /// it.
  void poll();
  /// Returns true once if a thread did more than idle turns since the last call.
  bool has_moved() { return std::exchange(moved_, false); }
  /// True if the last run stopped early for the sake of other blocks: the threads kept passing barriers or
  /// warp operations.
  bool ran_long() const { return ran_long_; }
  /// Describes the waits of a block that is Stuck, or Spinning for ever.
  Deadlock deadlock() const;
  uint64_t bytes() const {
    return shared.size() + frames_.size() + waits_.size() * sizeof(abi::Wait) +
           (tensor_ ? sizeof(TensorMemory) : 0);
  }

private:
  void rounds();
  void wake(uint32_t thread) { wake_(frames_memory_ + thread * frame_bytes_); }
  void wake_all(); ///< after a barrier
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
  /// True if the block has run for a while and other blocks wait for its host thread.
  bool has_run_long();

  BlockMemory frames_;
  std::vector<abi::Wait> waits_;
  std::vector<uint64_t> idle_turns_; ///< per thread, from the last judge_spinners()
  std::byte *frames_memory_ = nullptr;
  uint64_t frame_bytes_ = 0;
  std::unique_ptr<TensorMemory> tensor_;
  std::optional<std::array<uint32_t, 3>> tensor_block_; ///< block that uses `tensor_`
  bool moved_ = false, ran_long_ = false;
  bool passed_ = false; ///< a thread passed a wait other than a spin since judge_spinners()
  uint32_t threads_ = 0, first_live_ = 0, ended_ = 0;
  uint32_t rounds_ = 0;                           ///< since the last look at the clock
  std::chrono::steady_clock::time_point begin_{}; ///< first look at the clock in this poll; else 0
  void (*wake_)(void *) = nullptr;
};

} // namespace kiln
