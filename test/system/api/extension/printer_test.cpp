// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages, labels and timing tables in a language's own spelling: types as i64 and f32, calls as (+ i64
// f32). Each expected text is written by hand.
#include "must.h"

#include <catch2/catch.hpp>
#include <kiln/extension/language.h>
#include <kiln/kiln.h>

namespace printer_test {

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

class Prefix final : public Printer {
public:
  explicit Prefix(TypeContext &types) : types_(types) {}
  std::string type(TypeRef type) const override {
    const auto &t = types_.builtins();
    if (type == t.Int64) return "i64";
    if (type == t.Float32) return "f32";
    if (type == t.Bool) return "bool";
    return Printer::type(type);
  }
  std::string function(TypeRef callee) const override {
    const auto *data = callee->as<DataType>();
    return data && data->name().is_function ? data->name().function_name.str() : Printer::function(callee);
  }
  std::string call(std::span<const TypeRef> types) const override {
    std::string text = "(" + function(types[0]);
    for (TypeRef each : types.subspan(1)) text += " " + type(each);
    return text + ")";
  }
  std::string job(std::span<const TypeRef> types) const override { return call(types); }
  std::string operation(std::string_view function, std::span<const std::string> operands) const override {
    std::string text = "(" + std::string(function);
    for (const std::string &each : operands) text += " " + each;
    return text + ")";
  }

private:
  TypeContext &types_;
};

/// A language without text. Its module sees nothing of Base.
class Prefixed final : public Frontend {
public:
  static constexpr std::string_view language_name = "prefixed";
  explicit Prefixed(const LanguageHost &host) : types_(host.world.types()) {}
  std::string_view name() const override { return language_name; }
  std::vector<std::string_view> file_extensions() const override { return {".pre"}; }
  Result<void> load_library(World &world, std::span<const OverlayFiles>) override {
    module = world.module(types_.symbol("Prefixed"), nullptr, {.uses_base = false});
    return {};
  }
  Result<LoadReport> load(World &, Module &, std::shared_ptr<const SourceFile>) override {
    return LoadReport();
  }
  Result<LoadReport> load_overlay(World &, Module &, Symbol, std::shared_ptr<const SourceFile>) override {
    return LoadReport();
  }
  Result<Value> evaluate(World &world, Module &, std::string_view, std::string_view text) override {
    return find_value(world, "Prefixed." + std::string(text));
  }
  Result<ResolvedCall> resolve_call(World &, Module &, std::string_view, std::string_view,
                                    std::span<const Capture>) override {
    return input_error("calls come as values");
  }
  std::shared_ptr<const Printer> printer() const override {
    if (throws) throw 1;
    return std::make_shared<Prefix>(types_);
  }
  Module *module = nullptr;
  static bool throws;

private:
  TypeContext &types_;
};
bool Prefixed::throws = false;

struct Opened {
  std::unique_ptr<Session> session;
  Prefixed *language = nullptr;
  std::vector<std::string> warnings;

  explicit Opened(bool timings = false) {
    SessionOptions options;
    options.cache_dir = "";
    options.verbosity = LogLevel::Warning;
    options.timings = timings;
    options.log = [this](LogLevel, std::string_view line) { warnings.emplace_back(line); };
    options.languages = {[](const LanguageHost &host) { return std::make_unique<Prefixed>(host); }};
    options.language = "prefixed";
    session = must(Session::open(options));
    language = session->language<Prefixed>();
    REQUIRE(language);
  }
  TypeContext &types() { return session->world().types(); }
  const TypeContext::Builtins &t() { return types().builtins(); }
  Symbol symbol(std::string_view text) { return types().symbol(text); }
  MethodDefinition method(std::string_view name, std::vector<TypeRef> parameters, BuildBody body) {
    MethodDefinition made;
    made.module = language->module;
    made.name = symbol(name);
    for (TypeRef type : parameters) made.parameters.push_back({symbol("p"), type});
    made.body = std::move(body);
    return made;
  }
  void define(MethodDefinition definition) {
    must(session->define([&](World &world) -> Result<void> {
      KILN_CHECK(define_function(world, std::move(definition)));
      return {};
    }));
  }
  Result<Job> job(std::string_view name, std::vector<TypeRef> arguments,
                  CompilerConfig config = {.kernel = false}) {
    const Value function = must(evaluate(*session, "test", name));
    return kiln::job(*session, call_of(session->world(), function, arguments), config);
  }
  /// The first diagnostic of compiling it.
  Diagnostic fault(std::string_view name, std::vector<TypeRef> arguments,
                   CompilerConfig config = {.kernel = false}) {
    auto held = job(name, std::move(arguments), config);
    if (!held.ok()) return held.error().diagnostics()[0];
    auto made = held->compile(ArtifactKind::Assembly);
    REQUIRE(!made.ok());
    return made.error().diagnostics()[0];
  }
};

/// The method of +(i64, i64).
void define_plus(Opened &opened) {
  opened.define(
      opened.method("+", {opened.t().Int64, opened.t().Int64}, [](BodyBuilder &body) -> Result<Operand> {
        return body.intrinsic(Intrinsic::add_int, {body.argument(0), body.argument(1)});
      }));
}

} // namespace

TEST_CASE("session.language<T>() is the session's language of that class") {
  Opened opened;
  CHECK(opened.language->name() == "prefixed");
  CHECK(opened.session->language("prefixed") == opened.language);
  CHECK(opened.session->language("julia") != nullptr);
  CHECK(opened.session->language("lisp") == nullptr);
}

TEST_CASE("a call without a method, in the language's spelling") {
  Opened opened;
  define_plus(opened);
  const Diagnostic wrong = opened.fault("+", {opened.t().Int64, opened.t().Float32});
  CHECK(wrong.message == "no method matching (+ i64 f32)");
  REQUIRE(wrong.notes.size() == 1);
  CHECK(wrong.notes[0].text == "candidate: (+ i64 i64)");
  // In a body: what inference finds.
  opened.define(opened.method("twice", {nullptr}, [&](BodyBuilder &body) -> Result<Operand> {
    return body.call(body.global(opened.language->module, opened.symbol("+")),
                     {body.argument(0), body.argument(0)});
  }));
  CHECK_THAT(opened.fault("twice", {opened.t().Float32}).message, Contains("no method matching (+ f32 f32)"));
}

TEST_CASE("types in messages, in labels and in what a job returns") {
  Opened opened(true);
  define_plus(opened);
  const Job job = must(opened.job("+", {opened.t().Int64, opened.t().Int64}));
  CHECK(must(job.return_type()) == "i64");
  CHECK(must(job.label()).name == "(+ i64 i64)");
  must(job.compile(ArtifactKind::Object));
  const TimingReport report = opened.session->timings();
  REQUIRE(!report.jobs.empty());
  CHECK(report.jobs[0].name == "(+ i64 i64)");
  const TypeRef pair = opened.types().tuple({opened.t().Int64, opened.t().Float32});
  CHECK(spell(pair) == "Tuple{i64, f32}");
  CHECK(to_string(pair) == "Tuple{Int64, Float32}");
  CHECK(spell_call(std::vector{opened.t().Type, pair}).find("i64") != std::string::npos);
}

TEST_CASE("KernelError and a declared type, in the language's spelling") {
  Opened opened;
  opened.define(opened.method("gives", {opened.t().Int64},
                              [](BodyBuilder &body) -> Result<Operand> { return body.argument(0); }));
  const Diagnostic returns = opened.fault("gives", {opened.t().Int64}, {.kernel = true});
  CHECK(returns.name() == "KernelError");
  CHECK_THAT(returns.message, Contains("kernel returns a value of type `i64`"));
  opened.define(opened.method("declares", {opened.t().Int64}, [&](BodyBuilder &body) -> Result<Operand> {
    Operand sum = body.intrinsic(Intrinsic::add_int, {body.argument(0), body.int64(1)});
    return body.declare(sum, opened.t().Float32);
  }));
  CHECK_THAT(opened.fault("declares", {opened.t().Int64}).message,
             Contains("(add_int p 1) is declared f32, and gives i64"));
}

TEST_CASE("a name of Base is not found in a module without Base, and no hint names it") {
  Opened opened;
  opened.define(opened.method("calls", {opened.t().Float32}, [&](BodyBuilder &body) -> Result<Operand> {
    return body.call(body.global(opened.language->module, opened.symbol("sin")), {body.argument(0)});
  }));
  const Diagnostic missing = opened.fault("calls", {opened.t().Float32});
  CHECK(missing.code == ErrorCode::UndefVarError);
  CHECK_THAT(missing.message, Contains("`sin` not defined"));
  CHECK_THAT(missing.hint, !Contains("did you mean"));
}

TEST_CASE("a printer that throws leaves Julia's spelling, with a warning") {
  Prefixed::throws = true;
  Opened opened;
  Prefixed::throws = false;
  define_plus(opened);
  CHECK(opened.fault("+", {opened.t().Float32}).message == "no method matching Prefixed.:+(::Float32)");
  REQUIRE(opened.warnings.size() == 1);
  CHECK_THAT(opened.warnings[0], Contains("printer of the language prefixed threw"));
}

} // namespace printer_test
