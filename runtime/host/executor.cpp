// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "executor.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <csetjmp>
#include <vector>

namespace kiln {

namespace {

// Where a thread that throws goes back to (NativeThread::abort_thread).
struct AbortPoint {
  std::jmp_buf back;
  volatile uint32_t thrower = 0; ///< its linear index in the block
};

} // namespace

extern "C" void kiln_native_throw(abi::NativeThread *thread) {
  // `thread` may be the compiled code's own copy of the state: what is needed of it is taken now.
  auto *abort = static_cast<AbortPoint *>(thread->abort_thread);
  abort->thrower = thread->thread[0] + thread->block_dim[0] * (thread->thread[1] + thread->block_dim[1] * thread->thread[2]);
  // The frames between here and the executor are compiled kernel code: nothing in them needs unwinding.
  std::longjmp(abort->back, 1);
}

namespace {

// The block after `block` in a grid: x runs fastest.
void advance(uint32_t (&block)[3], const uint32_t (&grid)[3]) {
  for (int i = 0; i < 3; i++) {
    if (++block[i] < grid[i]) return;
    block[i] = 0;
  }
}

// Runs `blocks` blocks from state.block on. A thread that throws jumps back here; its block goes on behind it. The
// variables that change between setjmp and a jump are volatile, or in `state`, which compiled code has the address of.
void run_blocks(abi::NativeKernel kernel, abi::NativeThread &state, void *const *arguments, uint32_t count, uint64_t blocks) {
  AbortPoint abort;
  state.abort_thread = &abort;
  volatile uint64_t left = blocks;
  volatile uint32_t first = 0;
  if (setjmp(abort.back)) first = abort.thrower + 1;
  while (left) {
    if (uint32_t from = first; from < count) kernel(&state, arguments, from, count);
    first = 0;
    left = left - 1;
    advance(state.block, state.grid_dim);
  }
}

} // namespace

Result<void> run_grid(abi::NativeKernel kernel, const LaunchShape &shape, std::span<void *const> arguments, uint64_t static_shared_bytes,
                      abi::ExceptionRecord &record) {
  uint64_t blocks = 1, threads = 1;
  for (int i = 0; i < 3; i++) {
    if (shape.blocks[i] == 0 || shape.threads[i] == 0)
      return usage_error(fmt::format("a launch of {} blocks of {} threads: every dimension must be at least 1", fmt::join(shape.blocks, "x"), fmt::join(shape.threads, "x")));
    blocks *= shape.blocks[i];
    threads *= shape.threads[i];
    if (blocks >= uint64_t(1) << 62 || threads > uint64_t(1) << 32) return usage_error("the launch's grid is too large");
  }
  if (threads > max_threads_per_block) return usage_error(fmt::format("a block of {} threads: at most {} are possible", threads, max_threads_per_block));
  uint64_t shared = (static_shared_bytes + 15) / 16 * 16 + shape.shared_bytes;
  if (shape.shared_bytes > max_shared_bytes || shared > max_shared_bytes) return usage_error(fmt::format("a block with {} bytes of shared memory: at most {} are possible", shared, max_shared_bytes));

  auto run_range = [&](const tbb::blocked_range<uint64_t> &range) {
    // One array a task, not a block: blocks find in shared memory what it held before, as on a GPU.
    std::vector<std::max_align_t> memory((shared + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
    abi::NativeThread state{};
    for (int i = 0; i < 3; i++) {
      state.block_dim[i] = shape.threads[i];
      state.grid_dim[i] = shape.blocks[i];
    }
    state.shared = memory.data();
    state.shared_bytes = shape.shared_bytes;
    state.exception = &record;
    uint64_t begin = range.begin();
    state.block[0] = uint32_t(begin % shape.blocks[0]);
    state.block[1] = uint32_t(begin / shape.blocks[0] % shape.blocks[1]);
    state.block[2] = uint32_t(begin / (uint64_t(shape.blocks[0]) * shape.blocks[1]));
    run_blocks(kernel, state, arguments.data(), uint32_t(threads), range.size());
  };
  if (blocks == 1)
    run_range(tbb::blocked_range<uint64_t>(0, 1));
  else
    tbb::parallel_for(tbb::blocked_range<uint64_t>(0, blocks), run_range);
  return {};
}

void run_function(abi::NativeFunction function, std::span<void *const> arguments, void *result, abi::ExceptionRecord &record) {
  abi::NativeThread state{};
  for (int i = 0; i < 3; i++) state.block_dim[i] = state.grid_dim[i] = 1;
  state.exception = &record;
  AbortPoint abort;
  state.abort_thread = &abort;
  if (setjmp(abort.back)) return;
  function(&state, arguments.data(), result);
}

} // namespace kiln
