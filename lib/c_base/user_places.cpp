// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "user_places.h"

#include <new>
#include <utility>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kiln::c {

[[gnu::tls_model("initial-exec")]] constinit thread_local UserPlaces *places_of_thread = nullptr;

namespace {

// The list is used without a lock, since a forked child could find it locked by another thread of its parent.

/// List of the places of all threads. Its elements are never freed; new threads reuse those of ended threads.
std::atomic<UserPlaces *> all{nullptr};

[[gnu::tls_model("initial-exec")]] thread_local bool is_ending = false; ///< its places were given back

struct Owner {
  ~Owner() {
    is_ending = true;
    if (UserPlaces *places = std::exchange(places_of_thread, nullptr))
      places->is_taken.store(false, std::memory_order_release);
  }
  UserPlaces *places = nullptr;
};

bool membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }

bool has_barrier() noexcept {
  static std::atomic<int> known{0}; // 1: yes, -1: no
  int answer = known.load(std::memory_order_relaxed);
  if (answer == 0) { // Two threads may ask the system at once, and get the same answer.
    answer = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) ? 1 : -1;
    known.store(answer, std::memory_order_relaxed);
  }
  return answer > 0;
}

/// Returns places for this thread. Null: there is no membarrier or no memory, or the thread is ending.
UserPlaces *take_places() noexcept {
  if (is_ending || !has_barrier()) return nullptr;
  UserPlaces *found = all.load(std::memory_order_acquire);
  for (; found; found = found->next) {
    bool expected = false;
    if (found->is_taken.compare_exchange_strong(expected, true, std::memory_order_acq_rel)) break;
  }
  if (!found) {
    found = new (std::nothrow) UserPlaces;
    if (!found) return nullptr;
    found->next = all.load(std::memory_order_relaxed);
    while (!all.compare_exchange_weak(found->next, found, std::memory_order_release,
                                      std::memory_order_relaxed)) {
    }
  }
  thread_local Owner owner; // The destructor of `owner` gives the places back at the end of the thread.
  owner.places = found;
  return places_of_thread = found;
}

} // namespace

std::atomic<Slot *> *first_place() noexcept {
  UserPlaces *places = take_places();
  return places ? &places->places[0] : nullptr;
}

bool is_noted_by_any_thread(const Slot *slot) noexcept {
  if (!has_barrier()) return false; // Without membarrier no thread has places, so no use is recorded.
  if (!membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) &&
      !(membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
        membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)))
    return true;
  // A thread that adds its places after this load sees that the slot's state forbids new uses.
  for (const UserPlaces *places = all.load(std::memory_order_acquire); places; places = places->next)
    for (const std::atomic<Slot *> &place : places->places)
      if (place.load(std::memory_order_acquire) == slot) return true;
  return false;
}

} // namespace kiln::c
