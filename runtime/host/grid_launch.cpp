// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_launch.h"

#include "host_stack.h"
#include "interruption.h"

#include <support/support.h>

namespace kiln {

extern "C" void kiln_native_throw(abi::NativeThread *thread) {
  // Read `thread` before the jump: it may be a copy on the kernel's stack, which the jump discards.
  auto *abort = static_cast<AbortPoint *>(thread->abort_thread);
  abort->thrower = thread->thread[0] +
                   thread->block_dim[0] * (thread->thread[1] + thread->block_dim[1] * thread->thread[2]);
  // The jump skips only frames of compiled kernel code, which needs no unwinding.
  std::longjmp(abort->back, 1);
}

extern "C" void kiln_native_overdue(abi::NativeThread *thread, uint32_t index, const char *location) {
  Block &block = *static_cast<Block *>(thread->run);
  if (block.overdue.found) return;
  uint32_t width = thread->block_dim[0], height = thread->block_dim[1];
  block.overdue = {true,
                   location,
                   {index % width, index / width % height, index / width / height},
                   {thread->block[0], thread->block[1], thread->block[2]}};
}

/// Calls the kernel's code for one block, and possibly for the following ones.
static void call_kernel(const KernelLaunch &given, Block &block, uint32_t from, uint32_t threads) {
  if (!given.tiers) [[likely]]
    return given.kernel(&block.state, given.arguments.data(), from, threads);
  const abi::NativeKernel kernel = given.tiers->kernel();
  if (!given.tiers->is_first(kernel)) return kernel(&block.state, given.arguments.data(), from, threads);
  const uint64_t start = Timer::now();
  kernel(&block.state, given.arguments.data(), from, threads);
  given.tiers->ran(Timer::now() - start);
}

uint64_t run_blocks(GridLaunch &launch, Block &block, uint64_t begin, uint64_t end) {
  volatile uint64_t at = begin;
  volatile uint32_t first = 0;
  launch.place(block, begin);
  const CompiledScope scope(launch.given.is_interruptible ? nullptr : &launch.stopped, 1, block.abort.back);
  switch (setjmp(block.abort.back)) {
  case 0: break;
  case CompiledScope::ended_by_interrupt: block.status = Block::Status::Done; return end;
  default: first = block.abort.thrower + 1;
  }
  while (at < end && !launch.stopped.load(std::memory_order_relaxed) && !block.overdue.found) {
    if (block.shadow && first == 0) block.shadow->begin_block(block.shared_bytes);
    uint32_t from = first;
    const uint64_t more = from == 0 ? launch.more(block, at, end) : 0;
    block.state.more = more;
    if (from < launch.threads) call_kernel(launch.given, block, from, launch.threads);
    first = 0;
    at = at + (more - block.state.more);
    if (block.status != Block::Status::Done) return at + 1;
    launch.advance(block, at);
    at = at + 1;
    if (launch.given.tiers && launch.given.tiers->wants_start()) return at;
  }
  return end;
}

void resume(GridLaunch &launch, Block &block, void (Block::*how)()) {
  const CompiledScope scope(launch.given.is_interruptible ? nullptr : &launch.stopped, 1, block.abort.back);
  // Only an interrupt jumps here: in kernels with waits, a throwing thread does not jump.
  if (setjmp(block.abort.back)) return;
  (block.*how)();
}

Result<void> run_function(abi::NativeFunction function, std::span<void *const> arguments, void *result,
                          abi::ExceptionRecord &record, const StopToken &stop) {
  abi::NativeThread state{};
  for (int i = 0; i < 3; i++) state.block_dim[i] = state.grid_dim[i] = 1;
  state.exception = &record;
  AbortPoint abort;
  abort.unwinding.lowest_frame = stack_limit_of_this_thread();
  state.abort_thread = &abort;
  if (stop) start_interruptions();
  const CompiledScope scope(stop.flag(), stop.generation(), abort.back);
  switch (setjmp(abort.back)) {
  case 0:
    if (stop.is_stopped()) return stopped_error();
    function(&state, arguments.data(), result);
    return {};
  case CompiledScope::ended_by_interrupt: return stopped_error();
  default: return {};
  }
}

} // namespace kiln
