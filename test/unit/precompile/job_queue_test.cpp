// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which jobs of a shared list a worker compiles, beside a queue in memory.
#include "precompiled.h"

#include <catch2/catch.hpp>
#include <precompile/job_queue.h>

#include <atomic>
#include <map>
#include <numeric>
#include <thread>

namespace kiln::job_queue_test {

using Outcome = AgentFinish::Outcome;

namespace {

/// The server of a queue, in which each job has three attempts.
struct Server {
  struct Job {
    char state = ' '; ///< 'd', 'f', or 'h': held
    unsigned attempts = 0;
    bool was_retried = false;
  };
  std::mutex mutex;
  std::map<Fingerprint, Job> jobs;
  bool is_gone = false;
  std::optional<Error> refusal;

  Result<std::string> take(std::span<const Fingerprint> asked, uint32_t wanted) {
    std::lock_guard lock(mutex);
    if (refusal) return *refusal;
    if (is_gone) return machine_error("the server is gone");
    std::string states;
    for (const Fingerprint &each : asked) {
      Job &job = jobs[each];
      if (job.state == 'd' || job.state == 'f') {
        states += job.state;
      } else if (wanted == 0) {
        states += 'n';
      } else if (job.state == 'h') {
        states += 'b';
      } else if (job.attempts == 3) {
        job.state = 'f';
        states += 'x';
      } else {
        const char again = job.was_retried ? 'e' : 'r';
        states += job.attempts == 0 ? 't' : job.attempts == 2 ? char(again - 'a' + 'A') : again;
        job.attempts++;
        job.state = 'h';
        wanted--;
      }
    }
    return states;
  }
  void finish(const Fingerprint &which, std::optional<Outcome> outcome) {
    std::lock_guard lock(mutex);
    Job &job = jobs[which];
    job.state = outcome == Outcome::Done ? 'd' : outcome == Outcome::Failed ? 'f' : ' ';
    job.was_retried = outcome == Outcome::Retry;
  }
  JobQueue worker(std::vector<Fingerprint> digests, size_t begin = 0) {
    std::vector<size_t> order(digests.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::rotate(order.begin(), order.begin() + ptrdiff_t(begin), order.end());
    return JobQueue(
        std::move(digests), std::move(order),
        [this](std::span<const Fingerprint> asked, uint32_t wanted) { return take(asked, wanted); },
        [this](const Fingerprint &job, Outcome outcome) { finish(job, outcome); });
  }
};

std::vector<Fingerprint> digests_of(size_t count) {
  std::vector<Fingerprint> digests;
  for (size_t i = 0; i < count; i++) digests.push_back({i + 1, i + 1});
  return digests;
}

} // namespace

TEST_CASE("workers with several threads get each job of a list once together") {
  Server server;
  constexpr size_t jobs = 500, workers = 4, threads = 3;
  std::vector<std::unique_ptr<JobQueue>> queues;
  std::vector<std::atomic<unsigned>> compiled(jobs);
  std::vector<std::thread> running;
  for (size_t w = 0; w < workers; w++) {
    JobQueue *queue = queues.emplace_back(new JobQueue(server.worker(digests_of(jobs), w * 100))).get();
    for (size_t t = 0; t < threads; t++)
      running.emplace_back([&compiled, queue] {
        while (const auto job = queue->next()) {
          compiled[*job]++;
          queue->finish(*job, true, false);
        }
      });
  }
  for (std::thread &thread : running) thread.join();
  for (const auto &count : compiled) CHECK(count == 1);
  size_t elsewhere = 0;
  for (const auto &queue : queues) {
    elsewhere += queue->counts().elsewhere;
    CHECK(queue->counts().alone == 0);
    CHECK(queue->lost().empty());
  }
  CHECK(elsewhere == (workers - 1) * jobs);
}

TEST_CASE("a worker takes over what another one held when it ended, and waits until then") {
  Server server;
  JobQueue dead = server.worker(digests_of(3)), alive = server.worker(digests_of(3));
  CHECK(dead.next() == 0);
  CHECK(alive.next() == 1);
  CHECK(alive.finish(1, true, false));
  CHECK(alive.next() == 2);
  CHECK(alive.finish(2, true, false));
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    server.finish({1, 1}, std::nullopt);
  });
  CHECK(alive.next() == 0);
  end.join();
  CHECK(alive.finish(0, true, false));
  CHECK(alive.next() == std::nullopt);
  CHECK(alive.counts().returned == 1);
  CHECK(alive.counts().elsewhere == 0);
}

TEST_CASE("a wrong job has failed at its first attempt, and one that lacks something at its third") {
  Server server;
  JobQueue queue = server.worker(digests_of(3));
  std::vector<size_t> order;
  size_t reported = 0;
  while (const auto job = queue.next()) {
    order.push_back(*job);
    reported += queue.finish(*job, *job == 2, *job == 0) && *job != 2;
  }
  CHECK(order == std::vector<size_t>{0, 1, 2, 1, 1}); // the others first
  CHECK(reported == 2);
  CHECK(server.jobs[{1, 1}].state == 'f');
  CHECK(server.jobs[{2, 2}].state == 'f');
  CHECK(server.jobs[{3, 3}].state == 'd');
}

TEST_CASE("a job whose workers die is reported by one of the others") {
  Server server;
  for (int attempt = 0; attempt < 3; attempt++) {
    JobQueue dying = server.worker(digests_of(1));
    CHECK(dying.next() == 0);
    server.finish({1, 1}, std::nullopt);
  }
  JobQueue first = server.worker(digests_of(1)), second = server.worker(digests_of(1));
  CHECK(first.next() == std::nullopt);
  CHECK(second.next() == std::nullopt);
  CHECK(first.take_abandoned() == std::vector<size_t>{0});
  CHECK(second.take_abandoned().empty());
  CHECK(second.counts().elsewhere == 1);
}

TEST_CASE("without an answer for some seconds a worker compiles all that it has not compiled") {
  Server server;
  JobQueue other = server.worker(digests_of(6)), queue = server.worker(digests_of(6));
  CHECK(other.next() == 0);
  CHECK(other.finish(0, true, false));
  CHECK(other.next() == 1); // held to the end
  CHECK(queue.next() == 2);
  CHECK(queue.finish(2, true, false));
  CHECK(queue.counts().elsewhere == 1);
  server.is_gone = true;
  std::vector<size_t> alone;
  while (const auto job = queue.next()) {
    alone.push_back(*job);
    CHECK(queue.finish(*job, *job != 4, false)); // final, whatever the end
  }
  CHECK(alone == std::vector<size_t>{3, 4, 5, 1, 0});
  CHECK(queue.counts().alone == 5);
  CHECK(queue.counts().elsewhere == 0);
  CHECK(queue.lost() == "the server is gone");
}

TEST_CASE("a short silence of the server changes nothing") {
  Server server;
  JobQueue queue = server.worker(digests_of(2));
  server.is_gone = true;
  std::thread back([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    std::lock_guard lock(server.mutex);
    server.is_gone = false;
  });
  CHECK(queue.next() == 0);
  back.join();
  CHECK(queue.counts().alone == 0);
}

TEST_CASE("a refused worker compiles nothing") {
  Server server;
  server.refusal = usage_error("another list");
  JobQueue queue = server.worker(digests_of(2));
  CHECK(queue.next() == std::nullopt);
  REQUIRE(queue.fault());
  CHECK(queue.fault()->kind() == ErrorKind::Usage);
}

TEST_CASE("equal jobs of a list are handed out after each other") {
  Server server;
  std::vector<Fingerprint> digests = digests_of(3);
  digests[2] = digests[0];
  JobQueue queue = server.worker(digests);
  std::vector<size_t> order;
  while (const auto job = queue.next()) {
    order.push_back(*job);
    CHECK(queue.finish(*job, true, false));
  }
  CHECK(order == std::vector<size_t>{0, 1, 2});
}

TEST_CASE("a job's digest in a queue covers the contents of its files") {
  precompiled::Scratch scratch;
  const auto jobs = scratch.jobs(precompiled::calls);
  const std::vector<Fingerprint> before = queue_digests(jobs);
  CHECK(std::set<Fingerprint>(before.begin(), before.end()).size() == jobs.size());
  CHECK(queue_digests(jobs) == before);
  precompiled::write(scratch.path / "program.jl", "scale() = 1");
  CHECK(queue_digests(jobs)[0] != before[0]);
}

TEST_CASE("precompile refuses a queue that nobody can share") {
  precompiled::Scratch scratch;
  const auto jobs = scratch.jobs(precompiled::calls);
  PrecompileOptions options{.session = scratch.session()};
  options.session.remote.emplace();
  options.queue = "q";
  auto done = precompile(jobs, options);
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().kind() == ErrorKind::Usage);
  CHECK(done.error().what().find("needs a remote store") != std::string::npos);
  options.queue = "a:b";
  done = precompile(jobs, options);
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().what().find("`a:b` is no name of a queue") != std::string::npos);
}

} // namespace kiln::job_queue_test
