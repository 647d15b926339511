// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of worker processes that fail: the call fails, with its end and its last words, and the next call
// works.
#include "odd_pool.h"

#include <support/cancellation.h>

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

TEST_CASE("work comes back, and one process does it all for one thread") {
  ProcessPool pool(odd(), 4);
  CHECK(ask(pool, "some words") == "some words");
  const std::string number = ask(pool, "number");
  for (int i = 0; i < 20; i++) CHECK(ask(pool, "number") == number);
  CHECK(ask(pool, "large 20000000") == std::string(20'000'000, 'z'));
  const std::string long_text(30'000'000, 'w');
  CHECK(ask(pool, long_text) == long_text);
  CHECK(pool.counters().started == 1);
}

TEST_CASE("a worker that ends fails its own call alone, with how it ended and what it said last") {
  ProcessPool pool(odd(), 2);
  CHECK_THAT(failure(pool, "crash !"),
             Catch::StartsWith("3 WorkerError: ") && Contains("SIGABRT") && Contains("the last\nwords !"));
  CHECK(ask(pool, "next") == "next");
  CHECK_THAT(failure(pool, "exit 3"), Catch::StartsWith("3 WorkerError: ") && Contains("exit status 3"));
  CHECK(ask(pool, "next") == "next");
  CHECK_THAT(failure(pool, "exit 0"), Catch::StartsWith("3 WorkerError: "));
  CHECK_THAT(failure(pool, "garbage"), Catch::StartsWith("3 WorkerError: ") && Contains("nobody can read"));
  CHECK_THAT(failure(pool, "damaged"), Contains("damaged payload"));
  CHECK_THAT(failure(pool, "half"), Catch::StartsWith("3 WorkerError: "));
  CHECK(ask(pool, "next") == "next");
  CHECK(pool.counters().failed == 6);
}

TEST_CASE("a worker that is killed while it works fails its call") {
  ProcessPool pool(odd(), 1);
  const pid_t worker = std::atoi(ask(pool, "number").c_str());
  std::thread killer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ::kill(worker, SIGKILL);
  });
  CHECK_THAT(failure(pool, "hang"), Contains("SIGKILL"));
  killer.join();
  CHECK(ask(pool, "next") == "next");
}

TEST_CASE("a worker that was killed while it had no work is replaced in silence") {
  ProcessPool pool(odd(), 1);
  const pid_t worker = std::atoi(ask(pool, "number").c_str());
  ::kill(worker, SIGKILL);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(ask(pool, "next") == "next");
  CHECK(pool.counters().started == 2);
}

TEST_CASE("lines on standard error that nobody reads stop no worker") {
  ProcessPool pool(odd(), 1);
  CHECK(ask(pool, "flood") == "flood");
  CHECK_THAT(failure(pool, "crash"), Contains("the last\nwords") && Contains("number 99999"));
}

TEST_CASE(
    "a stopped worker is killed when it has been silent for too long; one that says that it is alive is not") {
  WorkerOptions options = odd();
  options.silence_limit = std::chrono::milliseconds(1500);
  ProcessPool pool(options, 1);
  const Clock::time_point begin = Clock::now();
  CHECK_THAT(failure(pool, "stop"), Contains("silent for too long") && Contains("it was killed"));
  CHECK(seconds_since(begin) < 10);
  Cancellation cancellation;
  cancellation.set_deadline(Clock::now() + std::chrono::seconds(4));
  const CancellationScope scope(&cancellation);
  CHECK_THAT(failure(pool, "hang"), Catch::StartsWith("3 DeadlineExceeded")); // and not silent before
}

TEST_CASE("a limit of one exchange ends the worker, and leaves out the wait for it") {
  ProcessPool pool(odd(), 1);
  for (const char *what : {"hang", "stop"}) {
    CAPTURE(what);
    const Clock::time_point begin = Clock::now();
    CHECK_THAT(failure(pool.call({99, what}, std::chrono::milliseconds(300))),
               Catch::StartsWith("3 DeadlineExceeded"));
    CHECK(seconds_since(begin) >= 0.3);
    CHECK(seconds_since(begin) < 10);
    CHECK(ask(pool, "next") == "next");
  }
  std::thread other([&] { (void)pool.call({99, "hang"}, std::chrono::milliseconds(800)); });
  while (pool.counters().working == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(must(pool.call({99, "next"}, std::chrono::milliseconds(500))).payload == "next");
  other.join();
}

TEST_CASE("cancel and deadline end a worker that hangs or is stopped within a second") {
  ProcessPool pool(odd(), 1);
  for (const char *what : {"hang", "stop"}) {
    CAPTURE(what);
    {
      Cancellation cancellation;
      std::atomic<Clock::time_point> cancelled;
      std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        cancelled = Clock::now();
        cancellation.cancel();
      });
      const CancellationScope scope(&cancellation);
      const std::string failed = failure(pool, what);
      const double late = seconds_since(cancelled);
      canceller.join();
      CHECK_THAT(failed, Catch::StartsWith("2 Cancelled"));
      CHECK(late < 1);
    }
    CHECK(ask(pool, "next") == "next");
    {
      Cancellation cancellation;
      cancellation.set_deadline(Clock::now() + std::chrono::milliseconds(300));
      const CancellationScope scope(&cancellation);
      const Clock::time_point begin = Clock::now();
      CHECK_THAT(failure(pool, what), Catch::StartsWith("3 DeadlineExceeded"));
      CHECK(seconds_since(begin) < 1.3);
    }
    CHECK(ask(pool, "next") == "next");
  }
}

TEST_CASE("who waits for a worker hears of a cancel and of the deadline") {
  ProcessPool pool(odd(), 1);
  Cancellation of_other;
  std::thread other([&] {
    const CancellationScope scope(&of_other);
    CHECK_THAT(failure(pool, "hang"), Catch::StartsWith("2 Cancelled"));
  });
  while (pool.counters().working == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  {
    Cancellation cancellation;
    cancellation.set_deadline(Clock::now() + std::chrono::milliseconds(200));
    const CancellationScope scope(&cancellation);
    CHECK_THAT(failure(pool, "never"), Catch::StartsWith("3 DeadlineExceeded"));
  }
  {
    Cancellation cancellation;
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      cancellation.cancel();
    });
    const CancellationScope scope(&cancellation);
    CHECK_THAT(failure(pool, "never"), Catch::StartsWith("2 Cancelled"));
    canceller.join();
  }
  of_other.cancel();
  other.join();
  CHECK(pool.counters().working == 0);
}

TEST_CASE("a poll of a cancellation is asked while a worker says nothing, and while all are busy") {
  ProcessPool pool(odd(), 1);
  const bool is_busy = GENERATE(false, true);
  Cancellation of_other;
  std::thread other([&] {
    const CancellationScope scope(&of_other);
    if (is_busy) (void)failure(pool, "hang");
  });
  while (is_busy && pool.counters().working == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const Clock::time_point until = Clock::now() + std::chrono::milliseconds(200);
  Cancellation cancellation;
  cancellation.set_poll([&] { return Clock::now() >= until; });
  const CancellationScope scope(&cancellation);
  CHECK_THAT(failure(pool, "stop"), Catch::StartsWith("2 Cancelled"));
  CHECK(seconds_since(until) < 1);
  of_other.cancel();
  other.join();
}

TEST_CASE("what a worker started ends with it") {
  const std::string path = "/tmp/kiln_workers_test_" + std::to_string(::getpid());
  ProcessPool pool(odd(), 1);
  Cancellation cancellation;
  pid_t child = 0;
  std::thread canceller([&] {
    for (int i = 0; i < 1000 && !child; i++) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::ifstream(path) >> child;
    }
    cancellation.cancel();
  });
  const CancellationScope scope(&cancellation);
  CHECK_THAT(failure(pool, "child " + path), Catch::StartsWith("2 Cancelled"));
  canceller.join();
  std::remove(path.c_str());
  REQUIRE(child > 0);
  bool is_there = true; // or a zombie, whom init has yet to wait for
  for (int i = 0; i < 200 && is_there; i++) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    is_there = false;
    for (std::string line; std::getline(status, line);)
      is_there |= line.starts_with("State:") && !Contains("Z").match(line);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK_FALSE(is_there);
}

TEST_CASE("as many processes as allowed, each with one piece of work") {
  ProcessPool pool(odd(), 3);
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 8; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; i++) {
        const std::string text = "words " + std::to_string(100 * t + i);
        auto reply = pool.call({99, text});
        right += reply.ok() && reply->payload == text;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(right == 160);
  CHECK(pool.counters().started <= 3);
}

TEST_CASE("programs that are no workers of this build are told apart") {
  auto start = [](const char *program) {
    WorkerOptions options = odd();
    options.program = program;
    options.start_limit = std::chrono::milliseconds(1000);
    ProcessPool pool(options, 1);
    return failure(pool, "words");
  };
  CHECK_THAT(start("/nowhere/kiln"), Catch::StartsWith("3 WorkerError: ") &&
                                         Contains("/nowhere/kiln cannot be started: No such file"));
  CHECK_THAT(start("/etc/passwd"), Contains("cannot be started: Permission denied"));
  CHECK_THAT(start("/bin/false"),
             Contains("/bin/false ended before it was ready: it ended with exit status 1"));
  CHECK_THAT(start("/bin/cat"), Catch::StartsWith("3 WorkerError: ")); // "cat worker": no such file
  {
    const Mode mode("mute");
    CHECK_THAT(start(ODD_WORKER), Contains("silent for too long"));
  }
  {
    const Mode mode("quits");
    CHECK_THAT(start(ODD_WORKER), Contains("exit status 5") && Contains("I quit"));
  }
  {
    const Mode mode("other");
    CHECK_THAT(start(ODD_WORKER),
               Contains("is of another build than this library") && Contains("KILN_WORKER"));
  }
  CHECK_FALSE(has_children());
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) // these take more than it may
TEST_CASE("a worker takes no more memory than it may, and who asked for it lives on") {
  WorkerOptions options = odd();
  options.hello.memory_bytes = uint64_t(512) << 20;
  ProcessPool pool(options, 1);
  const pid_t before = std::atoi(ask(pool, "number").c_str());
  const Message reply = must(pool.call({99, "memory"}));
  CHECK(reply.payload == "out of memory");
  CHECK(std::atoi(ask(pool, "number").c_str()) != before); // it was spent
  CHECK(ask(pool, "next") == "next");
}
#endif
