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

// Jump target for a throwing thread (NativeThread::abort_thread), and the limit of the host thread's stack.
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

/// One running block. The object must not move, since coroutine frames point into `state`.
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
  Status status = Status::Done; ///< result of the last run; always Done in kernels without waits
  Overdue overdue; ///< position of a thread that found the time limit exceeded, or the launch stopped
  // Null in unchecked kernels.
  AccessChecker *checker = nullptr;
  std::unique_ptr<SharedShadow> shadow;
  uint64_t shared_bytes = 0; ///< static + dynamic

  /// Returns the tensor memory for the block with this index. The pointer is valid until the next call for
  /// another block, or until end_tensor_memory().
  TensorMemory *tensor_memory(const uint32_t (&block)[3]);
  /// Ends the use of tensor memory. Columns that are still allocated become an exception of the launch.
  void end_tensor_memory();
  /// Frees the 256 KiB of tensor memory, after end_tensor_memory().
  void free_tensor_memory() { tensor_.reset(); }

  bool check_access(uint32_t thread, const void *pointer, uint64_t bytes, const abi::AccessSite *site);

  void *frames(uint64_t frame_bytes, uint32_t threads);
  /// Runs the block from its threads' first waits until all threads ended, or none can go on. `wake` resumes
  /// one thread.
  void run(void (*wake)(void *));
  /// Continues a block that waits at a grid barrier, after all blocks have reached that barrier.
  void resume();
  /// Continues a block in status Spinning: each thread reads its variable again. Another thread of any block
  /// may have written it.
  void poll();
  /// Returns true if a thread made real progress (not only idle spins) since the last call of has_moved().
  bool has_moved() { return std::exchange(moved_, false); }
  /// True if the last run stopped early to let other blocks run. Its threads kept passing barriers or warp
  /// operations without an end.
  bool ran_long() const { return ran_long_; }
  /// Describes the waits of a block that can never continue: Stuck, or Spinning without a writer.
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
  /// True if the block has run for a while, and other blocks wait for its host thread.
  bool has_run_long();

  BlockMemory frames_;
  std::vector<abi::Wait> waits_;
  std::vector<uint64_t> idle_turns_; ///< number of idle turns per thread at the last judge_spinners()
  std::byte *frames_memory_ = nullptr;
  uint64_t frame_bytes_ = 0;
  std::unique_ptr<TensorMemory> tensor_;
  std::optional<std::array<uint32_t, 3>> tensor_block_; ///< block that uses `tensor_`
  bool moved_ = false, ran_long_ = false;
  bool passed_ = false; ///< set if a thread passed a wait other than a spin; judge_spinners() clears it
  uint32_t threads_ = 0, first_live_ = 0, ended_ = 0;
  uint32_t rounds_ = 0; ///< rounds since the last read of the clock
  /// Time at the first read of the clock in this poll; 0: not read yet.
  std::chrono::steady_clock::time_point begin_{};
  void (*wake_)(void *) = nullptr;
};

} // namespace kiln
