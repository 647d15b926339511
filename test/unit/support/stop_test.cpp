// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stop sources: which launches a request stops, by when they were given the source.
#include <catch2/catch.hpp>
#include <support/stop_state.h>

#include <thread>
#include <vector>

using namespace kiln;

TEST_CASE("a request stops what was given the source before the reset, and nothing else") {
  const StopSource source, other;
  const StopToken none, before(&source), foreign(&other);
  CHECK_FALSE(none);
  CHECK(none.flag() == nullptr);
  CHECK_FALSE(before.is_stopped());
  CHECK(source.request_stop());
  const StopToken meanwhile(&source);
  CHECK(before.is_stopped());
  CHECK(meanwhile.is_stopped());
  CHECK_FALSE(none.is_stopped());
  CHECK_FALSE(foreign.is_stopped());
  source.reset();
  const StopToken after(&source);
  CHECK(before.is_stopped());
  CHECK(meanwhile.is_stopped());
  CHECK_FALSE(after.is_stopped());
  CHECK_FALSE(StopToken::take(source));
  CHECK(source.request_stop());
  CHECK(StopToken::take(source));
  CHECK_FALSE(StopToken::take(source));
  CHECK(after.is_stopped());
}

TEST_CASE("of requests and resets on many threads each request is taken once") {
  const StopSource source;
  constexpr int threads = 4, rounds = 20'000;
  std::atomic<int> requested{0}, taken{0};
  std::vector<std::thread> all;
  for (int t = 0; t < threads; t++)
    all.emplace_back([&] {
      for (int i = 0; i < rounds; i++) {
        requested += source.request_stop();
        taken += StopToken::take(source);
      }
    });
  for (std::thread &each : all) each.join();
  taken += StopToken::take(source);
  CHECK(requested == taken);
}

TEST_CASE("a request wakes who waits for requests, and keeps errno") {
  const StopSource source;
  while (::sem_trywait(&stop_requests()) == 0) {
  }
  errno = 77;
  CHECK(source.request_stop());
  CHECK_FALSE(source.request_stop());
  CHECK(errno == 77);
  CHECK(::sem_trywait(&stop_requests()) == 0);
  CHECK(::sem_trywait(&stop_requests()) != 0);
}
