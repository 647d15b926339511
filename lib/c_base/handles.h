// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of the C API. A handle is a number in the form of a pointer. It contains the kind of object, the
// slot in this process's table, and the slot's generation. A null, freed, foreign or wrong handle is
// therefore detected without access to an object. An object that is freed during its use lives until the last
// user is done.
//
// A call records its use of a handle in a place of its own thread (a hazard pointer). Threads that use the
// same handle thus do not write to shared memory, and need no locked instruction. A use takes 3 ns. A
// reference count would take 25 ns, and 100 ns between two threads. The thread that frees a handle makes the
// places of all threads visible (membarrier) and reads them.
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

/// Returns true if uses of handles of this kind are recorded per thread. Uses of other handles are counted.
/// These are many and short-lived, and a count makes freeing them cheaper.
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
  /// Bits of the slot's state: the generation (the high 32 bits), `dying` (the object is to be destroyed),
  /// `claimed` (a thread destroys it), and the number of counted users. Generation 0 means never used. Such a
  /// slot is also dying, so that no handle with generation 0 is valid.
  std::atomic<uint64_t> state{dying};
  Object *object = nullptr; ///< owned by the slot; written only while no thread can pin the slot
  uint32_t index = 0;
  std::atomic<uint32_t> next_free{0};
  /// Kind of the object. Atomic, since the end of an old use may read it while the slot gets a new object.
  std::atomic<HandleKind> kind{HandleKind::Session};
};

constexpr uint32_t slots_of_chunk = 1024, max_chunks = 4096;
struct Chunk {
  std::array<Slot, slots_of_chunk> slots;
};
/// Chunks of the table of slots. They are never freed, so that an old handle can be compared with its slot's
/// generation.
extern constinit std::array<std::atomic<Chunk *>, max_chunks> chunks;

/// Returns the slot of a handle; null if the handle's bits are not those of a handle of this kind. The bits
/// are: bit 0 is 1, unlike in an aligned pointer; 1 to 5 are the kind, 6 to 27 the slot's index, 28 to 59 the
/// generation.
inline Slot *slot_of(HandleKind kind, const void *handle) noexcept {
  const auto bits = reinterpret_cast<uint64_t>(handle);
  if ((bits & 0xf00000000000003f) != (uint64_t(kind) << 1 | 1)) return nullptr;
  const uint32_t index = uint32_t(bits >> 6) & (max_chunks * slots_of_chunk - 1);
  Chunk *chunk = chunks[index / slots_of_chunk].load(std::memory_order_acquire);
  return chunk ? &chunk->slots[index % slots_of_chunk] : nullptr;
}
/// Returns true if `state` is that of a slot with the handle's generation, whose object is not being freed.
inline bool is_named(uint64_t state, const void *handle) noexcept {
  return (state & ~Slot::users) == (reinterpret_cast<uint64_t>(handle) >> 28) << 32;
}

/// Creates a handle, which takes ownership of the object. Null: 4 million handles exist, which is the
/// maximum.
KILN_PROGRAMS_API void *make_handle(HandleKind kind, std::unique_ptr<Object> object);

/// Starts a counted use of a handle's object, which unpin() ends. Null: the handle was freed, or is not of
/// that kind.
KILN_PROGRAMS_API Slot *pin(HandleKind kind, const void *handle) noexcept;
KILN_PROGRAMS_API void unpin(Slot *slot) noexcept;

/// A use of a slot. `place` is where the thread that started it recorded the use; null if the use is counted
/// instead.
struct Use {
  Slot *slot = nullptr; ///< null: the handle was freed, or is not of the requested kind
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

/// Frees a handle, and destroys its object now or at the end of its last use. Returns false if it is not a
/// live handle of that kind.
KILN_PROGRAMS_API bool free_handle(HandleKind kind, const void *handle) noexcept;

/// Returns the kind of a live handle, for error messages; 0 if `handle` is not a live handle.
HandleKind kind_of(const void *handle) noexcept;

/// A use of the object behind a handle that ends with this object, in the same API call.
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

/// A counted use of the object behind a handle. It may outlive the API call, and ends with this object.
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
