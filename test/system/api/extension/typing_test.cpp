// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a language's programs are typed without a rule of its own: branches that are pruned before their arms
// are typed, a new type at each assignment, arithmetic that promises not to wrap.
#include "toy_language.h"

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

namespace {

/// if isa(p1, T): return `then`; else the call of a function that takes no such argument
BuildBody test_of_type(Toy &toy, TypeRef type) {
  return [&toy, type](BodyBuilder &body) -> Result<Operand> {
    auto other = body.new_label();
    body.go_to_if_not(body.intrinsic(Intrinsic::isa, {body.argument(0), body.type(type)}), other);
    body.return_(body.int64(1));
    body.place(other);
    return body.call(body.global(toy.module, toy.symbol("of_float")), {body.argument(0)});
  };
}

} // namespace

TEST_CASE("a branch that a type test decides is not typed on the other side") {
  Toy toy;
  toy.define("of_float", {toy.t().Float64}, [](BodyBuilder &body) -> Result<Operand> {
    return body.intrinsic(Intrinsic::add_float, {body.argument(0), body.argument(0)});
  });
  toy.define("choose", {nullptr}, test_of_type(toy, toy.t().Int64));
  CHECK(toy.call<int64_t>("choose", {toy.t().Int64}, int64_t(7)) == 1); // of_float(::Int64) would be an error
  CHECK(toy.type("choose", {toy.t().Int64}) == "Int64");                // not Union{Int64, Float64}
  CHECK(toy.call<double>("choose", {toy.t().Float64}, 2.5) == 5);
  CHECK(toy.type("choose", {toy.t().Float64}) == "Float64");
  CHECK_THAT(toy.error("choose", {toy.t().Float32}).what(), Contains("no method matching"));
}

TEST_CASE(
    "a branch on a constant of the program is not typed on the other side, until the constant changes") {
  Toy toy;
  auto set_debug = [&](bool on) {
    must(toy.session->define([&](World &world) {
      return world.set_constant(*toy.module, toy.symbol("debug"), world.types().boolean(on), {});
    }));
  };
  set_debug(false);
  toy.define("checked", {toy.t().Int64}, [&](BodyBuilder &body) -> Result<Operand> {
    auto plain = body.new_label();
    body.go_to_if_not(body.global(toy.module, toy.symbol("debug")), plain);
    body.return_(body.call(body.global(toy.module, toy.symbol("nowhere")), {body.argument(0)}));
    body.place(plain);
    return body.argument(0);
  });
  CHECK(toy.call<int64_t>("checked", {toy.t().Int64}, int64_t(7)) == 7);
  set_debug(true);
  CHECK_THAT(toy.error("checked", {toy.t().Int64}).what(), Contains("`nowhere` not defined"));
}

TEST_CASE("a branch on the value of a Val, and on arithmetic of constants, is decided before typing") {
  Toy toy;
  toy.define("power", {nullptr, toy.t().Float64}, [](BodyBuilder &body) -> Result<Operand> {
    // sizeof(p1) == 8: a constant, for p1's type is known
    Operand size =
        body.intrinsic(Intrinsic::sizeof_type, {body.intrinsic(Intrinsic::typeof_, {body.argument(0)})});
    auto small = body.new_label();
    body.go_to_if_not(body.intrinsic(Intrinsic::eq_int, {size, body.int64(8)}), small);
    body.return_(
        body.intrinsic(Intrinsic::bitcast, {body.type(body.types().builtins().Int64), body.argument(0)}));
    body.place(small);
    return body.intrinsic(Intrinsic::fpext, {body.type(body.types().builtins().Float64), body.argument(0)});
  });
  // Neither arm's conversion exists for the other's argument.
  CHECK(toy.type("power", {toy.t().Float64, toy.t().Float64}) == "Int64");
  CHECK(toy.type("power", {toy.t().Float32, toy.t().Float64}) == "Float64");
  CHECK(toy.call<double>("power", {toy.t().Float32, toy.t().Float64}, 1.5f, 0.0) == 1.5);
}

TEST_CASE("a variable has a type of its own from each assignment to the next") {
  Toy toy;
  toy.define("rename", {toy.t().Int32}, [](BodyBuilder &body) -> Result<Operand> {
    const auto &t = body.types().builtins();
    const uint32_t x = body.add_slot(body.types().symbol("x"));
    body.set_slot(x, body.argument(0));
    body.set_slot(x, body.intrinsic(Intrinsic::sext_int, {body.type(t.Int64), Operand::slot(x)}));
    body.set_slot(x, body.intrinsic(Intrinsic::add_int, {Operand::slot(x), body.int64(1)}));
    body.set_slot(x, body.intrinsic(Intrinsic::sitofp, {body.type(t.Float64), Operand::slot(x)}));
    return Operand::slot(x);
  });
  CHECK(toy.type("rename", {toy.t().Int32}) == "Float64"); // no Union of three
  CHECK(toy.call<double>("rename", {toy.t().Int32}, int32_t(41)) == 42);
  CHECK_THAT(toy.text("rename", {toy.t().Int32}, ArtifactKind::Typed), !Contains("Union"));

  // A parameter too, and behind a branch whose arms agree.
  toy.define("agree", {toy.t().Int64}, [](BodyBuilder &body) -> Result<Operand> {
    const auto &t = body.types().builtins();
    auto negative = body.new_label(), end = body.new_label();
    const Operand p = body.argument(0);
    body.go_to_if_not(body.intrinsic(Intrinsic::slt_int, {body.int64(0), p}), negative);
    body.set_slot(p.index, body.intrinsic(Intrinsic::sitofp, {body.type(t.Float64), p}));
    body.go_to(end);
    body.place(negative);
    body.set_slot(p.index, body.constant(body.types().float64(0.5)));
    body.place(end);
    return p;
  });
  CHECK(toy.type("agree", {toy.t().Int64}) == "Float64");
  CHECK(toy.call<double>("agree", {toy.t().Int64}, int64_t(3)) == 3);
  CHECK(toy.call<double>("agree", {toy.t().Int64}, int64_t(-3)) == 0.5);
}

TEST_CASE("arithmetic that promises not to wrap has LLVM's flags") {
  Toy toy;
  const struct {
    Intrinsic id;
    const char *llvm;
    int64_t result; ///< of 7 and 3
  } cases[] = {
      {Intrinsic::add_nsw, "add nsw i64", 10},         {Intrinsic::add_nuw, "add nuw i64", 10},
      {Intrinsic::add_nuw_nsw, "add nuw nsw i64", 10}, {Intrinsic::sub_nsw, "sub nsw i64", 4},
      {Intrinsic::sub_nuw, "sub nuw i64", 4},          {Intrinsic::sub_nuw_nsw, "sub nuw nsw i64", 4},
      {Intrinsic::mul_nsw, "mul nsw i64", 21},         {Intrinsic::mul_nuw, "mul nuw i64", 21},
      {Intrinsic::mul_nuw_nsw, "mul nuw nsw i64", 21}};
  for (const auto &one : cases) {
    INFO(one.llvm);
    const std::string name(info(one.id).name);
    toy.define(name, {toy.t().Int64, toy.t().Int64}, [id = one.id](BodyBuilder &body) -> Result<Operand> {
      return body.intrinsic(id, {body.argument(0), body.argument(1)});
    });
    const std::vector<TypeRef> pair{toy.t().Int64, toy.t().Int64};
    CHECK_THAT(toy.text(name, pair, ArtifactKind::Llvm), Contains(one.llvm));
    CHECK(toy.call<int64_t>(name, pair, int64_t(7), int64_t(3)) == one.result);
  }
  // What follows from the promise: x + 1 > x for every x.
  toy.define("grows", {toy.t().Int64}, [](BodyBuilder &body) -> Result<Operand> {
    Operand more = body.intrinsic(Intrinsic::add_nsw, {body.argument(0), body.int64(1)});
    return body.intrinsic(Intrinsic::slt_int, {body.argument(0), more});
  });
  CHECK_THAT(toy.text("grows", {toy.t().Int64}, ArtifactKind::LlvmOpt), !Contains("icmp"));
  // Values of two types are none for them.
  toy.define("mixed", {toy.t().Int64, toy.t().Int32}, [](BodyBuilder &body) -> Result<Operand> {
    return body.intrinsic(Intrinsic::add_nsw, {body.argument(0), body.argument(1)});
  });
  CHECK_THAT(toy.error("mixed", {toy.t().Int64, toy.t().Int32}).what(),
             Contains("the arguments' types differ"));
}
