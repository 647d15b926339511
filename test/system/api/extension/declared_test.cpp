// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods that are handed over already typed: what they declare is verified, all of it, with places.
#include "scratch.h"
#include "toy_language.h"

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

namespace {

struct Typed : Toy {
  Typed() {
    source("typed.toy", "one\ntwo\nthree\nfour\nfive\nsix\n");
    define("half", {t().Int64}, [](BodyBuilder &body) -> Result<Operand> {
      Operand real =
          body.intrinsic(Intrinsic::sitofp, {body.type(body.types().builtins().Float64), body.argument(0)});
      return body.intrinsic(Intrinsic::mul_float, {real, body.constant(body.types().float64(0.5))});
    });
  }
  using Toy::define;
  const Method &typed(std::string_view name, std::vector<TypeRef> parameters, BuildBody body) {
    MethodDefinition made = method(name, std::move(parameters), std::move(body));
    made.hints.typed = true;
    made.at = span(0, 3);
    return define(std::move(made));
  }
  /// Statements that follow come from this line of the text, counted from 1.
  void line(BodyBuilder &body, unsigned line) {
    static constexpr uint32_t begin[] = {0, 4, 8, 14, 19, 24};
    body.set_span(span(begin[line - 1], begin[line - 1] + 3));
  }
};

std::vector<unsigned> lines(const Error &error) {
  std::vector<unsigned> all;
  for (const Diagnostic &each : error.diagnostics()) all.push_back(each.at.line());
  return all;
}

} // namespace

TEST_CASE("a typed method whose declarations hold is compiled, with its loop, call and conversions") {
  Typed toy;
  const TypeRef i64 = toy.t().Int64, f64 = toy.t().Float64;
  TypeRef half = toy.types().tuple({toy.function("half").type(), i64});
  // s = 0.0; i = 0; while i < n: s += half(i); i += 1
  toy.typed("sum", {i64}, [&](BodyBuilder &body) -> Result<Operand> {
    const Operand s = body.declare(Operand::slot(body.add_slot(body.types().symbol("s"))), f64);
    const Operand i = body.declare(Operand::slot(body.add_slot(body.types().symbol("i"))), i64);
    body.declare_result(f64);
    body.set_slot(s.index, body.constant(body.types().float64(0)));
    body.set_slot(i.index, body.int64(0));
    auto again = body.new_label(), end = body.new_label();
    body.place(again);
    body.go_to_if_not(body.declare(body.intrinsic(Intrinsic::slt_int, {i, body.argument(0)}), toy.t().Bool),
                      end);
    Operand part = body.call(body.global(toy.module, toy.symbol("half")), {i});
    body.declare_method(body.declare(part, f64), half);
    body.set_slot(s.index, body.declare(body.intrinsic(Intrinsic::add_float, {s, part}), f64));
    body.set_slot(i.index, body.declare(body.intrinsic(Intrinsic::add_int, {i, body.int64(1)}), i64));
    body.go_to(again);
    body.place(end);
    return s;
  });
  CHECK(toy.call<double>("sum", {i64}, int64_t(5)) == 5.0); // (0 + 1 + 2 + 3 + 4) / 2
  CHECK(toy.type("sum", {i64}) == "Float64");
}

TEST_CASE("all that a typed method declares wrongly comes in one error, each at its own place") {
  Typed toy;
  const TypeRef i64 = toy.t().Int64, f64 = toy.t().Float64;
  TypeRef other = toy.types().tuple({toy.function("half").type(), f64});
  toy.typed("wrong", {i64}, [&](BodyBuilder &body) -> Result<Operand> {
    const Operand x = body.declare(Operand::slot(body.add_slot(body.types().symbol("x"))), f64);
    body.declare_result(toy.t().Float32);
    toy.line(body, 2);
    Operand sum = body.declare(body.intrinsic(Intrinsic::add_int, {body.argument(0), body.int64(1)}), f64);
    toy.line(body, 3);
    body.set_slot(x.index, sum);
    toy.line(body, 4);
    Operand half = body.call(body.global(toy.module, toy.symbol("half")), {body.argument(0)});
    body.declare_method(body.declare(half, f64), other);
    toy.line(body, 5);
    body.declare(body.call(body.global(toy.module, toy.symbol("half")), {half}), f64); // no such method
    toy.line(body, 6);
    return half;
  });
  Error error = toy.error("wrong", {i64});
  CHECK(error.kind() == ErrorKind::Input);
  CHECK(lines(error) == std::vector<unsigned>{2, 3, 4, 5, 6});
  const std::string text = error.what();
  CHECK_THAT(text, Contains("typed.toy:2:1") && Contains("is declared Float64, and gives Int64"));
  CHECK_THAT(text, Contains("the variable x is declared Float64, and gets a value of type Int64"));
  CHECK_THAT(text, Contains("is declared to reach Toy.half(::Float64), and reaches Toy.half(::Int64)"));
  CHECK_THAT(text, Contains("no method matching Toy.half(::Float64)"));
  CHECK_THAT(text, Contains("the result is declared Float32, and is Float64"));
}

TEST_CASE("a conversion that is left out is told; nothing converts by itself, and no rule may") {
  Typed toy;
  const TypeRef i64 = toy.t().Int64, f64 = toy.t().Float64;
  auto either = [&](BodyBuilder &body) -> Result<Operand> {
    const Operand x = body.declare(Operand::slot(body.add_slot(body.types().symbol("x"))), f64);
    auto other = body.new_label(), end = body.new_label();
    body.go_to_if_not(
        body.declare(body.intrinsic(Intrinsic::slt_int, {body.int64(0), body.argument(0)}), toy.t().Bool),
        other);
    toy.line(body, 2);
    body.set_slot(x.index, body.argument(0));
    body.go_to(end);
    body.place(other);
    toy.line(body, 3);
    body.set_slot(x.index, body.argument(1));
    body.place(end);
    return x;
  };
  toy.typed("either", {i64, f64}, either);
  Error error = toy.error("either", {i64, f64});
  CHECK_THAT(error.what(),
             Contains("typed.toy:2:1") &&
                 Contains("the variable x is declared Float64, and gets a value of type Int64"));

  MethodDefinition both = toy.method("both", {i64, f64}, either);
  both.hints.typed = true;
  auto rule = std::make_shared<JoinRule>();
  rule->name = "tower";
  both.hints.join = rule;
  toy.define(std::move(both));
  Error refused = toy.error("both", {i64, f64});
  CHECK(refused.kind() == ErrorKind::Usage);
  CHECK_THAT(refused.what(), Contains("is typed, and has the join rule `tower`"));
}

TEST_CASE("typed code without a declaration is refused before it is typed, every statement at once") {
  Typed toy;
  const TypeRef i64 = toy.t().Int64;
  toy.typed("bare", {i64}, [&](BodyBuilder &body) -> Result<Operand> {
    const uint32_t x = body.add_slot(body.types().symbol("x"));
    toy.line(body, 2);
    Operand sum = body.intrinsic(Intrinsic::add_int, {body.argument(0), body.int64(1)});
    toy.line(body, 3);
    body.set_slot(x, sum);
    toy.line(body, 4);
    body.declare(Operand(), i64);               // of nothing
    body.declare_method(Operand::slot(x), i64); // of no call
    return body.declare(body.copy(Operand::slot(x)), i64);
  });
  Error error = toy.error("bare", {i64});
  CHECK(error.kind() == ErrorKind::Usage);
  CHECK(error.diagnostics().size() == 4);
  CHECK_THAT(error.what(),
             Contains("typed.toy:2:1") && Contains("typed.toy:3:1") && Contains("typed.toy:4:1"));
  CHECK_THAT(error.what(), Contains("the type of the result is not declared") &&
                               Contains("the type of the variable x is not declared") &&
                               Contains("declares the type of what is neither a statement nor a variable") &&
                               Contains("declares the method of what is no call"));
}

TEST_CASE(
    "declarations are assertions in code that is not typed otherwise, and part of what a cache knows it by") {
  Scratch scratch;
  auto compile = [&](bool is_right) {
    Toy toy(scratch.path.string());
    toy.define("asserts", {nullptr}, [&toy, is_right](BodyBuilder &body) -> Result<Operand> {
      Operand same = body.copy(body.argument(0));
      return body.declare(same, is_right ? toy.t().Int64 : toy.t().Int32);
    });
    auto made = toy.job("asserts", {toy.t().Int64}, {.target = PtxOptions()}).compile(ArtifactKind::Assembly);
    toy.session->flush_cache();
    return made.ok();
  };
  CHECK(compile(true));
  CHECK(!compile(false));
}

TEST_CASE("a typed method that calls itself is verified when its type is known") {
  Typed toy;
  const TypeRef i64 = toy.t().Int64;
  auto factorial = [&](TypeRef declared) {
    return [&toy, i64, declared](BodyBuilder &body) -> Result<Operand> {
      auto more = body.new_label();
      Operand n = body.argument(0);
      body.go_to_if_not(body.declare(body.intrinsic(Intrinsic::slt_int, {n, body.int64(2)}), toy.t().Bool),
                        more);
      body.return_(body.int64(1));
      body.place(more);
      Operand less = body.declare(body.intrinsic(Intrinsic::sub_int, {n, body.int64(1)}), i64);
      Operand rest = body.declare(body.call(body.self(), {less}), declared);
      return body.declare(body.intrinsic(Intrinsic::mul_nsw, {n, rest}), i64);
    };
  };
  toy.typed("factorial", {i64}, factorial(i64));
  CHECK(toy.call<int64_t>("factorial", {i64}, int64_t(10)) == 3628800);
  toy.typed("factorial", {i64}, factorial(toy.t().Int32));
  CHECK_THAT(toy.error("factorial", {i64}).what(), Contains("is declared Int32, and gives Int64"));
}

TEST_CASE("what is never reached needs no type that holds") {
  Typed toy;
  const TypeRef i64 = toy.t().Int64, f64 = toy.t().Float64;
  toy.typed("pruned", {nullptr}, [&](BodyBuilder &body) -> Result<Operand> {
    auto other = body.new_label();
    Operand is =
        body.declare(body.intrinsic(Intrinsic::isa, {body.argument(0), body.type(i64)}), toy.t().Bool);
    body.go_to_if_not(is, other);
    body.return_(body.declare(body.intrinsic(Intrinsic::add_int, {body.argument(0), body.argument(0)}), i64));
    body.place(other);
    return body.declare(body.intrinsic(Intrinsic::add_float, {body.argument(0), body.argument(0)}), f64);
  });
  CHECK(toy.call<int64_t>("pruned", {i64}, int64_t(4)) == 8);
  CHECK(toy.call<double>("pruned", {f64}, 4.5) == 9);
}
