// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs that are held while their functions are redefined, and definitions beside compiles.
#include "must.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <kiln/extension/language.h>
#include <kiln/kiln.h>

#include <atomic>
#include <thread>

namespace held_job_test {

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

std::unique_ptr<Session> open(const std::string &folder = {}) {
  SessionOptions options;
  options.cache_dir = folder;
  options.verbosity = LogLevel::Error;
  return must(Session::open(options));
}

CompilerConfig ptx() {
  CompilerConfig config;
  config.target = PtxOptions{.sm = 90};
  return config;
}

CompilerConfig plain() {
  CompilerConfig config;
  config.kernel = false;
  return config;
}

constexpr const char *program =
    "helper(x) = x * 2f0\nfunction f(y)\n  @inbounds y[1] = helper(y[1])\n  return\nend\n";
constexpr const char *call = "f(CuDeviceVector{Float32,1})";

int64_t value_of(const HostFunction &function, int64_t argument) {
  int64_t result = -1;
  const void *arguments[] = {&argument};
  must(function.call(arguments, &result));
  return result;
}

} // namespace

TEST_CASE("a held job is current until what it reaches is redefined") {
  auto session = open();
  must(session->load("program.jl", program));
  Job job = must(session->job(call, ptx()));
  CHECK(job.is_current());
  const std::string before = must(job.compile(ArtifactKind::Assembly))->bytes;
  CHECK_THAT(before, Contains("add.f32") || Contains("mul.f32"));
  CHECK_THAT(job.call(), Contains("f("));

  must(session->load("other.jl", "unrelated(x) = x\nhelper(x::Int) = x\n"));
  CHECK(job.is_current());
  must(session->load("program.jl", program)); // the same code by content, at the same places
  CHECK(job.is_current());

  int told = 0;
  job.on_stale([&] { told++; });
  must(session->load("new.jl", "helper(x) = x - 7f0\n"));
  CHECK(told == 1);
  CHECK_FALSE(job.is_current());
  job.on_stale([&] { told += 10; });
  CHECK(told == 11);
  must(session->load("newer.jl", "helper(x) = x - 8f0\n"));
  CHECK(told == 11);

  // It sees its own world; one that is made anew sees the newest.
  CHECK(must(job.compile(ArtifactKind::Assembly))->bytes == before);
  CHECK_THAT(must(job.compile(ArtifactKind::Typed))->bytes, Contains("Main.helper"));
  Job renewed = must(job.renew());
  CHECK(renewed.is_current());
  CHECK(must(renewed.compile(ArtifactKind::Assembly))->bytes != before);
}

TEST_CASE("a held job compiles its own world after thousands of redefinitions") {
  auto session = open();
  must(session->load("program.jl", "g(x) = x + 1\nh(x) = g(x) * 10\n"));
  Job job = must(session->job("h(Int64)", plain()));
  for (int i = 0; i < 1500; i++) {
    must(session->load("again.jl", "g(x) = x + " + std::to_string(i + 2) + "\n"));
    if (i % 100 == 0) CHECK(value_of(must(session->prepare_function("h(Int64)")), 1) == (i + 3) * 10);
  }
  CHECK_FALSE(job.is_current());
  CHECK(value_of(must(job.prepare_function()), 1) == 20);
  job = {};
  for (int i = 0; i < 600; i++) // those that nobody holds any more are forgotten as ever
    must(session->load("again.jl", "g(x) = x + " + std::to_string(i) + "\n"));
  CHECK(value_of(must(session->prepare_function("h(Int64)")), 1) == 6000);
}

TEST_CASE("a definition does not infer again what the budget dropped") {
  SessionOptions options;
  options.verbosity = LogLevel::Error;
  options.inference_budget = 1;
  auto session = must(Session::open(options));
  std::vector<Job> jobs;
  for (int i = 0; i < 20; i++) {
    const std::string name = "f" + std::to_string(i);
    must(session->load(name + ".jl", name + "(x) = g" + std::to_string(i % 2) + "(x) + 1\n"));
    must(session->load("g.jl", "g" + std::to_string(i % 2) + "(x) = x * 3\n"));
    jobs.push_back(must(session->job(name + "(Int64)", plain())));
    CHECK(value_of(must(jobs.back().prepare_function()), 2) == 7);
  }
  must(session->load("first.jl", "first_other() = 1\n")); // what each reaches is noted once
  const uint64_t before = session->counters().inferred;
  for (int i = 0; i < 50; i++) must(session->load("other.jl", "other(x) = x + " + std::to_string(i) + "\n"));
  CHECK(session->counters().inferred == before);
  for (const Job &job : jobs) CHECK(job.is_current());
  must(session->load("g.jl", "g1(x) = x * 4\n"));
  for (size_t i = 0; i < jobs.size(); i++) CHECK(jobs[i].is_current() == (i % 2 == 0));
  CHECK(value_of(must(jobs[1].prepare_function()), 2) == 7); // of its own world
  CHECK(value_of(must(must(jobs[1].renew()).prepare_function()), 2) == 9);
}

TEST_CASE("data attached to a job lives as long as its code") {
  auto session = open();
  must(session->load("program.jl", program));
  static const char key = 0, other_key = 0;
  auto data = std::make_shared<int>(42);
  std::weak_ptr<int> watch = data;
  must(session->job(call, ptx())).attach(&key, std::move(data)); // the job itself is let go
  REQUIRE(!watch.expired());
  Job again = must(session->job(call, ptx()));
  CHECK(again.attached(&key) == watch.lock());
  CHECK(again.attached(&other_key) == nullptr);
  CHECK(must(session->job(call)).attached(&key) == nullptr); // another config
  must(session->load("new.jl", "helper(x) = x - 7f0\n"));
  CHECK(watch.expired());
  CHECK(again.attached(&key) == nullptr);

  auto rest = std::make_shared<int>(1);
  watch = rest;
  Job held = must(session->job(call, ptx()));
  held.attach(&key, std::move(rest));
  session.reset();
  CHECK(watch.expired());
  CHECK_FALSE(held.is_current());
  CHECK(held.compile(ArtifactKind::Assembly).error().kind() == ErrorKind::Usage);
  CHECK_THAT(held.compile(ArtifactKind::Assembly).error().what(), Contains("session") && Contains("f("));
}

TEST_CASE("a job tells what its function returns, and a plain one is called") {
  auto session = open();
  must(session->load("program.jl",
                     "area(w, h) = w * h\nsafe(x) = x < 0 ? throw(DomainError(x, \"below\")) : x\n"
                     "pair(x) = (x, Float32(x))\n"));
  Job job = must(session->job("area(Float32, Float64)", plain()));
  CHECK(must(job.return_type()) == "Float64");
  CHECK(must(return_type(job)) == must(evaluate(*session, "type", "Float64")).as_type());
  CHECK(return_type(Job()).error().kind() == ErrorKind::Usage);
  HostFunction area = must(job.prepare_function());
  const float w = 2.5f;
  const double h = 4;
  double result = 0;
  const void *arguments[] = {&w, &h};
  must(area.call(arguments, &result));
  CHECK(result == 10);
  CHECK(area.call(std::span(arguments).first(1), &result).error().kind() == ErrorKind::Usage);
  CHECK(area.call(arguments, nullptr).error().kind() == ErrorKind::Usage);

  HostFunction pair = must(session->prepare_function("pair(Int64)"));
  REQUIRE(pair.artifact().return_size == 16);
  struct {
    int64_t first;
    float second;
  } both{};
  const int64_t three = 3, negative = -1;
  const void *one[] = {&three};
  must(pair.call(one, &both));
  CHECK(both.first == 3);
  CHECK(both.second == 3);

  HostFunction safe = must(session->prepare_function("safe(Int64)"));
  const void *bad[] = {&negative};
  auto thrown = safe.call(bad, &both);
  REQUIRE(!thrown.ok());
  CHECK(thrown.error().kind() == ErrorKind::Input);
  CHECK_THAT(thrown.error().what(), Contains("DomainError") && Contains("program.jl:2"));
  session.reset(); // the place went with the definitions, the function did not
  CHECK_THAT(safe.call(bad, &both).error().what(), Contains("DomainError") && Contains("safe"));
  must(safe.call(one, &both.first));
  CHECK(Job().compile(ArtifactKind::Typed).error().kind() == ErrorKind::Usage);
}

TEST_CASE("a scope collects the jobs that are asked for while it lives") {
  auto session = open();
  must(session->load("program.jl",
                     std::string(program) + "g(x) = x\nbad(y) = (y[1] = no_such_name; return)\n"));
  float z[] = {5};
  must(session->launch("f", {}, {Argument::array(z, {1})})); // launches by name find it ready from now on
  must(session->compile("g(Int64)", plain(), ArtifactKind::Typed));
  std::vector<Job> jobs;
  {
    JobScope scope = session->collect_jobs();
    CHECK(scope.jobs().empty());
    must(session->launch("f", {}, {Argument::array(z, {1})}));
    must(session->launch("f", {}, {Argument::array(z, {1})}));
    must(session->compile("g(Int64)", plain(), ArtifactKind::Typed));
    CHECK_FALSE(session->compile("bad(CuDeviceVector{Float32,1})", ptx(), ArtifactKind::Assembly).ok());
    std::thread([&] { must(session->compile(call, ptx(), ArtifactKind::Assembly)); }).join();
    jobs = scope.jobs();
  }
  must(session->launch("f", {}, {Argument::array(z, {1})}));
  REQUIRE(jobs.size() == 4);
  CHECK(jobs[0].call() == "f(CuDeviceArray{Float32, 1, 1})");
  CHECK(jobs[0].config().target.name() == "native");
  CHECK_THAT(must(jobs[0].compile(ArtifactKind::Llvm))->bytes, Contains("define"));
  CHECK(jobs[1].call() == "g(Int64)");
  // From the error to the job, and to a stage that it reached.
  CHECK_THAT(must(jobs[2].compile(ArtifactKind::Lowered))->bytes, Contains("no_such_name"));
  CHECK(jobs[3].config().target.name() == "ptx");
}

TEST_CASE("what is wrong about a job is told where it is made") {
  auto session = open();
  must(session->load("program.jl", program));
  CHECK(session->job("f(Int", ptx()).error().kind() == ErrorKind::Input);
  CHECK(session->job("nothing_of_the_kind(Int64)", ptx()).error().kind() == ErrorKind::Input);
  CHECK(must(session->job(call, ptx())).prepare(session->cpu()).error().kind() == ErrorKind::Usage);
  CHECK(must(session->job(call, ptx())).prepare_function().error().kind() == ErrorKind::Usage);
  CHECK(must(session->job("helper(Int64)", plain())).prepare(session->cpu()).error().kind() ==
        ErrorKind::Usage);
}

TEST_CASE("a callback may use the session, and may throw") {
  auto session = open();
  must(session->load("program.jl", program));
  Job job = must(session->job(call, ptx()));
  std::string text;
  job.on_stale([&] { throw std::runtime_error("the embedder's"); });
  job.on_stale([&] {
    Job now = must(job.renew());
    text = must(now.compile(ArtifactKind::Assembly))->bytes;
    must(session->load("from_callback.jl", "later() = 1\n"));
  });
  must(session->load("new.jl", "helper(x) = x - 7f0\n"));
  CHECK_THAT(text, Contains("f32"));
  must(session->job("later()", plain()));
}

TEST_CASE("any thread defines while others compile and run what it redefines") {
  test::Scratch scratch;
  auto session = open(GENERATE(0, 1) ? scratch.path.string() : "");
  // Every version satisfies twice(x) == 2x + 2k with one k, whichever definitions a call sees.
  auto text = [](int k) {
    return "struct S" + std::to_string(k) + "\n  x::Int64\nend\nconst K = " + std::to_string(k) +
           "\nonce(x) = S" + std::to_string(k) +
           "(x).x + K\n@inline twice(x) = 2 * once(x)\n"
           "function fill(y)\n  @inbounds y[1] = twice(y[1])\n  return\nend\n";
  };
  must(session->load("program.jl", text(0)));
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0}, rounds{0};
  std::vector<std::thread> users;
  for (int user = 0; user < 3; user++)
    users.emplace_back([&, user] {
      while (!done) {
        if (user == 0) {
          auto function = session->prepare_function("twice(Int64)");
          if (!function.ok() || (value_of(*function, 5) - 10) % 2) wrong++;
        } else if (user == 1) {
          int64_t y[] = {5};
          if (!session->launch("fill", {}, {Argument::array(y, {1})}).ok() || y[0] % 2) wrong++;
        } else {
          auto made = session->compile("fill(CuDeviceVector{Int64,1})", ptx(), ArtifactKind::Assembly);
          if (!made.ok()) wrong++;
        }
        rounds++;
      }
    });
  for (int k = 1; k < 60 || rounds < 60; k++) must(session->load("program.jl", text(k)));
  done = true;
  for (std::thread &user : users) user.join();
  CHECK(wrong == 0);
}

TEST_CASE("definitions through the session's world, from several threads") {
  auto session = open();
  auto define = [&](const std::string &name, int64_t result) {
    return session->define([&](World &world) -> Result<void> {
      const Symbol symbol = world.types().symbol(name);
      MethodDefinition method;
      method.module = world.main();
      method.name = symbol;
      method.body = [result](BodyBuilder &body) -> Result<Operand> { return body.int64(result); };
      KILN_CHECK(define_function(world, std::move(method)));
      return {};
    });
  };
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int thread = 0; thread < 4; thread++)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 50; i++) {
        must(define("made_" + std::to_string(thread), i));
        Job job = must(session->job("made_" + std::to_string(thread) + "()", plain()));
        int64_t result = -1;
        must(must(job.prepare_function()).call({}, &result));
        if (result != i) wrong++;
      }
    });
  for (std::thread &thread : threads) thread.join();
  auto failed = session->define([](World &) -> Result<void> { return input_error("the embedder's"); });
  CHECK_THAT(failed.error().what(), Contains("the embedder's"));
}

} // namespace held_job_test
