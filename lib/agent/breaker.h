// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuit breaker and latency of a server. Both are pure: the caller passes the time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string_view>

namespace kiln {

/// Stops requests to a server after too many failures, and probes it later.
///
/// Closed: requests pass. The breaker opens if the last outcomes contain at least `min_failures` failures,
/// and these are at least `failure_share` of them. Open: no request passes during a pause, which doubles each
/// time, with jitter. After the pause one request passes as a probe. Its success closes the breaker, its
/// failure opens it again.
///
/// Suspect: requests are pending, and no answer came in a time that usually suffices for several. No request
/// passes while these are pending, then one at a time. A success closes the breaker; the failure of a later
/// request opens it.
class CircuitBreaker {
public:
  using Time = std::chrono::steady_clock::time_point;
  enum class State : uint8_t { Closed, Suspect, Open, HalfOpen };
  static constexpr State states[] = {State::Closed, State::Suspect, State::Open, State::HalfOpen};
  /// Untimed: a request of unknown duration, such as an upload. It makes no server suspect.
  enum class Pass : uint8_t { Refused, Request, Untimed, Probe };
  struct Options {
    std::chrono::milliseconds min_silence{20}; ///< silence that makes a server suspect; longer for slow ones
    size_t window = 20;                        ///< outcomes that count
    std::chrono::milliseconds max_age{30'000};
    size_t min_failures = 5;
    double failure_share = 0.5;
    std::chrono::milliseconds first_pause{500}, max_pause{30'000};
    double jitter = 0.25; ///< a pause is longer or shorter by up to this share
  };
  explicit CircuitBreaker(uint64_t seed) : CircuitBreaker(seed, Options()) {}
  CircuitBreaker(uint64_t seed, Options options) : options_(options), random_(seed) {}

  /// Requests a pass. Return each pass other than Refused once, by record().
  Pass request(Time now, Pass kind = Pass::Request);
  /// Records a request's outcome. Outcomes of requests from before the opening have no effect.
  void record(Pass pass, bool is_success, Time now);
  /// Sets the server's usual latency. A silence of four times as long makes it suspect.
  void expect(std::chrono::microseconds latency) { expected_ = latency; }
  State state(Time now) const;
  Time retry_time() const { return retry_time_; } ///< of an open breaker: end of its pause
  uint64_t openings() const { return openings_; }
  bool is_open() const { return is_open_; } ///< also half-open

private:
  void open(Time now);
  bool is_silent(Time now) const;

  const Options options_;
  std::mt19937_64 random_;
  struct Outcome {
    Time time;
    bool is_success;
  };
  std::deque<Outcome> outcomes_;
  bool is_open_ = false, is_probing_ = false;
  bool is_suspect_ = false; ///< requests timed out, and no answer came since
  size_t unanswered_ = 0;   ///< pending requests, without untimed ones and probes
  Time last_sign_{};        ///< last success, or first request after all were answered
  std::chrono::microseconds expected_{0};
  unsigned failed_probes_ = 0; ///< since the breaker closed
  Time retry_time_{};
  uint64_t openings_ = 0;
};

std::string_view name_of(CircuitBreaker::State state);

/// The 95th percentile of the last 128 latencies of a server.
class LatencyWindow {
public:
  void add(std::chrono::microseconds latency);
  /// 5 ms before the 20th latency.
  std::chrono::microseconds p95() const;
  /// p95(), at most 50 ms: the wait before one session requests a lease.
  std::chrono::microseconds patience() const;
  /// p95(), or the median before the 20th latency. 0: none yet.
  std::chrono::microseconds expected() const;

private:
  std::chrono::microseconds ranked(size_t rank) const;
  std::array<uint32_t, 128> latencies_{};
  size_t count_ = 0;
};

/// Availability and latency of a server.
class ServerHealth {
public:
  explicit ServerHealth(uint64_t seed) : breaker_(seed) {}

  CircuitBreaker &breaker() { return breaker_; }
  const CircuitBreaker &breaker() const { return breaker_; }
  const LatencyWindow &latency() const { return latency_; }
  /// Adds the latency of a successful get.
  void add_latency(std::chrono::nanoseconds latency) {
    latency_.add(std::chrono::duration_cast<std::chrono::microseconds>(latency));
    breaker_.expect(latency_.expected());
  }
  /// Usual answer time. 0: not known yet. No value: the breaker is not closed.
  std::optional<std::chrono::microseconds> expected(CircuitBreaker::Time now) const {
    if (breaker_.state(now) != CircuitBreaker::State::Closed) return std::nullopt;
    return latency_.expected();
  }

private:
  CircuitBreaker breaker_;
  LatencyWindow latency_;
};

} // namespace kiln
