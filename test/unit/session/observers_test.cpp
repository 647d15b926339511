// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observers that do what they may not: each is a Usage error that names it, nothing hangs, and what was made
// is kept.
#include "must.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <kiln/kiln.h>

#include <atomic>
#include <future>
#include <optional>
#include <stdexcept>
#include <thread>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

constexpr ArtifactKind assembly[] = {ArtifactKind::Assembly};

struct Observed {
  explicit Observed(const std::string &folder = {}) {
    SessionOptions options;
    options.cache_dir = folder;
    options.verbosity = LogLevel::Error;
    session = must(Session::open(options));
    must(session->load("a.jl", "k(x) = x + 1\ng(x) = x + 2\n"));
  }
  Result<std::shared_ptr<const Artifact>> compile(const char *call = "k(Int64)") {
    CompilerConfig plain;
    plain.kernel = false;
    return session->compile(call, plain, ArtifactKind::Assembly);
  }
  /// Of the compile; it must end, within a minute on whichever machine.
  std::string fault(const char *call = "k(Int64)") {
    auto made = std::async(std::launch::async, [&] { return compile(call); });
    if (made.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
      FAIL("the compile hangs");
    }
    auto result = made.get();
    if (result.ok()) return "";
    CHECK(result.error().kind() == ErrorKind::Usage);
    return result.error().diagnostics()[0].message;
  }
  std::unique_ptr<Session> session;
};

} // namespace

TEST_CASE("an observer that compiles its own job gets a Usage error, and the job is made") {
  Observed o;
  std::string inner;
  const Observation observation = o.session->observe(
      [&](const ObservedProduct &) {
        for (const char *call : {"k(Int64)", "g(Int64)"}) inner += o.compile(call).error().what();
        inner += o.session->load("b.jl", "h(x) = x").error().what();
      },
      assembly);
  CHECK(o.fault() == "");
  CHECK_THAT(inner, Contains("Session::observe") && Contains("callback of its own"));
}

TEST_CASE("an observer that drops its own Observation, or another one, is the compile's Usage error") {
  for (const bool own : {true, false}) {
    Observed o;
    int seen = 0;
    Observation observation, other;
    other = o.session->observe([](const ObservedProduct &) {}, assembly);
    observation = o.session->observe(
        [&, own](const ObservedProduct &) {
          seen++;
          (own ? observation : other) = Observation();
        },
        assembly);
    CHECK_THAT(o.fault(), Contains("an Observation was dropped within an observer"));
    CHECK(seen == 1);
    CHECK(o.fault() == ""); // what was made is there
    CHECK(o.fault("g(Int64)") == "");
    CHECK(seen == (own ? 1 : 2)); // it is gone
  }
}

TEST_CASE("an observer that observes again is the compile's Usage error, and its handle is empty") {
  Observed o;
  int inner = 0;
  Observation observation, other;
  observation = o.session->observe(
      [&](const ObservedProduct &) { other = o.session->observe([&](const ObservedProduct &) { inner++; }); },
      assembly);
  CHECK_THAT(o.fault(), Contains("Session::observe was called within an observer"));
  observation = Observation();
  CHECK(o.fault("g(Int64)") == "");
  CHECK(inner == 0);
}

TEST_CASE("the error of an observer that throws names the observer, from memory, folder and many threads") {
  test::Scratch folder;
  for (const bool again : {false, true}) { // compiled, and then found in the folder
    Observed o(folder.path.string());
    const Observation observation =
        o.session->observe([](const ObservedProduct &) { throw std::runtime_error("mine"); }, assembly);
    CHECK(o.fault() == "the observer given to Session::observe threw an exception: mine");
    CHECK(o.fault() == ""); // it is in memory
    std::vector<std::thread> threads;
    std::atomic<int> faults{0}, fine{0};
    for (int i = 0; i < 4; i++) threads.emplace_back([&] { (o.compile("g(Int64)").ok() ? fine : faults)++; });
    for (std::thread &thread : threads) thread.join();
    CHECK(faults == 1); // of the thread that made it; the others get what it made
    CHECK(fine == 3);
    o.session->flush_cache();
    INFO(again);
  }
}

TEST_CASE("an observer that is empty is a Usage error too") {
  Observed o;
  const Observation observation = o.session->observe(ProductObserver(), assembly);
  CHECK_THAT(o.fault(), Contains("the observer given to Session::observe"));
}

TEST_CASE("when an Observation is gone, no call of its observer is under way") {
  Observed o;
  for (int i = 0; i < 20; i++) {
    auto alive = std::make_unique<std::atomic<bool>>(true);
    std::atomic<bool> began{false}, late{false};
    std::optional<Observation> observation = o.session->observe(
        [&, alive = alive.get()](const ObservedProduct &) {
          began = true;
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          if (!*alive) late = true;
        },
        assembly);
    std::thread compiles([&] { (void)o.compile(("k(Val{" + std::to_string(i) + "})").c_str()); });
    std::thread compiles_more([&] { (void)o.compile("k(Int32)"); });
    while (!began && i == 0) std::this_thread::yield();
    observation.reset();
    *alive = false;
    compiles.join();
    compiles_more.join();
    CHECK_FALSE(late);
  }
}

TEST_CASE("an observer of one session may use another session") {
  Observed one, other;
  std::string inner = "not called";
  const Observation observation = one.session->observe(
      [&](const ObservedProduct &) {
        auto made = other.compile();
        const Observation of_other = other.session->observe([](const ObservedProduct &) {});
        inner = made.ok() ? "" : made.error().what();
      },
      assembly);
  CHECK(one.fault() == "");
  CHECK(inner == "");
}

TEST_CASE("a timing scope outlives its session") {
  Observed o;
  o.session->start_timings();
  auto stage = o.session->time("mine");
  auto job = o.session->time_job("my job");
  o.session.reset();
  job.end();
  Observed another; // a scope of a session that is gone, within one that is open
  another.session->start_timings();
  auto outer = another.session->time("outer");
  must(another.compile());
  stage.end();
  outer.end();
  bool found = false;
  for (const TimingRow &row : another.session->timings().rows) found = found || row.name == "outer";
  CHECK(found);
}
