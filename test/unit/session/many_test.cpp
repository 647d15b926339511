// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles that nobody waits for, and many at once.
#include "cached.h"
#include "gpu_fixture.h"
#include "scratch.h"

#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>

namespace many_test {

using namespace kiln;
using namespace kiln::test;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kernel_count = 40;

/// kernel0 ... : each stores another number. slow(y, Val(n)) takes long to infer and to compile.
std::string program() {
  std::string text = "using CUDA\n";
  for (int i = 0; i < kernel_count; i++)
    text += fmt::format("function kernel{}(y)\n  y[threadIdx().x] += {}f0\n  return\nend\n", i, i + 1);
  text +=
      "broken(y) = (y[1] = not_there(y); return)\n"
      "refused(y) = (y[1] = inline_assembly(Val(Symbol(\"no_such_instruction \\$0;\")), Val(Symbol(\"=r\")), UInt32, Tuple{}); return)\n"
      "function slow(y, ::Val{N}) where {N}\n"
      "  x = y[1]\n"
      "  @inbounds for i in 1:length(y)\n"
      "    Base.Cartesian.@nexprs 200 k -> x = x * y[i] + sqrt(abs(x - k)) / (x + k)\n"
      "  end\n  y[1] = x + N\n  return\nend\n";
  return text;
}

std::unique_ptr<Session> open(SessionOptions options = {}) {
  if (!options.cache_dir) options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  auto session = take(Session::open(options));
  take(session->load("many.jl", program()));
  return session;
}

std::string call(int kernel) { return fmt::format("kernel{}(CuDeviceVector{{Float32,1}})", kernel); }
std::string slow(int n) { return fmt::format("slow(CuDeviceVector{{Float32,1}}, Val{{{}}})", n); }

CompilerConfig for_ptx() {
  CompilerConfig config;
  config.target = PtxOptions();
  return config;
}

CompileRequest request(std::string call, ArtifactKind kind = ArtifactKind::Assembly) {
  return {.call = std::move(call), .config = for_ptx(), .kind = kind};
}

std::string name_of(const Result<std::shared_ptr<const Artifact>> &outcome) {
  REQUIRE_FALSE(outcome.ok());
  return std::string(outcome.error().diagnostics()[0].name());
}

bool has_assembler(Session &session) { return session.compile(call(0), for_ptx(), ArtifactKind::Cubin).ok(); }

} // namespace

TEST_CASE("a submitted compile gives what a compile gives") {
  auto session = open();
  CompileFuture future = session->submit(request(call(1)));
  const auto product = take(future.get());
  CHECK(future.ready());
  CHECK(product->bytes == take(session->compile(call(1), for_ptx(), ArtifactKind::Assembly))->bytes);
  CHECK(future.wait_for(0ns));
  int told = 0;
  future.then([&](const CompileFuture::Outcome &outcome) { told += outcome.ok(); }); // at once
  CHECK(told == 1);
}

TEST_CASE("what is told of a compile may submit the next one") {
  auto session = open();
  std::atomic<int> compiled{0};
  std::mutex mutex;
  CompileFuture second;
  CompileFuture first = session->submit(request(call(1)));
  first.then([&](const CompileFuture::Outcome &outcome) {
    compiled += outcome.ok();
    std::lock_guard lock(mutex);
    second = session->submit(request(call(2)));
    throw 1; // is dropped
  });
  REQUIRE(first.get().ok());
  while (true) {
    std::lock_guard lock(mutex);
    if (second) break;
  }
  CHECK(second.get().ok());
  CHECK(compiled == 1);
}

TEST_CASE("a held job is submitted as it stands") {
  auto session = open();
  Job job = take(session->job(call(3), for_ptx()));
  take(session->load("later.jl", "function kernel3(y)\n  y[1] = 0f0\n  return\nend\n"));
  auto product = take(session->submit({.kind = ArtifactKind::Assembly, .job = job}).get());
  CHECK(product->bytes == take(job.compile(ArtifactKind::Assembly))->bytes);
  CHECK(product->bytes != take(session->compile(call(3), for_ptx(), ArtifactKind::Assembly))->bytes);
  auto other = open();
  CHECK(name_of(other->submit({.kind = ArtifactKind::Assembly, .job = job}).get()) == "usage error");
}

TEST_CASE("errors of a submitted compile are its future's") {
  auto session = open();
  CHECK(name_of(session->submit(request("no_such_kernel(Int64)")).get()) == "UndefVarError");
  CHECK_FALSE(session->submit(request("broken(CuDeviceVector{Float32,1})")).get().ok());
  CHECK_FALSE(session->submit(request(call(1), ArtifactKind(200))).get().ok());
  CHECK_FALSE(session->submit(request(call(1)), {.deadline = -1ms}).get().ok());
  CHECK_FALSE(CompileFuture().get().ok());
  CHECK(CompileFuture().ready());
}

TEST_CASE("a compile that is cancelled returns at once, and those behind it are compiled") {
  SessionOptions options;
  options.compile_threads = 1;
  auto session = open(options);
  CompileFuture running = session->submit(request(slow(1))), waiting = session->submit(request(call(1))),
                last = session->submit(request(call(2)));
  waiting.cancel();
  CHECK(waiting.ready());
  CHECK(name_of(waiting.get()) == "Cancelled");
  std::this_thread::sleep_for(2ms);
  const auto before = Clock::now();
  running.cancel();
  CHECK(name_of(running.get()) == "Cancelled");
  CHECK(Clock::now() - before < 1s);
  running.cancel(); // once more does nothing
  CHECK(last.get().ok());
  CHECK(session->compile(slow(1), for_ptx(), ArtifactKind::Assembly).ok()); // nothing of it is kept wrongly
}

TEST_CASE("who joined a compile that is cancelled gets its product") {
  SessionOptions options;
  options.compile_threads = 2;
  auto session = open(options);
  CompileFuture first = session->submit(request(slow(1))), second = session->submit(request(slow(1)));
  std::this_thread::sleep_for(2ms);
  first.cancel();
  CHECK(name_of(first.get()) == "Cancelled");
  CHECK(second.get().ok());
}

TEST_CASE("a deadline ends a compile for those who wait") {
  SessionOptions options;
  options.compile_threads = 1;
  auto session = open(options);
  const auto before = Clock::now();
  CompileFuture late = session->submit(request(slow(1)), {.deadline = 1ms});
  CompileFuture behind = session->submit(request(slow(2)), {.deadline = 1ms});
  std::atomic<int> told{0};
  behind.then([&](const CompileFuture::Outcome &) { told++; });
  CHECK(name_of(late.get()) == "DeadlineExceeded");
  CHECK(name_of(behind.get()) == "DeadlineExceeded");
  CHECK(Clock::now() - before < 1s);
  while (told == 0) std::this_thread::yield();
  CHECK(session->submit(request(call(1)), {.deadline = std::chrono::milliseconds::max()}).get().ok());
  const std::vector<CompileRequest> requests{request(slow(3)), request(slow(4)), request(slow(5))};
  const auto again = Clock::now();
  size_t exceeded = 0;
  for (const auto &each : session->compile_many(requests, {.deadline = 1ms}))
    exceeded += !each.ok() && name_of(each) == "DeadlineExceeded";
  CHECK(exceeded > 0);
  CHECK(Clock::now() - again < 1s);
}

TEST_CASE("of those that wait the one of the highest priority is compiled first") {
  SessionOptions options;
  options.compile_threads = 1;
  auto session = open(options);
  std::mutex mutex;
  std::vector<int> order;
  std::vector<CompileFuture> futures{session->submit(request(slow(1)))}; // the thread's first
  for (int priority : {0, 2, 1, 2}) {
    futures.push_back(session->submit(request(call(int(futures.size()))), {.priority = priority}));
    futures.back().then([&, priority](const CompileFuture::Outcome &) {
      std::lock_guard lock(mutex);
      order.push_back(priority);
    });
  }
  for (const CompileFuture &each : futures) CHECK(each.get().ok());
  while (true) {
    std::lock_guard lock(mutex);
    if (order.size() == 4) break;
  }
  CHECK(order == std::vector<int>{2, 2, 1, 0});
}

TEST_CASE("closing a session ends what it has not compiled") {
  SessionOptions options;
  options.compile_threads = 1;
  auto session = open(options);
  std::vector<CompileFuture> futures;
  for (int i = 0; i < 20; i++) futures.push_back(session->submit(request(slow(i)), {.deadline = 1h}));
  session.reset();
  size_t ended = 0;
  for (const CompileFuture &each : futures) {
    REQUIRE(each.ready());
    ended += !each.get().ok();
    each.cancel();
  }
  CHECK(ended >= 18); // one may have been under way
}

TEST_CASE("many compiles give each its own result, in order, equal ones compiled once") {
  auto session = open();
  std::vector<CompileRequest> requests;
  for (int i = 0; i < kernel_count; i++) {
    requests.push_back(request(call(i)));
    if (i == 7) requests.push_back(request("broken(CuDeviceVector{Float32,1})"));
    if (i == 9) requests.push_back(request("not a call"));
  }
  const auto before = session->counters().compiled;
  auto products = session->compile_many(requests);
  CHECK(session->counters().compiled == before + kernel_count);
  REQUIRE(products.size() == requests.size());
  for (size_t i = 0; i < products.size(); i++) {
    if (i == 8 || i == 11) {
      CHECK_FALSE(products[i].ok());
      continue;
    }
    const auto alone = take(session->compile(requests[i].call, for_ptx(), ArtifactKind::Assembly));
    CHECK(take(std::move(products[i])) == alone); // the same artifact
  }
  const std::vector<CompileRequest> equal(100, request(slow(1)));
  const auto once = session->counters().compiled;
  for (const auto &each : session->compile_many(equal)) CHECK(each.ok());
  CHECK(session->counters().compiled == once + 1);
  CHECK(session->compile_many({}).empty());
}

TEST_CASE("kernels prepared together share cubins, and one that is broken fails alone") {
  Fake fake;
  Scratch folder;
  SessionOptions options;
  options.cache_dir = folder.path.string();
  options.compile_threads = 4;
  auto session = open(options);
  if (!has_assembler(*session)) {
    WARN("skipped: there is no assembler for PTX");
    return;
  }
  std::vector<CompileRequest> requests;
  for (int i = 1; i < kernel_count; i++) requests.push_back({.call = call(i)});
  requests.insert(requests.begin() + 5, {.call = "refused(CuDeviceVector{UInt32,1})"});
  requests.insert(requests.begin() + 9, {.call = "broken(CuDeviceVector{Float32,1})"});
  const Device device = take(session->gpu());
  auto kernels = session->prepare_many(requests, device);
  REQUIRE(kernels.size() == requests.size());
  for (size_t i = 0; i < kernels.size(); i++) {
    if (i == 5 || i == 9) {
      REQUIRE_FALSE(kernels[i].ok());
      CHECK_THAT(std::string(kernels[i].error().diagnostics()[0].name()),
                 Catch::Equals(i == 5 ? "AssemblerError" : "InvalidIRError") ||
                     Catch::Equals("UndefVarError"));
      continue;
    }
    CHECK_THAT(take(std::move(kernels[i])).artifact().entry, Catch::Contains(requests[i].call.substr(0, 7)));
  }
  const auto counters = session->counters();
  CHECK(counters.merged >= 20); // the batch of the refused one was assembled one by one
  // What is exported or emitted is the cubin of one kernel.
  const auto single = take(session->compile(call(30), for_ptx(), ArtifactKind::Cubin));
  CHECK_FALSE(single->merged);
  kernels.clear();
  session.reset();

  auto plain = open();
  CHECK(single->bytes == take(plain->compile(call(30), for_ptx(), ArtifactKind::Cubin))->bytes);
  auto later = open(options);
  const Device same = take(later->gpu());
  for (int i = 1; i < kernel_count; i++) take(later->prepare(call(i), {}, same));
  CHECK(later->counters().assembled == 0);
  CHECK(later->counters().compiled == 0);
}

TEST_CASE("kernels are prepared together for the CPU, too") {
  auto session = open();
  std::vector<CompileRequest> requests;
  for (int i = 0; i < 10; i++) requests.push_back({.call = call(i)});
  auto kernels = session->prepare_many(requests, session->cpu());
  for (int i = 0; i < 10; i++) {
    float y[4] = {};
    Argument array = Argument::array(y, {4});
    const void *arguments[] = {array.bytes.data()};
    done(session->launch(take(std::move(kernels[size_t(i)])), {.threads = {4, 1, 1}}, arguments));
    CHECK(y[3] == float(i + 1));
  }
  CHECK_FALSE(session->prepare_many(requests, Device())[0].ok());
}

TEST_CASE("cancelling at any moment leaves nothing behind", "[cancel]") {
  const char *wanted = std::getenv("KILN_TEST_CANCELS");
  const int cancels = wanted ? std::atoi(wanted) : 400;
  SessionOptions options;
  options.compile_threads = 3;
  options.artifact_budget = 0; // each is compiled
  options.inference_budget = size_t(4) << 20;
  auto session = open(options);
  const unsigned seed = 7;
  std::mt19937 random(seed);
  size_t cancelled = 0, compiled = 0;
  for (int i = 0; i < cancels; i++) {
    const bool is_waited_for = i % 16 == 0; // however slow the machine is
    const bool long_one = random() % 64 == 0 && !is_waited_for;
    CompileFuture future = session->submit(
        long_one ? request(slow(int(random() % 3))) : request(call(int(random() % kernel_count))),
        random() % 3 || is_waited_for
            ? SubmitOptions()
            : SubmitOptions{.priority = int(random() % 3), .deadline = 1ms * (1 + random() % 4)});
    CompileFuture joined =
        random() % 4 ? CompileFuture() : session->submit(request(call(int(random() % kernel_count))));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
    if (is_waited_for) (void)future.get();
    future.cancel();
    REQUIRE(future.ready());
    const auto outcome = future.get();
    if (outcome.ok())
      compiled++;
    else {
      cancelled++;
      REQUIRE((name_of(outcome) == "Cancelled" || name_of(outcome) == "DeadlineExceeded"));
    }
    if (joined) REQUIRE(joined.get().ok());
  }
  CHECK(cancelled > 0);
  CHECK(compiled > 0);
  for (int i = 0; i < kernel_count; i++) CHECK(session->submit(request(call(i))).get().ok());
}

} // namespace many_test
