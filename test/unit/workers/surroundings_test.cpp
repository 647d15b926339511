// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workers and their parent: descriptors, signals, forked children, and ends of either.
#include "odd_pool.h"
#include "wipes_on_fork.h"

#include <support/cancellation.h>

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

TEST_CASE("nothing is left behind: no process, no descriptor") {
  const size_t before = open_descriptors();
  {
    ProcessPool pool(odd(), 3);
    for (int i = 0; i < 5; i++) {
      (void)failure(pool, "crash");
      (void)failure(pool, "garbage");
      ask(pool, "next");
    }
    CHECK(has_children());
  }
  CHECK_FALSE(has_children());
  CHECK(open_descriptors() == before);
}

TEST_CASE("a worker gets nothing of its parent's: no descriptor, no signal mask") {
  const int leaked = ::open("/dev/null", O_RDONLY); // without O_CLOEXEC
  REQUIRE(leaked >= 0);
  sigset_t mask, old;
  ::sigfillset(&mask);
  ::pthread_sigmask(SIG_SETMASK, &mask, &old);
  auto *const handler = std::signal(SIGPIPE, SIG_IGN);
  {
    ProcessPool pool(odd(), 1);
    std::istringstream numbers(ask(pool, "descriptors"));
    for (int number; numbers >> number;)
      CHECK((number <= worker_descriptor || number == 4)); // 4: its pidfd of us
    std::istringstream lines(ask(pool, "signals"));
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line); // of the signals 1 to 31: those above it are the C library's own, or the test's parent's
      CHECK((std::stoull(line.substr(line.find('\t') + 1), nullptr, 16) & 0x7fffffff) == 0);
    }
  }
  std::signal(SIGPIPE, handler);
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
  ::close(leaked);
}

TEST_CASE("a parent that has closed its standard streams has workers all the same") {
  const pid_t child = ::fork();
  if (child == 0) {
    for (int descriptor = 0; descriptor < 3; descriptor++) ::close(descriptor);
    ProcessPool pool(odd(), 1);
    auto reply = pool.call({99, "words"});
    ::_exit(reply.ok() && reply->payload == "words" ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("a child that the process forks does not touch the workers, and keeps none alive") {
  if (!wipes_on_fork()) return;
  pid_t worker = 0;
  pid_t child = 0;
  {
    ProcessPool pool(odd(), 1);
    worker = std::atoi(ask(pool, "number").c_str());
    child = ::fork();
    if (child == 0) {
      const bool refused = !pool.call({99, "words"}).ok() || pool.counters().started == 2;
      ::sleep(5); // it holds a copy of the socket
      ::_exit(refused ? 0 : 1);
    }
    CHECK(ask(pool, "next") == "next");
  }
  CHECK(::kill(worker, 0) == -1); // ended with the pool, whatever the child holds
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_CASE("workers end when their parent does, however it ends") {
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    ProcessPool pool(odd(), 1);
    const std::string number = ask(pool, "number");
    std::thread([&] { (void)pool.call({99, "hang"}); }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    (void)!::write(pipe[1], number.data(), number.size());
    ::kill(::getpid(), SIGKILL);
  }
  ::close(pipe[1]);
  char text[32] = {};
  REQUIRE(::read(pipe[0], text, sizeof text - 1) > 0);
  ::close(pipe[0]);
  ::waitpid(parent, nullptr, 0);
  const pid_t worker = std::atoi(text);
  bool is_there = true;
  for (int i = 0; i < 500 && is_there; i++) {
    std::ifstream status("/proc/" + std::to_string(worker) + "/status");
    is_there = false;
    for (std::string line; std::getline(status, line);)
      is_there |= line.starts_with("State:") && !Contains("Z").match(line);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK_FALSE(is_there);
}
