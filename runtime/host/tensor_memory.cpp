// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor_memory.h"

#include "grid_launch.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace kiln {

namespace {

constexpr char leak[] =
    "ErrorException: the block ended with columns of tensor memory allocated: tcgen05_dealloc frees them";

/// Reports tensor memory that a block did not free. As for exceptions of compiled code, the first report of a
/// launch is kept.
void report_leak(abi::ExceptionRecord &record, const std::array<uint32_t, 3> &block) {
  uint32_t none = 0;
  std::atomic_ref<uint32_t> status(record.status);
  if (!status.compare_exchange_strong(none, 1)) return;
  record.kind = uint32_t(abi::ExceptionKind::ErrorException);
  std::fill(std::begin(record.thread), std::end(record.thread), 0);
  std::copy(block.begin(), block.end(), std::begin(record.block));
  record.name = reinterpret_cast<uintptr_t>(leak);
  record.location = 0;
  static_assert(sizeof leak < sizeof record.text);
  std::memcpy(record.text, leak, sizeof leak);
  record.text[sizeof leak] = 0;
  status.store(2, std::memory_order_release);
}

} // namespace

TensorMemory *Block::tensor_memory(const uint32_t (&block)[3]) {
  const std::array<uint32_t, 3> now{block[0], block[1], block[2]};
  // The index may have changed: one call of compiled code may run several blocks (NativeThread::more).
  if (tensor_block_ == now) return tensor_.get();
  end_tensor_memory();
  if (!tensor_) tensor_ = std::make_unique_for_overwrite<TensorMemory>();
  tensor_->used = tensor_->firsts = tensor_->closed = 0;
  tensor_block_ = now;
  return tensor_.get();
}

void Block::end_tensor_memory() {
  if (!tensor_block_) return;
  if (tensor_->used && !launch->stopped) report_leak(*state.exception, *tensor_block_);
  tensor_block_.reset();
}

extern "C" TensorMemory *kiln_native_tensor_memory(abi::NativeThread *thread) {
  return thread->run ? static_cast<Block *>(thread->run)->tensor_memory(thread->block) : nullptr;
}

} // namespace kiln
