// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coarse_plan.h"

#include "device_memory.h"

#include <algorithm>

namespace kiln {

namespace {

/// Maximum number of threads of a launch. Kernels compute a thread's linear index in signed 32 bits, and the
/// coarse entry computes indices up to one block larger.
constexpr uint64_t max_threads = (uint64_t(1) << 31) - (uint64_t(1) << 16);
constexpr size_t max_arrays = 16;

} // namespace

std::optional<CoarsePlan> CoarsePlan::make(const Coarsening &coarsening, std::span<const MemoryPart> memory,
                                           uint64_t min_threads, uint64_t access_bytes) {
  if (coarsening.factor < 1 || coarsening.arrays.size() > max_arrays) return std::nullopt;
  CoarsePlan plan;
  plan.factor_ = coarsening.factor;
  plan.min_threads_ = min_threads;
  plan.access_bytes_ = access_bytes;
  plan.in_step_ = coarsening.in_step;
  for (const Coarsening::Array &array : coarsening.arrays) {
    const auto part = std::ranges::find_if(memory, [&](const MemoryPart &each) {
      return each.is_array && each.parameter == array.parameter && each.offset == array.offset;
    });
    if (part == memory.end() || part->element_bytes > UINT32_MAX) return std::nullopt;
    plan.arrays_.push_back({array.parameter, array.offset, part->rank + 2, uint32_t(part->element_bytes),
                            array.stride, array.shift, array.is_written, array.is_wide});
  }
  if (plan.factor_ == 1 && std::ranges::none_of(plan.arrays_, &Array::is_written)) return std::nullopt;
  const auto read = std::ranges::partition(plan.arrays_, &Array::is_written);
  plan.written_ = plan.arrays_.size() - read.size();
  return plan;
}

/// True if the arrays may overlap: through both, each thread accesses only elements that no other thread
/// accesses.
bool CoarsePlan::may_share(const Array &a, const Array &b) const {
  return in_step_ && a.stride != 0 && a.stride == b.stride && a.shift == b.shift;
}

bool CoarsePlan::fits(const LaunchShape &shape, std::span<const void *const> arguments,
                      const LaunchOptions &options) const {
  const auto &[blocks, threads, shared_bytes] = shape;
  const uint64_t count = uint64_t(blocks[0]) * threads[0];
  if (factor_ > 1) {
    if (count < min_threads_ || count > max_threads || blocks[1] != 1 || blocks[2] != 1 || threads[1] != 1 ||
        threads[2] != 1 || shared_bytes != 0)
      return false;
  } else if (count * blocks[1] * blocks[2] * threads[1] * threads[2] < min_threads_) {
    return false;
  }
  if (!options.coarsen || options.cooperative || options.programmatic_serialization || options.cluster[0])
    return false;
  uint64_t begin[max_arrays], end[max_arrays];
  for (size_t i = 0; i < arrays_.size(); i++) {
    const Array &array = arrays_[i];
    const auto *header = static_cast<const std::byte *>(arguments[array.parameter]) + array.offset;
    begin[i] = word_at(header, 0);
    end[i] = begin[i] + word_at(header, array.length_word) * array.element_bytes;
    if (array.is_wide && begin[i] % access_bytes_) return false;
  }
  for (size_t i = 0; i < written_; i++)
    for (size_t j = i + 1; j < arrays_.size(); j++) {
      const bool apart = end[i] <= begin[j] || end[j] <= begin[i];
      if (!apart && (begin[i] != begin[j] || !may_share(arrays_[i], arrays_[j]))) return false;
    }
  return true;
}

} // namespace kiln
