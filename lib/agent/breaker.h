// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a server is left out, and how long its answers take. Both are pure: the caller passes the time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string_view>

namespace kiln {

/// Leaves a server out after too many failures, and tries it again by itself.
///
/// Closed: requests go. It opens when the last outcomes contain at least `min_failures` failures, and these
/// are at least `failure_share` of them. Open: none goes, for a pause that doubles each time, with jitter.
/// After the pause one request goes as a probe: its success closes the breaker, its failure opens it again.
///
/// Suspect: requests are under way, and nothing was answered for a time in which the server usually answers
/// several. None goes while these are under way, then one at a time. A success closes the breaker, the
/// failure of a later request opens it.
class CircuitBreaker {
public:
  using Time = std::chrono::steady_clock::time_point;
  enum class State : uint8_t { Closed, Suspect, Open, HalfOpen };
  /// Untimed: a request whose time says nothing, such as an upload: it makes no server suspect.
  enum class Pass : uint8_t { Refused, Request, Untimed, Probe };
  struct Options {
    std::chrono::milliseconds min_silence{20}; ///< that makes a server suspect; more for a slow one
    size_t window = 20;                        ///< outcomes that count
    std::chrono::milliseconds max_age{30'000};
    size_t min_failures = 5;
    double failure_share = 0.5;
    std::chrono::milliseconds first_pause{500}, max_pause{30'000};
    double jitter = 0.25; ///< a pause is longer or shorter by up to this share
  };
  explicit CircuitBreaker(uint64_t seed) : CircuitBreaker(seed, Options()) {}
  CircuitBreaker(uint64_t seed, Options options) : options_(options), random_(seed) {}

  /// Asks for a request to the server. Each pass that is not Refused is given back once, to record().
  Pass request(Time now, Pass kind = Pass::Request);
  /// The outcome of a request. Outcomes of requests from before the breaker opened change nothing.
  void record(Pass pass, bool is_success, Time now);
  /// The server's usual latency: a silence of four times as long makes it suspect.
  void expect(std::chrono::microseconds latency) { expected_ = latency; }
  State state(Time now) const;
  Time retry_time() const { return retry_time_; } ///< of an open breaker: the end of its pause
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
  bool is_suspect_ = false; ///< requests timed out, and nothing was answered since
  size_t unanswered_ = 0;   ///< requests under way, without untimed ones and probes
  Time last_sign_{};        ///< the last success, or the first request after all were answered
  std::chrono::microseconds expected_{0};
  unsigned failed_probes_ = 0; ///< since it was closed
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
  /// p95(), at most 50 ms: how long sessions wait before one of them asks for a lease.
  std::chrono::microseconds patience() const;
  /// p95(), or the median before the 20th latency. 0: none yet.
  std::chrono::microseconds expected() const;

private:
  std::chrono::microseconds ranked(size_t rank) const;
  std::array<uint32_t, 128> latencies_{};
  size_t count_ = 0;
};

/// The agent's knowledge of a server: whether requests go, and when their answers can be expected.
class ServerHealth {
public:
  explicit ServerHealth(uint64_t seed) : breaker_(seed) {}

  CircuitBreaker &breaker() { return breaker_; }
  const CircuitBreaker &breaker() const { return breaker_; }
  const LatencyWindow &latency() const { return latency_; }
  /// Of a get that succeeded.
  void add_latency(std::chrono::nanoseconds latency) {
    latency_.add(std::chrono::duration_cast<std::chrono::microseconds>(latency));
    breaker_.expect(latency_.expected());
  }
  /// Time in which an answer can be expected; 0: not known yet. No value: the server is left out, or only
  /// probed.
  std::optional<std::chrono::microseconds> expected(CircuitBreaker::Time now) const {
    if (breaker_.state(now) != CircuitBreaker::State::Closed) return std::nullopt;
    return latency_.expected();
  }

private:
  CircuitBreaker breaker_;
  LatencyWindow latency_;
};

} // namespace kiln
