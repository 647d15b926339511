// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_arrays.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace kiln {

namespace {

thread_local HostArrays *innermost = nullptr;

// Minimum growth, in bytes or in number of arrays, between two scans of the stack.
constexpr uint64_t min_growth_bytes = uint64_t(64) << 20, min_growth_blocks = 20'000;
constexpr uint64_t alignment = 64;
constexpr uint64_t min_margin = 512;
constexpr uint64_t min_capacity = 256; // bytes of a vector that grows

} // namespace

HostArrays *HostArrays::current() { return innermost; }

HostArrays::HostArrays(uint64_t max_bytes, std::span<const std::byte> result)
    : stack_begin_(static_cast<const char *>(__builtin_frame_address(0))), result_(result), outer_(innermost),
      max_bytes_(max_bytes), next_bytes_(min_growth_bytes), next_blocks_(min_growth_blocks) {
  innermost = this;
}

HostArrays::~HostArrays() {
  for (const Block &block : blocks_) std::free(reinterpret_cast<void *>(block.begin));
  innermost = outer_;
}

uint64_t *HostArrays::make(int64_t element_bytes, int64_t dimensions, const std::array<int64_t, 4> &dims,
                           const void *site) {
  // `length`: number of elements; `ones_offset`: linear offset of index (1, 1, ...).
  uint64_t length = 1, ones_offset = 1;
  for (int64_t d = 0; d < dimensions; ++d) {
    const int64_t n = dims[size_t(d)];
    if (n < 0 || (n > 0 && length > (uint64_t(1) << 48) / uint64_t(n))) return nullptr;
    length *= uint64_t(n);
    ones_offset += length;
  }
  if (element_bytes > 0 && length > max_bytes_ / uint64_t(element_bytes)) return nullptr;
  const uint64_t bytes = length * uint64_t(element_bytes);
  const uint64_t header = (uint64_t(dimensions + 3) * 8 + alignment - 1) / alignment * alignment;
  if (!has_space(header + bytes)) return nullptr;
  auto *block = static_cast<uint64_t *>(std::calloc(1, header + bytes));
  if (!block) return nullptr;
  const auto begin = reinterpret_cast<uintptr_t>(block);
  blocks_.push_back({begin, begin + header + bytes,
                     header + std::max(bytes, ones_offset * uint64_t(element_bytes)) + min_margin, site,
                     made_++});
  live_ += header + bytes;
  uint64_t *at = block;
  *at++ = begin + header;
  *at++ = bytes;
  for (int64_t d = 0; d < dimensions; ++d) *at++ = uint64_t(dims[size_t(d)]);
  *at = length;
  return block;
}

/// Frees what is unreachable, if it is time, or if the bytes do not fit. Returns false if they do not fit.
bool HostArrays::has_space(uint64_t bytes) {
  if (live_ + bytes > next_bytes_ || blocks_.size() >= next_blocks_ || live_ + bytes > max_bytes_) collect();
  return live_ + bytes <= max_bytes_;
}

bool HostArrays::grow(uint64_t *header, uint64_t bytes) {
  if (grow_given_)
    if (const auto is_done = grow_given_(header, bytes)) return *is_done;
  if (bytes > max_bytes_) return false;
  const uint64_t old_bytes = header[1], capacity = std::max({bytes, 2 * old_bytes, min_capacity});
  if (!has_space(capacity)) return false;
  auto *elements = static_cast<std::byte *>(std::calloc(1, capacity));
  if (!elements) return false;
  const auto begin = reinterpret_cast<uintptr_t>(elements);
  if (old_bytes) std::memcpy(elements, reinterpret_cast<const void *>(uintptr_t(header[0])), old_bytes);
  const auto [known, is_new] = grown_.try_emplace(header, blocks_.size());
  if (is_new) blocks_.emplace_back();
  Block &block = blocks_[known->second];
  // Compiled code reads the address again after a growth, so that nothing refers to the old elements.
  live_ -= block.end - block.begin;
  std::free(reinterpret_cast<void *>(block.begin));
  block = {begin, begin + capacity, capacity + min_margin, nullptr, made_++, false, header};
  live_ += capacity;
  header[0] = begin;
  header[1] = capacity;
  return true;
}

bool HostArrays::has_made(const uint64_t *header) const {
  const auto begin = reinterpret_cast<uintptr_t>(header);
  return std::ranges::any_of(blocks_, [&](const Block &block) { return block.begin == begin; });
}

/// Marks arrays that a word of the stack may refer to. Compiled code may hold only an address outside of the
/// array, as its base address for 1-based indices. Each array therefore has a margin of its own length on
/// either side.
__attribute__((noinline, no_sanitize("address"))) void HostArrays::mark(const uintptr_t *to) {
  const auto *from = static_cast<const uintptr_t *>(__builtin_frame_address(0)); // below the callers' frames
  if (blocks_.empty()) return;
  // `by_margin[k]`: arrays with a margin in [2^(k-1), 2^k), sorted by address.
  std::array<std::vector<Block *>, 65> by_margin;
  uintptr_t lowest = UINTPTR_MAX, highest = 0;
  std::ranges::sort(blocks_, {}, &Block::begin);
  for (Block &block : blocks_) {
    by_margin[size_t(std::bit_width(block.margin))].push_back(&block);
    lowest = std::min(lowest, block.begin - std::min<uintptr_t>(block.begin, block.margin));
    highest = std::max(highest, block.end + block.margin);
  }
  auto see = [&](uintptr_t word) __attribute__((no_sanitize("address"))) {
    if (word < lowest || word > highest) return;
    for (size_t k = 0; k < by_margin.size(); ++k) {
      if (by_margin[k].empty()) continue;
      const uint64_t max_span = uint64_t(2) << k; // maximum length of an array and one margin
      const uintptr_t first = word - std::min<uintptr_t>(word, max_span);
      for (auto each = std::ranges::lower_bound(by_margin[k], first, {}, &Block::begin);
           each != by_margin[k].end(); ++each) {
        if ((*each)->begin > word + max_span) break;
        if ((*each)->begin <= word + (*each)->margin && word <= (*each)->end + (*each)->margin)
          (*each)->is_marked = true;
      }
    }
  };
  for (const uintptr_t *at = from; at < to; ++at) see(*at);
  for (size_t at = 0; at + sizeof(uintptr_t) <= result_.size(); at += sizeof(uintptr_t)) {
    uintptr_t word = 0;
    std::memcpy(&word, result_.data() + at, sizeof word);
    see(word);
  }
}

/// Keeps the two newest arrays of each allocation site unconditionally. In a loop, code may hold an array
/// only by an address beyond its margin. Such an array is among the newest of its site.
void HostArrays::mark_newest() {
  std::unordered_map<const void *, std::array<Block *, 2>> newest;
  for (Block &block : blocks_) {
    auto &[last, before] = newest[block.site];
    if (!last || last->number < block.number) {
      before = last;
      last = &block;
    } else if (!before || before->number < block.number) {
      before = &block;
    }
  }
  for (const auto &[site, blocks] : newest)
    for (Block *block : blocks)
      if (block) block->is_marked = true;
}

__attribute__((noinline)) void HostArrays::collect() {
  __builtin_unwind_init(); // spills callee-saved registers into this frame
  mark(reinterpret_cast<const uintptr_t *>(stack_begin_));
  mark_newest();
  for (Block &block : blocks_) { // a vector that grew and its elements live equally long
    if (!block.header) continue;
    const auto at = reinterpret_cast<uintptr_t>(block.header);
    Block &header = *std::ranges::lower_bound(blocks_, at, {}, &Block::begin); // mark() has sorted them
    block.is_marked = header.is_marked = block.is_marked || header.is_marked;
  }
  uint64_t live = 0;
  std::erase_if(blocks_, [&](Block &block) {
    if (!block.is_marked) {
      std::free(reinterpret_cast<void *>(block.begin));
      return true;
    }
    block.is_marked = false;
    live += block.end - block.begin;
    return false;
  });
  grown_.clear();
  for (size_t i = 0; i < blocks_.size(); ++i)
    if (blocks_[i].header) grown_[blocks_[i].header] = i;
  live_ = live;
  next_bytes_ = live_ + std::max(min_growth_bytes, live_);
  next_blocks_ = blocks_.size() + std::max<uint64_t>(min_growth_blocks, blocks_.size());
}

namespace {
thread_local OutOfBounds out_of_bounds;
}

OutOfBounds take_out_of_bounds() { return std::exchange(out_of_bounds, {}); }

extern "C" void kiln_out_of_bounds(const void *header, int64_t count, int64_t i1, int64_t i2, int64_t i3,
                                   int64_t i4) {
  out_of_bounds = {static_cast<const uint64_t *>(header), count, {i1, i2, i3, i4}};
}

extern "C" void *kiln_host_array(int64_t element_bytes, int64_t dimensions, int64_t d1, int64_t d2,
                                 int64_t d3, int64_t d4) {
  HostArrays *arrays = HostArrays::current();
  return arrays ? arrays->make(element_bytes, dimensions, {d1, d2, d3, d4}, __builtin_return_address(0))
                : nullptr;
}

extern "C" bool kiln_grow_array(void *header, int64_t bytes) {
  HostArrays *arrays = HostArrays::current();
  return arrays && bytes >= 0 && arrays->grow(static_cast<uint64_t *>(header), uint64_t(bytes));
}

} // namespace kiln
