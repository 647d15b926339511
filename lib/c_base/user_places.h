// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which slots the calls of each thread use at this moment: hazard pointers. A note is a plain store, and the
// barrier that orders it before the look at the slot's state is made by whoever frees a handle, for all
// threads at once (membarrier, Linux 4.14). Where the system has none, there are no places, and uses are
// counted.
#pragma once

#include <array>
#include <atomic>

namespace kiln::c {

struct Slot;

/// One thread's. A call uses few handles; one within a callback within a call some more.
struct alignas(128) UserPlaces { // two cache lines: processors fetch them in pairs
  std::array<std::atomic<Slot *>, 8> places{};
  std::atomic<bool> is_taken{true}; ///< by a thread that lives
  UserPlaces *next = nullptr;       ///< constant once others can see this
};

// Reached without a call of the dynamic linker, which takes as long as all the rest.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local UserPlaces
    *places_of_thread; ///< null: none yet, or given back
/// Gives a thread that has none its places; the first of them.
std::atomic<Slot *> *first_place() noexcept;

/// A place of the calling thread's that notes nothing. Null: none is left, or the thread has none.
inline std::atomic<Slot *> *free_place() noexcept {
  UserPlaces *places = places_of_thread;
  if (!places) [[unlikely]]
    return first_place();
  for (std::atomic<Slot *> &place : places->places)
    if (!place.load(std::memory_order_relaxed)) return &place;
  return nullptr;
}

/// To be followed by a load of the slot's state.
inline void note(std::atomic<Slot *> &place, Slot *slot) noexcept {
  place.store(slot, std::memory_order_release); // what this thread did with the slot before happened before
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Once the slot's state says that nobody may begin to use it. true: who has noted it sees that state when
/// the use ends. Also true where the system refuses the barrier from now on (a sandbox that was closed behind
/// the first call): then the object stays in memory.
bool is_noted_by_any_thread(const Slot *slot) noexcept;

} // namespace kiln::c
