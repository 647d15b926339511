// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AgentClient beside agents that are well, absent, hung, of another version, hostile.
#include "fake_agent.h"

#include <catch2/catch.hpp>

namespace kiln::test {

using Outcome = AgentAnswer::Outcome;
using Manner = FakeAgent::Manner;
using Clock = AgentClient::Clock;
using namespace std::chrono_literals;

namespace {

struct Session {
  std::mutex mutex;
  std::vector<std::string> warnings;
  AgentClient client;

  explicit Session(const std::string &socket_path, std::string program = {})
      : client({.remotes = {"redis://127.0.0.1"},
                .build = "a build",
                .socket_path = socket_path,
                .program = std::move(program),
                .warn = [this](const std::string &text) {
                  std::lock_guard lock(mutex);
                  warnings.push_back(text);
                }}) {}

  /// Until the agent has answered once, however busy the machine is.
  void meet() {
    const auto until = Clock::now() + 20s;
    while (ask(1'000'000) != Outcome::Absent) REQUIRE(Clock::now() < until);
  }

  std::optional<Outcome> ask(unsigned number, std::string *bytes = nullptr,
                             std::chrono::milliseconds limit = 2s) {
    auto fetch = client.fetch(remote_name(number));
    if (!fetch) return std::nullopt;
    const auto outcome = fetch->wait(Clock::now() + limit);
    if (bytes && outcome == Outcome::Found) *bytes = fetch->take_bytes();
    return outcome;
  }
};

/// Has no answer, and hears from the agent that another session compiles; however busy the machine is.
bool is_told_to_wait(AgentClient::Fetch &fetch) {
  for (const auto until = Clock::now() + 20s; Clock::now() < until;) {
    if (fetch.wait(Clock::now() + 10ms)) return false;
    if (fetch.others_until() > Clock::now()) return true;
  }
  return false;
}

} // namespace

TEST_CASE("an entry that is put is found, and another one is absent") {
  FakeAgent agent;
  Session session(agent.path());
  session.meet();
  const unsigned hellos = agent.hellos;
  const std::string large(3'000'000, 'x');
  CHECK(session.client.put({{remote_name(1), "one"}, {remote_name(2), large}}) == 2);
  std::string bytes;
  CHECK(session.ask(1, &bytes) == Outcome::Found);
  CHECK(bytes == "one");
  CHECK(session.ask(2, &bytes) == Outcome::Found);
  CHECK(bytes == large);
  CHECK(session.ask(3) == Outcome::Absent);
  CHECK(session.warnings.empty());
  CHECK(agent.hellos == hellos); // one connection serves one call after another
}

TEST_CASE("threads have connections of their own") {
  FakeAgent agent;
  Session session(agent.path());
  session.meet();
  for (unsigned i = 0; i < 64; i++) session.client.put({{remote_name(i), std::to_string(i)}});
  std::vector<std::thread> threads;
  std::atomic<unsigned> wrong{0};
  for (unsigned t = 0; t < 8; t++)
    threads.emplace_back([&, t] {
      for (unsigned i = t; i < 64; i++) {
        std::string bytes;
        if (session.ask(i, &bytes) == Outcome::Found && bytes != std::to_string(i)) wrong++;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("an agent that says nothing costs three waits, then nothing, and is asked again later") {
  FakeAgent agent;
  Session session(agent.path());
  session.meet();
  CHECK(session.ask(1) == Outcome::Absent);
  agent.manner = Manner::SaysNothing;
  const unsigned gets = agent.gets;
  for (int i = 0; i < 3; i++) CHECK(session.ask(1, nullptr, 20ms) == std::nullopt);
  CHECK(agent.gets == gets + 3);
  for (int i = 0; i < 100; i++) CHECK(session.ask(1) == std::nullopt);
  CHECK(agent.gets == gets + 3);
  CHECK(session.client.put({{remote_name(1), "one"}}) == 0);
  REQUIRE(session.warnings.size() == 1);
  CHECK_THAT(session.warnings[0], Catch::Contains("does not answer"));
  agent.manner = Manner::Serves;
  const auto until = Clock::now() + 20s;
  std::optional<Outcome> outcome;
  while (!outcome && Clock::now() < until) {
    std::this_thread::sleep_for(10ms);
    outcome = session.ask(1);
  }
  CHECK(outcome == Outcome::Absent);
  CHECK(session.warnings.size() == 1);
}

TEST_CASE("a late answer is not taken for that of the next request") {
  FakeAgent agent;
  Session session(agent.path());
  session.meet();
  session.client.put({{remote_name(1), "one"}, {remote_name(2), "two"}});
  agent.manner = Manner::AnswersLate;
  CHECK(session.ask(1, nullptr, 20ms) == std::nullopt);
  std::this_thread::sleep_for(100ms);
  agent.manner = Manner::Serves;
  std::string bytes;
  CHECK(session.ask(2, &bytes) == Outcome::Found);
  CHECK(bytes == "two");
  CHECK(agent.cancels == 1);
}

TEST_CASE("one session compiles what is absent, and another one waits for it") {
  FakeAgent agent;
  Session session(agent.path());
  auto holder = session.client.fetch(remote_name(1), AgentClient::Lease{});
  REQUIRE(holder);
  CHECK(holder->wait(Clock::now() + 10s) == Outcome::Leased);
  CHECK(holder->wait(Clock::now()) == Outcome::Leased);
  auto waiter = session.client.fetch(remote_name(1), AgentClient::Lease{.cost = 5ms});
  REQUIRE(waiter);
  CHECK(waiter->wait(Clock::now() + 100ms) == std::nullopt);
  CHECK(waiter->others_until() > Clock::now() + 5s);
  CHECK(session.client.put({{remote_name(1), "one"}}) == 1);
  holder->release();
  CHECK(waiter->wait(waiter->others_until()) == Outcome::Found);
  const std::string bytes = waiter->take_bytes();
  CHECK(bytes == "one");
  CHECK(session.warnings.empty());
}

TEST_CASE("a lease without a result goes to the next session") {
  FakeAgent agent;
  Session session(agent.path());
  auto holder = session.client.fetch(remote_name(1), AgentClient::Lease{});
  REQUIRE(holder);
  CHECK(holder->wait(Clock::now() + 10s) == Outcome::Leased);
  auto waiter = session.client.fetch(remote_name(1), AgentClient::Lease{});
  REQUIRE(waiter);
  CHECK(is_told_to_wait(*waiter));
  SECTION("by the destructor") {
    holder.reset();
    CHECK(waiter->wait(waiter->others_until()) == Outcome::Leased);
    CHECK(agent.releases == 1);
  }
  SECTION("by the end of the session") {
    auto other = std::make_unique<Session>(agent.path());
    auto third = other->client.fetch(remote_name(2), AgentClient::Lease{});
    REQUIRE(third);
    CHECK(third->wait(Clock::now() + 10s) == Outcome::Leased);
    third.reset();
    other.reset();
    CHECK(session.client.fetch(remote_name(2), AgentClient::Lease{})->wait(Clock::now() + 10s) ==
          Outcome::Leased);
  }
}

TEST_CASE("a session that waits no longer says so, and is not taken for one whose agent is silent") {
  FakeAgent agent;
  Session session(agent.path());
  auto holder = session.client.fetch(remote_name(1), AgentClient::Lease{});
  REQUIRE(holder);
  CHECK(holder->wait(Clock::now() + 10s) == Outcome::Leased);
  for (int i = 0; i < 5; i++) {
    auto waiter = session.client.fetch(remote_name(1), AgentClient::Lease{});
    REQUIRE(waiter);
    CHECK(waiter->wait(Clock::now() + 100ms) == std::nullopt);
  }
  CHECK(session.warnings.empty());
  CHECK(session.ask(2) == Outcome::Absent);
  CHECK(agent.cancels == 5);
}

TEST_CASE("agents that are unfit for a session give one warning with the reason") {
  const auto [manner, reason] =
      GENERATE(table<Manner, std::string>({{Manner::Refuses, "nobody is served today"},
                                           {Manner::OtherVersion, "version 4 of the protocol"},
                                           {Manner::SaysGarbage, "bytes that are no message"},
                                           {Manner::Closes, "the agent closed it"}}));
  FakeAgent agent;
  agent.manner = manner;
  Session session(agent.path());
  for (int i = 0; i < 10; i++) {
    const auto outcome = session.ask(1);
    CHECK((!outcome || outcome == Outcome::Failed));
  }
  REQUIRE(session.warnings.size() == 1);
  CHECK_THAT(session.warnings[0], Catch::Contains(reason));
}

TEST_CASE("an agent that turns hostile is left alone") {
  FakeAgent agent;
  Session session(agent.path());
  session.meet();
  CHECK(session.ask(1) == Outcome::Absent);
  agent.manner = Manner::SaysGarbage;
  for (int i = 0; i < 10; i++) {
    const auto outcome = session.ask(1);
    CHECK((!outcome || outcome == Outcome::Failed));
  }
  CHECK(session.warnings.size() == 1);
}

TEST_CASE("nobody listens, and nobody starts an agent") {
  Scratch folder;
  Session session((folder.path / "agent.sock").string());
  CHECK(session.ask(1) == std::nullopt);
  REQUIRE(session.warnings.size() == 1);
  CHECK_THAT(session.warnings[0], Catch::Contains("no cache agent listens"));
}

TEST_CASE("a program that is no agent is started and given up") {
  const auto [program, reason] =
      GENERATE(table<std::string, std::string>({{"/bin/false", "ended with status"},
                                                {"/no/such/program", "cannot be started"},
                                                {"/bin/true", "listens"}}));
  Scratch folder;
  Session session((folder.path / "agent.sock").string(), program);
  CHECK(session.ask(1) == std::nullopt);
  REQUIRE(session.warnings.size() == 1);
  CHECK_THAT(session.warnings[0], Catch::Contains(reason));
}

TEST_CASE("a socket in a folder that others can enter is not used") {
  FakeAgent agent;
  const mode_t mode = GENERATE(0755, 0777, 0710, 0701);
  REQUIRE(::chmod(agent.folder().c_str(), mode) == 0);
  Session session(agent.path());
  CHECK(session.ask(1) == std::nullopt);
  CHECK(agent.hellos == 0);
  REQUIRE(session.warnings.size() == 1);
  CHECK_THAT(session.warnings[0], Catch::Contains("can be entered by other users"));
}

TEST_CASE("a folder that is a link is not used") {
  FakeAgent agent;
  Scratch other;
  const auto link = other.path / "link";
  std::filesystem::create_directory_symlink(agent.folder(), link);
  Session session((link / "agent.sock").string());
  CHECK(session.ask(1) == std::nullopt);
  REQUIRE(session.warnings.size() == 1);
  CHECK_THAT(session.warnings[0], Catch::Contains("is no folder"));
}

} // namespace kiln::test
