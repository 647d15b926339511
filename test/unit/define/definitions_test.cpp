// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "julia_fixture.h"

using namespace kiln;

TEST_CASE("Structs and their constructors") {
  JuliaFixture f;
  f.load(R"(
struct P
    x::Float64
    y::Int
end
struct Q{T<:Real}
    a::T
    b::T
end
struct R{T,N}
    v::NTuple{N,T}
end
struct Inner
    n::Int
    Inner(n) = n < 0 ? new(0) : new(n)
end
struct Sized{N}
    x::Int
    Sized{N}(x) where {N} = new{N}(x + N)
end
struct Empty end
mutable struct Counter
    const start::Int
    n::Int
end
Base.@kwdef struct Options
    a::Int = 1
    b::Float64
end
abstract type Shape end
struct Square <: Shape
    side::Float32
end
area(s::Square) = s.side * s.side
(s::Square)(k) = s.side * k
(::Empty)() = 7
struct Wrapped{A<:Tuple}
    parts::A
    function Wrapped(parts...)
        new{typeof(parts)}(parts)
    end
end
)");
  CHECK(f.value("P(1, 2)") == "P(1.0, 2)");
  CHECK(f.value("P(1.5, 2.0)") == "P(1.5, 2)");
  CHECK(f.value("Q(1, 2)") == "Q{Int64}(1, 2)");
  CHECK(f.value("Q{Float32}(1, 2)") == "Q{Float32}(1.0f0, 2.0f0)");
  CHECK(f.value("Q(1, 2.0)").starts_with("MethodError"));
  CHECK(f.value("R((1, 2, 3))") == "R{Int64, 3}((1, 2, 3))");
  CHECK(f.value("Inner(-5)") == "Inner(0)");
  CHECK(f.value("Sized{3}(4)") == "Sized{3}(7)");
  CHECK(f.value("Sized(4)").starts_with("MethodError"));
  CHECK(f.value("Empty()") == "Empty()");
  CHECK(f.value("Counter(1, 2).n") == "2");
  CHECK(f.value("Options(b = 2)") == "Options(1, 2.0)");
  CHECK(f.value("Options(a = 5, b = 2)") == "Options(5, 2.0)");
  CHECK(f.value("area(Square(3))") == "9.0f0");
  CHECK(f.value("Square(3)(2)") == "6.0f0");
  CHECK(f.value("Empty()()") == "7");
  CHECK(f.value("Wrapped(1, 2.0)") == "Wrapped{Tuple{Int64, Float64}}((1, 2.0))");
  CHECK(f.value("Square <: Shape") == "true");
}

TEST_CASE("Keyword arguments") {
  JuliaFixture f;
  f.load(R"(
kw(x; a = 1, b = a + x) = (x, a, b)
need(; n) = n
opt(x, y = 2; k = 0) = (x, y, k)
rest(; a = 1, others...) = (a, others)
struct Model
    w::Int
end
(m::Model)(x; bias = 0) = m.w * x + bias
)");
  CHECK(f.value("kw(1)") == "(1, 1, 2)");
  CHECK(f.value("kw(1; b = 9)") == "(1, 1, 9)");
  CHECK(f.value("kw(1, a = 5)") == "(1, 5, 6)");
  CHECK(f.value("need(n = 3)") == "3");
  CHECK(f.value("opt(1)") == "(1, 2, 0)");
  CHECK(f.value("opt(1, k = 4)") == "(1, 2, 4)");
  CHECK(f.value("opt(1, 3; k = 4)") == "(1, 3, 4)");
  CHECK(f.value("kw(1; c = 3)").find("unsupported keyword argument in a call of kw") != std::string::npos);
  CHECK(f.value("rest(a = 2, b = 3, c = 4)").ends_with("((b = 3, c = 4), (:b, :c)))")); // Base.Pairs
  CHECK(f.value("need()").starts_with("UndefKeywordError"));
  CHECK(f.value("Model(3)(4)") == "12");
  CHECK(f.value("Model(3)(4; bias = 1)") == "13");
}

TEST_CASE("Modules, imports, exports") {
  JuliaFixture f;
  LoadReport report = f.load(R"(
module Outer
export visible
visible() = inner() + 1
inner() = 1
hidden() = 5
module Deep
using ..Outer: inner
deep() = inner() * 10
import ..hidden as h
renamed() = h()
end
end
using .Outer
import .Outer.Deep
using .Outer.Deep: deep as d
using NotThere
using NotThere: a, b
import Base: +
struct V
    x::Int
end
+(a::V, b::V) = V(a.x + b.x)
Base.:-(a::V, b::V) = V(a.x - b.x)
)");
  CHECK(f.value("visible()") == "2");
  CHECK(f.value("Outer.hidden()") == "5");
  CHECK(f.value("Deep.deep()") == "10");
  CHECK(f.value("Deep.renamed()") == "5");
  CHECK(f.value("d()") == "10");
  CHECK(f.value("V(1) + V(2)") == "V(3)");
  CHECK(f.value("V(1) - V(2)") == "V(-1)");
  CHECK(f.value("1 + 2") == "3");
  CHECK(f.value("hidden()").starts_with("UndefVarError"));
  CHECK(report.skipped.size() == 2);
}

TEST_CASE("@eval loops, macros, conditions") {
  JuliaFixture f;
  f.load(R"(
for T in (Float32, Float64)
    @eval name_of(::Type{$T}) = $(string(T))
end
for (f, g) in ((:plus, :+), (:minus, :-))
    @eval $f(a, b) = $g(a, b)
end
for op in (:min, :max)
    fname = Symbol("my_", op)
    @eval begin
        $fname(a, b) = $op(a, b)
        $(Symbol(fname, "_sym"))() = $(QuoteNode(op))
    end
end
for T in [:Int32, :Int64], n in 1:2
    @eval $(Symbol("k_", T, "_", n))() = $T($n)
end
macro twice(x)
    quote
        y = $(esc(x))
        y + y
    end
end
macro square(x)
    esc(:($x * $x))
end
macro define(name, value)
    :($(esc(name))() = $value)
end
@define answer 42
uses(y) = @twice(y + 1) + y
squares(a) = @square(a + 1)
if 1 < 2
    chosen() = :yes
else
    chosen() = :no
end
@static if Int === Int64
    wide() = true
end
@inline function hinted(x)
    x
end
"docs"
documented() = 1
let
    scoped() = 2
end
)");
  CHECK(f.value("(plus(1, 2), minus(1, 2))") == "(3, -1)");
  CHECK(f.value("name_of(Float32)") == "\"Float32\"");
  CHECK(f.value("(my_min(1, 2), my_max(1, 2), my_max_sym())") == "(1, 2, :max)");
  CHECK(f.value("k_Int32_2() === Int32(2)") == "true");
  CHECK(f.value("uses(10)") == "32"); // the macro's y is not the caller's
  CHECK(f.value("squares(2)") == "9");
  CHECK(f.value("answer()") == "42");
  CHECK(f.value("chosen()") == ":yes");
  CHECK(f.value("wide()") == "true");
  CHECK(f.value("hinted(documented())") == "1");
}

TEST_CASE("What cannot be evaluated is noted, not an error") {
  JuliaFixture f;
  LoadReport report = f.load(R"(
host(x::NotKnown) = 1
good(x) = 2
println("hello")
@test good(1) == 2
data = expensive_call(1, 2)
function later()
    try
        1
    catch
        2
    end
end
function odd()
    @goto there
end
)");
  CHECK(f.value("good(1)") == "2");
  REQUIRE(report.unresolved.size() == 1);
  CHECK(report.unresolved[0].code == ErrorCode::UndefVarError);
  CHECK(report.unresolved[0].message == "`NotKnown` not defined in `Main`");
  CHECK(report.unresolved[0].at);
  REQUIRE(report.skipped.size() == 2);
  CHECK(report.skipped[0].what == "println(\"hello\")");
  CHECK(f.value("later()") == "1"); // compiled code alone refuses it
  CHECK(f.value("odd()") == "unsupported: @goto there, as there is no such label in the function");
  CHECK(f.value("data").starts_with("UndefVarError"));
}

TEST_CASE("A fault in one function leaves the others") {
  JuliaFixture f;
  f.load("bad() = (g(x...) = 1; Base.h(y) = 2)\nfine() = 3");
  CHECK(f.value("fine()") == "3");
  CHECK(f.value("bad()") == "syntax error: a method of `Base.h` cannot be defined inside a function");
}

TEST_CASE("Faults of a file come with their places") {
  JuliaFixture f(false);
  auto file = f.sources.add("test.jl", "f(a, a) = 1\ng(x) = 2\nh(b, b) = 3\n");
  auto report = f.frontend.load(f.world, *f.world.main(), file);
  REQUIRE(!report.ok());
  CHECK(report.error().diagnostics().size() == 2);
  CHECK(report.error().what().find("test.jl:1:6") != std::string::npos);
  CHECK(report.error().what().find("the argument name `a` is not unique") != std::string::npos);
}

TEST_CASE("Overlays take the methods of functions that exist, not the helpers") {
  JuliaFixture f;
  f.load("there(x) = 1");
  f.load("there(x::Int) = helper(x)\nhelper(x) = 2\n", "gpu");
  CHECK(f.value("there(1)") == "1");
  CHECK(f.value("helper(1)") == "2");
  auto function = f.world.lookup(*f.world.main(), f.types.symbol("there"), f.world.age());
  TypeRef type = (*function)->type();
  auto match = f.world.lookup_method(f.types.tuple({type, f.types.builtins().Int64}), f.world.age(),
                                     f.types.symbol("gpu"));
  REQUIRE(match.ok());
  CHECK(match->from_overlay);
}

TEST_CASE("Job signatures") {
  JuliaFixture f;
  f.load("struct Arr{T,N} end\nconst Vec{T} = Arr{T,1}\nkernel(a, b, c) = nothing\nmodule M\nk() = 1\nend");
  auto parse = [&](std::string_view text) -> std::string {
    auto job = f.frontend.resolve_call(f.world, *f.world.main(), "job", text);
    if (!job.ok()) return job.error().what();
    return to_string(job->tuple);
  };
  CHECK(parse("kernel(Arr{Float32,2}, Int64, Vec{Float32})") ==
        "Tuple{typeof(kernel), Arr{Float32, 2}, Int64, Arr{Float32, 1}}");
  CHECK(parse("kernel(Val(3), typeof(+), Tuple{Int32,Bool})") ==
        "Tuple{typeof(kernel), Val{3}, typeof(+), Tuple{Int32, Bool}}");
  CHECK(parse("kernel(Type{Float32}, +, Val{:x})") ==
        "Tuple{typeof(kernel), Type{Float32}, typeof(+), Val{:x}}");
  CHECK(parse("M.k()") == "Tuple{typeof(Main.M.k)}");
  CHECK(parse("M.k") == "Tuple{typeof(Main.M.k)}");
  std::string fault = parse("kernel(Arr{Flot32,2})");
  CHECK(fault.find("UndefVarError[103]: `Flot32` not defined in `Main`") != std::string::npos);
  CHECK(fault.find("job:1:12") != std::string::npos);
  CHECK(fault.find("Float32") != std::string::npos); // the hint
  CHECK(parse("kernel(").find("syntax error") != std::string::npos);
  CHECK(parse("kernl(Int)").find("`kernl` not defined") != std::string::npos);
}

TEST_CASE("Kernels defined inside host functions") {
  JuliaFixture f;
  f.load(R"(
function host(data::NotKnown{T}, m) where {T}
    n = length(data)
    scale(x) = x * n
    function kernel(x::T, y)
        return (scale(x) + m, T(y))
    end
    launch(kernel)
end
)");
  auto job = [&](std::string_view text, std::vector<Capture> captures) {
    return f.frontend.resolve_call(f.world, *f.world.main(), "job", text, captures);
  };
  Value float64 = Value::type_value(f.types, f.types.builtins().Float64);
  auto parsed =
      job("host/kernel(Float64, Int32)", {{"T", float64}, {"n", f.types.int64(3)}, {"m", f.types.int64(10)}});
  REQUIRE(parsed.ok());
  CHECK(parsed->arguments.size() == 2);
  Value args[] = {f.types.float64(2.0), f.types.int32(7)};
  auto result = f.interpreter.call(parsed->function, args);
  REQUIRE(result.ok());
  CHECK(to_string(*result) == "(16.0, 7.0)");
  auto missing = job("host/kernel(Float64, Int32)", {{"T", float64}, {"n", f.types.int64(3)}});
  REQUIRE(!missing.ok());
  CHECK(missing.error().what().find("`m` is captured from `host` and has no value") != std::string::npos);
  CHECK(missing.error().what().find("PrecompileJob::captures, \"capture\": {\"m\": ...}") !=
        std::string::npos);
  auto unknown = job("host/other()", {});
  REQUIRE(!unknown.ok());
  CHECK(unknown.error().what().find("no function `other` is defined inside a function `host`") !=
        std::string::npos);
}

TEST_CASE("Macros that compute are run by the interpreter") {
  JuliaFixture f;
  f.load(R"(
macro add_all(first, more...)
    ex = esc(first)
    for m in more
        ex = :($ex + $(esc(m)))
    end
    return ex
end
macro pick(n)
    n > 1 ? :(:many) : :(:one)
end
macro made(x)
    y = Expr(:call, :+, esc(x), 1)
    y
end
sums(a, b) = @add_all a b 3 4
picks() = (@pick(1), @pick(2))
mades(q) = @made q * 2
)");
  CHECK(f.value("sums(1, 2)") == "10");
  CHECK(f.value("picks()") == "(:one, :many)");
  CHECK(f.value("mades(5)") == "11");
}

TEST_CASE("Versions") {
  JuliaFixture f;
  f.load(
      "if VERSION >= v\"1.9\"\nnewer() = 1\nelse\nnewer() = 2\nend\n@static if VERSION < v\"1.11-\"\nolder() = 1\nelse\nolder() = 2\nend");
  CHECK(f.value("newer()") == "1");
  CHECK(f.value("older()") == "2");
}
