// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AgentClient beside agents that are slow, silent, hung, or hang when they are started.
#include "session.h"
#include "wipes_on_fork.h"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::test {

TEST_CASE("an agent that falls silent costs one wait, is left alone after 2 s, and is asked again later") {
  FakeAgent agent;
  Session session(agent.path());
  session.meet();
  CHECK(session.client.patience(1s) == 50ms);
  agent.manner = Manner::SaysNothing;
  const unsigned gets = agent.gets;
  const auto began = Clock::now();
  for (int i = 0; i < 3; i++) {
    auto fetch = session.client.fetch(remote_name(1));
    REQUIRE(fetch);
    CHECK(fetch->wait(Clock::now() + 10ms) == std::nullopt);
    fetch->end_wait();
    CHECK(session.client.patience(1s) == 0ms);
  }
  CHECK(agent.gets == gets + 3);
  if (Clock::now() - began < 2s) CHECK(session.warnings.empty());
  std::this_thread::sleep_for(2300ms);
  const unsigned asked = agent.gets;
  for (int i = 0; i < 20; i++) CHECK(session.ask(1) == std::nullopt);
  CHECK(agent.gets == asked);
  CHECK(session.client.put({{remote_name(1), "one"}}) == 0);
  REQUIRE(session.warnings.size() == 1);
  CHECK_THAT(session.warnings[0], Catch::Contains("does not answer in time"));
  agent.manner = Manner::Serves;
  session.meet();
  CHECK(session.warnings.size() == 1);
}

TEST_CASE("an agent whose server is slow is not taken for a silent one") {
  FakeAgent agent;
  Session session(agent.path());
  session.meet();
  agent.manner = Manner::ServerHangs;
  for (int i = 0; i < 50; i++) {
    auto fetch = session.client.fetch(remote_name(1));
    REQUIRE(fetch);
    CHECK(fetch->wait(Clock::now() + 1ms) == std::nullopt);
    fetch->end_wait();
  }
  std::this_thread::sleep_for(2300ms);
  CHECK(session.client.fetch(remote_name(1)));
  agent.manner = Manner::Serves;
  CHECK(session.ask(1) == Outcome::Absent);
  CHECK(session.client.put({{remote_name(1), "one"}}) == 1);
  CHECK(session.warnings.empty());
}

TEST_CASE("sessions leave a mark of an agent that hangs, and those that find it wait for nothing") {
  FakeAgent agent;
  agent.manner = Manner::Hangs;
  const SilenceMark mark(agent.path());
  auto ask_in_vain = [&](Session &session, std::chrono::milliseconds time) {
    auto fetch = session.client.fetch(remote_name(1));
    REQUIRE(fetch);
    CHECK(fetch->wait(Clock::now() + time) == std::nullopt);
    fetch->end_wait();
  };
  {
    Session first(agent.path());
    CHECK(first.client.patience(0us) == 1500us);
    ask_in_vain(first, 2ms);
    CHECK(first.client.patience(0us) == 0ms);
    ask_in_vain(first, 30ms); // the compile, in which no greeting has come
    CHECK(mark.age());
    CHECK(first.client.put({{remote_name(1), "one"}}) == 0);
    CHECK(first.warnings.empty());
  }
  CHECK(Session(agent.path()).client.patience(0us) == 1500us); // a busy machine may be silent that long
  const timespec times[] = {{0, UTIME_NOW}, {::time(nullptr) - 10, 0}};
  REQUIRE(::utimensat(AT_FDCWD, (agent.path() + ".silent").c_str(), times, 0) == 0);
  Session second(agent.path());
  CHECK(second.client.patience(0us) == 0ms);
  ask_in_vain(second, 30ms);
  REQUIRE(second.warnings.size() == 1); // sessions have waited in vain for 10 s
  CHECK_THAT(second.warnings[0], Catch::Contains("does not answer"));
  agent.manner = Manner::Serves;
  Session third(agent.path());
  CHECK(third.client.patience(0us) == 0ms);
  third.meet();
  CHECK_FALSE(mark.age());
  CHECK(third.warnings.empty());
}

TEST_CASE("an agent that hangs gets the uploads of ended sessions later") {
  FakeAgent agent;
  agent.manner = Manner::Hangs;
  {
    Session session(agent.path());
    for (unsigned i = 0; i < 3; i++) CHECK(session.client.put({{remote_name(i), "an entry"}}) == 0);
  }
  agent.manner = Manner::Serves;
  for (const auto until = Clock::now() + 20s; agent.puts < 3; std::this_thread::sleep_for(1ms))
    REQUIRE(Clock::now() < until);
  std::lock_guard lock(agent.mutex);
  for (unsigned i = 0; i < 3; i++) CHECK(agent.entries[remote_name(i)] == "an entry");
}

TEST_CASE("an upload waits for an agent that greets late") {
  FakeAgent agent;
  agent.manner = Manner::Hangs;
  Session session(agent.path());
  session.client.be_patient();
  {
    auto fetch = session.client.fetch(remote_name(1));
    REQUIRE(fetch);
    CHECK(fetch->wait(Clock::now() + 2ms) == std::nullopt);
    fetch->end_wait();
  }
  std::thread waker([&] {
    std::this_thread::sleep_for(300ms);
    agent.manner = Manner::Serves;
  });
  CHECK(session.client.put({{remote_name(1), "one"}}) == 1);
  waker.join();
  std::string bytes;
  CHECK(session.ask(1, &bytes) == Outcome::Found);
  CHECK(bytes == "one");
  CHECK(session.warnings.empty());
}

TEST_CASE("the function for warnings may call the client") {
  FakeAgent agent;
  AgentClient *client = nullptr;
  bool was_called = false;
  AgentClient made({.remotes = {"redis://127.0.0.1"},
                    .build = "a build",
                    .socket_path = agent.path(),
                    .program = {},
                    .warn = [&](const std::string &) {
                      was_called = true;
                      CHECK(client->fetch(remote_name(1)) == nullptr);
                    }});
  client = &made;
  agent.manner = Manner::SaysGarbage;
  auto fetch = made.fetch(remote_name(1));
  REQUIRE(fetch);
  CHECK(fetch->wait(Clock::now() + 10s) == Outcome::Failed);
  CHECK(was_called);
}

TEST_CASE("a child that the process forks leaves the connections of its parent alone") {
  if (!wipes_on_fork()) return;
  FakeAgent agent;
  Session session(agent.path());
  session.meet();
  agent.manner = Manner::ServerHangs;
  const unsigned gets = agent.gets;
  auto fetch = session.client.fetch(remote_name(1));
  REQUIRE(fetch);
  while (agent.gets == gets) CHECK(fetch->wait(Clock::now() + 10ms) == std::nullopt);
  const pid_t child = ::fork();
  if (child == 0) {
    const bool asks = session.client.fetch(remote_name(2)) != nullptr;
    const bool puts = session.client.put({{remote_name(2), "two"}}) != 0;
    fetch.reset();
    ::_exit(asks || puts ? 1 : 0);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  agent.manner = Manner::Serves;
  fetch.reset();
  CHECK(session.ask(3) == Outcome::Absent);
  CHECK(agent.gets == gets + 2);
  CHECK(agent.cancels == 1); // the parent's
}

namespace {

/// A program that is started in place of an agent, and does not end.
std::string hung_program(const Scratch &folder) {
  const std::string path = (folder.path / "hangs").string();
  std::ofstream(path) << "#!/bin/sh\nexec sleep 1000\n";
  REQUIRE(::chmod(path.c_str(), 0700) == 0);
  return path;
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

} // namespace

TEST_CASE("a hung start of an agent is waited for once, and its process ends with the session") {
  Scratch folder, sockets;
  REQUIRE(::chmod(sockets.path.c_str(), 0700) == 0);
  const std::string socket = (sockets.path / "agent.sock").string();
  {
    Session session(socket, hung_program(folder));
    CHECK(session.ask(1) == std::nullopt);
    CHECK(SilenceMark(socket).age());
    CHECK(session.ask(1) == std::nullopt);
    CHECK(session.warnings.empty()); // the agent may still come
    CHECK(has_children());
  }
  CHECK_FALSE(has_children());
}

TEST_CASE("an upload waits for an agent that is starting") {
  FakeAgent agent;
  Scratch folder;
  const std::string hidden = agent.path() + ".hidden", program = (folder.path / "starts").string();
  std::filesystem::rename(agent.path(), hidden);
  std::ofstream(program) << "#!/bin/sh\nsleep 0.3\nexec mv " << hidden << " " << agent.path() << "\n";
  REQUIRE(::chmod(program.c_str(), 0700) == 0);
  Session session(agent.path(), program);
  session.client.be_patient();
  CHECK(session.ask(1) == std::nullopt); // the launch does not wait that long
  CHECK(session.client.put({{remote_name(1), "one"}}) == 1);
  CHECK(session.ask(1) == Outcome::Found);
  CHECK(session.warnings.empty());
  CHECK_FALSE(SilenceMark(agent.path()).age());
}

TEST_CASE("a start of an agent that takes more than 2 s is given up") {
  Scratch folder;
  AgentStarter starter;
  REQUIRE(starter.start(hung_program(folder), (folder.path / "agent.sock").string()).ok());
  CHECK(*starter.wait(10ms) == false);
  std::this_thread::sleep_for(2s);
  const Result<bool> ended = starter.wait(0ms);
  REQUIRE_FALSE(ended.ok());
  CHECK_THAT(ended.error().what(), Catch::Contains("did not start within 2 s"));
  CHECK_FALSE(has_children());
  CHECK(*starter.wait(0ms));
}

} // namespace kiln::test
