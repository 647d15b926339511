// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a server is left out, and how long its answers take. Both are pure: the caller passes the time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <random>
#include <string_view>

namespace kiln {

/// Leaves a server out after too many failures, and tries it again by itself.
///
/// Closed: requests go. It opens when the last outcomes contain at least `min_failures` failures, and these
/// are at least `failure_share` of them. Open: none goes, for a pause that doubles each time, with jitter.
/// After the pause one request goes as a probe: its success closes the breaker, its failure opens it again.
class CircuitBreaker {
public:
  using Time = std::chrono::steady_clock::time_point;
  enum class State : uint8_t { Closed, Open, HalfOpen };
  enum class Pass : uint8_t { Refused, Request, Probe };
  struct Options {
    size_t window = 20; ///< outcomes that count
    std::chrono::milliseconds max_age{30'000};
    size_t min_failures = 5;
    double failure_share = 0.5;
    std::chrono::milliseconds first_pause{500}, max_pause{30'000};
    double jitter = 0.25; ///< a pause is longer or shorter by up to this share
  };
  explicit CircuitBreaker(uint64_t seed) : CircuitBreaker(seed, Options()) {}
  CircuitBreaker(uint64_t seed, Options options) : options_(options), random_(seed) {}

  /// Asks for a request to the server. Each pass that is not Refused is given back once, to record().
  Pass request(Time now);
  /// The outcome of a request. Outcomes of requests from before the breaker opened change nothing.
  void record(Pass pass, bool is_success, Time now);
  State state(Time now) const;
  Time retry_time() const { return retry_time_; } ///< of an open breaker: the end of its pause
  uint64_t openings() const { return openings_; }

private:
  void open(Time now);

  const Options options_;
  std::mt19937_64 random_;
  struct Outcome {
    Time time;
    bool is_success;
  };
  std::deque<Outcome> outcomes_;
  bool is_open_ = false, is_probing_ = false;
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
  /// p95(), at most 50 ms: how long a session waits before it compiles beside the request.
  std::chrono::microseconds patience() const;

private:
  std::array<uint32_t, 128> latencies_{};
  size_t count_ = 0;
};

} // namespace kiln
