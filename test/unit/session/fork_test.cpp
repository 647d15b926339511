// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child that fork() made has none of its parent's threads, and the locks that they held. What came along
// says so and never waits; a session of the child's own works.
#include "must.h"
#include "variables.h"
#include "wipes_on_fork.h"

#include <kiln/kiln.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fork_test {

using namespace kiln;
using kiln::test::must;

namespace {

constexpr const char *program = R"(
using CUDA
function add(y, x)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        y[i] += x
    end
    return
end
)";
constexpr const char *call = "add(CuDeviceVector{Float32,1}, Float32)";

SessionOptions quiet() {
  SessionOptions options;
  options.cache_dir = "";
  return options;
}

/// Runs `body` in a child, which has to end within a minute; what it returns is "" or what is wrong.
std::string in_child(const std::function<std::string()> &body) {
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(60); // ends it if it hangs
    std::string wrong = body();
    wrong += wrong.empty() ? "ok" : "";
    (void)!::write(pipe[1], wrong.data(), wrong.size());
    ::_exit(0); // neither Catch nor static objects are the child's
  }
  ::close(pipe[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t got; (got = ::read(pipe[0], buffer, sizeof buffer)) > 0;) said.append(buffer, size_t(got));
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status));
  return said == "ok" ? "" : said;
}

/// A session of its own: loads, compiles for both targets, launches by name and in a stream.
std::string works(const SessionOptions &options = quiet()) {
  auto opened = Session::open(options);
  if (!opened.ok()) return opened.error().what();
  Session &session = **opened;
  if (auto loaded = session.load("child.jl", program); !loaded.ok()) return loaded.error().what();
  CompilerConfig ptx{.target = PtxOptions{}};
  ptx.kernel = true;
  if (auto made = session.compile(call, ptx, ArtifactKind::Assembly); !made.ok()) return made.error().what();
  std::vector<float> y(100000, 1);
  if (auto done = session.launch("add", {.blocks = {400, 1, 1}, .threads = {256, 1, 1}},
                                 {Argument::array(y.data(), {int64_t(y.size())}), Argument::scalar(2.0f)});
      !done.ok())
    return done.error().what();
  for (float each : y)
    if (each != 3) return "a launch by name wrote " + std::to_string(each);
  auto kernel = session.prepare(call);
  if (!kernel.ok()) return kernel.error().what();
  Stream stream = session.stream();
  auto buffer = stream.allocate(y.size() * sizeof(float));
  if (!buffer.ok()) return buffer.error().what();
  (void)stream.copy(buffer->data(), y.data(), buffer->bytes());
  const abi::ArrayHeader<1> header{
      buffer->data(), int64_t(buffer->bytes()), {int64_t(y.size())}, int64_t(y.size())};
  float two = 2;
  const void *arguments[] = {&header, &two};
  if (auto put = stream.launch(*kernel, {.blocks = {400, 1, 1}, .threads = {256, 1, 1}}, arguments);
      !put.ok())
    return put.error().what();
  (void)stream.copy(y.data(), buffer->data(), buffer->bytes());
  if (auto done = stream.synchronize(); !done.ok()) return done.error().what();
  return y[99999] == 5 ? "" : "a launch in a stream wrote " + std::to_string(y[99999]);
}

template <class R> std::string refused(const char *what, const R &result) {
  if (result.ok()) return std::string(what) + " was done";
  if (result.error().kind() != ErrorKind::Usage)
    return std::string(what) + ": not Usage: " + result.error().what();
  if (result.error().what().find("forked from") == std::string::npos)
    return std::string(what) + ": " + result.error().what();
  return "";
}

struct Parent {
  std::unique_ptr<Session> session = must(Session::open(quiet()));
  Device cpu = session->cpu();
  Kernel kernel;
  Stream stream = session->stream();
  Event event;
  Buffer buffer = must(stream.allocate(1000));
  Buffer pinned = must(cpu.allocate_pinned(1000));
  Job job;
  HostFunction function;
  Parent() {
    must(session->load("parent.jl", std::string(program) + "plain(x) = x + 1\n"));
    job = must(session->job(call));
    function = must(session->prepare_function("plain(Int64)"));
    kernel = must(session->prepare(call));
    must(stream.record(event));
    must(stream.synchronize());
  }

  std::string all_refused() {
    const void *arguments[] = {&cpu, &cpu};
    for (std::string wrong : {refused("check", session->check()),
                              refused("load", session->load("x.jl", "x = 1")),
                              refused("load_file", session->load_file("/dev/null")),
                              refused("compile", session->compile(call, {}, ArtifactKind::Assembly)),
                              refused("launch", session->launch("add", {}, {})),
                              refused("gpus", session->gpus()),
                              refused("gpu", session->gpu()),
                              refused("gpu_in_context", session->gpu_in_context(nullptr)),
                              refused("prepare", session->prepare(call)),
                              refused("load_kernel", session->load_kernel(nullptr, cpu)),
                              refused("launch", session->launch(kernel, {}, arguments)),
                              refused("stream", session->stream(cpu)),
                              refused("Stream::launch", stream.launch(kernel, {}, arguments)),
                              refused("allocate", stream.allocate(8)),
                              refused("copy", stream.copy(arguments, arguments, 8)),
                              refused("fill", stream.fill(arguments, 0, 8)),
                              refused("record", stream.record(event)),
                              refused("wait", stream.wait(event)),
                              refused("synchronize", stream.synchronize()),
                              refused("capture_begin", stream.capture_begin()),
                              refused("capture_end", stream.capture_end()),
                              refused("allocate_pinned", cpu.allocate_pinned(8)),
                              refused("free_memory", cpu.free_memory()),
                              refused("trim", cpu.trim()),
                              refused("set_kept_memory", cpu.set_kept_memory(0)),
                              refused("Device::synchronize", cpu.synchronize()),
                              refused("suggest", kernel.suggest()),
                              refused("global", kernel.global("x")),
                              refused("Event::check", event.check()),
                              refused("between", Event::between(event, event)),
                              refused("job", session->job(call)),
                              refused("prepare_function", session->prepare_function("plain(Int64)")),
                              refused("define", session->define([](World &) { return Result<void>(); })),
                              refused("Job::compile", job.compile(ArtifactKind::Assembly)),
                              refused("Job::prepare", job.prepare(cpu)),
                              refused("Job::prepare_function", job.prepare_function()),
                              refused("return_type", job.return_type()),
                              refused("renew", job.renew()),
                              refused("HostFunction::call", function.call({}, nullptr))})
      if (!wrong.empty()) return wrong;
    event.wait();
    session->flush_cache();
    job.on_stale([] {});
    job.attach(this, nullptr);
    if (job.is_current() || job.world() || job.attached(this)) return "a job told of the parent";
    if (session->cpu()) return "cpu() gave a device";
    if (session->stream()) return "stream() gave a stream";
    if (!session->trace().empty() || session->counters().compiled || !stream.idle() || !event.done())
      return "something that cannot fail told of the parent";
    return "";
  }
};

/// Threads that compile, launch, load and write streams until it goes.
class Busy {
public:
  explicit Busy(Session &session) {
    for (int i = 0; i < 2; i++)
      threads_.emplace_back([this, &session, i] {
        Stream stream = session.stream();
        const std::string name = i ? "even" : "odd";
        for (uint64_t n = 0; !ended_; n++) {
          std::string text = "function busy_" + name + "(y, x)\n    y[1] += x + " + std::to_string(n) +
                             "f0\n    return\nend\n";
          {
            std::lock_guard lock(loading_); // loads run beside no compile of what they define
            (void)session.load(name + ".jl", text);
          }
          std::vector<float> y(64);
          (void)session.launch("busy_" + name, {.blocks = {64, 1, 1}},
                               {Argument::array(y.data(), {64}), Argument::scalar(1.0f)});
          CompilerConfig ptx{.target = PtxOptions{}};
          ptx.kernel = true;
          (void)session.compile("busy_" + name + "(CuDeviceVector{Float32,1}, Float32)", ptx,
                                ArtifactKind::Assembly);
          (void)stream.fill(y.data(), 0, 64);
          (void)stream.synchronize();
        }
      });
  }
  ~Busy() {
    ended_ = true;
    for (std::thread &thread : threads_) thread.join();
  }

private:
  std::atomic<bool> ended_{false};
  std::mutex loading_;
  std::vector<std::thread> threads_;
};

} // namespace

TEST_CASE("in a child every call of what came along is a Usage error that says so") {
  if (!wipes_on_fork()) return;
  Parent parent;
  const std::string wrong = in_child([&] { return parent.all_refused(); });
  INFO(wrong);
  CHECK(wrong.empty());
  must(parent.session->compile(call, {}, ArtifactKind::Assembly)); // the parent's is as it was
  CHECK(works() == "");
}

TEST_CASE("a child opens a session of its own") {
  if (!wipes_on_fork()) return;
  CHECK(works() == ""); // so that oneTBB has threads here
  const std::string wrong = in_child([] { return works(); });
  INFO(wrong);
  CHECK(wrong.empty());
  // And a child of the child.
  const std::string nested = in_child([] {
    auto mine = Session::open(quiet());
    if (!mine.ok()) return mine.error().what();
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      ::_exit(refused("check", (*mine)->check()).empty() && works().empty() ? 0 : 1);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    return std::string(status ? "the child's child failed" : "");
  });
  INFO(nested);
  CHECK(nested.empty());
}

TEST_CASE(
    "with busy threads at the fork, nothing hangs in the child: neither calls, nor destroying, nor a new session") {
  if (!wipes_on_fork()) return;
  auto parent = std::make_unique<Parent>();
  {
    Busy busy(*parent->session);
    for (int i = 0; i < 25; i++) {
      std::this_thread::sleep_for(std::chrono::milliseconds(7));
      const std::string wrong = in_child([&] {
        std::string found = parent->all_refused();
        parent.reset(); // the handles, and the session that the threads were in
        return found.empty() ? works() : found;
      });
      INFO("fork " << i << ": " << wrong);
      REQUIRE(wrong.empty());
    }
  }
  CHECK(works() == "");
}

TEST_CASE("in a child handles outlive sessions and may be assigned, as in the parent, and wait for nothing") {
  if (!wipes_on_fork()) return;
  auto parent = std::make_unique<Parent>();
  const std::string wrong = in_child([&] {
    Stream moved = std::move(parent->stream);
    moved = Stream();
    Buffer buffer = std::move(parent->buffer);
    buffer = std::move(parent->pinned);
    Event event = parent->event;
    event = Event(); // one of this process
    if (!event.check().ok()) return std::string("an event of the child's own is refused");
    parent->session.reset();
    parent.reset();
    return std::string();
  });
  CHECK(wrong == "");
}

TEST_CASE("a child in which the CUDA driver was started before the fork is told, and uses the CPU") {
  if (!wipes_on_fork()) return;
  kiln::test::Variable driver("KILN_CUDA_DRIVER", KILN_FAKE_CUDA);
  auto session = must(Session::open(quiet()));
  Device gpu = must(session->gpu());
  Stream stream = must(session->stream(gpu));
  Buffer buffer = must(stream.allocate(64));
  const std::string wrong = in_child([&] {
    if (std::string still = refused("allocate", stream.allocate(8)); !still.empty()) return still;
    if (std::string still = refused("synchronize", gpu.synchronize()); !still.empty()) return still;
    auto mine = Session::open(quiet());
    if (!mine.ok()) return mine.error().what();
    auto opened = (*mine)->gpu();
    if (opened.ok()) return std::string("a GPU was opened");
    if (opened.error().kind() != ErrorKind::Machine ||
        opened.error().what().find("forked from one that had started the CUDA driver") == std::string::npos)
      return opened.error().what();
    return works();
  });
  INFO(wrong);
  CHECK(wrong.empty());
  must(stream.synchronize());
}

} // namespace fork_test
