// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch on the CPU: the state shared by its blocks, and the loop in which a host thread runs blocks.
#pragma once

#include "device_launches.h"
#include "tiered_code.h"

#include <atomic>
#include <mutex>

namespace kiln {

using BlockPtr = std::unique_ptr<Block>;

/// State shared by all blocks of a launch.
struct GridLaunch {
  const KernelLaunch &given;
  const LaunchShape &shape;
  LaunchOutcome &outcome;
  uint64_t blocks;
  uint32_t threads;
  uint64_t shared_bytes;            ///< static + dynamic
  uint64_t step, start;             ///< order of blocks: run i executes block (i * step + start) mod blocks
  std::atomic<uint64_t> stopped{0}; ///< no block starts or resumes
  std::atomic<bool> interrupted{false}; ///< by Executor::interrupt
  std::atomic<bool> is_stopped_by_source{false};
  std::atomic<uint32_t> overdue{0}; ///< read as NativeThread::stop
  std::mutex mutex;                 ///< protects the members below, and the outcome's deadlock
  std::vector<BlockPtr> waiting{};  ///< blocks at a grid barrier
  std::vector<BlockPtr> spinning{}; ///< blocks whose threads spin
  uint64_t waiting_bytes = 0;
  /// `pending`: launches not yet ended, including parents; `depth`: nesting depth of this launch.
  uint64_t pending = 0, depth = 0;
  std::vector<DeviceLaunch> launched{}; ///< child grids that threads of this grid launched
  std::optional<Error> failed{};        ///< error of the embedder's executor; set between its calls

  void place(Block &block, uint64_t i) const {
    uint64_t at =
        step == 1 ? i + start : uint64_t((static_cast<unsigned __int128>(i) * step + start) % blocks);
    const int inner = given.blocks_along_y, outer = 1 - inner;
    block.state.block[inner] = uint32_t(at % shape.blocks[inner]);
    block.state.block[outer] = uint32_t(at / shape.blocks[inner] % shape.blocks[outer]);
    block.state.block[2] = uint32_t(at / (uint64_t(shape.blocks[0]) * shape.blocks[1]));
  }
  /// Value of NativeThread::more for run i: number of blocks that compiled code may run next by itself.
  uint64_t more(const Block &block, uint64_t i, uint64_t end) const {
    if (step != 1) return 0;
    const int inner = given.blocks_along_y;
    if (given.tiers && given.tiers->is_first(given.tiers->kernel()))
      end = std::min(end, i + TieredCode::max_blocks_of_call);
    const uint64_t count = std::min<uint64_t>(end - i, shape.blocks[inner] - block.state.block[inner]) - 1;
    return inner && count ? count | abi::MoreInY : count;
  }
  /// Advances `block` from run i to run i + 1. The x index varies fastest, or y with
  /// KernelLaunch::blocks_along_y.
  void advance(Block &block, uint64_t i) const {
    if (step != 1) return place(block, i + 1);
    const int inner = given.blocks_along_y;
    for (int axis : {inner, 1 - inner, 2}) {
      if (++block.state.block[axis] < shape.blocks[axis]) return;
      block.state.block[axis] = 0;
    }
  }
  void prepare(Block &block) {
    block.launch = this;
    for (int i = 0; i < 3; i++) {
      block.state.block_dim[i] = shape.threads[i];
      block.state.grid_dim[i] = shape.blocks[i];
    }
    // The block's shared memory is not cleared, as on a GPU.
    block.state.shared = block.shared.reserve(shared_bytes);
    block.state.shared_bytes = shape.shared_bytes;
    block.state.exception = &outcome.exception;
    static_assert(sizeof overdue == sizeof(uint32_t));
    block.state.stop = reinterpret_cast<const uint32_t *>(&overdue);
    block.status = Block::Status::Done;
    block.overdue.found = false;
    block.checker = given.checker;
    // A kernel with static memory only must not access the padding after that memory.
    block.shared_bytes = shape.shared_bytes ? shared_bytes : given.static_shared_bytes;
    if (!given.checker)
      block.shadow.reset();
    else if (!block.shadow)
      block.shadow = std::make_unique<SharedShadow>();
  }
  /// Stops the launch from another thread. Running blocks end at their next test of NativeThread::stop, or by
  /// a signal.
  void end() {
    overdue = 1;
    stopped = 1;
  }
  /// Ends the launch, since a thread of `block` found the time limit exceeded.
  void end_overdue(const Block &block) {
    std::lock_guard lock(mutex);
    if (!outcome.overdue.found) outcome.overdue = block.overdue;
    stopped = true;
  }
  void stop(const Block &block) {
    std::lock_guard lock(mutex);
    if (!outcome.deadlock) outcome.deadlock = block.deadlock();
    stopped = true;
  }
  /// True if the memory for one more resident block is available.
  bool can_add(const Block &block) {
    std::lock_guard lock(mutex);
    return waiting_bytes + block.bytes() <= max_resident_bytes;
  }
  bool fits() const { return waiting_bytes <= max_resident_bytes; }
};

/// Runs blocks from index `begin` on, until one does not end, or until the kernel becomes hot
/// (TieredCode::wants_start). Returns the index after the last block. A throwing
/// thread jumps back here, and the loop continues with the next thread. Variables that change between setjmp
/// and longjmp are volatile.
uint64_t run_blocks(GridLaunch &launch, Block &block, uint64_t begin, uint64_t end);
/// Calls Block::poll or Block::resume (`how`). An interrupt of the launch ends the call.
void resume(GridLaunch &launch, Block &block, void (Block::*how)());

} // namespace kiln
