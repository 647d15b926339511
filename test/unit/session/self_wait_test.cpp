// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks, executors and host functions that wait for what they are part of: a Usage error, and no
// deadlock.
#include "host_functions.h"

#include <kiln/extension/language.h>
#include <kiln/ir_hooks.h>
#include <session/session.h>

#include <optional>
#include <thread>

namespace self_wait_test {

using namespace host_function_test;
using Catch::Matchers::Contains;

namespace {

std::string told(const Result<void> &done) { return done.ok() ? "no error" : done.error().what(); }
template <class T> std::string told(const Result<T> &done) {
  return done.ok() ? "no error" : done.error().what();
}

std::function<void()> in_kernel; ///< what the host function of a kernel does
void call_in_kernel() { in_kernel(); }

std::unique_ptr<Session> with_callback(SessionOptions options = quiet()) {
  auto session = must(Session::open(options));
  must(session->define_host_function("call", {}, address_of(&call_in_kernel)));
  must(session->load("f.jl", "function k(y)\n  call()\n  y[1] = 1\n  return\nend\n"
                             "function other(y)\n  y[1] += 1\n  return\nend\n"));
  return session;
}

struct Numbers {
  std::vector<double> values = std::vector<double>(2);
  Argument argument = Argument::array(values.data(), {2});
};

constexpr const char *of_k = "k(CuDeviceVector{Float64,1})", *of_other = "other(CuDeviceVector{Float64,1})";

} // namespace

TEST_CASE("a host function in a kernel waits for its stream, its event, a launch or a compile") {
  auto session = with_callback();
  Numbers y;
  std::vector<std::string> said;
  Stream stream = session->stream(), another = session->stream();
  Event event;
  CompileFuture compile;
  in_kernel = [&] {
    said.push_back(told(stream.synchronize()));
    said.push_back(told(another.synchronize()));
    event.wait(); // returns
    said.push_back(told(session->launch("other", {}, {y.argument})));
    said.push_back(told(compile.get()));
    compile.wait();
  };
  must(session->prepare(of_k));
  compile = session->submit({.call = "k(CuDeviceVector{Float32,1})"});
  must(session->launch(stream, "k", {}, {y.argument}));
  must(stream.record(event));
  must(stream.synchronize());
  REQUIRE(said.size() == 4);
  for (size_t i = 0; i < 3; i++)
    CHECK_THAT(said[i], Contains("usage error") && Contains("host function in a kernel"));
  CHECK(
      (said[3] == "no error" || said[3].find("host function in a kernel") != said[3].npos)); // it may be done
  CHECK(y.values[0] == 1);
  must(compile.get());
}

TEST_CASE("handles of streams may go within a kernel of theirs") {
  auto session = with_callback();
  Numbers y;
  std::optional<Stream> stream(session->stream());
  std::optional<Buffer> buffer(must(stream->allocate(64)));
  in_kernel = [&] {
    buffer.reset();
    stream.reset(); // its destructor waits elsewhere
  };
  must(session->launch(*stream, "k", {}, {y.argument}));
  session.reset(); // waits for it
  CHECK(y.values[0] == 1);
  CHECK_FALSE(stream);
}

TEST_CASE("a session that a host function in its kernel closes stays in memory") {
  auto session = with_callback();
  const Job job = must(session->job(of_k));
  Numbers y;
  in_kernel = [&] { session.reset(); };
  const Kernel kernel = must(session->prepare(of_k));
  Stream stream = session->stream();
  const void *arguments[] = {y.argument.bytes.data()};
  must(stream.launch(kernel, {}, arguments));
  must(stream.synchronize());
  CHECK(y.values[0] == 1);
  CHECK_FALSE(session);
  CHECK_THAT(told(job.compile(ArtifactKind::Assembly)), Contains("being closed"));
}

TEST_CASE("an executor that runs a stream's launch waits for the stream") {
  struct Executor : CpuExecutor {
    std::function<void()> during;
    std::vector<std::thread> all;
    ~Executor() override {
      for (std::thread &each : all) each.join();
    }
    unsigned threads() const override { return 2; }
    void parallel_for(uint64_t count, void (*body)(void *, uint64_t, uint64_t), void *context) override {
      if (auto call = std::exchange(during, nullptr)) call();
      body(context, 0, count);
    }
    void submit(void (*work)(void *), void *context) override {
      all.emplace_back([=] { work(context); });
    }
  };
  auto executor = std::make_shared<Executor>();
  SessionOptions options = quiet();
  options.executor = executor;
  auto session = with_callback(options);
  in_kernel = [] {};
  Numbers y, mine;
  std::optional<Stream> stream(session->stream()), another(session->stream());
  Event event;
  std::vector<std::string> said;
  must(session->prepare(of_other));
  std::atomic<bool> is_recorded{false}, has_ended{false};
  executor->during = [&] {
    while (!is_recorded) std::this_thread::yield();
    said.push_back(told(stream->synchronize()));
    said.push_back(told(another->synchronize()));
    event.wait();
    said.push_back(told(session->launch("other", {.blocks = {2, 1, 1}}, {mine.argument}))); // its own: it may
    stream.reset();
    session.reset(); // stays in memory
    has_ended = true;
  };
  must(session->launch(*stream, "other", {.blocks = {2, 1, 1}}, {y.argument}));
  must(stream->record(event));
  is_recorded = true;
  while (!has_ended) std::this_thread::yield();
  event.wait();
  REQUIRE(said.size() == 3);
  CHECK_THAT(said[0], Contains("usage error") && Contains("the executor") && Contains("a stream holds"));
  CHECK_THAT(said[1], Contains("the executor"));
  CHECK(said[2] == "no error");
  CHECK(mine.values[0] > 0);
  CHECK(y.values[0] > 0);
  CHECK_FALSE(session);
}

namespace {

/// A session with one thread for compiles, which stops at the first product of `held` until it is let go.
struct OneThread {
  std::function<void()> in_log, in_observer;
  std::string held = "k";
  std::atomic<bool> is_held{false}, may_go{false};
  std::unique_ptr<Session> session;
  Observation observed;

  OneThread() {
    SessionOptions options = quiet();
    options.compile_threads = 1;
    options.verbosity = LogLevel::Info;
    options.log = [this](LogLevel, std::string_view) {
      if (auto call = std::exchange(in_log, nullptr)) call();
    };
    session = with_callback(options);
    observed = session->observe([this](const ObservedProduct &product) {
      if (product.function != held || is_held.exchange(true)) return;
      if (in_observer) in_observer();
      while (!may_go) std::this_thread::yield();
    });
  }
  CompileFuture submit_held() {
    CompileFuture future = session->submit({.call = held + "(CuDeviceVector{Float64,1})"});
    while (!is_held) std::this_thread::yield();
    return future;
  }
};

} // namespace

TEST_CASE("observers, logs and definitions do not wait for a compile") {
  OneThread one;
  std::string in_observer = "not called", in_log = in_observer, in_definition = in_observer;
  CompileFuture future;
  std::atomic<bool> is_known{false};
  one.in_observer = [&] {
    one.is_held = true;
    while (!is_known) std::this_thread::yield();
    in_observer = told(future.get());
    future.wait(); // returns
  };
  future = one.session->submit({.call = of_k});
  is_known = true;
  while (!one.is_held) std::this_thread::yield();
  one.in_log = [&] { in_log = told(future.get()); };
  must(one.session->load("note.jl", "println(1)\n")); // "not run"
  must(one.session->define([&](World &) -> Result<void> {
    in_definition = told(future.get());
    return {};
  }));
  CHECK_FALSE(future.ready());
  one.may_go = true;
  must(future.get());
  for (const std::string &said : {in_observer, in_log, in_definition})
    CHECK_THAT(said, Contains("usage error") && Contains("callback of its own"));
}

TEST_CASE("what is told of a compile does not wait for another one of the session") {
  OneThread one;
  const CompileFuture first = one.submit_held();
  std::string said = "not called";
  CompileFuture second;
  std::atomic<bool> is_told{false};
  first.then([&](const auto &) {
    said = told(second.get());
    second.wait(); // returns
    is_told = true;
  });
  second = one.session->submit({.call = of_other});
  one.may_go = true;
  must(second.get());
  while (!is_told) std::this_thread::yield();
  CHECK_THAT(said, Contains("usage error") && Contains("CompileFuture::then"));
}

TEST_CASE("a session that is closed by what is told of a compile stays in memory") {
  OneThread one;
  const Job job = must(one.session->job(of_k));
  const CompileFuture future = one.submit_held();
  std::atomic<bool> is_told{false};
  future.then([&](const auto &) {
    one.session.reset();
    is_told = true;
  });
  one.may_go = true;
  while (!is_told) std::this_thread::yield();
  CHECK_THAT(told(job.compile(ArtifactKind::Assembly)), Contains("being closed"));
}

TEST_CASE("a hook that compiles its own job ends in an error") {
  auto session = with_callback();
  CompilerConfig config;
  std::string said;
  IrHooks hooks{.name = "again", .version = "1", .moments = {IrMoment::FinishIr}, .rewrite = {}};
  hooks.rewrite = [&](IrMoment, std::string_view) -> Result<std::optional<std::string>> {
    said = told(session->compile(of_other, config, ArtifactKind::Object));
    return std::optional<std::string>();
  };
  config.hooks = must(make_hooks(std::move(hooks)));
  (void)session->compile(of_other, config, ArtifactKind::Object);
  CHECK_THAT(said, Contains("usage error"));
}

TEST_CASE("evaluated code waits for compiles without the lock of definitions") {
  auto session = with_callback();
  size_t compiled = 0;
  must(session->define([&](World &world) -> Result<void> {
    return definitions_of(*session).interpreter().add_host_function(
        *world.main(), "compiles", [&](Interpreter &interpreter, std::span<const Value>) -> Result<Value> {
          const std::vector<CompileRequest> requests{{.call = of_k}, {.call = of_other}};
          for (const auto &each : session->compile_many(requests)) compiled += each.ok();
          compiled += session->submit({.call = "other(CuDeviceVector{Float32,1})"}).get().ok();
          return interpreter.world().types().int64(1);
        });
  }));
  CHECK(must(evaluate(*session, "x", "compiles()")).low_bits() == 1);
  CHECK(compiled == 3);
}

TEST_CASE("definitions do not wait for a kernel of evaluated code, however many there are") {
  auto session = with_callback();
  Numbers y;
  std::atomic<bool> runs{false}, defined{false};
  in_kernel = [&] {
    runs = true;
    while (!defined) std::this_thread::yield();
  };
  must(session->prepare(of_k));
  must(session->define([&](World &world) -> Result<void> {
    return definitions_of(*session).interpreter().add_host_function(
        *world.main(), "launches", [&](Interpreter &interpreter, std::span<const Value>) -> Result<Value> {
          KILN_CHECK(session->launch("k", {}, {y.argument}));
          return interpreter.world().types().int64(5);
        });
  }));
  Result<Value> outcome = Value();
  std::thread evaluates([&] { outcome = evaluate(*session, "x", "launches() + 1"); });
  while (!runs) std::this_thread::yield();
  // More than are swept at a time: nothing that the other thread uses may be waited for.
  for (int i = 0; i < 1200; i++) must(session->load("b.jl", "later(x) = x + " + std::to_string(i) + "\n"));
  CHECK(must(evaluate(*session, "y", "later(1)")).low_bits() == 1200);
  must(session->compile(of_other, {}, ArtifactKind::Assembly));
  Numbers mine;
  must(session->launch("other", {}, {mine.argument}));
  defined = true;
  evaluates.join();
  CHECK(must(std::move(outcome)).low_bits() == 6);
  CHECK(y.values[0] == 1);
}

} // namespace self_wait_test
