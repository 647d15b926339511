// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "protocol.h"

#include <algorithm>
#include <chrono>

namespace kiln {

/// Decides how long a session waits for its agent before it starts a compile, and when the agent counts as
/// silent. Has no clock: callers pass the time.
///
/// A session waits only if the answer is likely to come within a tenth of the time that a hit would save. If
/// no message came during a wait, the session does not wait again until the agent sends one.
class Patience {
public:
  using Time = std::chrono::steady_clock::time_point;
  using Micros = std::chrono::microseconds;
  static constexpr std::chrono::milliseconds answer_limit{2000}; ///< AgentGet::limit_ms
  /// Bounds of a wait. On a busy machine the agent may not run at once.
  static constexpr std::chrono::milliseconds min_wait{2}, max_wait{50};
  /// Time to wait for an agent that has sent no message yet.
  static constexpr Micros greeting_wait{1500};
  /// Time to wait for an answer if no answer time of the servers was measured yet.
  static constexpr std::chrono::milliseconds first_wait{5};
  /// Least time to wait of a patient program.
  static constexpr std::chrono::milliseconds patient_wait{500};

  /// Makes waits longer, for programs that gain nothing by a compile beside the request: on a busy machine
  /// answers come late.
  void be_patient() { is_patient_ = true; }
  bool is_patient() const { return is_patient_; }
  /// Disables waits until a message comes, because another session has found the agent silent.
  void doubt() { is_doubted_ = true; }
  void on_sent(Time now) {
    if (silent_since_ == Time()) silent_since_ = now;
  }
  void on_message() {
    silent_since_ = Time();
    is_doubted_ = false;
  }
  /// Called when the connections were closed, so that no message is expected.
  void on_break() { silent_since_ = Time(); }
  /// Called when a wait ended without a message from the agent.
  void on_left() { is_doubted_ = true; }
  /// AgentWelcome::patience_us, AgentAnswer::patience_us.
  void set_expected(uint32_t microseconds) {
    is_met_ = true;
    expected_ = Micros(microseconds);
  }

  /// Time to wait for an answer that would save work of time `cost`.
  Micros wait(Micros cost) const {
    if (is_doubted_) return Micros(0);
    const Micros least = is_patient_ ? Micros(patient_wait) : Micros(0);
    if (!is_met_) return std::max(least, greeting_wait);
    if (expected_ == Micros(0)) return std::max(least, Micros(first_wait));
    const Micros limit = std::clamp<Micros>(cost / 10, Micros(min_wait), Micros(max_wait));
    if (expected_ > limit) return Micros(0);
    // A compile that starts while a request is pending may be wasted work. Wait at least a twentieth of its
    // time.
    return std::max({least, expected_, std::clamp<Micros>(cost / 20, Micros(min_wait), Micros(max_wait))});
  }
  /// Time for which an expected message has not come. 0 s: no message is expected.
  std::chrono::nanoseconds silence(Time now) const {
    return silent_since_ == Time() ? std::chrono::nanoseconds(0) : now - silent_since_;
  }
  /// True if no message came for longer than any answer may take.
  bool is_silent(Time now) const { return silence(now) > answer_limit + std::chrono::milliseconds(200); }
  bool is_met() const { return is_met_; } ///< true if the agent has sent a message
  bool is_doubted() const { return is_doubted_; }

private:
  bool is_met_ = false, is_doubted_ = false, is_patient_ = false;
  Micros expected_{0};
  Time silent_since_{};
};

} // namespace kiln
