// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A remote with a server that does what the test wants, and with functions for signatures.
#include <agent/remote_store.h>
#include <catch2/catch.hpp>

namespace kiln::agent_test {

using namespace std::chrono_literals;
using Outcome = AgentAnswer::Outcome;

/// Keeps its requests until the test answers them.
struct HeldServer : RemoteServer {
  std::vector<std::pair<RemoteName, GetDone>> gets;
  std::vector<std::pair<std::string, PutDone>> puts;
  void get(const RemoteName &name, std::chrono::milliseconds, GetDone done) override {
    gets.emplace_back(name, std::move(done));
  }
  std::vector<PutRule> rules; ///< of the puts
  void put(const RemoteName &, std::string bytes, PutRule rule, std::chrono::milliseconds,
           PutDone done) override {
    rules.push_back(rule);
    puts.emplace_back(std::move(bytes), std::move(done));
  }
};

struct Fixture {
  std::unique_ptr<EventLoop> loop = std::move(*EventLoop::make());
  HeldServer *server = new HeldServer;
  Log log;
  RemoteStore store;
  std::vector<std::pair<Outcome, std::string>> answers;

  explicit Fixture(const EntryTrust &trust = {}, RemoteLimits limits = {})
      : store(*loop, "test://", std::unique_ptr<RemoteServer>(server), trust, log, limits) {}
  static RemoteName name(uint8_t first) { return {std::byte(first)}; }
  void get(uint8_t first) {
    store.get(name(first), "a build",
              [this](Outcome outcome, const std::shared_ptr<const std::string> &bytes) {
                answers.emplace_back(outcome, bytes ? *bytes : "");
              });
  }
  void reply(Result<std::optional<std::string>> result) {
    auto [name, done] = std::move(server->gets.front());
    server->gets.erase(server->gets.begin());
    done(std::move(result));
  }
  /// Runs the loop for a moment.
  void run(std::chrono::milliseconds time = 0ms) {
    (void)loop->after(time, [this] { loop->stop(); });
    loop->run();
  }
  void check_laws() const {
    const RemoteCounters &c = store.counters();
    CHECK(c.requests == c.hits + c.misses + c.errors + c.refused);
    CHECK(c.uploads_taken == c.uploads + c.upload_errors + c.uploads_dropped + store.pending_uploads());
  }
};

TEST_CASE("equal gets are one request, and each is answered once") {
  Fixture f;
  f.get(1);
  f.get(1);
  f.get(2);
  REQUIRE(f.server->gets.size() == 2);
  f.reply(std::optional<std::string>("one"));
  f.reply(std::optional<std::string>());
  CHECK(f.answers == std::vector<std::pair<Outcome, std::string>>{
                         {Outcome::Found, "one"}, {Outcome::Found, "one"}, {Outcome::Absent, ""}});
  CHECK(f.store.counters().joined == 1);
  CHECK(f.store.counters().bytes_in == 3);
  f.check_laws();
}

TEST_CASE("gets beyond the bound wait for those under way") {
  Fixture f({}, {.max_gets = 2});
  for (uint8_t i = 1; i <= 4; i++) f.get(i);
  CHECK(f.server->gets.size() == 2);
  f.reply(std::optional<std::string>("one"));
  CHECK(f.server->gets.size() == 2);
  for (int i = 0; i < 5; i++) f.get(uint8_t(10 + i));
  for (int i = 0; i < 5; i++) f.reply(machine_error("broken"));
  f.run();
  // Five of six failed, so the breaker is open: of nine gets one is under way, and two were not sent.
  CHECK(f.server->gets.size() == 1);
  CHECK(f.answers.size() == 8);
  CHECK(f.store.counters().skipped == 2);
  f.reply(std::optional<std::string>());
  CHECK(f.answers.size() == 9);
  f.check_laws();
}

TEST_CASE("failures open the breaker, and an open one answers at once") {
  Fixture f;
  for (uint8_t i = 0; i < 5; i++) {
    f.get(i);
    f.reply(machine_error("broken"));
  }
  f.get(9);
  CHECK(f.server->gets.empty());
  CHECK(f.answers.size() == 5); // not from within the call
  f.run();
  CHECK(f.answers.size() == 6);
  CHECK(f.answers.back().first == Outcome::Failed);
  CHECK(f.store.counters().skipped == 1);
  CHECK(f.store.report().find(R"("breaker":"open")") != std::string::npos);
  f.check_laws();
}

TEST_CASE("an upload leaves an entry that is there, unless the entry was refused") {
  EntryTrust trust;
  trust.verify = [](const RemoteName &, std::string_view, std::string) -> Result<std::string> {
    return input_error("no signature");
  };
  Fixture f(trust);
  std::vector<RemoteName> ended;
  f.store.on_upload_end = [&](const RemoteName &name) { ended.push_back(name); };
  f.get(1);
  f.reply(std::optional<std::string>("forged"));
  CHECK(f.answers.back().first == Outcome::Refused);
  for (uint8_t first : {1, 2, 1}) {
    CHECK(f.store.put(Fixture::name(first), "a build", "good"));
    f.run();
    f.server->puts.back().second({});
  }
  CHECK(f.server->rules == std::vector{PutRule::Replace, PutRule::KeepFirst, PutRule::KeepFirst});
  CHECK(ended == std::vector{Fixture::name(1), Fixture::name(2), Fixture::name(1)});
  f.check_laws();
}

TEST_CASE("entries that are not to be trusted are refused, and sealed ones go out") {
  EntryTrust trust;
  trust.verify = [](const RemoteName &, std::string_view build,
                    const std::string &fetched) -> Result<std::string> {
    CHECK(build == "a build");
    if (!fetched.starts_with("seal:")) return input_error("no signature");
    return fetched.substr(5);
  };
  trust.seal = [](const RemoteName &, std::string_view build,
                  const std::string &payload) -> Result<std::string> {
    CHECK(build == "a build");
    if (payload == "unsealable") return input_error("no key");
    return "seal:" + payload;
  };
  Fixture f(trust);
  f.get(1);
  f.reply(std::optional<std::string>("seal:one"));
  f.get(2);
  f.reply(std::optional<std::string>("two"));
  CHECK(f.answers ==
        std::vector<std::pair<Outcome, std::string>>{{Outcome::Found, "one"}, {Outcome::Refused, ""}});
  CHECK(f.store.put(Fixture::name(3), "a build", "three"));
  CHECK_FALSE(f.store.put(Fixture::name(4), "a build", "unsealable"));
  f.run();
  REQUIRE(f.server->puts.size() == 1);
  CHECK(f.server->puts[0].first == "seal:three");
  CHECK(f.store.counters().refused == 1);
  f.check_laws();
}

TEST_CASE("the queue of uploads is bounded in entries, bytes and time") {
  Fixture f({}, {.max_put_entries = 3, .max_put_bytes = 100, .max_put_age = 50ms, .max_puts = 1});
  CHECK_FALSE(f.store.put(Fixture::name(0), "a build", ""));
  CHECK_FALSE(f.store.put(Fixture::name(0), "a build", std::string(101, 'x')));
  CHECK(f.store.put(Fixture::name(1), "a build", std::string(60, 'x')));
  CHECK(f.store.put(Fixture::name(1), "a build", std::string(60, 'x'))); // it waits already
  CHECK_FALSE(f.store.put(Fixture::name(2), "a build", std::string(60, 'x')));
  CHECK(f.store.put(Fixture::name(3), "a build", "x"));
  CHECK(f.store.put(Fixture::name(4), "a build", "x"));
  CHECK_FALSE(f.store.put(Fixture::name(5), "a build", "x"));
  CHECK(f.store.counters().uploads_taken == 3);
  f.run(80ms);
  REQUIRE(f.server->puts.size() == 1); // one at a time
  CHECK(f.store.pending_uploads() == 3);
  f.check_laws();
  f.server->puts[0].second({});
  CHECK(f.store.pending_uploads() == 0); // the others waited for too long
  CHECK(f.store.counters().uploads == 1);
  CHECK(f.store.counters().uploads_dropped == 2);
  CHECK(f.store.put(Fixture::name(2), "a build", std::string(60, 'x')));
  f.check_laws();
}

TEST_CASE("gets are answered at once while the server is silent") {
  Fixture f;
  f.get(1);
  f.run(30ms);
  CHECK_FALSE(f.store.expected());
  f.get(2);
  f.get(1); // waits with the first
  f.run();
  REQUIRE(f.answers.size() == 1);
  CHECK(f.answers[0].first == Outcome::Failed);
  CHECK(f.store.counters().skipped == 1);
  CHECK(f.store.report().find(R"("breaker":"suspect")") != std::string::npos);
  f.reply(std::optional<std::string>("one"));
  CHECK(f.answers.size() == 3);
  CHECK(f.store.expected() >= 30ms);
  f.get(3);
  CHECK(f.server->gets.size() == 1);
  f.check_laws();
}

TEST_CASE("patience follows the answers, not the failures") {
  Fixture f;
  CHECK(f.store.patience_us() == 5000);
  for (int i = 0; i < 30; i++) {
    f.get(uint8_t(i));
    f.reply(std::optional<std::string>());
  }
  CHECK(f.store.patience_us() < 5000);
  f.check_laws();
}

} // namespace kiln::agent_test
