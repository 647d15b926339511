// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The breaker and the latency window, in virtual time.
#include <agent/breaker.h>
#include <catch2/catch.hpp>

namespace kiln::agent_test {

using namespace std::chrono_literals;
using Pass = CircuitBreaker::Pass;
using State = CircuitBreaker::State;

static constexpr CircuitBreaker::Time start{1000h};

TEST_CASE("the breaker opens on count and share of failures") {
  CircuitBreaker breaker(1);
  for (int i = 0; i < 4; i++) breaker.record(breaker.request(start), false, start);
  CHECK(breaker.state(start) == State::Closed); // four are too few
  breaker.record(breaker.request(start), false, start);
  CHECK(breaker.state(start) == State::Open);
  CHECK(breaker.request(start) == Pass::Refused);
  CHECK(breaker.openings() == 1);

  CircuitBreaker mixed(1);
  for (int i = 0; i < 300; i++) mixed.record(mixed.request(start), i % 3 != 2, start);
  CHECK(mixed.state(start) == State::Closed); // one failure of three
  for (int i = 0; i < 20; i++) mixed.record(mixed.request(start), i % 2 == 0, start);
  CHECK(mixed.state(start) == State::Open); // every second one
}

TEST_CASE("old failures are forgotten") {
  CircuitBreaker breaker(1);
  auto now = start;
  for (int i = 0; i < 100; i++, now += 10s) breaker.record(breaker.request(now), false, now);
  CHECK(breaker.state(now) == State::Closed); // three at most in 30 s
}

TEST_CASE("one probe goes after the pause, and its success closes the breaker") {
  CircuitBreaker breaker(2);
  for (int i = 0; i < 5; i++) breaker.record(breaker.request(start), false, start);
  const auto pause = breaker.retry_time() - start;
  CHECK(pause >= 375ms); // 500 ms, less or more by a quarter
  CHECK(pause <= 625ms);
  CHECK(breaker.request(start + pause - 1us) == Pass::Refused);
  const auto then = start + pause;
  CHECK(breaker.state(then) == State::HalfOpen);
  CHECK(breaker.request(then) == Pass::Probe);
  CHECK(breaker.request(then) == Pass::Refused);
  breaker.record(Pass::Request, true, then); // from before it opened
  CHECK(breaker.state(then) == State::HalfOpen);
  breaker.record(Pass::Probe, true, then);
  CHECK(breaker.state(then) == State::Closed);
  CHECK(breaker.request(then) == Pass::Request);
}

TEST_CASE("pauses double up to their maximum") {
  CircuitBreaker breaker(3);
  auto now = start;
  for (int i = 0; i < 5; i++) breaker.record(breaker.request(now), false, now);
  double expected = 500;
  for (int probe = 0; probe < 12; probe++) {
    const double pause = std::chrono::duration<double, std::milli>(breaker.retry_time() - now).count();
    CHECK(pause >= expected * 0.749);
    CHECK(pause <= expected * 1.251);
    now = breaker.retry_time();
    REQUIRE(breaker.request(now) == Pass::Probe);
    breaker.record(Pass::Probe, false, now);
    expected = std::min(expected * 2, 30'000.0);
  }
  now = breaker.retry_time();
  breaker.record(breaker.request(now), true, now);
  for (int i = 0; i < 5; i++) breaker.record(breaker.request(now), false, now);
  CHECK(breaker.retry_time() - now <= 625ms); // short again
}

TEST_CASE("breakers of two agents do not probe at the same time") {
  CircuitBreaker one(4), two(5);
  for (int i = 0; i < 5; i++) {
    one.record(one.request(start), false, start);
    two.record(two.request(start), false, start);
  }
  CHECK(one.retry_time() != two.retry_time());
}

TEST_CASE("the 95th percentile of latencies") {
  LatencyWindow window;
  CHECK(window.p95() == 5ms);
  for (int i = 0; i < 19; i++) window.add(1us);
  CHECK(window.p95() == 5ms);
  window.add(1us);
  CHECK(window.p95() == 1us);

  LatencyWindow hundred;
  for (int i = 1; i <= 100; i++)
    hundred.add(std::chrono::microseconds(i * 7 % 101)); // 1 to 100 in another order
  CHECK(hundred.p95() == 95us);

  for (int i = 0; i < 128; i++) hundred.add(80ms); // the window forgets
  CHECK(hundred.p95() == 80ms);
  CHECK(hundred.patience() == 50ms);
  hundred.add(-1us);
  hundred.add(10h);
  CHECK(hundred.patience() == 50ms);
}

} // namespace kiln::agent_test
