// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of the C API. A handle is a number in the shape of a pointer: kind, place in one table of the
// process, and the place's generation. So a null, freed, foreign or mistaken one is found without following
// it. Objects that are in use when they are freed live until their last user is done.
//
// A use of a call is noted in a place of the calling thread's own, so that threads which use one handle write
// to no memory in common, and it takes no locked instruction: 3 ns, where counting takes 25, and 100 between
// two threads. Who frees a handle makes all threads' notes visible (membarrier) and reads them.
#pragma once

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
  TimingScope
};

/// What is behind a handle.
struct Object {
  virtual ~Object() = default;
};

/// Whether calls note their uses of such handles in their thread. Of the others, which are many and
/// short-lived, a count is kept: to free one costs less.
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
  /// generation << 32 | 1 << 31 if it is to be destroyed | 1 << 30 if a thread does so | counted users.
  /// Generation 0: never used.
  std::atomic<uint64_t> state{0};
  Object *object = nullptr; ///< owned; written only while nobody can pin it
  uint32_t index = 0;
  std::atomic<uint32_t> next_free{0};
  std::atomic<HandleKind> kind{
      HandleKind::Session}; ///< read beside a new use of the slot by who ends an old one
};

/// Takes ownership. Null: there are 4 million handles.
void *make_handle(HandleKind kind, std::unique_ptr<Object> object);

/// Counts a use of a slot; null if the handle is none of that kind, or freed. unpin() ends the use.
Slot *pin(HandleKind kind, const void *handle) noexcept;
void unpin(Slot *slot) noexcept;

/// A use of a slot, noted in a place of the thread that began it; `place` is null where it was counted.
struct Use {
  Slot *slot = nullptr; ///< null: the handle is none of that kind, or freed
  std::atomic<Slot *> *place = nullptr;
};
/// For a kind that is_noted.
Use begin_use(HandleKind kind, const void *handle) noexcept;
void end_use(Use use) noexcept; ///< on any thread

/// Destroys the object, now or when its last user is done. false: no handle of that kind.
bool free_handle(HandleKind kind, const void *handle) noexcept;

/// The kind of a handle that is alive; for messages. 0: it is none.
HandleKind kind_of(const void *handle) noexcept;

/// A use of the object behind a handle, of one call.
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

/// A use that outlives the call, of what holds it.
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
