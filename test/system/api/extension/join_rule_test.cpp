// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A language's own rule for types that meet at a variable (kiln/extension/language/join_rule.h).
#include "scratch.h"
#include "toy_language.h"

#include <functional>

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

namespace {

/// A language with the tower Int64, Float32, Float64, and `convert` up it.
struct Numbers : Toy {
  std::shared_ptr<const JoinRule> rule;
  using Join = std::function<TypeRef(TypeContext &, TypeRef, TypeRef)>;

  explicit Numbers(const std::string &cache_dir = {}, std::string version = "1", Join join = tower)
      : Toy(cache_dir) {
    auto convert = [&](TypeRef from, TypeRef to, Intrinsic by) {
      define("convert", {types().type_of_type(to), from}, [to, by](BodyBuilder &body) -> Result<Operand> {
        return body.intrinsic(by, {body.type(to), body.argument(1)});
      });
    };
    convert(t().Int64, t().Float32, Intrinsic::sitofp);
    convert(t().Int64, t().Float64, Intrinsic::sitofp);
    convert(t().Float32, t().Float64, Intrinsic::fpext);
    use({"tower", std::move(version), std::move(join), function("convert")});
    for (auto [name, type, id] :
         {std::tuple{"plus", t().Int64, Intrinsic::add_int}, {"plus", t().Float64, Intrinsic::add_float}})
      define(name, {type, type}, [id = id](BodyBuilder &body) -> Result<Operand> {
        return body.intrinsic(id, {body.argument(0), body.argument(1)});
      });
  }
  void use(JoinRule made) { rule = std::make_shared<const JoinRule>(std::move(made)); }

  static TypeRef tower(TypeContext &types, TypeRef a, TypeRef b) {
    const auto &t = types.builtins();
    const TypeRef order[] = {t.Int64, t.Float32, t.Float64};
    auto height = [&](TypeRef type) { return std::find(order, order + 3, type) - order; };
    const auto highest = std::max(height(a), height(b));
    return highest < 3 ? order[highest] : nullptr;
  }
  using Toy::define;
  const Method &joined(std::string_view name, std::vector<TypeRef> parameters, BuildBody body) {
    MethodDefinition definition = method(name, std::move(parameters), std::move(body));
    definition.hints.join = rule;
    return define(std::move(definition));
  }
  /// if p1 > 0: x = p1, else x = p2; x
  static BuildBody either() {
    return [](BodyBuilder &body) -> Result<Operand> {
      const uint32_t x = body.add_slot(body.types().symbol("x"));
      auto other = body.new_label(), end = body.new_label();
      body.go_to_if_not(body.intrinsic(Intrinsic::slt_int, {body.int64(0), body.argument(0)}), other);
      body.set_slot(x, body.argument(0));
      body.go_to(end);
      body.place(other);
      body.set_slot(x, body.argument(1));
      body.place(end);
      return Operand::slot(x);
    };
  }
  /// s = 0; i = 0; while i < p1: s = step(s); i += 1; s
  static BuildBody loop(const std::function<Operand(BodyBuilder &, Operand s)> &step) {
    return [step](BodyBuilder &body) -> Result<Operand> {
      const uint32_t s = body.add_slot(body.types().symbol("s")), i = body.add_slot(body.types().symbol("i"));
      body.set_slot(s, body.int64(0));
      body.set_slot(i, body.int64(0));
      auto again = body.new_label(), end = body.new_label();
      body.place(again);
      body.go_to_if_not(body.intrinsic(Intrinsic::slt_int, {Operand::slot(i), body.argument(0)}), end);
      body.set_slot(s, step(body, Operand::slot(s)));
      body.set_slot(i, body.intrinsic(Intrinsic::add_int, {Operand::slot(i), body.int64(1)}));
      body.go_to(again);
      body.place(end);
      return Operand::slot(s);
    };
  }
};

} // namespace

TEST_CASE(
    "types that meet behind a branch become what the rule says, and values are converted on their way") {
  Numbers n;
  n.joined("either", {nullptr, nullptr}, Numbers::either());
  const std::vector<TypeRef> wide{n.t().Int64, n.t().Float64}, narrow{n.t().Int64, n.t().Float32};
  CHECK(n.type("either", wide) == "Float64");
  CHECK(n.call<double>("either", wide, int64_t(7), 2.5) == 7.0);
  CHECK(n.call<double>("either", wide, int64_t(-7), 2.5) == 2.5);
  CHECK(n.call<float>("either", narrow, int64_t(7), 2.5f) == 7.0f);
  CHECK(n.type("either", {n.t().Int64, n.t().Int64}) == "Int64"); // nothing meets
  CHECK_THAT(n.text("either", wide, ArtifactKind::Typed), Contains("convert(::Type{Float64}, ::Int64)"));
  // Types that the rule does not know are a Union, as without a rule.
  CHECK(n.type("either", {n.t().Int64, n.t().Bool}) == "Union{Bool, Int64}");
}

TEST_CASE("methods without the rule are typed as they always are, beside those that have it") {
  Numbers n;
  n.joined("with", {nullptr, nullptr}, Numbers::either());
  n.define("without", {nullptr, nullptr}, Numbers::either());
  must(n.session->load("program.jl", "julia(a, b) = (x = a > 0 ? a : b; x)\n"));
  const std::vector<TypeRef> pair{n.t().Int64, n.t().Float64};
  CHECK(n.type("with", pair) == "Float64");
  CHECK(n.type("without", pair) == "Union{Float64, Int64}");
  Job julia = must(n.session->job("julia(Int64, Float64)", {.kernel = false}));
  CHECK(must(julia.return_type()) == "Union{Float64, Int64}");
}

TEST_CASE("a loop that starts with an integer and adds floats is one of floats from its first round") {
  Numbers n;
  n.joined("sum", {n.t().Int64}, Numbers::loop([&](BodyBuilder &body, Operand s) {
             Operand half = body.constant(body.types().float64(0.5));
             // plus(s, 0.5) would have no method for an Int64 s: it is converted before it meets
             Operand wide = body.call(body.global(n.module, n.symbol("widen")), {s});
             return body.call(body.global(n.module, n.symbol("plus")), {wide, half});
           }));
  for (TypeRef from : {n.t().Int64, n.t().Float64})
    n.define("widen", {from}, [&, from](BodyBuilder &body) -> Result<Operand> {
      if (from == n.t().Float64) return body.argument(0);
      return body.intrinsic(Intrinsic::sitofp, {body.type(n.t().Float64), body.argument(0)});
    });
  CHECK(n.type("sum", {n.t().Int64}) == "Float64");
  CHECK(n.call<double>("sum", {n.t().Int64}, int64_t(5)) == 2.5);
  CHECK(n.call<double>("sum", {n.t().Int64}, int64_t(0)) == 0.0); // the integer, converted where it starts
  const std::string typed = n.text("sum", {n.t().Int64}, ArtifactKind::Typed);
  CHECK_THAT(typed, !Contains("Union") && !Contains("widen(::Int64)")); // nothing of the first pass is left
}

TEST_CASE("a variable that follows another one moves with it, whatever was inferred before") {
  Numbers n;
  // s = 0; t = 0; loop: t = plus(s, s); s = 0.5 — t is Int64 until s has moved
  n.joined("follow", {n.t().Int64}, [&](BodyBuilder &body) -> Result<Operand> {
    const uint32_t t = body.add_slot(body.types().symbol("t"));
    body.set_slot(t, body.int64(0));
    auto inner = Numbers::loop([&, t](BodyBuilder &b, Operand s) {
      b.set_slot(t, b.call(b.global(n.module, n.symbol("plus")), {s, s}));
      return b.constant(b.types().float64(0.5));
    });
    KILN_CHECK(inner(body));
    return Operand::slot(t);
  });
  CHECK(n.type("follow", {n.t().Int64}) == "Float64");
  CHECK(n.call<double>("follow", {n.t().Int64}, int64_t(0)) == 0.0);
  CHECK(n.call<double>("follow", {n.t().Int64}, int64_t(1)) == 0.0);
  CHECK(n.call<double>("follow", {n.t().Int64}, int64_t(2)) == 1.0);
}

TEST_CASE("a variable assigned in an inner loop alone is known behind both, and zero where no round was") {
  Numbers n;
  // k = 0; loop: inner loop: x = 0.5 | x
  n.joined("late", {n.t().Int64}, [&](BodyBuilder &body) -> Result<Operand> {
    const uint32_t x = body.add_slot(body.types().symbol("x"));
    const uint32_t i = body.add_slot(body.types().symbol("i")), j = body.add_slot(body.types().symbol("j"));
    auto outer = body.new_label(), inner = body.new_label(), next = body.new_label(), end = body.new_label();
    auto less = [&](uint32_t slot) {
      return body.intrinsic(Intrinsic::slt_int, {Operand::slot(slot), body.argument(0)});
    };
    auto step = [&](uint32_t slot) {
      body.set_slot(slot, body.intrinsic(Intrinsic::add_int, {Operand::slot(slot), body.int64(1)}));
    };
    body.set_slot(i, body.int64(0));
    body.place(outer);
    body.go_to_if_not(less(i), end);
    body.set_slot(j, body.int64(0));
    body.place(inner);
    body.go_to_if_not(less(j), next);
    body.set_slot(x, body.constant(body.types().float64(0.5)));
    step(j);
    body.go_to(inner);
    body.place(next);
    step(i);
    body.go_to(outer);
    body.place(end);
    return Operand::slot(x);
  });
  CHECK(n.type("late", {n.t().Int64}) == "Float64");
  CHECK(n.call<double>("late", {n.t().Int64}, int64_t(2)) == 0.5);
  CHECK(n.call<double>("late", {n.t().Int64}, int64_t(0)) == 0.0);
}

TEST_CASE("recursion, a value on an edge that is not alone, and constants that meet") {
  Numbers n;
  // f(k) = k < 1 ? 0 : (x = k odd-ish? 1 : 0.5; x + f(k - 1)) with x joined and f's result a float
  n.joined("mix", {n.t().Int64}, [&](BodyBuilder &body) -> Result<Operand> {
    const uint32_t x = body.add_slot(body.types().symbol("x"));
    auto end = body.new_label(), stop = body.new_label();
    body.go_to_if_not(body.intrinsic(Intrinsic::slt_int, {body.int64(0), body.argument(0)}), stop);
    body.set_slot(x, body.int64(1));
    Operand odd = body.intrinsic(Intrinsic::and_int, {body.argument(0), body.int64(1)});
    // straight to `end` from here, or past an assignment: the edge of the first is critical
    body.go_to_if_not(body.intrinsic(Intrinsic::eq_int, {odd, body.int64(0)}), end);
    body.set_slot(x, body.constant(body.types().float64(0.5)));
    body.place(end);
    Operand less = body.intrinsic(Intrinsic::sub_int, {body.argument(0), body.int64(1)});
    Operand rest = body.call(body.global(n.module, n.symbol("mix")), {less});
    body.return_(body.call(body.global(n.module, n.symbol("plus")), {Operand::slot(x), rest}));
    body.place(stop);
    return body.constant(body.types().float64(0));
  });
  CHECK(n.type("mix", {n.t().Int64}) == "Float64");
  CHECK(n.call<double>("mix", {n.t().Int64}, int64_t(5)) == 1 + 0.5 + 1 + 0.5 + 1);
}

TEST_CASE("rules that are no joins, or end nowhere, are errors that name them") {
  Numbers n;
  auto error = [&](JoinRule made, BuildBody body, std::vector<TypeRef> arguments) {
    n.use(std::move(made));
    MethodDefinition definition = n.method("bad", std::vector<TypeRef>(arguments.size()), std::move(body));
    n.source("bad.toy", "whole program");
    definition.at = n.span(0, 5);
    definition.hints.join = n.rule;
    n.define(std::move(definition));
    return n.error("bad", std::move(arguments));
  };
  const std::vector<TypeRef> pair{n.t().Int64, n.t().Float64};
  Error order =
      error({"first", "1", [](TypeContext &, TypeRef a, TypeRef) { return a; }, n.function("convert")},
            Numbers::either(), pair);
  CHECK(order.kind() == ErrorKind::Input);
  CHECK_THAT(order.what(), Contains("the join rule `first` is no join: Int64 and Float64 give Int64, but "
                                    "Float64 and Int64 give Float64") &&
                               Contains("bad.toy:1"));
  Error stays = error({"third", "1",
                       [](TypeContext &t, TypeRef a, TypeRef b) -> TypeRef {
                         const bool known = a == t.builtins().Float32 || b == t.builtins().Float32;
                         return known ? t.builtins().Int8 : t.builtins().Float32;
                       },
                       n.function("convert")},
                      Numbers::either(), pair);
  CHECK_THAT(stays.what(), Contains("`third` is no join"));
  auto depth = [](TypeRef type) {
    size_t deep = 0;
    for (auto *data = type->as<DataType>(); data && data->is_tuple();
         data = data->params()[0]->as<DataType>())
      deep++;
    return deep;
  };
  Error endless =
      error({"deeper", "1", [=](TypeContext &, TypeRef a, TypeRef b) { return depth(a) > depth(b) ? a : b; },
             n.function("convert")},
            Numbers::loop([](BodyBuilder &body, Operand s) { return body.intrinsic(Intrinsic::tuple, {s}); }),
            {n.t().Int64});
  CHECK_THAT(endless.what(),
             Contains("the join rule `deeper` finds no type for a variable") && Contains("bad.toy:1"));
  Error threw =
      error({"thrower", "1",
             [](TypeContext &, TypeRef, TypeRef) -> TypeRef { throw std::runtime_error("no idea"); },
             n.function("convert")},
            Numbers::either(), pair);
  CHECK(threw.kind() == ErrorKind::Usage);
  CHECK_THAT(threw.what(), Contains("the join rule `thrower` failed: no idea"));
}

TEST_CASE("a conversion that is not there, or gives another type, is an error at the value's place") {
  Numbers n;
  n.define("wrongly", {nullptr, nullptr}, [](BodyBuilder &body) -> Result<Operand> { return body.int64(1); });
  n.define("nothing_known", {n.t().Bool}, [](BodyBuilder &body) -> Result<Operand> { return body.int64(1); });
  auto error = [&](Value convert) {
    n.use({"tower", "1", Numbers::tower, std::move(convert)});
    n.joined("bad", {nullptr, nullptr}, Numbers::either());
    return std::string(n.error("bad", {n.t().Int64, n.t().Float64}).what());
  };
  CHECK_THAT(error(n.function("wrongly")),
             Contains("the join rule `tower` converts a value of type Int64 to Float64 by") &&
                 Contains("which gives a value of type Int64"));
  CHECK_THAT(error(n.function("nothing_known")),
             Contains("no method matching Toy.nothing_known(::Type{Float64}, ::Int64)"));
  CHECK_THAT(error({}), Contains("has no function that converts"));
}

TEST_CASE("the conversion is a call like others: its redefinition makes code stale") {
  Numbers n;
  n.joined("either", {nullptr, nullptr}, Numbers::either());
  Job job = n.job("either", {n.t().Int64, n.t().Float64});
  must(job.compile(ArtifactKind::Object));
  CHECK(job.is_current());
  n.define("convert", {n.types().type_of_type(n.t().Float64), n.t().Int64},
           [](BodyBuilder &body) -> Result<Operand> { return body.constant(body.types().float64(-1)); });
  CHECK(!job.is_current());
  CHECK(n.call<double>("either", {n.t().Int64, n.t().Float64}, int64_t(7), 2.5) == -1.0);
}

TEST_CASE("a debugger knows the variables that a rule joins, and those of typed code") {
  Numbers n;
  n.source("debug.toy", "line one");
  MethodDefinition either = n.method("either", {nullptr, nullptr}, Numbers::either());
  either.at = n.span(0, 4);
  either.hints.join = n.rule;
  n.define(std::move(either));
  MethodDefinition typed = n.method("typed", {n.t().Int64}, [&](BodyBuilder &body) -> Result<Operand> {
    const Operand y = body.declare(Operand::slot(body.add_slot(n.symbol("y"))), n.t().Int64);
    body.set_slot(y.index, body.argument(0));
    body.set_slot(y.index, body.declare(body.intrinsic(Intrinsic::add_nsw, {y, y}), n.t().Int64));
    return y;
  });
  typed.at = n.span(0, 4);
  typed.hints.typed = true;
  n.define(std::move(typed));
  CompilerConfig debug;
  debug.debug_level = 2;
  auto text = [&](std::string_view name, std::vector<TypeRef> arguments) {
    return must(n.job(name, std::move(arguments), debug).compile(ArtifactKind::Llvm))->bytes;
  };
  const std::string joined = text("either", {n.t().Int64, n.t().Float64});
  CHECK_THAT(joined, Contains("DILocalVariable(name: \"x\"") && Contains("DIBasicType(name: \"Float64\""));
  CHECK_THAT(text("typed", {n.t().Int64}), Contains("DILocalVariable(name: \"y\""));
}

TEST_CASE("name and version of a rule are part of what the cache's folder knows code by") {
  Scratch scratch;
  auto run = [&](std::string version, Numbers::Join join) {
    Numbers n(scratch.path.string(), std::move(version), std::move(join));
    n.joined("either", {nullptr, nullptr}, Numbers::either());
    CompilerConfig ptx;
    ptx.target = PtxOptions();
    auto made = must(n.job("either", {n.t().Int64, n.t().Float32}, ptx).compile(ArtifactKind::Assembly));
    n.session->flush_cache();
    return std::pair(made->bytes.find("cvt.rn.f64.s64") != std::string::npos, n.session->counters().compiled);
  };
  auto wide = [](TypeContext &types, TypeRef, TypeRef) -> TypeRef { return types.builtins().Float64; };
  CHECK(run("1", Numbers::tower) == std::pair(false, uint64_t(1)));
  CHECK(run("1", Numbers::tower) == std::pair(false, uint64_t(0)));
  CHECK(run("2", wide) == std::pair(true, uint64_t(1)));
}
