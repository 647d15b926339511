// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuit breaker and latency statistics of a server. Both have no clock: the caller passes the time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string_view>

namespace kiln {

/// Circuit breaker: stops requests to a server after too many failures, and probes the server later.
///
/// State Closed: requests pass. The breaker opens if the last outcomes contain at least `min_failures`
/// failures, and these are at least `failure_share` of the outcomes. State Open: no request passes during a
/// pause. Each pause is twice as long as the previous one, with jitter. After the pause one request passes as
/// a probe. If it succeeds, the breaker closes, else it opens again.
///
/// State Suspect: requests are pending, and no answer came in a time that usually suffices for several. No
/// request passes while these are pending, then one at a time. A success closes the breaker. The failure of a
/// later request opens it.
class CircuitBreaker {
public:
  using Time = std::chrono::steady_clock::time_point;
  enum class State : uint8_t { Closed, Suspect, Open, HalfOpen };
  static constexpr State states[] = {State::Closed, State::Suspect, State::Open, State::HalfOpen};
  /// Permission for a request. Untimed: a request of unknown duration, such as an upload, whose silence does
  /// not make the server suspect.
  enum class Pass : uint8_t { Refused, Request, Untimed, Probe };
  struct Options {
    /// Time without an answer after which a server is suspect; longer for slow servers.
    std::chrono::milliseconds min_silence{20};
    size_t window = 20; ///< outcomes that count
    std::chrono::milliseconds max_age{30'000};
    size_t min_failures = 5;
    double failure_share = 0.5;
    std::chrono::milliseconds first_pause{500}, max_pause{30'000};
    double jitter = 0.25; ///< each pause varies randomly by up to this share
  };
  explicit CircuitBreaker(uint64_t seed) : CircuitBreaker(seed, Options()) {}
  CircuitBreaker(uint64_t seed, Options options) : options_(options), random_(seed) {}

  /// Requests permission for a request of this kind. The caller returns each permission other than Refused
  /// once, by record().
  Pass request(Time now, Pass kind = Pass::Request);
  /// Records the outcome of a request. Outcomes of requests that were sent before the breaker opened have no
  /// effect.
  void record(Pass pass, bool is_success, Time now);
  /// Sets the usual latency of the server. It becomes suspect after four times that latency without an
  /// answer.
  void expect(std::chrono::microseconds latency) { expected_ = latency; }
  State state(Time now) const;
  Time retry_time() const { return retry_time_; } ///< end of the pause, if the breaker is open
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
  bool is_suspect_ = false; ///< a request failed during a silence, and no request has succeeded since
  size_t unanswered_ = 0;   ///< number of pending requests; untimed ones and probes do not count
  /// Time of the last success, or of the first request after all others were answered.
  Time last_sign_{};
  std::chrono::microseconds expected_{0};
  unsigned failed_probes_ = 0; ///< since the breaker closed
  Time retry_time_{};
  uint64_t openings_ = 0;
};

std::string_view name_of(CircuitBreaker::State state);

/// Statistics over the last 128 latencies of a server.
class LatencyWindow {
public:
  void add(std::chrono::microseconds latency);
  /// 95th percentile; 5 ms until 20 latencies are known.
  std::chrono::microseconds p95() const;
  /// p95(), but at most 50 ms: time that a single session waits before it requests a lease.
  std::chrono::microseconds patience() const;
  /// p95(), or the median until 20 latencies are known. 0: no latency is known.
  std::chrono::microseconds expected() const;

private:
  std::chrono::microseconds ranked(size_t rank) const;
  std::array<uint32_t, 128> latencies_{};
  size_t count_ = 0;
};

/// A server's circuit breaker and latency statistics.
class ServerHealth {
public:
  explicit ServerHealth(uint64_t seed) : breaker_(seed) {}

  CircuitBreaker &breaker() { return breaker_; }
  const CircuitBreaker &breaker() const { return breaker_; }
  const LatencyWindow &latency() const { return latency_; }
  /// Adds the latency of a get that succeeded.
  void add_latency(std::chrono::nanoseconds latency) {
    latency_.add(std::chrono::duration_cast<std::chrono::microseconds>(latency));
    breaker_.expect(latency_.expected());
  }
  /// Usual answer time of the server. 0: not known yet. No value: the breaker is not closed, so that no
  /// answer is expected.
  std::optional<std::chrono::microseconds> expected(CircuitBreaker::Time now) const {
    if (breaker_.state(now) != CircuitBreaker::State::Closed) return std::nullopt;
    return latency_.expected();
  }

private:
  CircuitBreaker breaker_;
  LatencyWindow latency_;
};

} // namespace kiln
