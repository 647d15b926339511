// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedder's executor in place of oneTBB, that works and that fails in every way; limits; closing;
// independence.
#include "must.h"

#include <kiln/kiln.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace executor_test {

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

SessionOptions quiet() {
  SessionOptions options;
  options.cache_dir = "";
  return options;
}

std::unique_ptr<Session> open(const SessionOptions &options) {
  auto session = must(Session::open(options));
  must(session->load("add.jl", program));
  return session;
}

Result<void> launch(Session &session, std::vector<float> &y) {
  return session.launch("add", {.blocks = {uint32_t(y.size() / 64), 1, 1}, .threads = {64, 1, 1}},
                        {Argument::array(y.data(), {int64_t(y.size())}), Argument::scalar(1.0f)});
}

/// All in the calling thread, and submitted work before submit returns.
struct Inline : CpuExecutor {
  std::atomic<int> loops{0}, submits{0};
  unsigned threads() const override { return 1; }
  void parallel_for(uint64_t count, void (*body)(void *, uint64_t, uint64_t), void *context) override {
    loops++;
    for (uint64_t i = 0; i < count; i++) body(context, i, i + 1);
  }
  void submit(void (*work)(void *), void *context) override {
    submits++;
    work(context);
  }
};

/// Threads of its own.
struct Pool : CpuExecutor {
  std::mutex mutex;
  std::condition_variable more;
  std::deque<std::function<void()>> queue;
  bool ends = false;
  std::atomic<int> worked{0};
  std::vector<std::thread> workers;
  Pool() {
    for (int i = 0; i < 3; i++)
      workers.emplace_back([this] {
        std::unique_lock lock(mutex);
        for (;;) {
          more.wait(lock, [&] { return ends || !queue.empty(); });
          if (queue.empty()) return;
          auto work = std::move(queue.front());
          queue.pop_front();
          lock.unlock();
          work();
          worked++;
          lock.lock();
        }
      });
  }
  ~Pool() override {
    {
      std::lock_guard lock(mutex);
      ends = true;
    }
    more.notify_all();
    for (auto &worker : workers) worker.join();
  }
  void put(std::function<void()> work) {
    {
      std::lock_guard lock(mutex);
      queue.push_back(std::move(work));
    }
    more.notify_one();
  }
  unsigned threads() const override { return 4; }
  void parallel_for(uint64_t count, void (*body)(void *, uint64_t, uint64_t), void *context) override {
    struct Share {
      std::atomic<uint64_t> next{0}, done{0};
    };
    auto share = std::make_shared<Share>();
    auto part = [=] {
      for (uint64_t begin; (begin = share->next.fetch_add(8)) < count;) {
        const uint64_t end = std::min(count, begin + 8);
        body(context, begin, end);
        share->done += end - begin;
      }
    };
    for (int i = 0; i < 3; i++) put(part);
    part();
    while (share->done < count) std::this_thread::yield();
  }
  void submit(void (*work)(void *), void *context) override {
    put([=] { work(context); });
  }
};

} // namespace

TEST_CASE("blocks and streams run on the embedder's executor") {
  SessionOptions options = quiet();
  auto one = std::make_shared<Inline>();
  auto many = std::make_shared<Pool>();
  for (std::shared_ptr<CpuExecutor> executor :
       {std::shared_ptr<CpuExecutor>(one), std::shared_ptr<CpuExecutor>(many)}) {
    options.executor = executor;
    auto session = open(options);
    CHECK(session->cpu().info().multiprocessors == executor->threads());
    std::vector<float> y(64 * 200);
    for (int i = 0; i < 10; i++) must(launch(*session, y));
    CHECK(std::count(y.begin(), y.end(), 10.0f) == int(y.size()));
    auto kernel = must(session->prepare("add(CuDeviceVector{Float32,1}, Float32)"));
    Stream a = session->stream(), b = session->stream();
    const abi::ArrayHeader<1> header{y.data(), int64_t(4 * y.size()), {int64_t(y.size())}, int64_t(y.size())};
    float x = 1;
    const void *arguments[] = {&header, &x};
    Event event;
    for (int i = 0; i < 20; i++) { // two streams by turns, each waits for the other's
      Stream &stream = i % 2 ? a : b;
      if (i) must(stream.wait(event));
      must(stream.launch(kernel, {.blocks = {200, 1, 1}, .threads = {64, 1, 1}}, arguments));
      must(stream.record(event));
    }
    must(a.synchronize());
    must(b.synchronize());
    CHECK(std::count(y.begin(), y.end(), 30.0f) == int(y.size()));
  }
  CHECK(one->loops == 30);
  CHECK(one->submits > 0);
  CHECK(many->worked > 0);
}

TEST_CASE("handles keep the executor, and the last of them lets it go") {
  auto executor = std::make_shared<Pool>();
  std::weak_ptr<Pool> watch = executor;
  SessionOptions options = quiet();
  options.executor = std::move(executor);
  auto session = open(options);
  options.executor = nullptr;
  Stream stream = session->stream();
  session.reset();
  CHECK_FALSE(watch.expired());
  std::vector<float> y(8, 1);
  must(stream.fill(y.data(), 0, 32));
  must(stream.synchronize());
  CHECK(y[7] == 0);
  stream = Stream();
  CHECK(watch.expired());
}

TEST_CASE(
    "an executor that throws, leaves indices out, runs some twice or others that are none, is a Usage error") {
  struct Wrong : Inline {
    int how = 0;
    void parallel_for(uint64_t count, void (*body)(void *, uint64_t, uint64_t), void *context) override {
      if (how == 1) {
        body(context, 0, 3);
        throw std::runtime_error("no threads left");
      }
      if (how == 2) return body(context, 0, count - 1);
      if (how == 3) {
        body(context, 0, count);
        return body(context, 0, 1);
      }
      if (how == 4) return body(context, 0, count + 1);
      if (how == 5) throw 7;
      Inline::parallel_for(count, body, context);
    }
  };
  auto executor = std::make_shared<Wrong>();
  SessionOptions options = quiet();
  options.executor = executor;
  auto session = open(options);
  std::vector<float> y(64 * 100);
  const char *said[] = {"",
                        "threw out of parallel_for: no threads left",
                        "was to run 100 indices in parallel_for, and ran 99",
                        "was to run 100 indices in parallel_for, and ran 101",
                        "out of the range from 0 to 100",
                        "an exception of an unknown type"};
  for (int how : {1, 2, 3, 4, 5}) {
    executor->how = how;
    auto done = launch(*session, y);
    REQUIRE_FALSE(done.ok());
    INFO(done.error().what());
    CHECK(done.error().kind() == ErrorKind::Usage);
    CHECK(done.error().what().find(said[how]) != std::string::npos);
  }
  executor->how = 0;
  std::fill(y.begin(), y.end(), 0.0f);
  must(launch(*session, y)); // the session goes on
  CHECK(y[6399] == 1);
}

TEST_CASE("work that an executor does not take runs on the calling thread; its error is the stream's") {
  struct Refuses : Inline {
    void submit(void (*)(void *), void *) override { throw std::runtime_error("full"); }
  };
  SessionOptions options = quiet();
  options.executor = std::make_shared<Refuses>();
  auto session = open(options);
  Stream stream = session->stream();
  std::vector<char> bytes(100, 1);
  must(stream.fill(bytes.data(), 5, 100));
  CHECK(stream.idle());
  CHECK(bytes[99] == 5);
}

TEST_CASE("an executor may call the session while it runs its work, and take its time") {
  struct Calls : Inline {
    Session *session = nullptr;
    int depth = 0, calls = 0;
    void parallel_for(uint64_t count, void (*body)(void *, uint64_t, uint64_t), void *context) override {
      if (session && depth++ == 0) { // a thread that waits may be given another launch
        std::vector<float> y(64 * 4);
        calls += launch(*session, y).ok() && y[255] == 1;
        calls += session->compile("add(CuDeviceVector{Float64,1}, Float64)", {}, ArtifactKind::Assembly).ok();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
      Inline::parallel_for(count, body, context);
    }
  };
  auto executor = std::make_shared<Calls>();
  SessionOptions options = quiet();
  options.executor = executor;
  auto session = open(options);
  executor->session = session.get();
  std::vector<float> y(64 * 8);
  must(launch(*session, y));
  CHECK(executor->calls == 2);
  CHECK(y[511] == 1);
}

TEST_CASE("options that exclude each other, and executors without threads, are refused") {
  struct None : Inline {
    unsigned threads() const override { return 0; }
  };
  struct Throws : Inline {
    unsigned threads() const override { throw 1; }
  };
  SessionOptions options = quiet();
  auto refused = [&](const char *why) {
    auto opened = Session::open(options);
    REQUIRE_FALSE(opened.ok());
    CHECK(opened.error().kind() == ErrorKind::Usage);
    CHECK(opened.error().what().find(why) != std::string::npos);
  };
  options.executor = std::make_shared<None>();
  refused("threads() is 0");
  options.executor = std::make_shared<Throws>();
  refused("threads() threw");
  options.executor = std::make_shared<Inline>();
  options.cpu_arena = [](const std::function<void()> &work) { work(); };
  refused("executor and SessionOptions::cpu_arena are both given");
}

// ---- limits, closing, independence

TEST_CASE("with compile_threads 1 many threads compile by turns, all jobs") {
  SessionOptions options = quiet();
  options.compile_threads = 1;
  auto session = must(Session::open(options));
  std::string text = "using CUDA\n";
  for (int i = 0; i < 24; i++)
    text += "function k" + std::to_string(i) + "(y)\n    y[1] = " + std::to_string(i) + "\n    return\nend\n";
  must(session->load("k.jl", text));
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = t; i < 24; i += 4) {
        float y = -1;
        right +=
            session->launch("k" + std::to_string(i), {}, {Argument::array(&y, {1})}).ok() && y == float(i);
      }
    });
  for (auto &thread : threads) thread.join();
  CHECK(right == 24);
  CHECK(session->counters().llvm_contexts == 1);
}

TEST_CASE("closing a session waits for what its streams hold") {
  std::vector<float> y(64 * 1000);
  auto session = open(quiet());
  auto kernel = must(session->prepare("add(CuDeviceVector{Float32,1}, Float32)"));
  Stream stream = session->stream();
  const abi::ArrayHeader<1> header{y.data(), int64_t(4 * y.size()), {int64_t(y.size())}, int64_t(y.size())};
  float x = 1;
  const void *arguments[] = {&header, &x};
  for (int i = 0; i < 300; i++)
    must(stream.launch(kernel, {.blocks = {1000, 1, 1}, .threads = {64, 1, 1}}, arguments));
  session.reset();
  CHECK(std::count(y.begin(), y.end(), 300.0f) == int(y.size())); // nobody has synchronised the stream
}

TEST_CASE("sessions are independent: definitions, options, and the end of one of them") {
  auto a = must(Session::open(quiet())), b = must(Session::open(quiet()));
  must(a->load("f.jl", "f(x) = x + 1\nfunction k(y)\n    y[1] = f(1)\n    return\nend\n"));
  must(b->load("f.jl", "f(x) = x + 2\nfunction k(y)\n    y[1] = f(1)\n    return\nend\n"));
  int64_t y = 0;
  must(a->launch("k", {}, {Argument::array(&y, {1})}));
  CHECK(y == 2);
  must(b->launch("k", {}, {Argument::array(&y, {1})}));
  CHECK(y == 3);
  a.reset();
  must(b->launch("k", {}, {Argument::array(&y, {1})}));
  CHECK(y == 3);
  CHECK(b->counters().compiled == 1);
  CHECK_FALSE(b->launch("only_in_a", {}, {}).ok());
}

} // namespace executor_test
