// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions whose work in LLVM is done by worker processes, which run the program kiln: the same bytes and the
// same messages as without; what happens to a worker happens to one job.
#include "must.h"

#include <session/session.h>
#include <support/cancellation.h>

#include <catch2/catch.hpp>

#include <atomic>
#include <csignal>
#include <dirent.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;
using Clock = std::chrono::steady_clock;

namespace {

constexpr const char *program = R"(
using CUDA
function saxpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
    end
    return
end
function sines(y)
    i = threadIdx().x
    y[i] = sin(y[i]) + y[i + 1]
    return
end
@noinline child(x) = x > 3 ? x * 2 + 1 : error("too small")
function calls(y)
    shared = CuStaticSharedArray(Float32, 64)
    shared[threadIdx().x] = child(y[threadIdx().x])
    sync_threads()
    y[threadIdx().x] = shared[65 - threadIdx().x]
    return
end
function unknown(y)
    y[1] = missing_function(y)
    return
end
)";
constexpr const char *vector = "CuDeviceVector{Float32,1}";

SessionOptions options(unsigned processes) {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  options.worker_processes = processes;
  options.worker_program = KILN_PROGRAM;
  return options;
}

std::unique_ptr<Session> open(unsigned processes, const std::string &text = program) {
  auto session = must(Session::open(options(processes)));
  must(session->load("workers.jl", text));
  return session;
}

CompilerConfig config(bool ptx, int debug_level = 1) {
  CompilerConfig config;
  if (ptx) config.target = PtxOptions();
  config.debug_level = debug_level;
  return config;
}

/// A product, or the text of the error.
std::string product(Session &session, const std::string &call, const CompilerConfig &config,
                    ArtifactKind kind) {
  auto made = session.compile(call, config, kind);
  return made.ok() ? (*made)->bytes : made.error().what();
}

std::string failure(const Result<std::shared_ptr<const Artifact>> &made) {
  if (made.ok()) return "no error";
  return std::string(made.error().diagnostics()[0].name()) + ": " + made.error().diagnostics()[0].message;
}

/// The session's only worker, which is waiting for work.
pid_t worker_of(Session &session) {
  const std::vector<int64_t> numbers = jobs_of(session).processes()->pool().processes();
  REQUIRE(numbers.size() == 1);
  return pid_t(numbers[0]);
}

size_t open_descriptors() {
  size_t count = 0;
  DIR *folder = ::opendir("/proc/self/fd");
  while (::readdir(folder)) count++;
  ::closedir(folder);
  return count;
}

} // namespace

TEST_CASE("worker processes make the same bytes and the same messages") {
  auto plain = open(0), with = open(2);
  const std::vector<std::string> calls = {
      "saxpy(" + std::string(vector) + ", " + vector + ", Float32)", "sines(" + std::string(vector) + ")",
      "calls(" + std::string(vector) + ")", "unknown(" + std::string(vector) + ")"};
  for (const std::string &call : calls)
    for (const bool ptx : {true, false})
      for (const int debug_level : {0, 1, 2})
        for (const ArtifactKind kind :
             {ArtifactKind::LlvmOpt, ArtifactKind::Assembly, ArtifactKind::Object, ArtifactKind::Cubin}) {
          if (kind == (ptx ? ArtifactKind::Object : ArtifactKind::Cubin)) continue;
          if (kind == ArtifactKind::Cubin && debug_level == 2) continue; // takes the assembler seconds
          CAPTURE(call, ptx, debug_level, int(kind));
          const std::string expected = product(*plain, call, config(ptx, debug_level), kind);
          CHECK_FALSE(expected.empty());
          CHECK((product(*with, call, config(ptx, debug_level), kind) == expected));
        }
  CHECK(jobs_of(*with).processes()->pool().counters().started >= 1);
  CHECK_THAT(product(*with, calls[3], config(true), ArtifactKind::Assembly),
             Contains("missing_function") && Contains("workers.jl:"));
}

TEST_CASE("an embedder's own program is a worker, too") {
  auto alone = open(0);
  SessionOptions own = options(1);
  own.worker_program = OWN_WORKER;
  auto session = must(Session::open(own));
  must(session->load("workers.jl", program));
  const std::string call = std::string("calls(") + vector + ")";
  CHECK(must(session->compile(call, config(false), ArtifactKind::Object))->bytes ==
        must(alone->compile(call, config(false), ArtifactKind::Object))->bytes);
  CHECK(jobs_of(*session).processes()->pool().counters().started == 1);
}

TEST_CASE("what a worker made is told as what was made here") {
  auto plain = open(0), with = open(1);
  const std::string call = "calls(" + std::string(vector) + ")";
  for (const ArtifactKind kind : {ArtifactKind::Assembly, ArtifactKind::Cubin}) {
    auto expected = plain->compile(call, config(true), kind);
    auto made = with->compile(call, config(true), kind);
    REQUIRE(made.ok() == expected.ok()); // no assembler on this machine: no cubin in either
    if (!made.ok()) continue;
    const Artifact &a = **expected, &b = **made;
    CHECK(a.entry == b.entry);
    CHECK(a.parameters.size() == b.parameters.size());
    CHECK(a.has_kernel_state == b.has_kernel_state);
    CHECK(a.shared_bytes == 256); // 64 Float32
    CHECK(b.shared_bytes == 256);
    CHECK(a.assembler == b.assembler);
    CHECK(a.device_library == b.device_library);
    CHECK(a.resources.registers == b.resources.registers);
  }
}

TEST_CASE("observers see the same products in the same order") {
  auto seen_of = [](unsigned processes) {
    auto session = open(processes);
    std::vector<std::pair<ArtifactKind, std::string>> seen;
    const Observation observation = session->observe(
        [&](const ObservedProduct &product) { seen.emplace_back(product.kind, std::string(product.bytes)); });
    for (const bool ptx : {true, false})
      must(session->compile("sines(" + std::string(vector) + ")", config(ptx),
                            ptx ? ArtifactKind::Assembly : ArtifactKind::Object));
    return seen;
  };
  const auto expected = seen_of(0), seen = seen_of(1);
  REQUIRE(seen.size() == expected.size());
  CHECK(seen.size() >= 8);
  for (size_t i = 0; i < seen.size(); i++) {
    CAPTURE(i, int(seen[i].first));
    CHECK(seen[i].first == expected[i].first);
    CHECK((seen[i].second == expected[i].second));
  }
}

TEST_CASE("a worker that is killed in the middle of a job fails that job alone") {
  auto session = open(1);
  must(session->compile("sines(" + std::string(vector) + ")", config(true), ArtifactKind::Assembly));
  const std::string call = "calls(" + std::string(vector) + ")";
  const pid_t worker = worker_of(*session);
  ::kill(worker, SIGSTOP); // so that it cannot be done before it is killed
  std::thread killer([&] {
    while (jobs_of(*session).processes()->pool().counters().working == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::kill(worker, SIGKILL);
  });
  CHECK_THAT(failure(session->compile(call, config(true), ArtifactKind::Assembly)),
             Contains("WorkerError") && Contains("SIGKILL"));
  killer.join();
  must(session->compile(call, config(true), ArtifactKind::Assembly)); // the error was not kept
}

TEST_CASE("a job whose worker does not come back ends within a second of its cancel and of its deadline") {
  auto session = open(1);
  const std::string call = "calls(" + std::string(vector) + ")";
  for (const bool by_deadline : {false, true}) {
    CAPTURE(by_deadline);
    must(session->compile("saxpy(" + std::string(vector) + ", " + vector + ", Float32)",
                          config(true, by_deadline ? 0 : 2), ArtifactKind::Assembly));
    ::kill(worker_of(*session), SIGSTOP); // as a pass that never ends
    Cancellation cancellation;
    std::atomic<Clock::time_point> stopped{Clock::now() + std::chrono::milliseconds(500)};
    std::thread canceller;
    if (by_deadline)
      cancellation.set_deadline(stopped);
    else
      canceller = std::thread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        stopped = Clock::now();
        cancellation.cancel();
      });
    {
      const CancellationScope scope(&cancellation);
      const std::string failed =
          failure(session->compile(call, config(true, by_deadline ? 0 : 1), ArtifactKind::Assembly));
      const std::chrono::duration<double> late = Clock::now() - stopped.load();
      CHECK_THAT(failed, Catch::StartsWith(by_deadline ? "DeadlineExceeded" : "Cancelled"));
      CHECK(late.count() < 1);
    }
    if (canceller.joinable()) canceller.join();
    must(session->compile(call, config(true, by_deadline ? 0 : 1), ArtifactKind::Assembly));
  }
}

TEST_CASE(
    "a compile that was submitted is over a second after its cancel and its deadline, and its worker with it") {
  auto session = open(1);
  for (const bool by_deadline : {false, true}) {
    CAPTURE(by_deadline);
    must(session->compile("saxpy(" + std::string(vector) + ", " + vector + ", Float32)",
                          config(true, by_deadline ? 0 : 2), ArtifactKind::Assembly));
    const pid_t worker = worker_of(*session);
    ::kill(worker, SIGSTOP);
    const CompileRequest request{.call = "calls(" + std::string(vector) + ")",
                                 .config = config(true, by_deadline ? 0 : 1)};
    const Clock::time_point begin = Clock::now();
    const CompileFuture future =
        session->submit(request, {.deadline = std::chrono::milliseconds(by_deadline ? 1000 : 0)});
    if (!by_deadline) {
      while (jobs_of(*session).processes()->pool().counters().working == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      future.cancel();
    }
    const Clock::time_point stopped = by_deadline ? begin + std::chrono::milliseconds(1000) : Clock::now();
    CHECK_THAT(failure(future.get()), Catch::StartsWith(by_deadline ? "DeadlineExceeded" : "Cancelled"));
    bool is_there = true; // waited for by the thread that had it
    while (is_there && Clock::now() < stopped + std::chrono::seconds(1)) {
      is_there = ::kill(worker, 0) == 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    CHECK_FALSE(is_there);
    must(session->submit(request).get());
  }
}

TEST_CASE("an error of LLVM's comes back with its text, and the next job works") {
  auto plain = must(Session::open(options(0))), with = must(Session::open(options(1)));
  const IrFunction broken{
      .name = "broken",
      .arguments = {"Float32"},
      .ir = "define void @broken(float %x) {\n"
            "  call void asm sideeffect \"no_such_instruction %rax\", \"\"()\n  ret void\n}\n"};
  CompilerConfig function;
  function.kernel = false;
  for (Session *session : {plain.get(), with.get()}) {
    must(session->define_ir(broken));
    must(session->load("f.jl", "f(x) = x + 1"));
  }
  const std::string expected = failure(plain->compile("broken(Float32)", function, ArtifactKind::Object));
  CHECK_THAT(expected, Contains("LLVM error"));
  CHECK(failure(with->compile("broken(Float32)", function, ArtifactKind::Object)) == expected);
  must(with->compile("f(Float32)", function, ArtifactKind::Object));
}

TEST_CASE("many threads share few workers") {
  auto plain = open(0), with = open(2);
  const std::string call = "sines(" + std::string(vector) + ")";
  std::vector<std::string> made(12);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < made.size(); t++)
    threads.emplace_back([&, t] {
      CompilerConfig named = config(t % 2);
      named.name = "k" + std::to_string(t);
      made[t] = product(*with, call, named, ArtifactKind::Assembly);
    });
  for (std::thread &thread : threads) thread.join();
  for (size_t t = 0; t < made.size(); t++) {
    CompilerConfig named = config(t % 2);
    named.name = "k" + std::to_string(t);
    CHECK((made[t] == product(*plain, call, named, ArtifactKind::Assembly)));
  }
  CHECK(jobs_of(*with).processes()->pool().counters().started <= 2);
}

TEST_CASE("a session leaves no process and no descriptor behind") {
  {
    auto warm = open(0);
  } // what a process keeps of its first session
  const size_t before = open_descriptors();
  {
    auto session = open(2);
    must(session->compile("sines(" + std::string(vector) + ")", config(true), ArtifactKind::Assembly));
    CHECK(open_descriptors() > before);
  }
  CHECK(open_descriptors() == before);
  siginfo_t info{};
  CHECK(::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0); // there is no child
}

TEST_CASE(
    "options that cannot be are refused when the session is opened; a program that is no worker when it is needed") {
  auto refused = [](SessionOptions given) {
    auto session = Session::open(given);
    return session.ok()
               ? std::string("opened")
               : std::to_string(int(session.error().kind())) + " " + session.error().diagnostics()[0].message;
  };
  SessionOptions given = options(1);
  given.worker_program = "/nowhere/kiln";
  CHECK_THAT(refused(given),
             Catch::StartsWith("2 ") && Contains("SessionOptions::worker_program names /nowhere/kiln"));
  given.worker_program = "/etc/passwd"; // not executable
  CHECK_THAT(refused(given), Catch::StartsWith("2 ") && Contains("no program that can be run"));
  given = options(5000);
  CHECK_THAT(refused(given), Catch::StartsWith("2 ") && Contains("worker_processes is 5000"));
  given = options(1);
  given.worker_memory = 1000;
  CHECK_THAT(refused(given), Catch::StartsWith("2 ") && Contains("worker_memory is 1000 bytes"));

  given = options(1);
  given.worker_program = "/bin/false";
  auto session = must(Session::open(given));
  must(session->load("workers.jl", program));
  auto made = session->compile("sines(" + std::string(vector) + ")", config(true), ArtifactKind::Assembly);
  CHECK_THAT(failure(made), Contains("WorkerError") && Contains("/bin/false"));
  CHECK(int(made.error().kind()) == 3);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
TEST_CASE("a worker with a limit of memory does ordinary work") {
  SessionOptions given = options(1);
  given.worker_memory = uint64_t(2) << 30;
  auto session = must(Session::open(given));
  must(session->load("workers.jl", program));
  must(session->compile("sines(" + std::string(vector) + ")", config(true), ArtifactKind::Assembly));
}
#endif

TEST_CASE("what a worker process timed stands below its row, and adds up") {
  SessionOptions opening = options(1);
  opening.timings = true;
  opening.timing_passes = true;
  auto session = must(Session::open(opening));
  must(session->load("workers.jl", program));
  const std::string call = fmt::format("saxpy({0}, {0}, Float32)", vector);
  must(session->compile(call, config(true), ArtifactKind::Assembly));
  const TimingReport report = session->timings();
  REQUIRE(report.jobs.size() == 1);
  for (const auto *rows : {&report.rows, &report.jobs[0].rows}) {
    const TimingRow *process = nullptr;
    uint64_t below = 0;
    std::vector<std::string> names;
    for (const TimingRow &row : *rows) {
      if (process && row.depth <= process->depth) break;
      if (process) names.push_back(row.name);
      if (process && row.depth == process->depth + 1) below += row.nanoseconds;
      if (row.name == "worker process") process = &row;
      CHECK(row.self_nanoseconds <= row.nanoseconds);
    }
    REQUIRE(process);
    CHECK(below <= process->nanoseconds);
    CHECK(process->self_nanoseconds == process->nanoseconds - below);
    for (const char *stage : {"LLVM middle-end", "validation", "LLVM back-end", "machine-code generation"})
      CHECK(std::count(names.begin(), names.end(), stage) == 1);
    const bool has_passes = std::any_of(names.begin(), names.end(), [](const std::string &name) {
      return name.find("Instruction Selection") != std::string::npos;
    });
    CHECK(has_passes);
  }
}

TEST_CASE("a worker compiles calls of host functions, whose addresses this process knows") {
  static constexpr auto quadrupled = +[](int64_t x) -> int64_t { return 4 * x; };
  auto with = open(1);
  must(with->define_host_function("quadrupled", {.arguments = {"Int64"}, .returns = "Int64"},
                                  reinterpret_cast<void *>(quadrupled)));
  must(with->load("h.jl", "h(x) = quadrupled(x) + 1\ng(x) = ccall(:nowhere, Int64, (Int64,), x)\n"));
  int64_t x = 5, result = 0;
  const void *arguments[] = {&x};
  must(must(with->prepare_function("h(Int64)")).call(arguments, &result));
  CHECK(result == 21);
  CHECK_THAT(with->prepare_function("g(Int64)").error().what(),
             Contains("HostFunctionError") && Contains("`nowhere`"));
}
