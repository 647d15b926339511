// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cache with a remote store, behind an agent that does what the test says.
#include "fake_agent.h"

#include <cache/cache.h>
#include <support/cancellation.h>

#include <catch2/catch.hpp>
#include <cmath>

namespace kiln::test {

namespace {

using namespace std::chrono_literals;
using Manner = FakeAgent::Manner;

/// A machine: a memory store in place of a folder, and a way to the agent.
/// Patient machines wait for answers and uploads, however busy the computer is.
enum class Waits { Patiently, Briefly };

struct Machine {
  std::mutex mutex;
  std::vector<std::string> warnings;
  std::shared_ptr<MemoryStore> store = std::make_shared<MemoryStore>();
  std::unique_ptr<PersistentCache> persistent;
  std::unique_ptr<ObjectCache> objects;
  unsigned compiles = 0;

  explicit Machine(const FakeAgent &agent, bool wants_check = false, Waits waits = Waits::Patiently) {
    auto warn = [this](const std::string &text) {
      std::lock_guard lock(mutex);
      warnings.push_back(text);
    };
    auto client = std::make_unique<AgentClient>(AgentClientOptions{
        .remotes = {"redis://127.0.0.1"}, .build = "a build", .socket_path = agent.path(), .warn = warn});
    // The agent has answered once, however busy the machine is.
    const auto until = std::chrono::steady_clock::now() + 20s;
    for (bool met = false; !met;) {
      REQUIRE(std::chrono::steady_clock::now() < until);
      auto fetch = client->fetch(remote_name(1'000'000));
      met = fetch && fetch->wait(AgentClient::Clock::now() + 2s).has_value();
    }
    persistent =
        std::make_unique<PersistentCache>(store, nullptr, warn, wants_check, nullptr, std::move(client));
    if (waits == Waits::Patiently) persistent->be_patient();
    reopen();
  }
  /// As another process of the machine: memory is empty.
  void reopen() {
    objects = std::make_unique<ObjectCache>();
    objects->set_persistent(persistent.get());
  }
  /// The bytes under a key; a compile takes `time`, and looks whether it was stopped.
  std::string get(const Fingerprint &key, const std::string &bytes, std::chrono::milliseconds time = 0ms) {
    const PersistPolicy policy{.product = ArtifactKind::Cubin}; // a session waits for it
    auto compile = [&]() -> Result<ObjectCache::ArtifactPtr> {
      compiles++;
      const auto until = std::chrono::steady_clock::now() + time;
      while (std::chrono::steady_clock::now() < until) {
        KILN_CHECK(check_cancellation());
        std::this_thread::sleep_for(1ms);
      }
      auto made = std::make_shared<Artifact>();
      made->kind = policy.product;
      made->bytes = bytes;
      return ObjectCache::ArtifactPtr(std::move(made));
    };
    auto got = objects->get(key, compile, &policy);
    persistent->flush();
    return got.ok() ? (*got)->bytes : got.error().what();
  }
  PersistentCounters counters() const {
    const PersistentCounters now = persistent->counters();
    CHECK(now.remote_requests == now.remote_hits + now.remote_misses + now.remote_errors);
    CHECK(now.remote_compiled == now.remote_missing - now.remote_late - now.remote_joined);
    return now;
  }
};

Fingerprint key(uint64_t number, unsigned strong) { return {number, number, remote_name(strong)}; }

} // namespace

TEST_CASE("what one machine compiles, another one finds, and keeps") {
  FakeAgent agent;
  Machine first(agent), second(agent);
  CHECK(first.get(key(1, 1), "code") == "code");
  CHECK(first.counters().remote_published == 1);
  CHECK(second.get(key(1, 1), "other") == "code");
  CHECK(second.compiles == 0);
  CHECK(second.counters().remote_hits == 1);
  second.reopen();
  CHECK(second.get(key(1, 1), "other") == "code");
  CHECK(second.counters().remote_requests == 1); // its own store has it
}

TEST_CASE("a session knows the cost of a compile from its own ones and from entries") {
  FakeAgent agent;
  Machine first(agent), second(agent);
  first.get(key(1, 1), "code", 30ms);
  CHECK(agent.cost_us == 0); // nothing is known
  first.get(key(2, 2), "code");
  CHECK(agent.cost_us >= 30'000);
  second.get(key(1, 1), "code");
  CHECK(agent.cost_us == 0);
  second.get(key(3, 3), "code");
  CHECK(agent.cost_us >= 30'000);
}

TEST_CASE("an estimate of costs takes the mean, by product, of any numbers") {
  CompileCosts costs;
  CHECK(costs.estimate(ArtifactKind::Cubin) == 0us);
  costs.note(ArtifactKind::Cubin, 10);
  costs.note(ArtifactKind::Cubin, 40);
  for (const double nonsense : {-1.0, 0.0, std::nan("")}) costs.note(ArtifactKind::Cubin, nonsense);
  CHECK(costs.estimate(ArtifactKind::Cubin) == 25ms);
  CHECK(costs.estimate(ArtifactKind::Assembly) == 0us);
  costs.note(ArtifactKind::Assembly, 1e300);
  CHECK(costs.estimate(ArtifactKind::Assembly) == 1h);
}

TEST_CASE("two keys with equal short digests never serve each other") {
  FakeAgent agent;
  Machine first(agent), second(agent);
  CHECK(first.get(key(1, 1), "mine") == "mine");
  CHECK(second.get(key(1, 2), "yours") == "yours");
  CHECK(second.counters().remote_misses == 1);
}

TEST_CASE("a key without a strong digest never leaves the machine") {
  FakeAgent agent;
  Machine machine(agent);
  CHECK(machine.get(Fingerprint{1, 2}, "code") == "code");
  CHECK(machine.counters().remote_requests == 0);
  CHECK(agent.gets + agent.puts == 1); // of Machine's own
}

TEST_CASE("who checks the cache compiles, and asks nobody") {
  FakeAgent agent;
  Machine first(agent), checking(agent, true);
  CHECK(first.get(key(1, 1), "code") == "code");
  CHECK(checking.get(key(1, 1), "code") == "code");
  CHECK(checking.compiles == 1);
  CHECK(checking.counters().remote_requests == 0);
}

TEST_CASE("an entry that is damaged, or another key's, is left aside with a warning") {
  FakeAgent agent;
  Machine first(agent);
  CHECK(first.get(key(1, 1), "code") == "code");
  CHECK(first.get(key(2, 2), "of another key") == "of another key");
  {
    std::lock_guard lock(agent.mutex);
    std::string &entry = agent.entries.at(remote_name(1));
    const int damage = GENERATE(0, 1, 2, 3);
    if (damage == 0) entry[entry.size() / 2] ^= 1;
    if (damage == 1) entry.resize(entry.size() - 1);
    if (damage == 2) entry = "garbage";
    if (damage == 3) entry = agent.entries.at(remote_name(2));
  }
  Machine second(agent);
  CHECK(second.get(key(1, 1), "compiled") == "compiled");
  CHECK(second.counters().remote_errors == 1);
  REQUIRE(second.warnings.size() == 1);
  CHECK_THAT(second.warnings[0], Catch::Contains("is left aside"));
}

TEST_CASE("an entry that comes late stops the compile that has begun beside it") {
  FakeAgent agent;
  Machine first(agent), second(agent, false, Waits::Briefly);
  CHECK(first.get(key(1, 1), "code") == "code");
  agent.manner = Manner::AnswersLate; // after 60 ms, and a session waits for 20
  const auto began = std::chrono::steady_clock::now();
  CHECK(second.get(key(1, 1), "other", 20s) == "code");
  CHECK(std::chrono::steady_clock::now() - began < 10s);
  CHECK(second.compiles == 1);
  CHECK(second.counters().remote_hits == 1);
  CHECK(second.counters().remote_late == 1);
  CHECK(second.counters().remote_missing == 1);
  CHECK(second.counters().remote_compiled == 0);
  second.reopen();
  CHECK(second.get(key(1, 1), "other") == "code");
  CHECK(second.compiles == 1);
}

TEST_CASE("entries that were read ahead cost no round trip") {
  FakeAgent agent;
  Machine first(agent), second(agent);
  std::vector<Fingerprint> keys;
  for (unsigned i = 1; i <= 100; i++) {
    keys.push_back(key(i, i));
    if (i != 50) CHECK(first.get(keys.back(), std::to_string(i)) == std::to_string(i));
  }
  const unsigned gets = agent.gets;
  std::vector<bool> expected(100, true);
  expected[49] = false;
  CHECK(second.persistent->read_ahead(keys) == expected);
  CHECK(agent.gets == gets + 1);
  for (unsigned i = 1; i <= 100; i++)
    if (i != 50) CHECK(second.get(keys[i - 1], "other") == std::to_string(i));
  CHECK(agent.gets == gets + 1);
  CHECK(second.counters().remote_hits == 99);
  CHECK(second.counters().remote_requests == 99);
  CHECK(second.get(keys[49], "made") == "made");
  second.reopen();
  CHECK(second.persistent->read_ahead(keys) == std::vector<bool>(100, true)); // its own store has them
  CHECK(second.get(keys[0], "other") == "1");
  CHECK(second.compiles == 1);
}

TEST_CASE("an entry brings the one that it names") {
  FakeAgent agent;
  agent.patience_us = 5'000; // sessions wait for recorded edges where that takes 5 ms at most
  Machine first(agent), second(agent);
  CHECK(first.get(key(1, 1), "code") == "code");
  const Fingerprint next = key(1, 1);
  first.persistent->publish_content(key(2, 2), text_content("record"), PersistentCache::Reach::Fleet, &next);
  first.persistent->flush();
  const unsigned gets = agent.gets;
  CHECK(second.persistent->find_content(key(2, 2), PersistentCache::Reach::Fleet) == text_content("record"));
  CHECK(second.get(key(1, 1), "other") == "code");
  CHECK(agent.gets == gets + 1);
  CHECK(second.counters().remote_hits == 2);
  CHECK(first.persistent->find_content(key(2, 2)) == text_content("record")); // the store's has no name
  {
    std::lock_guard lock(agent.mutex);
    agent.entries.at(remote_name(1))[20] ^= 1;
  }
  Machine third(agent);
  CHECK(third.persistent->find_content(key(2, 2), PersistentCache::Reach::Fleet) == text_content("record"));
  CHECK(third.get(key(1, 1), "made") == "made"); // a damaged one is left aside
}

TEST_CASE("a session that must not compile waits for a late entry") {
  FakeAgent agent;
  Machine first(agent), second(agent);
  CHECK(first.get(key(1, 1), "code") == "code");
  agent.manner = Manner::AnswersLate;
  second.persistent->require_entries();
  CHECK(second.get(key(1, 1), "compiled") == "code");
  CHECK(second.compiles == 0);
}

TEST_CASE("a look under a lock that the callbacks of a cancellation take does not wait for itself") {
  std::mutex mutex;
  const Cancellation race;
  race.set_poll([] { return true; });
  const CancellationCallback woken(race, [&] { std::lock_guard lock(mutex); });
  std::lock_guard lock(mutex);
  CHECK(race.is_stopped());
  CHECK(race.check().error().code() == ErrorCode::Cancelled);
}

TEST_CASE("a compile that is faster than a late entry wins") {
  FakeAgent agent;
  Machine first(agent), second(agent);
  CHECK(first.get(key(1, 1), "code") == "code");
  agent.manner = Manner::SaysNothing;
  CHECK(second.get(key(1, 1), "own", 5ms) == "own");
  CHECK(second.counters().remote_errors == 1);
  CHECK(second.counters().remote_late == 0);
}

TEST_CASE("of two machines that want an entry, one compiles, and the other one waits for it") {
  FakeAgent agent;
  Machine first(agent), second(agent);
  std::string got;
  std::thread other;
  const auto began = std::chrono::steady_clock::now();
  const PersistPolicy policy{.product = ArtifactKind::Cubin};
  auto made = first.objects->get(
      key(1, 1),
      [&]() -> Result<ObjectCache::ArtifactPtr> {
        other = std::thread([&] { got = second.get(key(1, 1), "second"); });
        while (agent.gets < 4) std::this_thread::sleep_for(1ms); // of both machines, and their own
        std::this_thread::sleep_for(100ms);
        auto artifact = std::make_shared<Artifact>();
        artifact->kind = ArtifactKind::Assembly;
        artifact->bytes = "first";
        return ObjectCache::ArtifactPtr(std::move(artifact));
      },
      &policy);
  first.persistent->flush();
  other.join();
  REQUIRE(made.ok());
  CHECK(got == "first");
  CHECK(second.compiles == 0);
  CHECK(second.counters().remote_joined == 1);
  CHECK(second.counters().remote_compiled == 0);
  CHECK(first.counters().remote_compiled == 1);
  CHECK(second.counters().remote_hits == 1);
  CHECK(std::chrono::steady_clock::now() - began < 10s);
}

TEST_CASE("who waits for a machine whose compile fails compiles itself") {
  FakeAgent agent;
  Machine first(agent), second(agent);
  std::string got;
  std::thread other;
  const PersistPolicy policy{.product = ArtifactKind::Cubin};
  auto failed = first.objects->get(
      key(1, 1),
      [&]() -> Result<ObjectCache::ArtifactPtr> {
        other = std::thread([&] { got = second.get(key(1, 1), "second"); });
        while (agent.gets < 4) std::this_thread::sleep_for(1ms);
        return make_error(ErrorCode::KernelError, "no");
      },
      &policy);
  CHECK(!failed.ok());
  other.join();
  CHECK(got == "second");
  CHECK(second.compiles == 1);
  CHECK(first.counters().remote_compiled == 1); // well or not
  CHECK(second.counters().remote_joined == 0);
}

TEST_CASE("a compile beside the remote store is cancelled as any other") {
  FakeAgent agent;
  Machine machine(agent);
  agent.manner = Manner::SaysNothing;
  const bool by_deadline = GENERATE(false, true);
  const Cancellation stop;
  if (by_deadline) stop.set_deadline(Cancellation::Clock::now() + 50ms);
  std::thread stopper([&] {
    std::this_thread::sleep_for(60ms);
    if (!by_deadline) stop.cancel();
  });
  {
    const CancellationScope scope(&stop);
    CHECK_THAT(machine.get(key(1, 1), "code", 20s),
               Catch::Contains(by_deadline ? "deadline passed" : "was cancelled"));
  }
  stopper.join();
}

} // namespace kiln::test
