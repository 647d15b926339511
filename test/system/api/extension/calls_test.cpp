// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session's calls by values (kiln/extension/language/calls.h), what a launch by name asks a language, and
// what the cache's folder holds of a language's own library.
#include "must.h"
#include "scratch.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cfenv>
#include <cstring>
#include <future>
#include <kiln/extension/language.h>
#include <kiln/kiln.h>
#include <stdexcept>
#include <thread>

namespace calls_test {

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

/// A language with a library of one function, `rule(x) = x + k` on Int64, whose text is the number k, and of
/// a constant. Programs are a name each: a kernel name(y) that stores rule(constant) at y[1].
class RuleLanguage final : public Frontend {
public:
  RuleLanguage(const LanguageHost &host, std::string library, int64_t constant)
      : world_(host.world), library_(std::move(library)), constant_(constant) {}
  std::string_view name() const override { return "rule"; }
  std::vector<std::string_view> file_extensions() const override { return {".rule"}; }

  Result<void> load_library(World &world, std::span<const OverlayFiles>) override {
    TypeContext &types = world.types();
    module_ = world.module(types.symbol("Rules"), nullptr);
    auto file = world.sources().add("library.rule", library_, true);
    KILN_CHECK(world.set_constant(*module_, types.symbol("constant"), types.int64(constant_), {}));
    MethodDefinition rule;
    rule.module = module_;
    rule.name = types.symbol("rule");
    rule.parameters = {{types.symbol("x"), types.builtins().Int64}};
    rule.at = {file->id(), 0, uint32_t(library_.size())};
    rule.body = [k = std::stoll(library_)](BodyBuilder &body) -> Result<Operand> {
      return body.intrinsic(Intrinsic::add_int, {body.argument(0), body.int64(k)});
    };
    KILN_CHECK(define_function(world, std::move(rule)));
    return {};
  }
  Result<LoadReport> load(World &world, Module &into, std::shared_ptr<const SourceFile> file) override {
    TypeContext &types = world.types();
    MethodDefinition kernel;
    kernel.module = &into;
    kernel.name = types.symbol(file->text());
    KILN_TRY(TypeRef array, array_type(world, types.builtins().Int64, 1, true));
    kernel.parameters = {{types.symbol("y"), array}};
    kernel.at = {file->id(), 0, uint32_t(file->text().size())};
    kernel.body = [this](BodyBuilder &body) -> Result<Operand> {
      TypeContext &types = body.types();
      KILN_TRY(Value align, val(world_, types.int64(0)));
      Operand value = body.call(body.global(module_, types.symbol("rule")),
                                {body.global(module_, types.symbol("constant"))});
      Operand pointer = body.field(body.argument(0), types.symbol("ptr"));
      body.intrinsic(Intrinsic::pointer_store, {pointer, value, body.int64(0), body.constant(align)});
      return Operand();
    };
    KILN_CHECK(define_function(world, std::move(kernel)));
    return LoadReport{};
  }
  Result<Value> evaluate(World &world, Module &in, std::string_view, std::string_view text) override {
    KILN_TRY(auto value, world.lookup(in, world.types().symbol(text), world.age()));
    return value ? Result<Value>(*value) : input_error("there is no such name");
  }
  Result<ResolvedCall> resolve_call(World &, Module &, std::string_view, std::string_view,
                                    std::span<const Capture>) override {
    return input_error("calls have no text in this language");
  }
  Result<ResolvedCall> resolve_launch(World &world, Module &in, std::string_view function,
                                      std::span<const std::string_view> types) override {
    KILN_TRY(Value callee, evaluate(world, in, {}, function));
    std::vector<TypeRef> arguments;
    for (std::string_view text : types) {
      KILN_TRY(TypeRef type, argument_type(world, in, text));
      if (!type) return input_error("no type " + std::string(text));
      arguments.push_back(type);
    }
    return call_of(world, callee, arguments);
  }
  Result<LoadReport> load_overlay(World &, Module &, Symbol, std::shared_ptr<const SourceFile>) override {
    return input_error("no overlays");
  }

private:
  World &world_;
  std::string library_;
  int64_t constant_;
  Module *module_ = nullptr;
};

struct Opened {
  World *world = nullptr;
  Interpreter *interpreter = nullptr;
  std::unique_ptr<Session> session;

  explicit Opened(const std::string &cache = {}, std::string library = "5", int64_t constant = 100) {
    SessionOptions options;
    options.cache_dir = cache;
    options.verbosity = LogLevel::Error;
    options.languages = {[&](const LanguageHost &host) {
      world = &host.world;
      interpreter = &host.interpreter;
      return std::make_unique<RuleLanguage>(host, library, constant);
    }};
    options.language = "rule";
    session = must(Session::open(options));
    must(session->load("program.rule", "store"));
  }
  Value array(std::vector<int64_t> elements) {
    auto made = std::make_shared<HostArray>();
    made->element = world->types().builtins().Int64;
    made->dims = {int64_t(elements.size())};
    made->bytes.resize(elements.size() * sizeof(int64_t));
    std::memcpy(made->bytes.data(), elements.data(), made->bytes.size());
    TypeRef params[] = {made->element, world->types().constant(int64_t(1))};
    return Value::array(must(world->types().apply(world->types().builtins().Array, params)), made);
  }
};

int64_t first(const Value &array) {
  int64_t value = 0;
  std::memcpy(&value, array.as_array()->bytes.data(), sizeof value);
  return value;
}

} // namespace

TEST_CASE("a kernel is launched, compiled and prepared by values, where a language has no text for calls") {
  Opened opened;
  Session &session = *opened.session;
  const Value kernel = must(evaluate(session, "repl", "store"));
  const Value y = opened.array({1, 2});
  must(launch(session, session.cpu(), kernel, {}, std::vector<Value>{y}));
  CHECK(first(y) == 105);
  ResolvedCall call = must(call_of(session, kernel, std::vector<Value>{y}));
  REQUIRE(call.arguments.size() == 1);
  CHECK(to_string(call.arguments[0]) == "CuDeviceArray{Int64, 1, 1}");
  auto ptx = must(must(job(session, call, {.target = PtxOptions{}})).compile(ArtifactKind::Assembly));
  CHECK_THAT(ptx->bytes, Contains("st.global") && Contains("105"));
  Kernel prepared = must(must(job(session, call)).prepare(session.cpu()));
  std::vector<int64_t> z{0};
  Argument argument = Argument::array(z.data(), {1});
  const void *arguments[] = {argument.bytes.data()};
  must(session.launch(prepared, {}, arguments));
  CHECK(z[0] == 105);
  CHECK(!resolve_call(session, "store(y)").ok());
}

TEST_CASE("a launch by name asks the language by argument types, not by a text in Julia's syntax") {
  Opened opened;
  std::vector<int64_t> y{0};
  must(opened.session->launch("store", {}, {Argument::array(y.data(), {1})}));
  CHECK(y[0] == 105);
  auto wrong = opened.session->launch("store", {}, {Argument::array_of("Vec9", y.data(), {1}, 8)});
  REQUIRE(!wrong.ok());
  CHECK_THAT(wrong.error().what(), Contains("no type CuDeviceArray{Vec9, 1, 1}"));
  auto none = opened.session->launch("stow", {}, {Argument::array(y.data(), {1})});
  CHECK(!none.ok());
}

TEST_CASE("launches by values refuse what no kernel takes, and the wrong arguments") {
  Opened opened;
  Session &session = *opened.session;
  const Value kernel = must(evaluate(session, "repl", "store"));
  auto wrong = launch(session, session.cpu(), kernel, {}, std::vector<Value>{opened.world->types().int64(1)});
  REQUIRE(!wrong.ok());
  CHECK_THAT(wrong.error().what(), Contains("MethodError"));
  auto shape =
      launch(session, session.cpu(), kernel, {.threads = {0, 1, 1}}, std::vector<Value>{opened.array({1})});
  REQUIRE(!shape.ok());
  CHECK(shape.error().kind() == ErrorKind::Usage);
  CHECK(!launch(session, Device(), kernel, {}, std::vector<Value>{opened.array({1})}).ok());
}

TEST_CASE("code that was just built runs at once") {
  Opened opened;
  World &world = *opened.world;
  const Symbol name = world.types().symbol("top level");
  Value sum =
      must(run_body(*opened.interpreter, *world.main(), name, {}, [](BodyBuilder &body) -> Result<Operand> {
        return body.intrinsic(Intrinsic::add_int, {body.int64(2), body.int64(3)});
      }));
  CHECK(sum == world.types().int64(5));
  auto failed = run_body(*opened.interpreter, *world.main(), name, {},
                         [](BodyBuilder &) -> Result<Operand> { return input_error("no"); });
  CHECK(!failed.ok());
}

TEST_CASE("calls by values are guests: errno, floating-point environment, and no call from a callback") {
  SessionOptions options;
  options.cache_dir = std::string();
  options.verbosity = LogLevel::Debug;
  Session *from_log = nullptr;
  std::vector<ErrorKind> refused;
  options.log = [&](LogLevel, std::string_view) {
    if (!from_log) return;
    auto check = [&](auto result) {
      refused.push_back(result.ok() ? ErrorKind::Internal : result.error().kind());
    };
    check(evaluate(*from_log, "line", "1"));
    check(resolve_call(*from_log, "identity(1)"));
    check(call_of(*from_log, Value(), std::span<const Value>()));
    check(launch(*from_log, from_log->cpu(), Value(), {}, {}));
  };
  auto session = must(Session::open(options));
  must(session->load("program.jl", "third(x) = 1.0 / x\n"));

  // 1/3 to nearest is 0x3fd5555555555555; upwards its last digit is 6.
  std::fesetround(FE_UPWARD);
  errno = 77;
  const Value third = must(evaluate(*session, "line", "third(3.0)"));
  (void)resolve_call(*session, "third(Float64)");
  const bool kept = errno == 77 && std::fegetround() == FE_UPWARD;
  std::fesetround(FE_TONEAREST);
  CHECK(kept);
  CHECK(third.low_bits() == 0x3fd5555555555555);

  from_log = session.get();
  must(session->load("note.jl", "third(3.0)\n")); // not run: a note in the log
  from_log = nullptr;
  CHECK(refused.size() >= 4);
  CHECK(std::ranges::count(refused, ErrorKind::Usage) == std::ptrdiff_t(refused.size()));
}

TEST_CASE("definitions go on while a launch by values runs") {
  // With this budget typed code is always too much, so that whoever asks for it waits for those who hold it.
  auto session =
      must(Session::open({.inference_budget = 1000, .cache_dir = "", .verbosity = LogLevel::Error}));
  must(session->load("hold.jl", "using CUDA\n"
                                "function hold(flags)\n"
                                "    CUDA.@atomic flags[1] += Int32(1)\n"
                                "    while CUDA.atomic_add!(pointer(flags, 2), Int32(0)) == 0\n"
                                "    end\n"
                                "    return\n"
                                "end\n"));
  const Value function = must(evaluate(*session, "function", "hold"));
  const Value flags = must(evaluate(*session, "flags", "zeros(Int32, 2)"));
  auto *numbers = reinterpret_cast<int32_t *>(flags.as_array()->bytes.data());
  auto ran = std::async(std::launch::async,
                        [&] { return launch(*session, session->cpu(), function, {}, std::span(&flags, 1)); });
  while (std::atomic_ref(numbers[0]).load() == 0) std::this_thread::yield();
  auto defined = std::async(std::launch::async, [&] {
    for (int i = 0; i < 3; i++) {
      const std::string name = "f" + std::to_string(i);
      must(session->load(name + ".jl", name + "(x) = sum((x, 1, 2))\n"));
      must(session->prepare_function(name + "(Int64)"));
    }
  });
  const bool is_done = defined.wait_for(std::chrono::seconds(120)) == std::future_status::ready;
  std::atomic_ref(numbers[1]).store(1); // the kernel ends in any case
  CHECK(is_done);
  must(ran.get());
  defined.get();
}

TEST_CASE("array types as Argument spells them are read back") {
  Opened opened;
  World &world = *opened.world;
  const Module &main = *world.main();
  auto text = [&](std::string_view of) {
    TypeRef type = must(argument_type(world, main, of));
    return type ? to_string(type) : "none";
  };
  CHECK(text("Float32") == "Float32");
  for (std::string_view array : {"CuDeviceArray{Float32, 2, 1}", "CuDeviceArray{Bool, 11, 1}"})
    CHECK(text(array) == array);
  for (std::string_view none :
       {"", "CuDeviceArray{", "CuDeviceArray{}", "CuDeviceArray{Float32, x, 1}",
        "CuDeviceArray{Float32, 1, 3}", "CuDeviceArray{Nowhere, 1, 1}", "(Array f32)"})
    CHECK(text(none) == "none");
  CHECK(to_string(must(array_type(world, world.types().builtins().Float32, 2, true))) ==
        "CuDeviceArray{Float32, 2, A} where A");
}

TEST_CASE("the folder of the cache tells libraries of a language apart: other methods, other constants") {
  test::Scratch scratch;
  auto run = [&](const char *library, int64_t constant) {
    Opened opened(scratch.path.string(), library, constant);
    std::vector<int64_t> y{0};
    must(opened.session->launch("store", {}, {Argument::array(y.data(), {1})}));
    opened.session->flush_cache();
    return std::pair(y[0], opened.session->counters().compiled);
  };
  CHECK(run("5", 100) == std::pair<int64_t, uint64_t>(105, 1));
  CHECK(run("5", 100) == std::pair<int64_t, uint64_t>(105, 0));
  CHECK(run("6", 100) == std::pair<int64_t, uint64_t>(106, 1));
  CHECK(run("6", 200) == std::pair<int64_t, uint64_t>(206, 1));
  CHECK(run("5", 100) == std::pair<int64_t, uint64_t>(105, 0));
}

TEST_CASE("a factory of languages that is empty, makes nothing or throws is a Usage error") {
  const FrontendFactory factories[] = {FrontendFactory(),
                                       [](const LanguageHost &) { return std::unique_ptr<Frontend>(); },
                                       [](const LanguageHost &) -> std::unique_ptr<Frontend> {
                                         throw std::runtime_error("no language today");
                                       }};
  for (const FrontendFactory &factory : factories) {
    SessionOptions options;
    options.cache_dir = "";
    options.languages = {factory};
    auto opened = Session::open(options);
    REQUIRE(!opened.ok());
    CHECK(opened.error().kind() == ErrorKind::Usage);
  }
}

} // namespace calls_test
