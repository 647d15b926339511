// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal state of StopSource (kiln/stop.h), and tokens by which launches refer to it.
#pragma once

#include <kiln/result.h>
#include <kiln/stop.h>

#include <atomic>
#include <semaphore.h>

namespace kiln {

/// State of a stop source. Launches belong to the generation at their start. A request stops all generations
/// up to the current one; ending the request begins the next generation.
struct StopSource::State {
  State();
  std::atomic<uint64_t> generation{1}, requested{0};
  static_assert(std::atomic<uint64_t>::is_always_lock_free); // for signal handlers

  bool is_requested() const { return requested.load() >= generation.load(std::memory_order_relaxed); }
  /// Ends the pending request. Returns false if there was none.
  bool take() {
    uint64_t present = generation.load(std::memory_order_relaxed);
    return requested.load() >= present && generation.compare_exchange_strong(present, present + 1);
  }
};

/// Reference of a launch or call to its stop source, with the source's generation at that time. Empty: it has
/// no source.
class StopToken {
public:
  StopToken() = default;
  explicit StopToken(const StopSource *source)
      : state_(source ? source->state_ : nullptr), generation_(state_ ? state_->generation.load() : 0) {}
  explicit operator bool() const { return state_ != nullptr; }
  bool is_stopped() const { return state_ && state_->requested.load() >= generation_; }
  /// Returns the address of the last stopped generation: the token is stopped if *flag() is generation() or
  /// more. Null: the token is empty.
  const std::atomic<uint64_t> *flag() const { return state_ ? &state_->requested : nullptr; }
  uint64_t generation() const { return generation_; }
  /// Ends the pending request of `source`. Returns false if there was none.
  static bool take(const StopSource &source) { return source.state_ && source.state_->take(); }

private:
  std::shared_ptr<const StopSource::State> state_;
  uint64_t generation_ = 0;
};

sem_t &stop_requests(); ///< semaphore that each stop request of the process posts
Error stopped_error();  ///< Usage, "Stopped"

} // namespace kiln
