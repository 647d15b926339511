// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/examples/lisp by its C++ classes: definitions while kernels run, launches by name, calls as text.
#include "must.h"
#include "scratch.h"

#include <program.h>

#include <catch2/catch.hpp>
#include <fstream>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

std::unique_ptr<lisp::Program> open() {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  return must(lisp::Program::open("cpu", options));
}

uint32_t repeated(uint32_t x, uint32_t factor, uint32_t offset, int64_t times) {
  for (int64_t i = 0; i < times; i++) x = x * factor + offset;
  return x;
}

constexpr std::string_view program_text = R"(
(define (rule (x u32)) (+ (* x 1664525u) 1013904223u))
(kernel (repeat! (y (Array u32)) (times i64))
  (let ((x (ref y 0)))
    (for (i 0 times) (set! x (rule x)))
    (set! (ref y 0) x)))
)";

} // namespace

TEST_CASE("a function is defined anew while a kernel that calls it runs: that launch keeps the old one") {
  auto program = open();
  Session &session = program->session();
  must(session.load("repeat.lisp", std::string(program_text)));
  const int64_t times = 400'000'000; // about a second
  Kernel before = must(session.prepare("(repeat! (Array u32) i64)"));
  Stream stream = session.stream();
  std::vector<uint32_t> old_rule{7}, new_rule{7};
  const Argument first = Argument::array(old_rule.data(), {1}),
                 second = Argument::array(new_rule.data(), {1});
  const void *arguments[] = {first.bytes.data(), &times};
  must(stream.launch(before, {}, arguments));
  CHECK(!stream.idle());
  must(session.load("repeat.lisp", "(define (rule (x u32)) (+ (* x 22695477u) 1u))"));
  must(session.launch("repeat!", {}, {second, Argument::scalar(int64_t(1000))}));
  CHECK(!stream.idle()); // it ran all the while
  must(stream.synchronize());
  CHECK(new_rule[0] == repeated(7, 22695477, 1, 1000));
  CHECK(old_rule[0] == repeated(7, 1664525, 1013904223, times));
}

TEST_CASE("types as kiln::Argument and as the language write them name the same kernel") {
  auto program = open();
  Session &session = program->session();
  must(session.load("repeat.lisp", std::string(program_text)));
  std::vector<uint32_t> y{3};
  Argument array = Argument::array(y.data(), {1});
  must(session.launch("repeat!", {}, {array, Argument::scalar(int64_t(2))}));
  array.type = "(Array u32)";
  must(session.launch("repeat!", {}, {array, Argument::scalar(int64_t(2))}));
  CHECK(y[0] == repeated(3, 1664525, 1013904223, 4));
  CHECK(session.counters().compiled == 1);
}

TEST_CASE("a call's text is read back as the same call") {
  auto program = open();
  Session &session = program->session();
  must(session.load("calls.lisp", "(struct (Pair A B) (first A) (second B))\n"
                                  "(kernel (put! (y (Array T 2)) (p (Pair A B)) f) :where (T A B) (f p))"));
  for (std::string_view text : {"(put! (Array f32 2) (Pair i32 (Pair f64 bool)) print)",
                                "(put! (Array (Pair u32 u64) 2) (Pair i64 f32) sqrt)"}) {
    ResolvedCall call = must(resolve_call(session, text));
    CHECK(program->language().call_text(call.tuple) == text);
  }
  for (std::string_view wrong : {"", "(put! f99)", "(put! (Array f32 n))", "((put!))", "put! f32",
                                 "(put! print f99)", "(put! (Array))"}) {
    auto call = resolve_call(session, wrong);
    CHECK(!call.ok());
  }
}

TEST_CASE(
    "a program may launch while it is loaded, also where jobs are traced; the trace has calls of the language") {
  test::Scratch scratch;
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  options.trace_jobs = (scratch.path / "jobs.trace").string();
  auto program = must(lisp::Program::open("cpu", options));
  std::string said;
  program->out = [&](std::string_view text) { said += text; };
  must(program->session().load(
      "a.lisp", "(kernel (put! (y (Array f32)) (x f32)) (set! (ref y 0) x))\n(define y (zeros f32 2))\n"
                "(launch put! 1 1 y 2.5f)\n(print y)"));
  CHECK(said == "[2.5 0]\n");
  std::ifstream trace(scratch.path / "jobs.trace");
  const std::string text{std::istreambuf_iterator<char>(trace), {}};
  CHECK_THAT(text, Contains("(put! (Array f32 1) f32)"));
}

TEST_CASE("two sessions of the language do not meet") {
  auto one = open(), two = open();
  std::string said;
  one->out = two->out = [&](std::string_view text) { said += text; };
  must(one->session().load("a.lisp", "(define k 1) (define (+ (a bool) (b bool)) 5) (print (+ true true))"));
  must(two->session().load("a.lisp", "(define k 2) (print k)"));
  must(one->session().load("b.lisp", "(print k)"));
  CHECK(said == "5\n2\n1\n");
  CHECK_THAT(two->session().load("c.lisp", "(+ true true)").error().what(), Contains("no method matching"));
}

TEST_CASE("messages, labels and return types are in the language's spelling") {
  auto program = open();
  Session &session = program->session();
  CHECK(session.language<lisp::Language>() == &program->language());
  must(session.load("a.lisp", "(define (half (x f32)) (* x 0.5f))\n(define (use x) (half x))"));
  const Job job = must(session.job("(half f32)", {.kernel = false}));
  CHECK(must(job.label()).name == "(half f32)");
  CHECK(must(job.return_type()) == "f32");
  auto missing = session.job("(half i64)", {.kernel = false});
  REQUIRE(!missing.ok());
  CHECK(missing.error().diagnostics()[0].message == "no method matching (half i64)");
  REQUIRE(missing.error().diagnostics()[0].notes.size() == 1);
  CHECK(missing.error().diagnostics()[0].notes[0].text == "candidate: (half f32)");
  auto inner = session.compile("(use (Array f32 2))", {.kernel = false}, ArtifactKind::Object);
  REQUIRE(!inner.ok());
  CHECK_THAT(inner.error().what(), Contains("no method matching (half (Array f32 2))"));
}
