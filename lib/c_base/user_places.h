// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hazard pointers: each thread has places that contain the slots which its calls currently use. Recording a
// use is a plain store. A thread that frees a handle needs a barrier, in all threads at once, between that
// store and the following load of the slot's state. It gets this barrier from membarrier (Linux 4.14). On
// systems without membarrier there are no places, and uses are counted.
#pragma once

#include <array>
#include <atomic>

namespace kiln::c {

struct Slot;

/// Places of one thread for the slots that its calls use. A call uses few handles at a time; callbacks with
/// calls of their own use more.
struct alignas(128) UserPlaces { // aligned to two cache lines, since processors fetch pairs of them
  std::array<std::atomic<Slot *>, 8> places{};
  std::atomic<bool> is_taken{true}; ///< owned by a live thread
  UserPlaces *next = nullptr;       ///< constant once published
};

// The TLS model initial-exec avoids a call of the dynamic linker, which would take as long as the rest of a
// use.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local UserPlaces
    *places_of_thread; ///< null: the thread has no places yet, or has given them back
/// Creates places for a thread without any, and returns the first place.
std::atomic<Slot *> *first_place() noexcept;

/// Returns a free place of the calling thread. Null: all are in use, or no places could be created.
inline std::atomic<Slot *> *free_place() noexcept {
  UserPlaces *places = places_of_thread;
  if (!places) [[unlikely]]
    return first_place();
  for (std::atomic<Slot *> &place : places->places)
    if (!place.load(std::memory_order_relaxed)) return &place;
  return nullptr;
}

/// Records the use of `slot` in a place of this thread; a null `slot` ends the use. The caller must then load
/// the slot's state.
///
/// Order: a processor may perform that load before this store (x86-64 and AArch64 do). The freeing thread
/// sets the state, calls membarrier, and loads the places. membarrier puts a full barrier between two
/// instructions of each other thread. If the barrier comes after the store, the freeing thread sees the use;
/// if before, the load comes later still, and sees the state. The signal fence keeps the compiler from
/// changing the order.
inline void note(std::atomic<Slot *> &place, Slot *slot) noexcept {
  place.store(slot, std::memory_order_release); // releases this thread's earlier use of the slot
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Returns true if any thread has recorded a use of the slot. Called after the slot's state forbids new uses,
/// so that such a thread sees the new state when its use ends. Also true if the system now refuses
/// membarrier, such as in a sandbox; the object is then never freed.
bool is_noted_by_any_thread(const Slot *slot) noexcept;

} // namespace kiln::c
