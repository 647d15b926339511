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

TEST_CASE("a silent server is asked by one request at a time, and others skip at once") {
  CircuitBreaker breaker(6);
  const Pass first = breaker.request(start), second = breaker.request(start + 5ms);
  CHECK(second == Pass::Request);
  CHECK(breaker.state(start + 20ms) == State::Closed);
  CHECK(breaker.state(start + 21ms) == State::Suspect);
  CHECK(breaker.request(start + 21ms) == Pass::Refused); // two are under way
  CHECK(breaker.request(start + 1900ms) == Pass::Refused);
  SECTION("both time out, then a probe does: the breaker opens") {
    breaker.record(first, false, start + 2s);
    CHECK(breaker.request(start + 2s) == Pass::Refused);
    breaker.record(second, false, start + 2005ms);
    CHECK(breaker.openings() == 0);
    CHECK(breaker.state(start + 10s) == State::Suspect);
    CHECK(breaker.request(start + 10s, Pass::Untimed) == Pass::Probe);
    CHECK(breaker.request(start + 11s) == Pass::Refused);
    breaker.record(Pass::Probe, false, start + 12s);
    CHECK(breaker.is_open());
    CHECK(breaker.request(start + 12s) == Pass::Refused);
    CHECK(breaker.retry_time() - (start + 12s) <= 625ms); // the first pause
    const auto then = breaker.retry_time();
    CHECK(breaker.request(then) == Pass::Probe);
    breaker.record(Pass::Probe, true, then + 1ms);
    CHECK(breaker.request(then + 1ms) == Pass::Request);
  }
  SECTION("a late answer ends the suspicion") {
    breaker.record(first, true, start + 300ms);
    CHECK(breaker.state(start + 300ms) == State::Closed);
    CHECK(breaker.request(start + 300ms) == Pass::Request);
    CHECK(breaker.state(start + 321ms) == State::Suspect); // two are under way, and nothing came since
  }
  SECTION("all time out, and the probe is answered") {
    breaker.record(first, false, start + 2s);
    breaker.record(second, false, start + 2s);
    CHECK(breaker.request(start + 3s) == Pass::Probe);
    breaker.record(Pass::Probe, true, start + 3s);
    CHECK(breaker.state(start + 3s) == State::Closed);
    CHECK(breaker.openings() == 0);
  }
}

TEST_CASE("healthy traffic, slow servers and uploads are no silence") {
  CircuitBreaker breaker(7);
  auto now = start;
  breaker.record(breaker.request(now), true, now);
  for (int i = 0; i < 1000; i++, now += 15ms) { // always one under way
    REQUIRE(breaker.request(now) == Pass::Request);
    if (i > 0) breaker.record(Pass::Request, true, now);
  }
  CircuitBreaker slow(8);
  slow.expect(300ms);
  CHECK(slow.request(start) == Pass::Request);
  CHECK(slow.request(start + 1199ms) == Pass::Request);
  CHECK(slow.request(start + 1201ms) == Pass::Refused);
  CircuitBreaker uploads(9);
  CHECK(uploads.request(start, Pass::Untimed) == Pass::Untimed);
  CHECK(uploads.request(start + 5s) == Pass::Request);
  uploads.record(Pass::Untimed, false, start + 10ms);
  CHECK(uploads.state(start + 10ms) == State::Closed); // one failed, and it was no time-out
}

TEST_CASE("failures that come at once make no server suspect") {
  CircuitBreaker breaker(10);
  for (int i = 0; i < 4; i++) breaker.record(breaker.request(start + i * 1s), false, start + i * 1s + 1ms);
  CHECK(breaker.request(start + 5s) == Pass::Request);
}

TEST_CASE("a server is expected to answer as it usually does, and not at all while it is suspect") {
  ServerHealth health(11);
  CHECK(health.expected(start) == 0us); // not known
  health.add_latency(9ms);              // it connected first
  health.add_latency(300us);
  CHECK(health.expected(start) == 9ms);
  health.add_latency(400us);
  CHECK(health.expected(start) == 400us); // the median of few
  for (int i = 0; i < 100; i++) health.add_latency(2ms);
  CHECK(health.expected(start) == 2ms);
  CHECK(health.breaker().request(start) == Pass::Request);
  CHECK(health.expected(start + 20ms) == 2ms);
  CHECK_FALSE(health.expected(start + 21ms));
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
