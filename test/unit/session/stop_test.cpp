// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stop sources: launches and calls that end before they are done, from threads and from signal handlers.
#include "gpu_fixture.h"
#include "host_functions.h"

#include <csignal>
#include <thread>

namespace stop_test {

using namespace host_function_test;
using namespace std::chrono_literals;

namespace {

constexpr const char *program = R"(using CUDA
function spin(y)
  began()
  while (@inbounds y[1]) == 0
    @inbounds y[2] += 1
  end
  return
end
function waits_for_host(y)
  while CUDA.@atomic(y[1] += 0) == 0
    CUDA.@atomic y[2] += 1
  end
  return
end
function count_blocks(y)
  began()
  CUDA.@atomic y[1] += 1
  return
end
function waits_at_grid(y)
  began()
  grid = CG.this_grid()
  while (@inbounds y[1]) == 0
    CG.sync(grid)
  end
  return
end
function waits_at_barrier(y)
  began()
  while (@inbounds y[1]) == 0
    sync_threads()
  end
  return
end
function waits_for_other(y)
  began()
  if threadIdx().x == 1
    while CUDA.@atomic(y[1] += 0) == 0
      CUDA.@atomic y[2] += 1
    end
  else
    sync_threads()
  end
  sync_threads()
  return
end
function calls_host(y)
  began()
  while (@inbounds y[1]) == 0
    pause()
  end
  return
end
function sum_for_ever(x)
  began()
  s = 0.0
  while s >= 0
    s = s * 0.999 + x
  end
  return s
end
function calls_back(x)
  call_inner()
  return sum_for_ever(x)
end
)";

std::atomic<int> begun{0}; ///< calls of the host function `began`

/// Ends a launch or call on another thread once it has begun, and takes its error.
template <class Run> std::string stopped(const StopSource &stop, Run run) {
  Result<void> done;
  begun = 0;
  std::thread running([&] { done = run(); });
  while (begun == 0) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(5ms);
  const auto begin = std::chrono::steady_clock::now();
  stop.request_stop();
  running.join();
  CHECK(std::chrono::steady_clock::now() - begin < 20s);
  if (done.ok()) FAIL("it was not stopped");
  CHECK(done.error().code() == ErrorCode::Stopped);
  CHECK(done.error().kind() == ErrorKind::Usage);
  return done.error().what();
}

struct Stopping {
  Stopping() : session(open()) {
    must(session->define_host_function("pause", {}, address_of(+[] { std::this_thread::sleep_for(2ms); })));
    must(session->define_host_function("began", {}, address_of(+[] { begun++; })));
    must(session->define_host_function("call_inner", {}, address_of(&call_inner)));
    must(session->load("stop.jl", program));
  }
  static void call_inner();
  Argument array() { return Argument::array(y.data(), {4}); }
  Result<void> launch(const char *name, const StopSource *stop, bool interruptible = false,
                      const LaunchShape &shape = {.threads = {64, 1, 1}}) {
    CompilerConfig config;
    config.interruptible = interruptible;
    return session->launch(name, shape, {array()}, config, {.stop = stop});
  }
  std::unique_ptr<Session> session;
  std::vector<int64_t> y = std::vector<int64_t>(4);
};

std::function<void()> inner;
void Stopping::call_inner() { inner(); }

} // namespace

TEST_CASE("a stop ends launches at any instruction, and others go on") {
  Stopping s;
  const StopSource stop;
  for (const char *name : {"spin", "waits_at_grid", "waits_at_barrier", "waits_for_other", "calls_host"})
    for (bool interruptible : {false, true})
      for (uint32_t blocks : {1u, 200u}) {
        INFO(name << ", interruptible: " << interruptible << ", blocks: " << blocks);
        // A signal hardly ever finds a thread that pauses in compiled code (docs/guide/stop.md).
        if (!interruptible && std::string(name) == "calls_host") continue;
        std::vector<int64_t> mine(4);
        std::atomic<bool> ended{false};
        std::thread other([&] { // without the source
          must(s.session->launch("waits_for_host", {}, {Argument::array(mine.data(), {4})}));
          ended = true;
        });
        stopped(stop, [&] {
          return s.launch(name, &stop, interruptible, {.blocks = {blocks, 1, 1}, .threads = {64, 1, 1}});
        });
        CHECK_FALSE(ended);
        std::atomic_ref go(mine[0]);
        go = 1;
        other.join();
        stop.reset();
      }
}

TEST_CASE("an interruptible kernel names the loop that a thread was in") {
  Stopping s;
  const StopSource stop;
  const std::string what = stopped(stop, [&] { return s.launch("spin", &stop, true); });
  CHECK_THAT(what,
             Contains("Stopped") && Contains("stop.jl:4") && Contains("of block (1, 1, 1) was in this loop"));
  stop.reset();
  const std::string unknown = stopped(stop, [&] { return s.launch("spin", &stop); });
  CHECK_THAT(unknown, !Contains("stop.jl"));
}

TEST_CASE("blocks that have not begun never do") {
  Stopping s;
  const StopSource stop;
  for (bool interruptible : {false, true}) {
    s.y = {0, 0, 0, 0};
    stopped(stop,
            [&] { return s.launch("count_blocks", &stop, interruptible, {.blocks = {0x7fffffff, 1, 1}}); });
    CHECK(s.y[0] < 0x7fffffff);
    CHECK(s.y[0] > 0);
    stop.reset();
  }
}

TEST_CASE("a request stays until it is reset, and stops what is given the source meanwhile") {
  Stopping s;
  const StopSource stop, copy = stop;
  CHECK_FALSE(stop.stop_requested());
  CHECK(copy.request_stop());
  CHECK_FALSE(stop.request_stop());
  CHECK(stop.stop_requested());
  const auto compiled = s.session->counters().compiled;
  CHECK(s.launch("count_blocks", &stop).error().code() == ErrorCode::Stopped);
  CHECK(s.session->counters().compiled == compiled); // not for a launch that is stopped
  const Kernel kernel = must(s.session->prepare("count_blocks(CuDeviceVector{Int64,1})"));
  const Argument array = s.array();
  const void *arguments[] = {array.bytes.data()};
  CHECK(s.session->launch(kernel, {}, arguments, {.stop = &stop}).error().code() == ErrorCode::Stopped);
  CHECK(s.y[0] == 0);
  must(s.session->launch(kernel, {}, arguments));
  stop.reset();
  stop.reset();
  CHECK_FALSE(copy.stop_requested());
  must(s.session->launch(kernel, {}, arguments, {.stop = &copy}));
  CHECK(s.y[0] == 2);
  StopSource moved = copy, gone = std::move(moved);
  CHECK_FALSE(moved.request_stop()); // NOLINT(bugprone-use-after-move): a moved-from source does nothing
  moved.reset();
  CHECK_FALSE(moved.stop_requested());
}

TEST_CASE("launches that wait in streams are stopped too, also behind the reset") {
  Stopping s;
  const StopSource stop;
  const Kernel spin = must(s.session->prepare("spin(CuDeviceVector{Int64,1})")),
               count = must(s.session->prepare("count_blocks(CuDeviceVector{Int64,1})"));
  std::vector<int64_t> mine(4);
  const Argument array = s.array(), own = Argument::array(mine.data(), {4});
  const void *arguments[] = {array.bytes.data()}, *other[] = {own.bytes.data()};
  Stream stream = s.session->stream();
  must(stream.launch(spin, {}, arguments, {.stop = &stop}));
  must(stream.launch(count, {}, arguments, {.stop = &stop}));
  must(stream.launch(count, {}, other));
  {
    const StopSource another; // goes before its launch runs
    must(stream.launch(count, {}, other, {.stop = &another}));
  }
  std::this_thread::sleep_for(20ms);
  CHECK_FALSE(stream.idle());
  CHECK(stop.request_stop());
  stop.reset();
  must(stream.launch(count, {}, other, {.stop = &stop}));
  Result<void> done = stream.synchronize();
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().code() == ErrorCode::Stopped);
  CHECK(mine[0] == 3);
  CHECK(s.y[0] == 0);
  must(stream.synchronize());
}

TEST_CASE("plain functions are stopped, and keep their result's bytes") {
  Stopping s;
  const StopSource stop;
  const HostFunction sum = must(s.session->prepare_function("sum_for_ever(Float64)"));
  double x = 1, result = 17;
  const void *arguments[] = {&x};
  stopped(stop, [&] { return sum.call(arguments, &result, stop); });
  CHECK(result == 17);
  CHECK(sum.call(arguments, &result, stop).error().code() == ErrorCode::Stopped); // not reset
  stop.reset();
  x = -1;
  must(sum.call(arguments, &result, stop));
  CHECK(result == -1);
}

TEST_CASE("a stop waits for a host function, and for the calls that it makes without the source") {
  Stopping s;
  const StopSource stop;
  const HostFunction outer = must(s.session->prepare_function("calls_back(Float64)")),
                     sum = must(s.session->prepare_function("sum_for_ever(Float64)"));
  const double x = 1, negative = -1;
  double result = 0;
  const void *arguments[] = {&x}, *short_call[] = {&negative};
  std::atomic<bool> done{false};
  inner = [&] {
    double unused = 0; // the first call says that this has begun
    for (const auto end = std::chrono::steady_clock::now() + 200ms; std::chrono::steady_clock::now() < end;)
      must(sum.call(short_call, &unused));
    done = true;
  };
  stopped(stop, [&] { return outer.call(arguments, &result, stop); });
  CHECK(done);
}

TEST_CASE("a compile for a launch that is stopped is cancelled") {
  Stopping s;
  const StopSource stop;
  ArtifactKind last = ArtifactKind::Lowered;
  const Observation observed = s.session->observe([&](const ObservedProduct &product) {
    last = product.kind;
    if (stop.request_stop()) std::this_thread::sleep_for(100ms); // until the thread for it has come
  });
  CHECK(s.launch("spin", &stop).error().code() == ErrorCode::Stopped);
  CHECK(last != ArtifactKind::Object);
  stop.reset();
  s.y[0] = 1;
  std::thread([&] { CHECK(s.launch("spin", nullptr).ok()); }).join();
}

// ---- signal handlers

namespace {

const StopSource *source_of_handler = nullptr;
std::atomic<int> handled{0};

void on_signal(int) {
  const int kept = errno = 123;
  source_of_handler->request_stop();
  handled = errno == kept ? handled + 1 : -1000;
}

class Handler {
public:
  explicit Handler(bool own_stack) : own_stack_(own_stack) {
    stack_t stack{};
    stack.ss_sp = memory_.data();
    stack.ss_size = memory_.size();
    if (own_stack) ::sigaltstack(&stack, &before_stack_);
    struct sigaction action{};
    action.sa_handler = on_signal;
    action.sa_flags = own_stack ? SA_ONSTACK : 0;
    ::sigaction(SIGUSR1, &action, &before_);
  }
  ~Handler() {
    ::sigaction(SIGUSR1, &before_, nullptr);
    if (own_stack_) ::sigaltstack(&before_stack_, nullptr);
  }
  Handler(const Handler &) = delete;
  Handler &operator=(const Handler &) = delete;

private:
  const bool own_stack_;
  std::vector<char> memory_ = std::vector<char>(1 << 16);
  stack_t before_stack_{};
  struct sigaction before_{};
};

} // namespace

TEST_CASE("a signal handler stops the launch that its own thread waits for") {
  Stopping s;
  const StopSource stop;
  source_of_handler = &stop;
  const pthread_t here = ::pthread_self();
  for (bool own_stack : {false, true})
    for (bool interruptible : {false, true}) {
      const Handler handler(own_stack);
      handled = 0;
      begun = 0;
      std::thread sends([&] {
        while (begun == 0) std::this_thread::sleep_for(1ms);
        ::pthread_kill(here, SIGUSR1);
      });
      const Result<void> done = s.launch("spin", &stop, interruptible);
      sends.join();
      REQUIRE_FALSE(done.ok());
      CHECK(done.error().code() == ErrorCode::Stopped);
      CHECK(handled == 1);
      stop.reset();
    }
  // The handler of SIGURG is the program's again.
  struct sigaction urgent{};
  ::sigaction(SIGURG, nullptr, &urgent);
  for (int i = 0; i < 1000 && urgent.sa_handler != SIG_DFL; i++) {
    std::this_thread::sleep_for(1ms);
    ::sigaction(SIGURG, nullptr, &urgent);
  }
  CHECK(urgent.sa_handler == SIG_DFL);
}

TEST_CASE("requests come at any moment of many launches") {
  Stopping s;
  const StopSource stop;
  std::atomic<bool> ends{false};
  std::atomic<uint64_t> ran{0}, were_stopped{0}, wrong{0};
  must(s.session->launch("count_blocks", {}, {s.array()}));
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++)
    threads.emplace_back([&] {
      std::vector<int64_t> mine(4);
      while (!ends) {
        const Result<void> done = s.session->launch("count_blocks", {.blocks = {64, 1, 1}},
                                                    {Argument::array(mine.data(), {4})}, {}, {.stop = &stop});
        (done.ok() ? ran : done.error().code() == ErrorCode::Stopped ? were_stopped : wrong)++;
      }
    });
  for (int i = 0; i < 300; i++) {
    stop.request_stop();
    std::this_thread::sleep_for(1ms);
    stop.reset();
    std::this_thread::sleep_for(1ms);
  }
  ends = true;
  for (std::thread &each : threads) each.join();
  CHECK(ran > 0);
  CHECK(were_stopped > 0);
  CHECK(wrong == 0);
}

TEST_CASE("a GPU refuses launches with a stop source, and names itself") {
  kiln::test::Fake fake;
  kiln::test::Gpu gpu(1);
  const StopSource stop;
  const std::string refused = kiln::test::failure(gpu.launch({}, {.stop = &stop}));
  CHECK_THAT(refused,
             Contains("2 usage error") && Contains("GPU 1 (Fake GPU 1)") && Contains("LaunchOptions::stop"));
  const void *arguments[] = {&gpu.a, &gpu.b};
  CHECK_THAT(kiln::test::failure(gpu.session->launch(gpu.kernel, {}, arguments, {.stop = &stop})),
             Contains("GPU 1 (Fake GPU 1)"));
  must(gpu.session->load("stop.jl", program));
  CHECK_THAT(kiln::test::failure(gpu.session->launch(gpu.device, "spin", {}, {}, {}, {.stop = &stop})),
             Contains("GPU 1 (Fake GPU 1)"));
  must(gpu.launch());
}

} // namespace stop_test
