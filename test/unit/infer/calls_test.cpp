// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which methods a call reaches: dispatch, union splitting, instances for constant arguments.
#include "fixture.h"

using namespace kiln;
using namespace kiln::test;
using Catch::Contains;

TEST_CASE("the most specific method is called") {
  InferFixture f;
  f.load(R"(
kind(x) = 'a'
kind(x::Integer) = 1
kind(x::Int64) = 1.0
kind(x::Int64, y) = 1f0
kind(x, rest...) = (x, rest...)
call(x...) = kind(x...)
)");
  CHECK(f.result("call(String)") == "Const('a')");
  CHECK(f.result("call(UInt8)") == "Const(1)");
  CHECK(f.result("call(Int64)") == "Const(1.0)");
  CHECK(f.result("call(Int64, Bool)") == "Const(1.0f0)");
  CHECK(f.result("call(Bool, Int32, Int8)") == "Tuple{Bool, Int32, Int8}");
}

TEST_CASE("a call with a union of types is split into a case each") {
  InferFixture f;
  f.load(R"(
h(x::Int64) = x
h(x::Float64) = x > 0
f(c, a, b) = h(c ? a : b)
)");
  const CodeInstance &code = f.infer("f(Bool, Int64, Float64)");
  CHECK(code.result.type == f.union_of({f.t.Int64, f.t.Bool}));
  auto calls = f.calls_of(code, "h");
  REQUIRE(calls.size() == 1);
  CHECK(calls[0]->kind == CallInfo::Kind::Invoke);
  REQUIRE(calls[0]->cases.size() == 2);
  for (const CallCase &one : calls[0]->cases) {
    REQUIRE(one.target);
    TypeRef argument = one.arguments->as<DataType>()->params()[1];
    CHECK(one.target->result.type == (argument == f.t.Int64 ? f.t.Int64 : f.t.Bool));
  }
  CHECK(calls[0]->cases[0].target != calls[0]->cases[1].target);
}

TEST_CASE("one case without a method is a fault, and does not spoil the others' type") {
  InferFixture f;
  f.load("h(x::Int64) = x\nf(c, a) = h(c ? a : nothing)\n");
  const CodeInstance &code = f.infer("f(Bool, Int64)");
  CHECK(code.result.type == f.t.Int64);
  CHECK(code.has_faults);
  CHECK((code.effects & effects::Throws) != 0);
  CHECK(f.faults(code) == std::vector<std::string>{"MethodError: no method matching h(::Nothing)"});
}

TEST_CASE("up to 16 combinations of union members are split") {
  InferFixture f;
  f.load(R"(
g(a, b) = sizeof(a) + sizeof(b)
g(a, b, c) = sizeof(a) + sizeof(b) + sizeof(c)
four(i) = i == 1 ? Int8(1) : i == 2 ? Int16(2) : i == 3 ? 3 : 1.0
three(i) = i == 1 ? Int8(1) : i == 2 ? Int16(2) : 3
two(i) = g(four(i), four(i + 1))
many(i) = g(three(i), three(i + 1), three(i + 2))
)");
  const CodeInstance &two = f.infer("two(Int64)");
  CHECK(f.faults(two).empty());
  REQUIRE(f.calls_of(two, "g").size() == 1);
  CHECK(f.calls_of(two, "g")[0]->cases.size() == 16);
  CHECK(two.result.type == f.t.Int64);
  auto faults = f.faults(f.infer("many(Int64)"));
  REQUIRE(faults.size() == 1);
  CHECK_THAT(faults[0], Contains("InvalidIRError: dynamic function invocation: g(") &&
                            Contains("(27 combinations of union members)"));
}

TEST_CASE("a call of constants is the constant, and its callee is remembered") {
  InferFixture f;
  f.load(
      "add1(n) = n + 1\nf() = add1(2)\nthrowing(n) = n > 1 ? throw(ErrorException(\"no\")) : n\ng() = throwing(2)\n");
  const CodeInstance &code = f.infer("f()");
  CHECK(to_string(code.result) == "Const(3)");
  auto calls = f.calls_of(code, "add1");
  REQUIRE(calls.size() == 1);
  CHECK(calls[0]->kind == CallInfo::Kind::Constant);
  REQUIRE(code.callees.size() == 1);
  CHECK(code.callees[0]->has_constants);
  // What throws stays a call.
  CHECK(f.result("g()") == "Union{}");
  CHECK(f.calls_of(f.infer("g()"), "throwing")[0]->kind == CallInfo::Kind::Invoke);
}

TEST_CASE("constant arguments decide what types alone leave open") {
  InferFixture f;
  f.load(R"(
struct Point
    x::Int64
    y::Float64
end
pick(x, flag) = flag ? x : nothing
f(x) = pick(x, true)
y_of(p) = p.y
by_name(p) = getfield(p, :x)
second(t) = t[2]
at(t, i) = t[i]
power(x, n) = n == 0 ? one(x) : x * power(x, n - 1)
cube(x) = power(x, 3)
)");
  CHECK(f.result("f(Int64)") == "Int64");
  CHECK(f.type("pick(Int64, Bool)") == f.union_of({f.t.Int64, f.t.Nothing}));
  CHECK(f.result("y_of(Point)") == "Float64");
  CHECK(f.result("by_name(Point)") == "Int64");
  CHECK(f.result("second(Tuple{Int64, Float64})") == "Float64");
  CHECK(f.type("at(Tuple{Int64, Float64}, Int64)") == f.union_of({f.t.Int64, f.t.Float64}));
  CHECK(f.result("cube(Float32)") == "Float32");
}

TEST_CASE("calls that cannot run are faults where they are reached") {
  InferFixture f;
  f.load(R"(
call(x) = x(1)
undefined(x) = x + not_there
condition(x) = x ? 1 : 2
too_many(x) = Core.Intrinsics.add_int(x, x, x)
unreached(x) = sizeof(x) == 8 ? 1 : not_there(x)
)");
  auto faults = [&](std::string_view call) {
    const CodeInstance &code = f.infer(call);
    CHECK(code.has_faults == !f.faults(code).empty());
    return f.faults(code);
  };
  CHECK(faults("call(Int64)") ==
        std::vector<std::string>{"MethodError: objects of type Int64 are not callable"});
  CHECK(faults("undefined(Int64)") ==
        std::vector<std::string>{"UndefVarError: `not_there` not defined in `Main`"});
  CHECK(faults("condition(Int64)") ==
        std::vector<std::string>{"TypeError: non-boolean (Int64) used in boolean context"});
  CHECK(faults("too_many(Int64)") ==
        std::vector<std::string>{"MethodError: add_int takes 2 arguments, not 3"});
  CHECK(faults("unreached(Int64)").empty());
}
