// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a session holds when it compiles for long: caches within their budgets, replaced definitions
// forgotten, the same bytes whatever was dropped in between.
#include <catch2/catch.hpp>

#include <session/session.h>

#include <atomic>
#include <bit>
#include <cstdio>
#include <malloc.h>
#include <thread>
#include <unistd.h>

namespace memory_test {

using namespace kiln;

namespace {

std::unique_ptr<Session> open(size_t inference_budget, size_t artifact_budget) {
  SessionOptions options;
  options.inference_budget = inference_budget;
  options.artifact_budget = artifact_budget;
  auto opened = Session::open(options);
  if (!opened.ok()) FAIL(opened.error().what());
  return std::move(*opened);
}

void load(Session &session, const std::string &text) {
  auto loaded = session.load("test.jl", text);
  if (!loaded.ok()) FAIL(loaded.error().what());
}

CompilerConfig ptx() {
  CompilerConfig config;
  config.target = PtxOptions();
  config.debug_level = 1; // places too
  return config;
}

std::string compile(Session &session, const std::string &call, ArtifactKind kind = ArtifactKind::Assembly) {
  auto made = session.compile(call, ptx(), kind);
  if (!made.ok()) FAIL(made.error().what());
  return (*made)->bytes;
}

/// k<n>(y): its own constant, two callees that are shared with others.
std::string kernel(int n) {
  return "function k" + std::to_string(n) +
         "(y)\n  i = threadIdx().x\n  if i <= length(y)\n    @inbounds y[i] = helper" +
         std::to_string(n % 3) + "(y[i], Int32(" + std::to_string(n) + "))\n  end\n  return\nend\n";
}
std::string call(int n) { return "k" + std::to_string(n) + "(CuDeviceVector{Float32,1})"; }
constexpr const char *helpers = R"(
@noinline helper0(x, n) = sqrt(x) + n
@noinline helper1(x, n) = n <= 0 ? x : helper0(x, n) * helper1(x - 1f0, n - Int32(1))
@noinline helper2(x, n) = convert(Float32, floor(x) * n)
)";

/// Bytes that the allocator has handed out; 0 where a sanitizer stands in its place.
size_t in_use() { return mallinfo2().uordblks; }

} // namespace

TEST_CASE("the same bytes, whatever was dropped in between") {
  auto large = open(CodeInstanceTable::default_budget, ObjectCache::default_budget);
  load(*large, helpers);
  std::vector<std::string> expected;
  for (int n = 0; n < 12; n++) {
    load(*large, kernel(n));
    expected.push_back(compile(*large, call(n)));
  }
  CHECK(large->counters().artifacts_evicted == 0);
  CHECK(large->counters().inferred_dropped == 0);

  for (size_t budget : {size_t(0), size_t(50'000), size_t(200'000)}) {
    auto session = open(budget, budget / 10);
    load(*session, helpers);
    for (int n = 0; n < 12; n++) load(*session, kernel(n));
    for (int round = 0; round < 3; round++)
      for (int n = 0; n < 12; n++) {
        INFO("budget " << budget << ", round " << round << ", kernel " << n);
        REQUIRE(compile(*session, call((n * 5 + round) % 12)) == expected[size_t((n * 5 + round) % 12)]);
      }
    CHECK(session->counters().artifacts_evicted > 0);
    CHECK(session->counters().artifact_bytes <= budget / 10);
    CHECK(session->counters().inferred_dropped > 0);
  }
}

TEST_CASE("replaced definitions cost nothing in the end, and their callers see the new ones") {
  constexpr size_t budget = 500'000;
  auto session = open(budget, 50'000);
  load(*session,
       "twice(x) = 2x\nstart = 0\nfunction user(y)\n  @inbounds y[1] = twice(y[1]) + start\n  return\nend\n");
  auto redefine = [&](int i) {
    load(*session, "twice(x) = " + std::to_string(i) + "f0 * x\nstart = " + std::to_string(i) + "\n" +
                       "function k(y)\n  @inbounds y[2] = twice(y[1]) + " + std::to_string(i) +
                       "f0\n  return\nend\n");
    compile(*session, "user(CuDeviceVector{Float32,1})",
            i % 100 ? ArtifactKind::Typed : ArtifactKind::Assembly);
    if (i % 100 == 0) { // the factor of today
      char factor[16];
      std::snprintf(factor, sizeof factor, "0f%08X", std::bit_cast<uint32_t>(float(i)));
      CHECK_THAT(compile(*session, "user(CuDeviceVector{Float32,1})"), Catch::Contains(factor));
    }
    compile(*session, "k(CuDeviceVector{Float32,1})", ArtifactKind::Typed);
  };
  int i = 1;
  for (; i <= 1500; i++) redefine(i);
  size_t before = in_use();
  for (; i <= 3000; i++) redefine(i);
  size_t after = in_use();
  INFO("in use: " << before << ", then " << after);
  CHECK(after <= before + 600'000); // 400 B a round; a round that is kept costs more than 20 kB
  CHECK(session->counters().inferred_dropped > 3000);
  CHECK(session->counters().inference_bytes <= 2 * budget);
}

TEST_CASE("a job of a world that was forgotten is an error that says so") {
  auto session = open(CodeInstanceTable::default_budget, ObjectCache::default_budget);
  JobService &service = jobs_of(*session);
  load(*session, "k(y) = (y[1] = 1f0; nothing)\n");
  auto job = service.job("k(CuDeviceVector{Float32,1})", ptx());
  REQUIRE(job.ok());
  for (int i = 0; i < 600; i++) load(*session, "k(y) = (y[1] = " + std::to_string(i) + "f0; nothing)\n");
  auto old = service.compile(*job, ArtifactKind::Assembly);
  REQUIRE_FALSE(old.ok());
  CHECK(old.error().kind() == ErrorKind::Input);
  CHECK(old.error().diagnostics()[0].name() == "WorldError");
  compile(*session, "k(CuDeviceVector{Float32,1})");
}

TEST_CASE("threads compile while others redefine what they do not use, with budgets that are always full") {
  auto large = open(CodeInstanceTable::default_budget, ObjectCache::default_budget);
  auto tight = open(60'000, 8'000);
  std::vector<std::string> expected;
  for (Session *session : {large.get(), tight.get()}) {
    load(*session, helpers);
    for (int n = 0; n < 8; n++) load(*session, kernel(n));
  }
  for (int n = 0; n < 8; n++) expected.push_back(compile(*large, call(n)));
  std::atomic<int> wrong{0}, running{4};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; i++) {
        size_t n = size_t(i * (t + 1) + t) % 8;
        auto made = tight->compile(call(int(n)), ptx(), ArtifactKind::Assembly);
        if (!made.ok() || (*made)->bytes != expected[n]) wrong++;
      }
      running--;
    });
  for (int i = 0; running; i++) load(*tight, "elsewhere(x) = x + " + std::to_string(i) + "\n");
  for (auto &thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(tight->counters().inferred_dropped > 0);
  CHECK(tight->counters().artifacts_evicted > 0);
}

namespace {

/// Resident memory of the process, in bytes.
size_t resident() {
  long pages = 0, in_memory = 0;
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  REQUIRE(file);
  REQUIRE(std::fscanf(file, "%ld %ld", &pages, &in_memory) == 2);
  std::fclose(file);
  return size_t(in_memory) * size_t(::sysconf(_SC_PAGESIZE));
}

} // namespace

TEST_CASE("code that is loaded counts against the budget of artifacts, and goes with them") {
  constexpr size_t budget = 400'000;
  auto session = open(1'000'000, budget);
  std::vector<float> y(4);
  auto redefine = [&](int i) {
    load(*session, "k(y) = (@inbounds y[1] = " + std::to_string(i) + "f0; return)\n");
    auto launched = session->launch("k", {}, {Argument::array(y.data(), {4})});
    if (!launched.ok()) FAIL(launched.error().what());
    REQUIRE(y[0] == float(i));
    REQUIRE(session->counters().artifact_bytes <= budget);
  };
  int i = 1;
  for (; i <= 400; i++) redefine(i);
  const size_t before = resident();
  for (; i <= 1200; i++) redefine(i);
  const size_t after = resident();
  INFO("resident: " << before << ", then " << after);
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) // these keep what is freed
  // A kernel whose code stays takes three pages and what stands around them: 800 of them 10 MB and more.
  CHECK(after <= before + 5'000'000);
#endif
  CHECK(session->counters().artifacts_evicted > 1000);
  // A handle keeps its own.
  auto kernel = session->prepare("k(CuDeviceVector{Float32,1})");
  REQUIRE(kernel.ok());
  for (; i <= 1300; i++) redefine(i);
  Argument array = Argument::array(y.data(), {4});
  const void *arguments[] = {array.bytes.data()};
  REQUIRE(session->launch(*kernel, {}, arguments).ok());
  CHECK(y[0] == 1200.0f);
}

} // namespace memory_test
