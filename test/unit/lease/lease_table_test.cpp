// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One agent's leases, step by step. test/campaigns/lease runs many agents with faults.
#include <catch2/catch.hpp>
#include <lease/lease.h>

namespace kiln::lease_test {

using namespace std::chrono_literals;
using Kind = LeaseAction::Kind;
using Outcome = LeaseReply::Outcome;

namespace {

const LeaseKey key{std::byte(7)};

struct Fixture {
  LeaseTable table;
  LeaseTime now{0};
  std::vector<LeaseAction> actions;

  explicit Fixture(bool has_server = true) : table({}, 1, has_server) {}
  void want(uint64_t session, LeaseTime cost = 50ms, bool in_fleet = true) {
    table.want({key, session, cost, 1ms, in_fleet, "here:" + std::to_string(session)}, now);
    take();
  }
  void publish() { table.publish(key, now), take(); }
  void release(uint64_t session) { table.release(key, session, now), take(); }
  void pass(LeaseTime time) {
    now += time;
    table.on_time(now);
    take();
  }
  void pass_until(Kind kind) {
    do pass(*table.next_time() - now);
    while (count(kind) == 0);
  }
  /// The only action of this kind that the last call made.
  LeaseAction one(Kind kind) const {
    REQUIRE(count(kind) == 1);
    return *std::find_if(actions.begin(), actions.end(), [&](const auto &a) { return a.kind == kind; });
  }
  size_t count(Kind kind) const {
    return size_t(
        std::count_if(actions.begin(), actions.end(), [&](const auto &a) { return a.kind == kind; }));
  }
  void reply(const LeaseAction &action, const LeaseReply &reply) {
    table.on_reply(action, reply, now), take();
  }
  /// The server grants the lease, and the store has no entry.
  LeaseId grant() {
    const LeaseAction acquire = one(Kind::Acquire);
    const LeaseId id{.token = 3, .nonce = acquire.id.nonce};
    reply(acquire, {Outcome::Held, {.id = id}});
    reply(one(Kind::Fetch), {Outcome::Nothing, {}});
    return id;
  }
  void check_laws() const {
    const LeaseCounters &c = table.counters();
    CHECK(c.wanted == c.granted + c.delivered + c.compiled + c.left + c.waiting);
    CHECK(c.granted == c.published + c.given_back + c.overdue + c.held);
  }

private:
  void take() {
    actions = table.take_actions();
    check_laws();
  }
};

LeaseReply other(uint64_t beat) {
  return {Outcome::Held, {.id = {.token = 2, .nonce = 9}, .beat = beat, .holder = "there:5"}};
}

} // namespace

TEST_CASE("one session compiles, and those that wait get its entry") {
  Fixture f;
  f.want(1);
  const LeaseAction acquire = f.one(Kind::Acquire);
  f.want(2);
  CHECK(f.count(Kind::Acquire) == 0);
  CHECK(f.one(Kind::Wait).session == 2);
  f.reply(acquire, {Outcome::Held, {.id = {.token = 1, .nonce = acquire.id.nonce}}});
  f.reply(f.one(Kind::Fetch), {Outcome::Nothing, {}});
  CHECK(f.one(Kind::Grant).session == 1);
  f.publish();
  CHECK(f.one(Kind::Deliver).session == 2);
}

TEST_CASE("the lease is renewed until the entry is stored") {
  Fixture f;
  f.want(1);
  const LeaseId id = f.grant();
  CHECK(f.one(Kind::Grant).session == 1);
  f.want(2, 5s);
  f.pass(400ms);
  const LeaseAction renew = f.one(Kind::Renew);
  CHECK(renew.id == id);
  CHECK(renew.duration == 1s);
  f.reply(renew, {Outcome::Held, {.id = id, .beat = 1}});
  f.publish();
  CHECK(f.one(Kind::Deliver).session == 2);
  CHECK(f.count(Kind::Release) == 0);
  f.pass(400ms);
  CHECK(f.count(Kind::Renew) == 1);
  f.table.on_stored(key, f.now);
  f.pass(0ms);
  CHECK(f.table.size() == 0);
}

TEST_CASE("a session that ends passes the lease on") {
  Fixture f;
  f.want(1);
  const LeaseId id = f.grant();
  f.want(2);
  f.want(3);
  f.release(1);
  CHECK(f.one(Kind::Grant).session == 2);
  f.release(3);
  f.release(2);
  CHECK(f.one(Kind::Release).id == id);
  CHECK(f.table.size() == 0);
  CHECK(f.table.counters().given_back == 2);
  CHECK(f.table.counters().left == 1);
}

TEST_CASE("an entry that another agent published before the lease was granted is used") {
  Fixture f;
  f.want(1);
  const LeaseAction acquire = f.one(Kind::Acquire);
  f.reply(acquire, {Outcome::Held, {.id = {.token = 3, .nonce = acquire.id.nonce}}});
  f.reply(f.one(Kind::Fetch), {Outcome::Held, {}});
  CHECK(f.one(Kind::Deliver).session == 1);
  CHECK(f.count(Kind::Release) == 1);
  CHECK(f.table.size() == 0);
}

TEST_CASE("who waits is told the session that compiles") {
  Fixture f;
  f.want(1);
  CHECK(f.one(Kind::Acquire).holder == "here:1"); // the server shows it to other agents
  CHECK(f.one(Kind::Wait).holder.empty());        // nobody knows it yet
  f.grant();
  f.want(2);
  CHECK(f.one(Kind::Wait).holder == "here:1");
  f.release(1);
  CHECK(f.one(Kind::Grant).session == 2);
  f.want(3);
  CHECK(f.one(Kind::Wait).holder == "here:2");

  Fixture elsewhere;
  elsewhere.want(1);
  elsewhere.reply(elsewhere.one(Kind::Acquire), other(0));
  CHECK(elsewhere.one(Kind::Wait).holder == "there:5");
  elsewhere.want(2);
  CHECK(elsewhere.one(Kind::Wait).holder == "there:5");
}

TEST_CASE("another agent's lease is watched, and taken over when it ends") {
  Fixture f;
  f.want(1, 0ms);
  f.reply(f.one(Kind::Acquire), other(0));
  CHECK(f.one(Kind::Wait).duration == 1s);
  CHECK(f.table.watched(key) == LeaseId{.token = 2, .nonce = 9});
  LeaseTime longest{0};
  for (uint64_t beat = 1; beat < 50; beat++) {
    const LeaseTime before = f.now;
    f.pass_until(Kind::Look);
    longest = std::max(longest, f.now - before);
    f.reply(f.one(Kind::Look), other(beat));
  }
  CHECK(longest <= 125ms);
  f.pass_until(Kind::Look);
  f.reply(f.one(Kind::Look), {Outcome::Nothing, {}});
  f.reply(f.one(Kind::Fetch), {Outcome::Nothing, {}});
  f.grant();
  CHECK(f.one(Kind::Grant).session == 1);
  CHECK(f.table.counters().taken_over == 1);
}

TEST_CASE("a lease that its server does not end is left aside") {
  Fixture f;
  f.want(1, 0ms);
  f.reply(f.one(Kind::Acquire), other(4));
  while (f.now < 3s && f.count(Kind::Grant) == 0) {
    f.pass(*f.table.next_time() - f.now);
    if (f.count(Kind::Look)) f.reply(f.one(Kind::Look), other(4));
  }
  CHECK(f.one(Kind::Grant).session == 1);
  CHECK(f.now >= 2s);
  CHECK(f.now < 2200ms);
  CHECK(f.table.counters().node_only == 1);
}

TEST_CASE("a lease server that fails, or says nothing, is done without") {
  const bool says_nothing = GENERATE(false, true);
  Fixture f;
  f.want(1);
  if (says_nothing)
    f.pass(20ms);
  else
    f.reply(f.one(Kind::Acquire), {});
  CHECK(f.one(Kind::Grant).session == 1);
  CHECK(f.table.counters().failed == 1);
  f.want(2);
  CHECK(f.one(Kind::Wait).session == 2);
  f.publish();
  CHECK(f.one(Kind::Deliver).session == 2);
}

TEST_CASE("a grant that comes too late is given back") {
  Fixture f;
  f.want(1);
  const LeaseAction acquire = f.one(Kind::Acquire);
  f.pass(20ms);
  const LeaseId id{.token = 8, .nonce = acquire.id.nonce};
  f.reply(acquire, {Outcome::Held, {.id = id}});
  CHECK(f.one(Kind::Release).id == id);
}

TEST_CASE("a doubled reply does not end the lease") {
  Fixture f;
  f.want(1);
  const LeaseAction acquire = f.one(Kind::Acquire);
  const LeaseId id = f.grant();
  f.reply(acquire, {Outcome::Held, {.id = id}});
  CHECK(f.actions.empty());
}

TEST_CASE("a node waits for another one for at most four times the cost, and then compiles once") {
  Fixture f;
  f.want(1, 200ms);
  f.reply(f.one(Kind::Acquire), other(0));
  CHECK(f.one(Kind::Wait).duration == 800ms);
  f.want(2, 100ms);
  CHECK(f.one(Kind::Wait).duration == 400ms);
  f.want(3, 0ms);
  CHECK(f.one(Kind::Wait).duration == 1s);
  f.pass(400ms);
  CHECK(f.one(Kind::Grant).session == 1);
  CHECK(f.count(Kind::Wait) == 2);
  CHECK(f.table.counters().node_only == 1);
  CHECK(f.table.counters().waited == 3);
  f.publish();
  CHECK(f.count(Kind::Deliver) == 2);
}

TEST_CASE("a session waits for another one of its node for at most 30 s") {
  Fixture f;
  f.want(1, 10s);
  f.grant();
  f.want(2, 100ms);
  LeaseTime told = f.now + f.one(Kind::Wait).duration;
  while (f.now < 30s) {
    CHECK(f.count(Kind::Compile) == 0);
    f.pass(100ms);
    if (f.count(Kind::Wait)) told = f.now + f.one(Kind::Wait).duration;
    CHECK(told >= f.now + (f.now < 29s ? 500ms : 0ms)); // it hears in time that it has to wait longer
  }
  CHECK(told == 30s);
  CHECK(f.one(Kind::Compile).session == 2);
}

TEST_CASE("nobody waits if the compile is as short as a round trip") {
  Fixture f;
  f.want(1, 1ms);
  CHECK(f.one(Kind::Compile).session == 1);
  CHECK(f.table.size() == 0);
}

TEST_CASE("a session that compiles for eight times its cost loses the lease") {
  Fixture f;
  f.want(1, 500ms);
  f.grant();
  f.want(2, 20s);
  while (f.now < 4s) f.pass(100ms);
  f.reply(f.one(Kind::Fetch), {Outcome::Nothing, {}});
  CHECK(f.one(Kind::Grant).session == 2);
  CHECK(f.table.counters().overdue == 1);
  f.want(3);
  f.publish(); // of either
  CHECK(f.one(Kind::Deliver).session == 3);
  CHECK(f.table.counters().published == 1);
  f.release(2);
  CHECK(f.table.counters().given_back == 0);
}

TEST_CASE("where a holder takes too long, an entry of another node comes before the next compile") {
  Fixture f;
  f.want(1, 100ms);
  f.grant();
  f.want(2);
  while (f.now < 2s) f.pass(100ms);
  f.reply(f.one(Kind::Fetch), {Outcome::Held, {}});
  CHECK(f.one(Kind::Deliver).session == 2);
  CHECK(f.table.counters().granted == 1);
}

TEST_CASE("a lease that the server took away is not renewed") {
  Fixture f;
  f.want(1);
  f.grant();
  f.pass(400ms);
  f.reply(f.one(Kind::Renew), other(0));
  CHECK(f.table.counters().expired == 1);
  f.pass(400ms);
  CHECK(f.actions.empty());
  f.publish();
  f.table.on_stored(key, f.now);
  f.pass(0ms);
  CHECK(f.actions.empty());
  CHECK(f.table.size() == 0);
}

TEST_CASE("where the store fails, sessions of the node wait for each other alone") {
  Fixture f;
  f.want(1, 50ms, false);
  CHECK(f.one(Kind::Grant).session == 1);
  f.want(2, 50ms, false);
  CHECK(f.one(Kind::Wait).session == 2);
  f.publish();
  CHECK(f.one(Kind::Deliver).session == 2);
  f.want(3, 50ms, false); // while the upload waits for the store
  CHECK(f.one(Kind::Compile).session == 3);
  f.pass(2s);
  CHECK(f.table.size() == 0);
}

TEST_CASE("without a lease server one session of the node compiles") {
  Fixture f(false);
  f.want(1);
  CHECK(f.one(Kind::Grant).session == 1);
  f.want(2);
  f.release(1);
  CHECK(f.one(Kind::Grant).session == 2);
  f.publish();
  f.want(3); // its get had ended before the upload
  f.table.on_stored(key, f.now);
  f.pass(0ms);
  f.reply(f.one(Kind::Fetch), {Outcome::Held, {}});
  CHECK(f.one(Kind::Deliver).session == 3);
  CHECK(f.table.size() == 0);
  CHECK(f.table.counters().node_only == 2);
}

} // namespace kiln::lease_test
