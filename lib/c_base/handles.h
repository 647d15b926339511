// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of the C API. A handle is a number in the form of a pointer: kind, slot in the process's table, and
// the slot's generation. A null, freed, foreign or wrong handle is therefore detected without dereferencing
// it. Objects freed during use live until their last user is done.
//
// A call notes its use of a handle in a place of its own thread. Threads that use one handle do not write to
// shared memory, and need no locked instruction: 3 ns; counting would take 25 ns, and 100 ns between two
// threads. The thread that frees a handle makes all threads' notes visible (membarrier) and reads them.
#pragma once

#include "user_places.h"

#include <kiln/export.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace kiln::c {

enum class HandleKind : uint8_t {
  Session = 1,
  Error,
  Artifact,
  Device,
  Kernel,
  Stream,
  Event,
  Buffer,
  Graph,
  Value,
  Code,
  Job,
  Scope,
  Function,
  Observation,
  Runtime,
  Bundle,
  TimingScope,
  Future,
  JobList,
  Cache,
  Program,
  StopSource
};

/// Object behind a handle.
struct Object {
  virtual ~Object() = default;
};

/// True if calls note their uses of such handles per thread. Other handles, which are many and short-lived,
/// have a counter: freeing them is cheaper.
constexpr bool is_noted(HandleKind kind) {
  switch (kind) {
  case HandleKind::Session:
  case HandleKind::Device:
  case HandleKind::Kernel:
  case HandleKind::Stream:
  case HandleKind::Event:
  case HandleKind::Buffer:
  case HandleKind::Code:
  case HandleKind::Job:
  case HandleKind::Function: return true;
  default: return false;
  }
}

struct Slot {
  static constexpr uint64_t dying = uint64_t(1) << 31, claimed = uint64_t(1) << 30, users = claimed - 1;
  /// generation << 32 | `dying` (to be destroyed) | `claimed` (a thread destroys it) | counted users.
  /// Generation 0: never used; also dying, so that handles with that generation are rejected.
  std::atomic<uint64_t> state{dying};
  Object *object = nullptr; ///< owned; written only while nobody can pin it
  uint32_t index = 0;
  std::atomic<uint32_t> next_free{0};
  std::atomic<HandleKind> kind{
      HandleKind::Session}; ///< read at the end of an old use, concurrently with a new use of the slot
};

constexpr uint32_t slots_of_chunk = 1024, max_chunks = 4096;
struct Chunk {
  std::array<Slot, slots_of_chunk> slots;
};
/// Chunks are never freed, so that an old handle can still check its slot's generation.
extern constinit std::array<std::atomic<Chunk *>, max_chunks> chunks;

/// Slot of a handle of this kind; null: not the bits of such a handle. Bits: 0 is 1, which no aligned pointer
/// has; 1 to 5 the kind; 6 to 27 the slot; 28 to 59 the generation.
inline Slot *slot_of(HandleKind kind, const void *handle) noexcept {
  const auto bits = reinterpret_cast<uint64_t>(handle);
  if ((bits & 0xf00000000000003f) != (uint64_t(kind) << 1 | 1)) return nullptr;
  const uint32_t index = uint32_t(bits >> 6) & (max_chunks * slots_of_chunk - 1);
  Chunk *chunk = chunks[index / slots_of_chunk].load(std::memory_order_acquire);
  return chunk ? &chunk->slots[index % slots_of_chunk] : nullptr;
}
/// True if a slot in this state holds the handle's object, and nobody frees it.
inline bool is_named(uint64_t state, const void *handle) noexcept {
  return (state & ~Slot::users) == (reinterpret_cast<uint64_t>(handle) >> 28) << 32;
}

/// Takes ownership. Null: the maximum of 4 million handles exists.
KILN_PROGRAMS_API void *make_handle(HandleKind kind, std::unique_ptr<Object> object);

/// Counts a use of a slot; null: not a handle of that kind, or freed. unpin() ends the use.
KILN_PROGRAMS_API Slot *pin(HandleKind kind, const void *handle) noexcept;
KILN_PROGRAMS_API void unpin(Slot *slot) noexcept;

/// A use of a slot, noted in a place of the thread that started it. `place` is null if it was counted.
struct Use {
  Slot *slot = nullptr; ///< null: not a handle of that kind, or freed
  std::atomic<Slot *> *place = nullptr;
};
KILN_PROGRAMS_API void end_use_of_dying(Slot *slot) noexcept;
inline void end_use(Use use) noexcept { ///< on any thread
  if (!use.place) [[unlikely]]
    return unpin(use.slot);
  note(*use.place, nullptr);
  if (use.slot->state.load(std::memory_order_acquire) & Slot::dying) [[unlikely]]
    end_use_of_dying(use.slot);
}
/// For kinds with is_noted().
[[gnu::always_inline]] inline Use begin_use(HandleKind kind, const void *handle) noexcept {
  Slot *slot = slot_of(kind, handle);
  if (!slot) [[unlikely]]
    return {};
  std::atomic<Slot *> *place = free_place();
  if (!place) [[unlikely]]
    return {pin(kind, handle), nullptr};
  note(*place, slot);
  if (is_named(slot->state.load(std::memory_order_acquire), handle) &&
      slot->kind.load(std::memory_order_relaxed) == kind) [[likely]]
    return {slot, place};
  end_use({slot, place}); // a thread that frees the slot's next object may have seen the note
  return {};
}

/// Destroys the object, now or after its last use. false: not a handle of that kind.
KILN_PROGRAMS_API bool free_handle(HandleKind kind, const void *handle) noexcept;

/// Kind of a live handle, for messages. 0: not a handle.
HandleKind kind_of(const void *handle) noexcept;

/// Use of the object behind a handle during a call.
template <class T> class Pinned {
public:
  explicit Pinned(const void *handle) noexcept {
    if constexpr (is_noted(T::kind))
      use_ = begin_use(T::kind, handle);
    else
      use_.slot = pin(T::kind, handle);
  }
  Pinned(const Pinned &) = delete;
  Pinned &operator=(const Pinned &) = delete;
  ~Pinned() {
    if (use_.slot) end_use(use_);
  }
  explicit operator bool() const { return use_.slot != nullptr; }
  T *operator->() const { return static_cast<T *>(use_.slot->object); }
  T &operator*() const { return *static_cast<T *>(use_.slot->object); }

private:
  Use use_;
};

/// Use that outlives the call, as long as this object.
template <class T> class Kept {
public:
  explicit Kept(const void *handle) noexcept : slot_(pin(T::kind, handle)) {}
  Kept(Kept &&other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
  Kept &operator=(Kept &&) = delete;
  ~Kept() {
    if (slot_) unpin(slot_);
  }
  explicit operator bool() const { return slot_ != nullptr; }
  T *operator->() const { return static_cast<T *>(slot_->object); }
  T &operator*() const { return *static_cast<T *>(slot_->object); }

private:
  Slot *slot_;
};

} // namespace kiln::c
