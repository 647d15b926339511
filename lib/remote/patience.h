// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "protocol.h"

#include <algorithm>
#include <chrono>

namespace kiln {

/// Decides how long a session waits for its agent before it compiles beside its request, and when the agent
/// counts as silent. Pure: callers pass the time.
///
/// A session waits only where an answer is likely within a tenth of what a hit would spare. After a wait in
/// vain it waits for nothing until the agent has said something.
class Patience {
public:
  using Time = std::chrono::steady_clock::time_point;
  using Micros = std::chrono::microseconds;
  static constexpr std::chrono::milliseconds answer_limit{2000}; ///< AgentGet::limit_ms
  /// A busy machine may not run the agent at once.
  static constexpr std::chrono::milliseconds min_wait{2}, max_wait{50};
  static constexpr Micros greeting_wait{1500};              ///< for an agent that has said nothing yet
  static constexpr std::chrono::milliseconds first_wait{5}; ///< for a server without measured latencies

  /// Starts without waits: another session has found the agent silent.
  void doubt() { is_doubted_ = true; }
  void on_sent(Time now) {
    if (silent_since_ == Time()) silent_since_ = now;
  }
  void on_message() {
    silent_since_ = Time();
    is_doubted_ = false;
  }
  /// The connections are gone, and with them what is owed.
  void on_break() { silent_since_ = Time(); }
  /// A wait has ended without a message.
  void on_left() { is_doubted_ = true; }
  /// AgentWelcome::patience_us, AgentAnswer::patience_us.
  void set_expected(uint32_t microseconds) {
    is_met_ = true;
    expected_ = Micros(microseconds);
  }

  /// The wait for an answer that would spare `cost`.
  Micros wait(Micros cost) const {
    if (is_doubted_) return Micros(0);
    if (!is_met_) return greeting_wait;
    if (expected_ == Micros(0)) return first_wait;
    const Micros limit = std::clamp<Micros>(cost / 10, Micros(min_wait), Micros(max_wait));
    if (expected_ > limit) return Micros(0);
    // A compile that starts beside a request may be wasted: a twentieth of its time is waited to avoid that.
    return std::max<Micros>(expected_, std::clamp<Micros>(cost / 20, Micros(min_wait), Micros(max_wait)));
  }
  /// Since when a message is owed; 0 s: none is.
  std::chrono::nanoseconds silence(Time now) const {
    return silent_since_ == Time() ? std::chrono::nanoseconds(0) : now - silent_since_;
  }
  /// No message for longer than any answer may take.
  bool is_silent(Time now) const { return silence(now) > answer_limit + std::chrono::milliseconds(200); }
  bool is_met() const { return is_met_; } ///< the agent has said something
  bool is_doubted() const { return is_doubted_; }

private:
  bool is_met_ = false, is_doubted_ = false;
  Micros expected_{0};
  Time silent_since_{};
};

} // namespace kiln
