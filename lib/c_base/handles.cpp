// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "handles.h"

#include "user_places.h"

#include <array>

namespace kiln::c {

namespace {

static_assert(sizeof(void *) == 8, "a handle takes 64 bits");

constexpr uint32_t slots_of_chunk = 1024, max_chunks = 4096, no_slot = ~0u;
constexpr uint64_t dying = uint64_t(1) << 31, claimed = uint64_t(1) << 30, users = claimed - 1;

struct Chunk {
  std::array<Slot, slots_of_chunk> slots;
};

// No lock: one that another thread held while the process was forked would stay held in the child, which
// opens sessions too.
/// Chunks are never given back, so that an old handle still finds its slot's generation.
std::array<std::atomic<Chunk *>, max_chunks> chunks;
std::atomic<uint32_t> used{0}; ///< slots that were ever given out; may count on past the last
/// The stack of free slots: the first one's index, and above it a count of changes, by which a thread notices
/// that what it has read is no longer so.
std::atomic<uint64_t> first_free{no_slot};

Slot &slot_at(uint32_t index) {
  return chunks[index / slots_of_chunk].load(std::memory_order_acquire)->slots[index % slots_of_chunk];
}

// Bits: 0 is 1, so that no aligned pointer is a handle; 1 to 5 the kind; 6 to 27 the slot; 28 to 59 the
// generation.
void *encode(HandleKind kind, uint32_t index, uint32_t generation) {
  return reinterpret_cast<void *>(uint64_t(1) | uint64_t(kind) << 1 | uint64_t(index) << 6 |
                                  uint64_t(generation) << 28);
}

struct Decoded {
  Slot *slot = nullptr; ///< null: no handle of this kind has that place
  uint32_t index = 0, generation = 0;
};

Decoded decode(HandleKind kind, const void *handle) noexcept {
  auto bits = reinterpret_cast<uint64_t>(handle);
  if ((bits & 1) == 0 || bits >> 60 != 0 || HandleKind(bits >> 1 & 31) != kind) return {};
  uint32_t index = uint32_t(bits >> 6) & (max_chunks * slots_of_chunk - 1);
  if (!chunks[index / slots_of_chunk].load(std::memory_order_acquire)) return {};
  uint32_t generation = uint32_t(bits >> 28);
  if (generation == 0) return {}; // that of slots which were never given out
  return {&slot_at(index), index, generation};
}

/// By the thread that has claimed the slot.
void reclaim(Slot *slot) noexcept {
  delete std::exchange(slot->object, nullptr);
  // The next generation, with no users; 0 is left out, which means "never used".
  uint32_t next = uint32_t(slot->state.load(std::memory_order_relaxed) >> 32) + 1;
  slot->state.store(uint64_t(next ? next : 1) << 32 | dying | claimed,
                    std::memory_order_release); // dying: nobody can pin it until it is given out
  uint64_t top = first_free.load(std::memory_order_relaxed);
  do slot->next_free.store(uint32_t(top), std::memory_order_relaxed);
  while (!first_free.compare_exchange_weak(top, ((top >> 32) + 1) << 32 | slot->index,
                                           std::memory_order_release, std::memory_order_relaxed));
}

/// Destroys the object of a slot that is to be destroyed, unless it has users: who ends a use of such a slot
/// comes here. Of two that do so at once the later one sees that the other has ended, and one of them claims
/// the slot.
void reclaim_if_unused(Slot *slot) noexcept {
  uint64_t state = slot->state.load(std::memory_order_acquire);
  if ((state & (dying | claimed)) != dying || (state & users) != 0) return;
  if (is_noted(slot->kind.load(std::memory_order_relaxed)) && is_noted_by_any_thread(slot)) return;
  if (slot->state.compare_exchange_strong(state, state | claimed, std::memory_order_acq_rel)) reclaim(slot);
}

/// no_slot: none is free.
uint32_t take_free() {
  uint64_t top = first_free.load(std::memory_order_acquire);
  while (uint32_t(top) != no_slot) {
    const uint32_t next = slot_at(uint32_t(top)).next_free.load(std::memory_order_relaxed);
    if (first_free.compare_exchange_weak(top, ((top >> 32) + 1) << 32 | next, std::memory_order_acquire))
      break;
  }
  return uint32_t(top);
}

/// One that was never given out; no_slot: there is none.
uint32_t take_new() {
  if (used.load(std::memory_order_relaxed) >= max_chunks * slots_of_chunk)
    return no_slot; // so it never overflows
  const uint32_t index = used.fetch_add(1, std::memory_order_relaxed);
  if (index >= max_chunks * slots_of_chunk) return no_slot;
  std::atomic<Chunk *> &place = chunks[index / slots_of_chunk];
  if (!place.load(std::memory_order_acquire)) {
    Chunk *none = nullptr;
    auto *made = new Chunk; // `chunks` owns it, unless another thread was faster
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
  Decoded at = decode(kind, handle);
  if (!at.slot) return nullptr;
  uint64_t state = at.slot->state.load(std::memory_order_acquire);
  while (uint32_t(state >> 32) == at.generation && !(state & dying))
    if (at.slot->state.compare_exchange_weak(state, state + 1, std::memory_order_acquire)) {
      if (at.slot->kind.load(std::memory_order_relaxed) == kind) return at.slot;
      unpin(at.slot);
      return nullptr;
    }
  return nullptr;
}

void unpin(Slot *slot) noexcept {
  const uint64_t before = slot->state.fetch_sub(1, std::memory_order_acq_rel);
  if ((before & users) == 1 && (before & dying)) reclaim_if_unused(slot);
}

Use begin_use(HandleKind kind, const void *handle) noexcept {
  const Decoded at = decode(kind, handle);
  if (!at.slot) return {};
  std::atomic<Slot *> *place = free_place();
  if (!place) [[unlikely]]
    return {pin(kind, handle), nullptr};
  note(*place, at.slot);
  const uint64_t state = at.slot->state.load(std::memory_order_acquire);
  if (uint32_t(state >> 32) == at.generation && !(state & dying) &&
      at.slot->kind.load(std::memory_order_relaxed) == kind) [[likely]]
    return {at.slot, place};
  end_use({at.slot, place}); // who frees the slot's next object may have seen the note
  return {};
}

void end_use(Use use) noexcept {
  if (!use.place) return unpin(use.slot);
  note(*use.place, nullptr);
  if (use.slot->state.load(std::memory_order_acquire) & dying) [[unlikely]]
    reclaim_if_unused(use.slot);
}

bool free_handle(HandleKind kind, const void *handle) noexcept {
  Slot *slot = pin(kind, handle);
  if (!slot) return false;
  bool first = !(slot->state.fetch_or(dying, std::memory_order_acq_rel) & dying);
  unpin(slot); // destroys it, if nobody else uses it
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
