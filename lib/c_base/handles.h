// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of the C API. A handle is a number in the shape of a pointer: kind, place in one table of the
// process, and the place's generation. So a null, freed, foreign or mistaken one is found without following
// it. Objects that are in use when they are freed live until their last user is done.
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

struct Slot {
  /// generation << 32 | 1 << 31 if it is to be destroyed | users. Generation 0: never used.
  std::atomic<uint64_t> state{0};
  Object *object = nullptr; ///< owned; written only while nobody can pin it
  uint32_t index = 0;
  std::atomic<uint32_t> next_free{0};
  HandleKind kind = HandleKind::Session;
};

/// Takes ownership. Null: there are 4 million handles.
void *make_handle(HandleKind kind, std::unique_ptr<Object> object);

/// Uses a slot; null if the handle is none of that kind, or freed. unpin() ends the use.
Slot *pin(HandleKind kind, const void *handle) noexcept;
void unpin(Slot *slot) noexcept;

/// Destroys the object, now or when its last user is done. false: no handle of that kind.
bool free_handle(HandleKind kind, const void *handle) noexcept;

/// The kind of a handle that is alive; for messages. 0: it is none.
HandleKind kind_of(const void *handle) noexcept;

/// A use of the object behind a handle.
template <class T> class Pinned {
public:
  explicit Pinned(const void *handle) noexcept : slot_(pin(T::kind, handle)) {}
  Pinned(Pinned &&other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
  Pinned &operator=(Pinned &&) = delete;
  ~Pinned() {
    if (slot_) unpin(slot_);
  }
  explicit operator bool() const { return slot_ != nullptr; }
  T *operator->() const { return static_cast<T *>(slot_->object); }
  T &operator*() const { return *static_cast<T *>(slot_->object); }

private:
  Slot *slot_;
};

} // namespace kiln::c
