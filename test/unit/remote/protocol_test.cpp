// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages between sessions and agents: what is written is read, and nothing else is.
#include "must.h"
#include "scratch.h"
#include "variables.h"

#include <catch2/catch.hpp>
#include <remote/remote.h>
#include <support/bytes.h>

#include <functional>
#include <random>
#include <sys/stat.h>

namespace kiln::remote_test {

using kiln::test::must;

static RemoteName name_of(uint8_t first) {
  RemoteName name;
  for (size_t i = 0; i < name.size(); i++) name[i] = std::byte(first + i);
  return name;
}

struct Case {
  std::string payload;
  std::function<bool(std::string_view)> reads; ///< whether the payload is one of its kind
};

static std::vector<Case> all_cases() {
  return {
      {payload_of(AgentHello{.build = "b", .remotes = {"redis://a", "file:///b"}}),
       [](std::string_view p) { return read_agent_hello(p).ok(); }},
      {payload_of(AgentWelcome{.refusal = "no", .patience_us = 7}),
       [](std::string_view p) { return read_agent_welcome(p).ok(); }},
      {payload_of(AgentGet{.number = 3, .limit_ms = 4, .cost_us = 5, .names = {name_of(1), name_of(2)}}),
       [](std::string_view p) { return read_agent_get(p).ok(); }},
      {payload_of(AgentAnswer{.number = 5, .outcome = AgentAnswer::Outcome::Found, .bytes = "xyz"}),
       [](std::string_view p) { return read_agent_answer(p).ok(); }},
      {payload_of(AgentWait{.number = 5, .index = 1, .at_most_us = 9, .holder = "a:1"}),
       [](std::string_view p) { return read_agent_wait(p).ok(); }},
      {payload_of(AgentRelease{.names = {name_of(1)}}),
       [](std::string_view p) { return read_agent_release(p).ok(); }},
      {payload_of(AgentPut{.number = 6, .entries = {{name_of(9), "abc"}, {name_of(8), ""}}}),
       [](std::string_view p) { return read_agent_put(p).ok(); }},
      {payload_of(AgentTaken{.number = 7, .taken = 2}),
       [](std::string_view p) { return read_agent_taken(p).ok(); }},
      {payload_of(AgentTake{.number = 8, .queue = "q", .list = {1, 2}, .num_wanted = 1, .jobs = {{3, 4}}}),
       [](std::string_view p) { return read_agent_take(p).ok(); }},
      {payload_of(AgentTasks{.number = 9, .states = "tb", .why = "w", .help = "h"}),
       [](std::string_view p) { return read_agent_tasks(p).ok(); }},
      {payload_of(AgentFinish{.queue = "q", .job = {5, 6}}),
       [](std::string_view p) { return read_agent_finish(p).ok(); }},
  };
}

TEST_CASE("messages come back as they were written") {
  const AgentHello hello =
      must(read_agent_hello(payload_of(AgentHello{.build = "b", .remotes = {"redis://a", "", "file:///b"}})));
  CHECK(hello.protocol == 3);
  CHECK(hello.build == "b");
  CHECK(hello.remotes == std::vector<std::string>{"redis://a", "", "file:///b"});

  const AgentWelcome welcome =
      must(read_agent_welcome(payload_of(AgentWelcome{.refusal = "why", .patience_us = 5000})));
  CHECK(welcome.refusal == "why");
  CHECK(welcome.patience_us == 5000);

  const AgentGet get = must(read_agent_get(payload_of(AgentGet{.number = uint64_t(1) << 63,
                                                               .limit_ms = 250,
                                                               .wants_lease = true,
                                                               .cost_us = uint64_t(1) << 40,
                                                               .names = {name_of(0), name_of(100)}})));
  CHECK(get.wants_lease);
  CHECK(get.cost_us == uint64_t(1) << 40);
  CHECK(get.number == uint64_t(1) << 63);
  CHECK(get.limit_ms == 250);
  CHECK(get.names == std::vector{name_of(0), name_of(100)});

  const std::string bytes("\0\xff\n", 3);
  const AgentAnswer answer = must(read_agent_answer(payload_of(AgentAnswer{
      .number = 2, .index = 3, .outcome = AgentAnswer::Outcome::Refused, .patience_us = 4, .bytes = bytes})));
  CHECK(answer.number == 2);
  CHECK(answer.index == 3);
  CHECK(answer.outcome == AgentAnswer::Outcome::Refused);
  CHECK(answer.patience_us == 4);
  CHECK(answer.bytes == bytes);

  const AgentWait wait = must(read_agent_wait(payload_of(
      AgentWait{.number = 6, .index = 7, .at_most_us = uint64_t(1) << 33, .holder = "node7:4711"})));
  CHECK(wait.number == 6);
  CHECK(wait.index == 7);
  CHECK(wait.at_most_us == uint64_t(1) << 33);
  CHECK(wait.holder == "node7:4711");

  const AgentRelease release = must(read_agent_release(payload_of(AgentRelease{.names = {name_of(3)}})));
  CHECK(release.names == std::vector{name_of(3)});

  const AgentPut put =
      must(read_agent_put(payload_of(AgentPut{.number = 8, .entries = {{name_of(4), bytes}}})));
  CHECK(put.number == 8);
  REQUIRE(put.entries.size() == 1);
  CHECK(put.entries[0].name == name_of(4));
  CHECK(put.entries[0].bytes == bytes);

  const AgentTaken taken = must(read_agent_taken(payload_of(AgentTaken{.number = 9, .taken = 10})));
  CHECK(taken.number == 9);
  CHECK(taken.taken == 10);

  const AgentTake take = must(read_agent_take(payload_of(AgentTake{.number = 11,
                                                                   .queue = "a-b.c_1",
                                                                   .list = {1, 2},
                                                                   .limit_s = 600,
                                                                   .num_wanted = 3,
                                                                   .jobs = {{4, 5}, {6, 7}}})));
  CHECK(take.number == 11);
  CHECK(take.queue == "a-b.c_1");
  CHECK(take.list == Fingerprint{1, 2});
  CHECK(take.limit_s == 600);
  CHECK(take.num_wanted == 3);
  CHECK(take.jobs == std::vector{Fingerprint{4, 5}, Fingerprint{6, 7}});

  const AgentTasks tasks = must(read_agent_tasks(payload_of(AgentTasks{
      .number = 12, .outcome = AgentTasks::Outcome::Answered, .states = "tbd", .why = "x", .help = "y"})));
  CHECK(tasks.number == 12);
  CHECK(tasks.outcome == AgentTasks::Outcome::Answered);
  CHECK(tasks.states == "tbd");
  CHECK(tasks.why == "x");
  CHECK(tasks.help == "y");

  const AgentFinish finish = must(read_agent_finish(
      payload_of(AgentFinish{.queue = "q", .job = {8, 9}, .outcome = AgentFinish::Outcome::Retry})));
  CHECK(finish.queue == "q");
  CHECK(finish.job == Fingerprint{8, 9});
  CHECK(finish.outcome == AgentFinish::Outcome::Retry);
}

TEST_CASE("the name of a queue becomes part of a key at the server, and is read with bounds") {
  for (const char *wrong : {"", "a b", "a:b", "../x", "\n"}) {
    INFO(wrong);
    CHECK_FALSE(is_queue_name(wrong));
    CHECK_FALSE(read_agent_take(payload_of(AgentTake{.queue = wrong})).ok());
    CHECK_FALSE(read_agent_finish(payload_of(AgentFinish{.queue = wrong})).ok());
  }
  CHECK(is_queue_name(std::string(100, 'q')));
  CHECK_FALSE(is_queue_name(std::string(101, 'q')));
  const std::vector<Fingerprint> many(max_jobs_of_take + 1);
  CHECK_FALSE(read_agent_take(payload_of(AgentTake{.queue = "q", .jobs = many})).ok());
}

TEST_CASE("a payload that is too short or too long is an error") {
  for (const Case &each : all_cases()) {
    REQUIRE(each.reads(each.payload));
    for (size_t size = 0; size < each.payload.size(); size++)
      CHECK_FALSE(each.reads(each.payload.substr(0, size)));
    CHECK_FALSE(each.reads(each.payload + '\0'));
  }
}

TEST_CASE("garbage is read without a crash, and never as a message of an unknown outcome") {
  std::mt19937 random(7); // NOLINT(bugprone-random-generator-seed): the same bytes in each run
  for (int round = 0; round < 2000; round++)
    for (const Case &each : all_cases()) {
      std::string payload = each.payload;
      for (int i = 0; i < 3; i++) payload[random() % payload.size()] = char(random());
      (void)each.reads(payload);
    }
  std::string answer = payload_of(AgentAnswer{});
  answer[12] = 5; // the outcome: after a number of 8 bytes and an index of 4
  CHECK_FALSE(read_agent_answer(answer).ok());
}

TEST_CASE("a count of more elements than there are bytes takes no memory") {
  const std::string many("\xff\xff\xff\xff", 4);
  CHECK_FALSE(read_agent_get(std::string(21, '\0') + many).ok());
  CHECK_FALSE(read_agent_release(many).ok());
  CHECK_FALSE(read_agent_put(std::string(8, '\0') + many).ok());
  CHECK_FALSE(read_agent_hello(std::string("\3\0\0\0\0\0\0\0", 8) + many).ok());
}

TEST_CASE("greetings of other versions show their version, and a welcome its refusal") {
  std::string hello = payload_of(AgentHello{.protocol = 4}) + "fields of version 4";
  CHECK(must(read_agent_hello(hello)).protocol == 4);
  std::string welcome = payload_of(AgentWelcome{.protocol = 4, .refusal = "update"}) + "more";
  CHECK(must(read_agent_welcome(welcome)).refusal == "update");
}

TEST_CASE("an entry names the next one at its end") {
  RemoteName name{};
  name[0] = std::byte(7);
  for (const std::string &entry : {std::string(), std::string("entry"), std::string("KilnNext")}) {
    std::string named = with_next(entry, name);
    CHECK(next_of(named) == name);
    CHECK(take_next(named) == name);
    CHECK(named == entry);
    CHECK(!take_next(named));
    CHECK(named == entry);
  }
}

TEST_CASE("names are written as 64 hexadecimal digits") {
  CHECK(hex_text(name_of(0xf0)) == "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f");
}

TEST_CASE("the socket's path follows the environment") {
  const test::Variable agent("KILN_AGENT", "/own/path.sock");
  CHECK(agent_socket_path() == "/own/path.sock");
  const test::Variable none("KILN_AGENT", nullptr);
  const test::Variable runtime("XDG_RUNTIME_DIR", "/run/user/7");
  CHECK(agent_socket_path() == "/run/user/7/kiln/agent.sock");
  const test::Variable no_runtime("XDG_RUNTIME_DIR", nullptr);
  const test::Variable temporary("TMPDIR", "/scratch");
  CHECK(agent_socket_path() == fmt::format("/scratch/kiln-{}/agent.sock", ::getuid()));
}

TEST_CASE("the socket's folder is made for the user alone, and no other is taken") {
  const test::Scratch scratch;
  const std::string folder = (scratch.path / "own").string();
  must(check_agent_folder(folder + "/agent.sock"));
  struct stat status{};
  REQUIRE(::stat(folder.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  must(check_agent_folder(folder + "/agent.sock")); // again

  ::chmod(folder.c_str(), 0710);
  CHECK_FALSE(check_agent_folder(folder + "/agent.sock").ok());
  ::chmod(folder.c_str(), 0700);
  REQUIRE(::symlink(folder.c_str(), (scratch.path / "link").c_str()) == 0);
  CHECK_FALSE(check_agent_folder((scratch.path / "link/agent.sock").string()).ok());
  CHECK_FALSE(check_agent_folder((scratch.path / "none/none/agent.sock").string()).ok());
  CHECK_FALSE(check_agent_folder("agent.sock").ok());
}

} // namespace kiln::remote_test
