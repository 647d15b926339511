// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots that the calls of each thread currently use: hazard pointers. A note is a plain store. The thread
// that frees a handle makes the barrier between each note and the load of the slot's state, for all threads
// at once (membarrier, Linux 4.14). On systems without it there are no places, and uses are counted.
#pragma once

#include <array>
#include <atomic>

namespace kiln::c {

struct Slot;

/// Places of one thread. A call uses few handles; nested callbacks use some more.
struct alignas(128) UserPlaces { // two cache lines: processors fetch them in pairs
  std::array<std::atomic<Slot *>, 8> places{};
  std::atomic<bool> is_taken{true}; ///< owned by a live thread
  UserPlaces *next = nullptr;       ///< constant once published
};

// initial-exec avoids a call of the dynamic linker, which takes as long as all the rest.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local UserPlaces
    *places_of_thread; ///< null: none yet, or given back
/// Creates places for a thread without any; returns the first one.
std::atomic<Slot *> *first_place() noexcept;

/// A free place of the calling thread. Null: none left, or none created.
inline std::atomic<Slot *> *free_place() noexcept {
  UserPlaces *places = places_of_thread;
  if (!places) [[unlikely]]
    return first_place();
  for (std::atomic<Slot *> &place : places->places)
    if (!place.load(std::memory_order_relaxed)) return &place;
  return nullptr;
}

/// Must be followed by a load of the slot's state.
inline void note(std::atomic<Slot *> &place, Slot *slot) noexcept {
  place.store(slot, std::memory_order_release); // releases this thread's earlier use of the slot
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Called after the slot's state forbids new uses. true: a thread has noted the slot, and sees the new state
/// when its use ends. Also true if the system refuses the barrier from now on (a sandbox closed after the
/// first call): the object then stays in memory.
bool is_noted_by_any_thread(const Slot *slot) noexcept;

} // namespace kiln::c
