// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quick tier: fast code first, optimised code when it is there, and nothing of it without the option.
#include "gpu_fixture.h"
#include "scratch.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <set>
#include <thread>

using namespace kiln;
using namespace kiln::test;
using namespace std::chrono_literals;

namespace {

/// The fake driver and the fake assembler, and what the latter is told.
struct Machine {
  Fake fake;
  Environment toolkit{"KILN_CUDA_HOME", KILN_FAKE_TOOLKIT};
  void *library = ::dlopen(KILN_FAKE_NVJITLINK, RTLD_NOW);
  Machine() {
    if (!library) FAIL(::dlerror());
    block(false);
    fail(false);
    fast_before = fast();
    full_before = full();
  }
  ~Machine() {
    block(false);
    fail(false);
  }
  template <class F> F *function(const char *name) const {
    return reinterpret_cast<F *>(::dlsym(library, name));
  }
  void block(bool on) { function<void(int)>("fake_jitlink_block")(on); }
  void fail(bool on) { function<void(int)>("fake_jitlink_fail")(on); }
  uint64_t waiting() const { return function<uint64_t()>("fake_jitlink_waiting")(); }
  // Since this object was made: the library stays in the process.
  uint64_t fast() const { return function<uint64_t()>("fake_jitlink_fast")() - fast_before; }
  uint64_t full() const { return function<uint64_t()>("fake_jitlink_full")() - full_before; }
  uint64_t fast_before = 0, full_before = 0;
};

/// many(y, n) has 420 branches, of 210 `if`s and the bounds checks in them; few(y, n) has a loop.
std::string program() {
  std::string text = "using CUDA\nfunction many(y, n)\n  v = n\n";
  for (int i = 1; i <= 210; i++)
    text += fmt::format("  if v > {0}\n    y[v] = {0}.5f0\n    v = v ⊻ {0}\n  end\n", i);
  return text +
         "  y[1] = v\n  return\nend\nfunction few(y, n)\n  v = 0f0\n  for k in 1:n\n    v += y[k]\n  end\n"
         "  y[1] = v\n  return\nend\n";
}
constexpr const char *many = "many(CuDeviceVector{Float32,1}, Int64)";
constexpr const char *few = "few(CuDeviceVector{Float32,1}, Int64)";

SessionOptions options(bool tier, const std::string &folder = {}) {
  SessionOptions options;
  options.cache_dir = folder;
  options.quick_tier = tier;
  options.verbosity = LogLevel::Error;
  return options;
}

std::unique_ptr<Session> open(const SessionOptions &options) {
  auto session = take(Session::open(options));
  take(session->load("branches.jl", program()));
  return session;
}

bool becomes_true(const std::function<bool()> &condition) {
  for (int i = 0; i < 3000; i++) {
    if (condition()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

/// A launch of either kernel in a stream.
struct Launches {
  Session &session;
  Device device = take(session.gpu());
  Stream stream = take(session.stream(device));
  Buffer memory = take(stream.allocate(256));
  Argument array = Argument::array(static_cast<float *>(memory.data()), {64});
  void by_name(const char *name = "many") {
    done(session.launch(stream, name, {.threads = {32, 1, 1}},
                        std::vector<Argument>{array, Argument::scalar(int64_t(3))}));
  }
  void with(const Kernel &kernel) {
    int64_t n = 3;
    const void *arguments[] = {array.bytes.data(), &n};
    done(stream.launch(kernel, {.threads = {32, 1, 1}}, arguments));
  }
};

bool is_fast(const Kernel &kernel) { return kernel.artifact().bytes.find("-Ofc=max") != std::string::npos; }

std::set<std::string> files_in(const std::filesystem::path &folder) {
  std::set<std::string> all;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().string().find("lock") == std::string::npos &&
        entry.path().filename() != "stats")
      all.insert(std::filesystem::relative(entry.path(), folder).string());
  return all;
}

} // namespace

TEST_CASE("launches run fast code until the optimised code is loaded, and wait for nothing") {
  Machine machine;
  machine.block(true);
  auto session = open(options(true));
  Launches launches{*session};
  Kernel kernel = take(session->prepare(many, {}, launches.device)); // returns while the assembler waits
  CHECK(is_fast(kernel));
  CHECK_THAT(kernel.artifact().assembler, Catch::EndsWith("fast compile"));
  launches.with(kernel);
  void *const before = machine.fake.last_launch().function;
  launches.by_name();
  void *const by_name_before = machine.fake.last_launch().function;
  REQUIRE(becomes_true([&] { return machine.waiting() > 0; }));
  launches.with(kernel);
  CHECK(machine.fake.last_launch().function == before);
  CHECK(session->counters().quick == 2);
  CHECK(session->counters().swapped == 0);
  machine.block(false);
  REQUIRE(becomes_true([&] { return session->counters().swapped == 2; }));
  launches.with(kernel);
  CHECK(machine.fake.last_launch().function != before);
  launches.by_name();
  CHECK(machine.fake.last_launch().function != by_name_before);
  CHECK(machine.fast() == 1); // both had one cubin
  CHECK(machine.full() == 1);
  Kernel later = take(session->prepare(many, {}, launches.device));
  CHECK_FALSE(is_fast(later));
  CHECK(session->counters().quick == 2);
  done(launches.stream.synchronize());
}

TEST_CASE("a kernel that gains nothing, and any without the option, is assembled well at once") {
  Machine machine;
  const uint64_t fast = machine.fast();
  auto with = open(options(true)), without = open(options(false));
  CHECK_FALSE(is_fast(take(with->prepare(few, {}, take(with->gpu())))));
  CHECK_FALSE(is_fast(take(without->prepare(many, {}, take(without->gpu())))));
  CompilerConfig quick_anyway;
  quick_anyway.opt_level = 1;
  CHECK_FALSE(is_fast(take(with->prepare(many, quick_anyway, take(with->gpu())))));
  CHECK(machine.fast() == fast);
  CHECK(with->counters().quick == 0);
}

TEST_CASE("fast code stands in for no product, and no folder has it") {
  Machine machine;
  Scratch with_tier, without_tier;
  std::string bytes[2];
  for (const bool tier : {false, true}) {
    auto session = open(options(tier, (tier ? with_tier : without_tier).path));
    Kernel kernel = take(session->prepare(many, {}, take(session->gpu())));
    CHECK(is_fast(kernel) == tier);
    if (tier) REQUIRE(becomes_true([&] { return session->counters().swapped == 1; }));
    CompilerConfig config;
    config.target = take(session->gpu()).target();
    auto cubin = take(session->compile(many, config, ArtifactKind::Cubin));
    bytes[tier] = cubin->bytes;
    CHECK_THAT(cubin->assembler, !Catch::EndsWith("fast compile"));
    session->flush_cache();
  }
  CHECK(bytes[0] == bytes[1]);
  CHECK(files_in(with_tier.path) == files_in(without_tier.path)); // files are named by their keys
  // What the folder has is launched as it is.
  const uint64_t fast = machine.fast(), full = machine.full();
  auto session = open(options(true, with_tier.path));
  CHECK_FALSE(is_fast(take(session->prepare(many, {}, take(session->gpu())))));
  CHECK(machine.fast() == fast);
  CHECK(machine.full() == full);
  CHECK(session->counters().compiled == 0);
}

TEST_CASE("where the optimised code cannot be made, that is told and the fast code stays") {
  Machine machine;
  machine.fail(true);
  std::string told;
  std::mutex mutex;
  SessionOptions opening = options(true);
  opening.timings = true;
  opening.verbosity = LogLevel::Warning;
  opening.log = [&](LogLevel, std::string_view message) {
    std::lock_guard lock(mutex);
    told += message;
  };
  auto session = open(opening);
  Launches launches{*session};
  Kernel kernel = take(session->prepare(many, {}, launches.device));
  launches.with(kernel);
  void *const before = machine.fake.last_launch().function;
  REQUIRE(becomes_true([&] {
    for (const TimingWarning &warning : session->timings().warnings)
      if (warning.text.find("the test says so") != std::string::npos) return true;
    return false;
  }));
  {
    std::lock_guard lock(mutex);
    CHECK_THAT(told, Catch::Contains("keeps the code that was assembled fast") &&
                         Catch::Contains("the test says so"));
  }
  launches.with(kernel);
  CHECK(machine.fake.last_launch().function == before);
  CHECK(session->counters().swapped == 0);
}

TEST_CASE("the ledger has rows of the fast assembly, the one in the background and the swap") {
  Machine machine;
  SessionOptions opening = options(true);
  opening.timings = true;
  auto session = open(opening);
  Kernel kernel = take(session->prepare(many, {}, take(session->gpu())));
  REQUIRE(becomes_true([&] { return session->counters().swapped == 1; }));
  const TimingReport report = session->timings();
  auto calls = [&](std::string_view name) {
    uint64_t sum = 0;
    for (const TimingRow &row : report.rows)
      if (row.name == name) sum += row.calls;
    return sum;
  };
  CHECK(calls("assemble quickly") == 1);
  CHECK(calls("assemble in the background") == 1);
  CHECK(calls("assemble") == 1);
  CHECK(calls("swap in the optimised kernel") == 1);
}

TEST_CASE("many threads launch while the code is swapped: none fails, none is lost") {
  Machine machine;
  machine.block(true);
  auto session = open(options(true));
  Device device = take(session->gpu());
  Kernel kernel = take(session->prepare(many, {}, device));
  const uint64_t launched = machine.fake.count("cuLaunchKernelEx") + machine.fake.count("cuLaunchKernel");
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> made{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&] {
      Launches launches{*session};
      while (!stop) {
        launches.with(kernel);
        made++;
      }
      done(launches.stream.synchronize());
    });
  REQUIRE(becomes_true([&] { return made > 100; }));
  machine.block(false);
  CHECK(becomes_true([&] { return session->counters().swapped == 1; }));
  const uint64_t at_swap = made;
  CHECK(becomes_true([&] { return made > at_swap + 100; }));
  stop = true;
  for (std::thread &thread : threads) thread.join();
  CHECK(machine.fake.count("cuLaunchKernelEx") + machine.fake.count("cuLaunchKernel") == launched + made);
}

TEST_CASE("a session that closes waits for what is under way, and its kernels go on with what they have") {
  Machine machine;
  machine.block(true);
  SessionOptions opening = options(true);
  opening.compile_threads = 1;
  auto session = open(opening);
  Device device = take(session->gpu());
  Stream stream = take(session->stream(device));
  Kernel kernel = take(session->prepare(many, {}, device));
  Kernel second = take(session->prepare("many(CuDeviceVector{Float64,1}, Int64)", {}, device));
  REQUIRE(becomes_true([&] { return machine.waiting() == 1; }));
  std::thread later([&] {
    std::this_thread::sleep_for(50ms);
    machine.block(false);
  });
  const uint64_t full = machine.full();
  session.reset();
  later.join();
  CHECK(machine.full() == full + 1); // the second was dropped
  int64_t header[4] = {};
  const void *arguments[] = {header, header};
  CHECK(is_fast(second));
  done(stream.launch(second, {.threads = {32, 1, 1}}, arguments));
  done(stream.launch(kernel, {.threads = {32, 1, 1}}, arguments));
  done(stream.synchronize());
}
