// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions return, as Julia's manual and its promotion rules say; loops, recursion, effects, and where
// inference gives up.
#include "fixture.h"

using namespace kiln;
using namespace kiln::test;
using Catch::Contains;

TEST_CASE("arithmetic follows the promotion rules") {
  InferFixture f;
  f.load("add1(x) = x + 1\nhalf(x) = x / 2\nboth(x, y) = x * y\nless(x, y) = x < y\n");
  CHECK(f.result("add1(Int64)") == "Int64");
  CHECK(f.result("add1(Int8)") == "Int64"); // 1 is an Int64, which is wider
  CHECK(f.result("add1(UInt64)") == "UInt64");
  CHECK(f.result("add1(Bool)") == "Int64");
  CHECK(f.result("add1(Float32)") == "Float32"); // an integer gives way to a float of any width
  CHECK(f.result("half(Int64)") == "Float64");
  CHECK(f.result("half(Float32)") == "Float32");
  CHECK(f.result("both(Float32, Float64)") == "Float64");
  CHECK(f.result("both(Int32, UInt32)") == "UInt32"); // of two of one width the unsigned one
  CHECK(f.result("less(Int8, Float64)") == "Bool");
}

TEST_CASE("constants, tuples and functions without a value") {
  InferFixture f;
  f.load(R"(
five() = 2 + 3
pair(x) = (x, 1.0)
second(x) = pair(x)[2]
nothing_at_all(x) = nothing
function empty(x) end
size_of(x) = sizeof(x) == 8 ? 1 : "not eight"
)");
  CHECK(f.result("five()") == "Const(5)");
  CHECK(f.result("pair(Int64)") == "Tuple{Int64, Float64}");
  CHECK(f.result("second(Int64)") == "Const(1.0)");
  CHECK(f.result("nothing_at_all(Int64)") == "Const(nothing)");
  CHECK(f.result("empty(Int64)") == "Const(nothing)");
  CHECK(f.result("size_of(Int64)") == "Const(1)"); // the other branch is never looked at
}

TEST_CASE("branches join, and tests of types narrow") {
  InferFixture f;
  f.load(R"(
either(x) = x > 0 ? 1 : 2.0
maybe(x) = x > 0 ? x : nothing
or_zero(x) = (y = maybe(x); y === nothing ? 0 : y)
or_one(x) = (y = either(x); y isa Int64 ? y : 1)
not_nothing(x) = (y = maybe(x); isnothing(y) || return y; 7)
)");
  CHECK(f.type("either(Int64)") == f.union_of({f.t.Int64, f.t.Float64}));
  CHECK(f.type("maybe(Int64)") == f.union_of({f.t.Int64, f.t.Nothing}));
  CHECK(f.result("or_zero(Int64)") == "Int64");
  CHECK(f.result("or_one(Int64)") == "Int64");
  CHECK(f.result("not_nothing(Int64)") == "Int64");
}

TEST_CASE("loops: a variable has the types of all its assignments") {
  InferFixture f;
  f.load(R"(
function total(n)
    s = 0
    for i in 1:n
        s += i
    end
    return s
end
function unstable(n)
    s = 0
    for i in 1:n
        s += 0.5
    end
    return s
end
function wrapping(n)
    x = ()
    for i in 1:n
        x = (x,)
    end
    return x
end
)");
  CHECK(f.result("total(Int64)") == "Int64");
  CHECK(f.type("unstable(Int64)") == f.union_of({f.t.Int64, f.t.Float64}));
  CHECK(f.result("wrapping(Int64)") == "Any"); // no bound on how deep it nests
}

TEST_CASE("recursion: the result that all calls agree on") {
  InferFixture f;
  f.load(R"(
factorial_of(n) = n <= 1 ? 1 : n * factorial_of(n - 1)
is_even(n) = n == 0 ? true : is_odd(n - 1)
is_odd(n) = n == 0 ? false : is_even(n - 1)
ackermann(m, n) = m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1))
for_ever(x) = for_ever(x)
mixed(n) = n == 0 ? 1 : n == 1 ? 2.0 : mixed(n - 2)
)");
  CHECK(f.result("factorial_of(Int64)") == "Int64");
  CHECK(f.infer("factorial_of(Int64)").is_recursive);
  CHECK(f.result("is_even(Int64)") == "Bool");
  const CodeInstance &even = f.infer("is_even(Int64)"), &odd = f.infer("is_odd(Int64)");
  CHECK(even.is_recursive);
  CHECK(odd.is_recursive);
  CHECK(std::count(even.callees.begin(), even.callees.end(), &odd) == 1);
  CHECK(std::count(odd.callees.begin(), odd.callees.end(), &even) == 1);
  CHECK(f.result("ackermann(Int64, Int64)") == "Int64");
  CHECK(f.result("for_ever(Int64)") == "Union{}"); // it never returns
  CHECK(f.type("mixed(Int64)") == f.union_of({f.t.Int64, f.t.Float64}));
}

TEST_CASE("types that grow without bound are an error with the place of what grows them") {
  InferFixture f;
  f.load(R"(
start(x) = wrap(x)
wrap(x) = wrap((x,))
count_down(::Val{N}) where N = N == 0 ? 0 : count_down(Val(N - 1))
function doubled(x)
    a = (x, x); b = (a, a); c = (b, b); d = (c, c); e = (d, d); g = (e, e); h = (g, g); i = (h, h)
    j = (i, i); k = (j, j); l = (k, k); m = (l, l); n = (m, m); o = (n, n); p = (o, o)
    return p
end
)");
  auto grows = f.try_infer("start(Int64)");
  CHECK_THAT(failure(grows), Contains("TypeError: inference of wrap(") &&
                                 Contains("calls nest more than 300 deep with ever new argument types"));
  CHECK(grows.error().diagnostics()[0].at.file->position(grows.error().diagnostics()[0].at.begin).line == 3);
  CHECK_THAT(failure(f.try_infer("count_down(Val(400))")), Contains("calls nest more than 300 deep"));
  CHECK(f.result("count_down(Val(20))") == "Const(0)");
  // 2^15 numbers.
  CHECK_THAT(failure(f.try_infer("doubled(Int64)")),
             Contains("TypeError: in doubled(::Int64), a value's type has more than 20000 parts"));
}

TEST_CASE("effects: own and callees'") {
  InferFixture f;
  f.load(R"(
mutable struct Cell
    value::Int64
end
pure(x) = 2x + 1
throws(x) = x < 0 ? throw(DomainError(x)) : x
calls_it(x) = throws(x) + 1
divides(x, y) = div(x, y)
writes(c) = (c.value = 3; nothing)
only_throws(x) = (throw(ErrorException("no")); 1)
)");
  auto effects_of = [&](std::string_view call) {
    return f.infer(call).effects & (effects::Writes | effects::Throws);
  };
  CHECK(effects_of("pure(Int64)") == 0);
  CHECK((effects_of("throws(Int64)") & effects::Throws) != 0);
  CHECK((effects_of("calls_it(Int64)") & effects::Throws) != 0);
  CHECK((effects_of("divides(Int64, Int64)") & effects::Throws) != 0); // DivideError
  CHECK((effects_of("writes(Cell)") & effects::Writes) != 0);
  CHECK(f.result("only_throws(Int64)") == "Union{}");
}
