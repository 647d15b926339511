// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an embedder's functions throw is an error of the session's call that needed them; it names who threw,
// and the session works on.
#include "toy_language.h"

#include <functional>
#include <new>
#include <stdexcept>

namespace throwing_test {

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;
using kiln::test::Toy;

namespace {

/// Throws in the function whose name is in `*thrower`. Calls are of functions in Main, without arguments.
class Thrower final : public Frontend {
public:
  explicit Thrower(const std::string *thrower) : thrower_(thrower) {}
  std::string_view name() const override { return check("name"), "thrower"; }
  std::vector<std::string_view> file_extensions() const override {
    check("file_extensions");
    return {".throw"};
  }
  Result<void> load_library(World &, std::span<const OverlayFiles>) override {
    check("load_library");
    return {};
  }
  Result<LoadReport> load(World &, Module &, std::shared_ptr<const SourceFile>) override {
    check("load");
    return LoadReport();
  }
  Result<Value> evaluate(World &world, Module &, std::string_view, std::string_view) override {
    check("evaluate");
    return world.types().int64(7);
  }
  Result<ResolvedCall> resolve_call(World &world, Module &, std::string_view, std::string_view text,
                                    std::span<const Capture>) override {
    check("resolve_call");
    KILN_TRY(Value function, find_value(world, text.substr(0, text.find('('))));
    return call_of(world, function, std::span<const TypeRef>());
  }
  Result<ResolvedCall> resolve_launch(World &world, Module &in, std::string_view function,
                                      std::span<const std::string_view> types) override {
    check("resolve_launch");
    return Frontend::resolve_launch(world, in, function, types);
  }
  Result<Value> argument_value(World &, const Value &value) override {
    check("argument_value");
    return value;
  }
  std::string call_text(TypeRef tuple) const override {
    check("call_text");
    return "my " + Frontend::call_text(tuple);
  }
  Result<LoadReport> load_overlay(World &, Module &, Symbol, std::shared_ptr<const SourceFile>) override {
    return LoadReport();
  }

private:
  void check(std::string_view function) const {
    if (*thrower_ == function) throw std::runtime_error("not " + std::string(function) + " today");
  }
  const std::string *thrower_;
};

struct Opened {
  std::string thrower;
  std::vector<std::string> warnings;
  Result<std::unique_ptr<Session>> session;

  explicit Opened(std::string first = {}) : thrower(std::move(first)), session(Session::open(options())) {}
  SessionOptions options() {
    SessionOptions options;
    options.cache_dir = "";
    options.log = [this](LogLevel, std::string_view line) { warnings.emplace_back(line); };
    options.languages = {[this](const LanguageHost &) { return std::make_unique<Thrower>(&thrower); }};
    options.language = "thrower";
    return options;
  }
};

void is_told(const Error &error, std::string_view who, std::string_view says) {
  INFO(error.what());
  CHECK(error.kind() == ErrorKind::Usage);
  CHECK_THAT(error.what(), Contains(std::string(who)) && Contains("threw") && Contains(std::string(says)));
}

} // namespace

TEST_CASE("what a language throws while a session opens is the error of opening it") {
  for (const char *function : {"name", "file_extensions", "load_library"}) {
    Opened opened(function);
    REQUIRE(!opened.session.ok());
    is_told(opened.session.error(), function, "not " + std::string(function) + " today");
  }
}

TEST_CASE("what a language throws is the error of the call that asked it, and the next call works") {
  Opened opened;
  Session &session = *must(std::move(opened.session)).release();
  const std::unique_ptr<Session> owner(&session);
  must(session.load("kernel.jl", "k() = nothing\n"));
  World *world = nullptr;
  must(session.define([&](World &w) -> Result<void> {
    world = &w;
    return {};
  }));
  const Value k = must(find_value(*world, "Main.k"));
  const std::vector<Value> values{world->types().int64(1)};
  const std::pair<const char *, std::function<Result<void>()>> calls[] = {
      {"load",
       [&]() -> Result<void> {
         KILN_CHECK(session.load("a.throw", ""));
         return {};
       }},
      {"evaluate",
       [&]() -> Result<void> {
         KILN_CHECK(evaluate(session, "line", "1"));
         return {};
       }},
      {"resolve_call",
       [&]() -> Result<void> {
         KILN_CHECK(session.compile("Main.k()", {}, ArtifactKind::Llvm));
         return {};
       }},
      {"resolve_call",
       [&]() -> Result<void> {
         KILN_CHECK(resolve_call(session, "Main.k()"));
         return {};
       }},
      {"resolve_launch", [&]() -> Result<void> { return session.launch("Main.k", {}, {}); }},
      {"argument_value",
       [&]() -> Result<void> {
         KILN_CHECK(call_of(session, k, values));
         return {};
       }},
      {"argument_value", [&]() -> Result<void> {
         auto launched = launch(session, session.cpu(), k, {}, values);
         if (launched.ok()) return {};
         Error error = launched.take_error(); // without the exception: k takes no argument
         return error.kind() == ErrorKind::Input ? Result<void>() : Result<void>(std::move(error));
       }}};
  for (const auto &[function, call] : calls) {
    opened.thrower = function;
    Result<void> failed = call();
    INFO(function);
    REQUIRE(!failed.ok());
    is_told(failed.error(), std::string(function) + " of the language thrower",
            "not " + std::string(function) + " today");
    opened.thrower.clear();
    must(call());
  }

  // call_text has no error to give: the call is written as Julia's, and the log says so.
  opened.thrower = "call_text";
  CHECK(must(session.job("Main.k()")).call() == "k()");
  REQUIRE(opened.warnings.size() == 1);
  CHECK_THAT(opened.warnings[0], Contains("call_text of the language thrower threw"));
}

TEST_CASE("what a body throws is the error of the compile that needs it") {
  Toy toy;
  toy.define("texts", {}, [](BodyBuilder &) -> Result<Operand> { throw std::runtime_error("no body"); });
  is_told(toy.error("texts", {}), "the code of texts", "no body");
  is_told(toy.error("texts", {}), "the code of texts", "no body"); // the same ever after
  toy.define("numbers", {}, [](BodyBuilder &) -> Result<Operand> { throw 42; });
  is_told(toy.error("numbers", {}), "the code of numbers", "unknown type");
  toy.define("memory", {}, [](BodyBuilder &) -> Result<Operand> { throw std::bad_alloc(); });
  CHECK(toy.error("memory", {}).kind() == ErrorKind::Machine);
  CHECK_THAT(toy.error("memory", {}).what(), Contains("the code of memory") && Contains("out of memory"));

  // In a callee the caller's compile fails, and what does not call it compiles.
  const Value texts = toy.function("texts");
  toy.define("caller", {},
             [texts](BodyBuilder &body) -> Result<Operand> { return body.call(body.constant(texts), {}); });
  CHECK_THAT(toy.error("caller", {}).what(), Contains("no body"));
  toy.define("seven", {}, [](BodyBuilder &body) -> Result<Operand> { return body.int64(7); });
  CHECK(toy.call<int64_t>("seven", {}) == 7);
}

TEST_CASE("what a generator throws is the error of the compile that needs it; it is asked again") {
  Toy toy;
  bool throws = true;
  must(toy.session->define([&](World &world) -> Result<void> {
    MethodDefinition method;
    method.module = toy.module;
    method.name = toy.symbol("made");
    method.generate = [&](BodyBuilder &body, std::span<const TypeRef>,
                          std::span<const TypeRef>) -> Result<Operand> {
      if (throws) throw std::runtime_error("nothing made");
      return body.int64(9);
    };
    KILN_CHECK(define_function(world, std::move(method)));
    return {};
  }));
  CompilerConfig plain;
  plain.kernel = false;
  const ResolvedCall call = call_of(*toy.world, toy.function("made"), std::span<const TypeRef>());
  auto failed = job(*toy.session, call, plain);
  REQUIRE(!failed.ok());
  is_told(failed.error(), "the generator of made", "nothing made");
  throws = false;
  CHECK(toy.call<int64_t>("made", {}) == 9);
}

TEST_CASE("what a function given to define throws is its error; so is an empty one") {
  Toy toy;
  auto failed = toy.session->define([](World &) -> Result<void> { throw std::runtime_error("undefined"); });
  REQUIRE(!failed.ok());
  is_told(failed.error(), "Session::define", "undefined");
  auto empty = toy.session->define({});
  REQUIRE(!empty.ok());
  CHECK(empty.error().kind() == ErrorKind::Usage);
  toy.define("seven", {}, [](BodyBuilder &body) -> Result<Operand> { return body.int64(7); });
  CHECK(toy.call<int64_t>("seven", {}) == 7);
}

TEST_CASE("what host functions, code that runs at once and device_code throw is the evaluation's error") {
  Interpreter *interpreter = nullptr;
  World *world = nullptr;
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  std::string thrower;
  options.languages = {[&](const LanguageHost &host) {
    interpreter = &host.interpreter;
    world = &host.world;
    return std::make_unique<Thrower>(&thrower);
  }};
  options.device_code = [](const DeviceCode &) { throw std::runtime_error("shown to nobody"); };
  auto session = must(Session::open(options));
  must(session->load("program.jl", "k() = nothing\n"));
  must(interpreter->add_host_function(
      *world->main(), "throws",
      [](Interpreter &, std::span<const Value>) -> Result<Value> { throw std::runtime_error("no host"); }));
  must(interpreter->add_host_function(*world->main(), "run_kernel",
                                      [&](Interpreter &, std::span<const Value> args) -> Result<Value> {
                                        KILN_CHECK(launch(*session, session->cpu(), args[0], {}, {}));
                                        return world->types().int64(3);
                                      }));
  for (int i = 0; i < 2; i++) {
    auto failed = evaluate(*session, "line", "throws()");
    REQUIRE(!failed.ok());
    is_told(failed.error(), "the host function throws", "no host");
    failed = evaluate(*session, "line", "@device_code_llvm run_kernel(k)");
    REQUIRE(!failed.ok());
    is_told(failed.error(), "SessionOptions::device_code", "shown to nobody");
    failed = run_body(*interpreter, *world->main(), world->types().symbol("line"), {},
                      [](BodyBuilder &) -> Result<Operand> { throw std::runtime_error("no code"); });
    REQUIRE(!failed.ok());
    is_told(failed.error(), "the body of line", "no code");
  }
  CHECK(must(evaluate(*session, "line", "run_kernel(k)")) == world->types().int64(3));
}

} // namespace throwing_test
