// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events, handles of kernels, time limits, and launches that are refused.
#include <catch2/catch.hpp>

#include <kiln/kiln.h>
#include <session/session.h>

#include <malloc.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace kiln;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<Session> open(SessionOptions options = {}) {
  auto opened = Session::open(options);
  if (!opened.ok()) FAIL(opened.error().what());
  auto session = std::move(*opened);
  auto loaded = session->load("test.jl", R"(
using CUDA
index() = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
function add(y, a)
  i = index()
  if i <= length(y)
    @inbounds y[i] += a
  end
  return
end
function double(y)
  i = index()
  if i <= length(y)
    @inbounds y[i] *= 2
  end
  return
end
function out_of_bounds(y)
  y[length(y) + threadIdx().x] = 1
  return
end
function spin(y)
  while (@inbounds y[1]) == 0
    @inbounds y[2] += 1
  end
  return
end
function spin_some(y, blocks)
  if blockIdx().x > blocks
    while (@inbounds y[1]) == 0
      sync_threads()
    end
  end
  return
end
function nothing_at_all()
  return
end
)");
  if (!loaded.ok()) FAIL(loaded.error().what());
  return session;
}

Kernel prepare(Session &session, const char *call, const CompilerConfig &config = {}) {
  auto kernel = session.prepare(call, config);
  if (!kernel.ok()) FAIL(kernel.error().what());
  return *kernel;
}

/// An array of Int64 and the bytes that a kernel takes for it.
struct Numbers {
  explicit Numbers(size_t n) : values(n), argument(Argument::array(values.data(), {int64_t(n)})) {}
  std::vector<int64_t> values;
  Argument argument;
  const void *bytes() const { return argument.bytes.data(); }
  bool all(int64_t value) const {
    return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == value; });
  }
};

constexpr const char *add = "add(CuDeviceVector{Int64,1}, Int64)",
                     *doubled = "double(CuDeviceVector{Int64,1})";

std::string failure(const Result<void> &result) {
  return result.ok() ? "no error"
                     : std::string(result.error().diagnostics()[0].name()) + ": " +
                           result.error().diagnostics()[0].message;
}

} // namespace

TEST_CASE("a stream runs what is put in in order, beside its caller, and copies argument bytes") {
  auto session = open();
  Kernel plus = prepare(*session, add), twice = prepare(*session, doubled);
  Numbers y(1000);
  LaunchShape shape{.blocks = {8, 1, 1}, .threads = {128, 1, 1}};
  Stream stream = session->stream();
  int64_t expected = 0;
  for (int round = 0; round < 200; round++) {
    int64_t a = round % 7;
    const void *arguments[] = {y.bytes(), &a};
    REQUIRE(stream.launch(plus, shape, arguments).ok());
    a = 1'000'000; // the launch has its copy
    expected += round % 7;
    if (round % 50 == 0) {
      const void *only[] = {y.bytes()};
      REQUIRE(stream.launch(twice, shape, only).ok());
      expected *= 2;
    }
  }
  CHECK(stream.synchronize().ok());
  CHECK(stream.idle());
  CHECK(y.all(expected));
}

TEST_CASE("events order streams and time them") {
  auto session = open();
  Kernel plus = prepare(*session, add), twice = prepare(*session, doubled);
  Numbers y(512);
  LaunchShape shape{.blocks = {4, 1, 1}, .threads = {128, 1, 1}};
  Stream first = session->stream(), second = session->stream();
  Event never;
  CHECK(never.done());
  never.wait();
  CHECK_FALSE(Event::between(never, never).ok());
  REQUIRE(first.wait(never).ok()); // no record: nothing to wait for
  int64_t one = 1, expected = 0;
  const void *added[] = {y.bytes(), &one}, *only[] = {y.bytes()};
  for (int round = 0; round < 30; round++) { // add on one stream, double on the other, in turns
    Event after_add, after_double;
    REQUIRE(first.launch(plus, shape, added).ok());
    REQUIRE(first.record(after_add).ok());
    REQUIRE(second.wait(after_add).ok());
    REQUIRE(second.launch(twice, shape, only).ok());
    REQUIRE(second.record(after_double).ok());
    REQUIRE(first.wait(after_double).ok());
    expected = (expected + 1) * 2;
    if (round % 10) continue;
    after_double.wait();
    CHECK(after_double.done());
    CHECK(y.all(expected));
    auto time = Event::between(after_add, after_double);
    REQUIRE(time.ok());
    CHECK(time->count() > 0);
  }
  CHECK(second.synchronize().ok());
  CHECK(first.synchronize().ok());
  CHECK(y.all(expected));
}

TEST_CASE("what goes wrong in a stream is told once, and the others run") {
  auto session = open();
  Kernel bad = prepare(*session, "out_of_bounds(CuDeviceVector{Int64,1})"), plus = prepare(*session, add);
  Numbers y(32);
  int64_t one = 1;
  const void *added[] = {y.bytes(), &one}, *only[] = {y.bytes()};
  LaunchShape shape{.threads = {32, 1, 1}};
  Stream stream = session->stream(), other = session->stream();
  REQUIRE(stream.launch(bad, shape, only).ok());
  REQUIRE(stream.launch(plus, shape, added).ok());
  REQUIRE(other.launch(plus, shape, added).ok());
  CHECK(other.synchronize().ok());
  Result<void> done = stream.synchronize();
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().kind() == ErrorKind::Input);
  CHECK_THAT(failure(done), Catch::StartsWith("BoundsError"));
  CHECK(done.error().what().find("test.jl:19") != std::string::npos);
  CHECK(stream.synchronize().ok());
  CHECK(y.all(2));
}

TEST_CASE("launches into a warm stream allocate nothing in the launching thread") {
  auto session = open({.cpu_tier = SessionOptions::CpuTier::Optimized}); // no compile in the background
  Kernel plus = prepare(*session, add);
  Numbers y(32);
  int64_t one = 1;
  const void *added[] = {y.bytes(), &one};
  Stream stream = session->stream();
  auto batch = [&] {
    for (int i = 0; i < 100; i++) REQUIRE(stream.launch(plus, {.threads = {32, 1, 1}}, added).ok());
    REQUIRE(stream.synchronize().ok());
  };
  for (int i = 0; i < 20; i++) batch();
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 50; i++) batch();
  CHECK(mallinfo2().uordblks <= before + 4096);
  CHECK(y.all(7000));
}

TEST_CASE("threads launch into streams of their own and into a common one") {
  auto session = open({.cpu_threads = 2});
  Kernel plus = prepare(*session, add);
  Numbers common(64);
  std::vector<std::unique_ptr<Numbers>> own;
  for (int t = 0; t < 4; t++) own.push_back(std::make_unique<Numbers>(64));
  Stream shared = session->stream();
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      Stream mine = session->stream();
      int64_t one = 1;
      const void *here[] = {own[size_t(t)]->bytes(), &one}, *there[] = {common.bytes(), &one};
      for (int i = 0; i < 100; i++) {
        failed += !mine.launch(plus, {.blocks = {2, 1, 1}, .threads = {32, 1, 1}}, here).ok();
        failed += !shared.launch(plus, {.blocks = {2, 1, 1}, .threads = {32, 1, 1}}, there).ok();
      }
      failed += !mine.synchronize().ok();
    });
  for (auto &thread : threads) thread.join();
  CHECK(shared.synchronize().ok());
  CHECK(failed == 0);
  CHECK(common.all(400));
  for (auto &numbers : own) CHECK(numbers->all(100));
}

TEST_CASE("blocks run in the embedder's arena") {
  tbb::task_arena arena(2);
  std::atomic<int> entered{0};
  auto session = open({.cpu_arena = [&](const std::function<void()> &work) {
    entered++;
    arena.execute([&] {
      if (tbb::this_task_arena::max_concurrency() != 2) entered = -1000;
      work();
    });
  }});
  Kernel plus = prepare(*session, add);
  Numbers y(1000);
  int64_t one = 1;
  const void *added[] = {y.bytes(), &one};
  LaunchShape shape{.blocks = {8, 1, 1}, .threads = {128, 1, 1}};
  CHECK(session->launch(plus, shape, added).ok());
  Stream stream = session->stream();
  CHECK(stream.launch(plus, shape, added).ok());
  CHECK(stream.synchronize().ok());
  CHECK(entered == 2);
  CHECK(y.all(2));
}

TEST_CASE("an arena that throws, or does not run what it is given, is an error of the launch") {
  enum How { Works, ThrowsBefore, ThrowsBehind, RunsNothing, RunsTwice, RunsElsewhere };
  int how = Works;
  std::function<void()> kept;
  std::thread other;
  auto session = open({.cpu_arena = [&](const std::function<void()> &work) {
    kept = work;
    if (how == ThrowsBefore) throw std::runtime_error("no threads today");
    if (how == RunsElsewhere) other = std::thread([copy = work] { copy(); });
    if (how == RunsElsewhere || how == RunsNothing) return;
    work();
    if (how == RunsTwice) work();
    if (how == ThrowsBehind) throw 1;
  }});
  Kernel plus = prepare(*session, add);
  Numbers y(1000);
  int64_t one = 1, expected = 0;
  const void *added[] = {y.bytes(), &one};
  auto launch = [&](int now) {
    how = now;
    auto done = session->launch(plus, {.blocks = {8, 1, 1}, .threads = {128, 1, 1}}, added);
    if (other.joinable()) other.join();
    kept(); // the launch is over: it must not touch what that used
    return done;
  };
  auto refused = [&](int now, const char *why) {
    auto done = launch(now);
    REQUIRE_FALSE(done.ok());
    CHECK(done.error().kind() == ErrorKind::Usage);
    CHECK_THAT(done.error().what(), Catch::Matchers::Contains(why));
  };
  refused(ThrowsBefore, "cpu_arena threw an exception: no threads today");
  CHECK(y.all(expected));
  refused(RunsNothing, "cpu_arena came back without having called the function");
  CHECK(y.all(expected));
  refused(ThrowsBehind, "cpu_arena threw an exception");
  CHECK(y.all(++expected)); // the blocks had run
  CHECK(launch(RunsTwice).ok());
  CHECK(y.all(++expected));
  for (int i = 0; i < 20; i++) {
    expected += launch(RunsElsewhere).ok(); // it is waited for if it had begun, else it never does
    CHECK(y.all(expected));
  }
  CHECK(launch(Works).ok());
  CHECK(y.all(++expected));
}

TEST_CASE("a kernel that outlives its time limit ends in an error, and the next one runs") {
  auto session = open();
  CompilerConfig interruptible;
  interruptible.interruptible = true;
  Kernel spin = prepare(*session, "spin(CuDeviceVector{Int64,1})", interruptible),
         plus = prepare(*session, add, interruptible);
  Kernel some = prepare(*session, "spin_some(CuDeviceVector{Int64,1}, Int64)", interruptible);
  Numbers y(2);
  const void *only[] = {y.bytes()};
  for (uint32_t blocks : {1u, 500u}) {
    auto begin = std::chrono::steady_clock::now();
    Result<void> done =
        session->launch(spin, {.blocks = {blocks, 1, 1}, .threads = {64, 1, 1}}, only, {.time_limit = 50ms});
    auto took = std::chrono::steady_clock::now() - begin;
    CHECK_THAT(failure(done), Catch::StartsWith("TimeLimitError"));
    CHECK(done.error().what().find("test.jl:23") != std::string::npos);
    CHECK(took >= 50ms);
    CHECK(took < 20s);
  }
  int64_t running = 3;
  const void *with_blocks[] = {y.bytes(), &running};
  CHECK_THAT(failure(session->launch(some, {.blocks = {8, 1, 1}, .threads = {64, 1, 1}}, with_blocks,
                                     {.time_limit = 50ms})),
             Catch::StartsWith("TimeLimitError"));

  Stream stream = session->stream();
  int64_t one = 1;
  y.values = {0, 0};
  const void *added[] = {y.bytes(), &one};
  REQUIRE(stream.launch(spin, {}, only, {.time_limit = 20ms}).ok());
  REQUIRE(stream.launch(plus, {.threads = {2, 1, 1}}, added, {.time_limit = 1h}).ok());
  CHECK_THAT(failure(stream.synchronize()), Catch::StartsWith("TimeLimitError"));
  CHECK(y.values[0] == 1);
  CHECK(session->launch("spin", {}, {y.argument}, {}, {.time_limit = 1h}).ok()); // y[1] is not 0 any more
}

TEST_CASE("launches that cannot be are refused before anything runs") {
  auto session = open();
  Kernel plus = prepare(*session, add);
  Numbers y(8);
  int64_t one = 1;
  const void *added[] = {y.bytes(), &one}, *only[] = {y.bytes()};
  Stream stream = session->stream();
  auto refused = [&](const LaunchShape &shape, std::span<const void *const> arguments,
                     const LaunchOptions &options = {}, const Kernel &kernel = {}) {
    Result<void> there = stream.launch(kernel ? kernel : plus, shape, arguments, options),
                 here = session->launch(kernel ? kernel : plus, shape, arguments, options);
    REQUIRE_FALSE(there.ok());
    REQUIRE_FALSE(here.ok());
    CHECK(there.error().kind() == ErrorKind::Usage);
    CHECK(there.error().what() == here.error().what());
    return failure(there);
  };
  CHECK_THAT(refused({.threads = {0, 1, 1}}, added), Catch::Contains("at least 1"));
  CHECK_THAT(refused({.threads = {1025, 1, 1}}, added), Catch::Contains("at most 1024"));
  CHECK_THAT(refused({.threads = {32, 1, 65}}, added), Catch::Contains("at most"));
  CHECK_THAT(refused({.threads = {0xffffffff, 0xffffffff, 0xffffffff}}, added), Catch::Contains("at most"));
  CHECK_THAT(refused({.blocks = {1, 65536, 1}}, added), Catch::Contains("too large"));
  CHECK_THAT(refused({.blocks = {0xffffffff, 1, 1}}, added), Catch::Contains("too large"));
  CHECK_THAT(refused({.shared_bytes = 227 * 1024 + 1}, added), Catch::Contains("shared memory"));
  CHECK_THAT(refused({.shared_bytes = UINT64_MAX}, added), Catch::Contains("shared memory"));
  CHECK_THAT(refused({}, only), Catch::Contains("takes 2 arguments"));
  CHECK_THAT(refused({}, added, {.time_limit = 1s}), Catch::Contains("interruptible"));
  CHECK_THAT(refused({}, added, {.time_limit = -1s}), Catch::Contains("negative"));
  CHECK_FALSE(stream.launch(Kernel(), {}, added).ok());
  CHECK_FALSE(session->launch(Kernel(), {}, added).ok());
  CHECK_FALSE(Stream().launch(plus, {}, added).ok());
  CHECK(Stream().synchronize().ok());
  CHECK(y.all(0));

  CompilerConfig ptx{.target = PtxOptions()};
  CHECK(session->prepare(add, ptx).error().kind() == ErrorKind::Usage);
  ptx.check = true;
  CHECK(session->compile(add, ptx, ArtifactKind::Assembly).error().kind() == ErrorKind::Usage);
  CHECK(session->prepare("no_such_kernel(Int64)").error().kind() == ErrorKind::Input);
  CHECK(session->launch(prepare(*session, "nothing_at_all()"), {}, {}).ok());
}

TEST_CASE("a handle keeps the kernel that it was made from") {
  auto session = open();
  Kernel plus = prepare(*session, add);
  REQUIRE(session->load("again.jl", "function add(y, a)\n  @inbounds y[threadIdx().x] -= a\n  return\nend\n")
              .ok());
  Kernel minus = prepare(*session, add);
  Numbers y(8);
  int64_t five = 5;
  const void *arguments[] = {y.bytes(), &five};
  CHECK(session->launch(plus, {.threads = {8, 1, 1}}, arguments).ok());
  CHECK(y.all(5));
  CHECK(session->launch(minus, {.threads = {8, 1, 1}}, arguments).ok());
  CHECK(y.all(0));
}
