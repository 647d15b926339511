// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "handles.h"

namespace kiln::c {

constinit std::array<std::atomic<Chunk *>, max_chunks> chunks{};

namespace {

static_assert(sizeof(void *) == 8, "a handle takes 64 bits");

constexpr uint32_t no_slot = ~0u;
constexpr uint64_t dying = Slot::dying, claimed = Slot::claimed, users = Slot::users;

// The variables below are used without a lock. A lock that another thread holds during a fork would stay
// locked in the child, which may open sessions.

/// Number of slots used so far, including freed ones. May exceed the maximum.
std::atomic<uint32_t> used{0};
/// Head of the stack of free slots. The low 32 bits are the slot's index. The high 32 bits count changes, so
/// that a compare-and-swap with an old value fails (ABA problem).
std::atomic<uint64_t> first_free{no_slot};

Slot &slot_at(uint32_t index) {
  return chunks[index / slots_of_chunk].load(std::memory_order_acquire)->slots[index % slots_of_chunk];
}

/// Returns the handle's bits; slot_of() and is_named() decode them.
void *encode(HandleKind kind, uint32_t index, uint32_t generation) {
  return reinterpret_cast<void *>(uint64_t(1) | uint64_t(kind) << 1 | uint64_t(index) << 6 |
                                  uint64_t(generation) << 28);
}

/// Destroys the slot's object and puts the slot on the stack of free slots. Called by the one thread that
/// claimed the slot.
void reclaim(Slot *slot) noexcept {
  delete std::exchange(slot->object, nullptr);
  // The slot gets its next generation and no users. Generation 0 is skipped, since it means a slot that was
  // never used. The slot stays `dying`, so that it cannot be pinned until make_handle() uses it again.
  uint32_t next = uint32_t(slot->state.load(std::memory_order_relaxed) >> 32) + 1;
  slot->state.store(uint64_t(next ? next : 1) << 32 | dying | claimed, std::memory_order_release);
  uint64_t top = first_free.load(std::memory_order_relaxed);
  do slot->next_free.store(uint32_t(top), std::memory_order_relaxed);
  while (!first_free.compare_exchange_weak(top, ((top >> 32) + 1) << 32 | slot->index,
                                           std::memory_order_release, std::memory_order_relaxed));
}

/// Destroys the object of a dying slot unless it still has users. Called at the end of each use of such a
/// slot. If two uses end at once, at least the later call finds no users. Only one of the calls can claim the
/// slot.
void reclaim_if_unused(Slot *slot) noexcept {
  uint64_t state = slot->state.load(std::memory_order_acquire);
  if ((state & (dying | claimed)) != dying || (state & users) != 0) return;
  if (is_noted(slot->kind.load(std::memory_order_relaxed)) && is_noted_by_any_thread(slot)) return;
  if (slot->state.compare_exchange_strong(state, state | claimed, std::memory_order_acq_rel)) reclaim(slot);
}

/// no_slot: none is free.
// Order: reclaim() releases the slot with its compare-and-swap, and the acquires below see it. Pops of other
// threads in between only extend that release sequence. A stale next_free is harmless: the count in the high
// bits has changed then, and the compare-and-swap fails.
uint32_t take_free() {
  uint64_t top = first_free.load(std::memory_order_acquire);
  while (uint32_t(top) != no_slot) {
    const uint32_t next = slot_at(uint32_t(top)).next_free.load(std::memory_order_relaxed);
    if (first_free.compare_exchange_weak(top, ((top >> 32) + 1) << 32 | next, std::memory_order_acquire))
      break;
  }
  return uint32_t(top);
}

/// Returns the index of a slot that was never used; no_slot: the maximum is reached.
uint32_t take_new() {
  if (used.load(std::memory_order_relaxed) >= max_chunks * slots_of_chunk)
    return no_slot; // prevents an overflow
  const uint32_t index = used.fetch_add(1, std::memory_order_relaxed);
  if (index >= max_chunks * slots_of_chunk) return no_slot;
  std::atomic<Chunk *> &place = chunks[index / slots_of_chunk];
  if (!place.load(std::memory_order_acquire)) {
    Chunk *none = nullptr;
    auto *made = new Chunk; // the table `chunks` owns it, unless another thread created that chunk first
    if (!place.compare_exchange_strong(none, made, std::memory_order_acq_rel)) delete made;
  }
  return index;
}

} // namespace

void *make_handle(HandleKind kind, std::unique_ptr<Object> object) {
  uint32_t index = take_free();
  if (index == no_slot) index = take_new();
  if (index == no_slot) return nullptr;
  Slot &slot = slot_at(index);
  uint32_t generation = uint32_t(slot.state.load(std::memory_order_relaxed) >> 32);
  if (generation == 0) generation = 1;
  slot.kind.store(kind, std::memory_order_relaxed);
  slot.index = index;
  slot.object = object.release();
  slot.state.store(uint64_t(generation) << 32, std::memory_order_release);
  return encode(kind, index, generation);
}

Slot *pin(HandleKind kind, const void *handle) noexcept {
  Slot *slot = slot_of(kind, handle);
  if (!slot) return nullptr;
  uint64_t state = slot->state.load(std::memory_order_acquire);
  while (is_named(state, handle))
    if (slot->state.compare_exchange_weak(state, state + 1, std::memory_order_acquire)) {
      if (slot->kind.load(std::memory_order_relaxed) == kind) return slot;
      unpin(slot);
      return nullptr;
    }
  return nullptr;
}

void unpin(Slot *slot) noexcept {
  const uint64_t before = slot->state.fetch_sub(1, std::memory_order_acq_rel);
  if ((before & users) == 1 && (before & dying)) reclaim_if_unused(slot);
}

void end_use_of_dying(Slot *slot) noexcept { reclaim_if_unused(slot); }

bool free_handle(HandleKind kind, const void *handle) noexcept {
  Slot *slot = pin(kind, handle);
  if (!slot) return false;
  bool first = !(slot->state.fetch_or(dying, std::memory_order_acq_rel) & dying);
  unpin(slot); // this destroys the object unless it has other users
  return first;
}

HandleKind kind_of(const void *handle) noexcept {
  auto bits = reinterpret_cast<uint64_t>(handle);
  auto kind = HandleKind(bits >> 1 & 31);
  Slot *slot = pin(kind, handle);
  if (!slot) return HandleKind(0);
  unpin(slot);
  return kind;
}

} // namespace kiln::c
