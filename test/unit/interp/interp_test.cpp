// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the interpreter evaluates, and what it refuses: limits, and errors with their places.
#include "julia_world.h"

using namespace kiln;
using namespace kiln::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

struct InterpFixture : JuliaWorld {
  explicit InterpFixture(Interpreter::Limits limits = {}) : JuliaWorld(limits) {}
  Result<Value> evaluate(std::string_view expression) {
    return frontend.evaluate(world, *world.main(), "expression", expression);
  }
  /// A value as Julia writes it; an error fails the test.
  std::string value(std::string_view expression) { return to_string(take(evaluate(expression))); }
  std::string error(std::string_view expression) { return failure(evaluate(expression)); }
};

} // namespace

TEST_CASE("calls, loops, recursion and structures") {
  InterpFixture f;
  f.load(R"(
struct Point
    x::Int64
    y::Float64
end
mutable struct Cell
    value::Int64
end
fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
function collatz(n)
    steps = 0
    while n != 1
        n = iseven(n) ? div(n, 2) : 3n + 1
        steps += 1
    end
    return steps
end
function bump(c)
    for i in 1:3
        c.value += i
    end
    return c.value
end
rest(x, others...) = (x, others)
adder(n) = x -> x + n
)");
  CHECK(f.value("fib(15)") == "610");
  CHECK(f.value("collatz(27)") == "111");
  CHECK(f.value("bump(Cell(10))") == "16");
  CHECK(f.value("Point(1, 2).y") == "2.0"); // converted
  CHECK(f.value("rest(1, 2, 3)") == "(1, (2, 3))");
  CHECK(f.value("rest((1, 2)...)") == "(1, (2,))");
  CHECK(f.value("adder(2)(40)") == "42");
  CHECK(f.value("(Int8(127) + Int8(1), 7 % -3, div(-7, 2), mod(-7, 2), 7 / 2)") == "(-128, 1, -3, 1, 3.5)");
}

TEST_CASE("a value's methods are those of the newest world") {
  InterpFixture f;
  f.load("g(x) = 1\nf(x) = g(x)\n");
  CHECK(f.value("f(0)") == "1");
  f.load("g(x) = 2\n");
  CHECK(f.value("f(0)") == "2");
  Value argument = f.types.int64(0);
  CHECK(to_string(f.take(f.interpreter.call(f.function("f"), {&argument, 1}))) == "2");
}

TEST_CASE("steps are limited, and counted for each call from outside") {
  InterpFixture f({.steps = 2000});
  f.load("function count(n)\n    i = 0\n    while i < n\n        i += 1\n    end\n    return i\nend\n"
         "function for_ever()\n    while true\n    end\nend\n");
  for (int i = 0; i < 100; i++) CHECK(f.value("count(20)") == "20");
  auto endless = f.evaluate("for_ever()");
  CHECK(failure(endless) == "error: evaluation took more than 2000 steps");
  const Diagnostic &d = endless.error().diagnostics()[0];
  REQUIRE(d.at.file);
  CHECK(d.at.file->name() == "test.jl");
  const uint32_t line = d.at.file->position(d.at.begin).line;
  CHECK((line == 9 || line == 10)); // in the loop
  CHECK_FALSE(d.hint.empty());
  CHECK(f.value("count(3)") == "3"); // and goes on
}

TEST_CASE("the depth of calls is limited") {
  InterpFixture f({.depth = 60});
  f.load("deeper(n) = n == 0 ? 0 : 1 + deeper(n - 1)\n");
  CHECK(f.value("deeper(20)") == "20");
  auto deep = f.evaluate("deeper(1000)");
  CHECK(failure(deep) == "StackOverflowError: evaluation nests more than 60 calls deep");
  CHECK(deep.error().diagnostics()[0].stack.size() <= 40); // what is shown of it
  CHECK(f.value("deeper(20)") == "20");
}

TEST_CASE("the memory of arrays is limited, for one and for all of an evaluation") {
  InterpFixture f({.bytes = 10'000});
  f.load(
      "function many(n)\n    x = 0\n    for i in 1:n\n        x += length(zeros(Float32, 500))\n    end\n    return x\nend\n");
  CHECK(f.value("length(zeros(Float64, 1250))") == "1250");
  CHECK(f.error("zeros(Float64, 1251)") ==
        "OutOfMemoryError: an array of 1251 elements of Float64 is larger than the limit of 10000 bytes");
  CHECK(f.value("many(5)") == "2500");
  CHECK(f.error("many(6)") ==
        "OutOfMemoryError: the arrays of one evaluation take more than the limit of 10000 bytes");
  CHECK(f.value("many(5)") == "2500");
}

TEST_CASE("the size of types and strings is limited") {
  InterpFixture f({.string_bytes = 100, .type_size = 50});
  f.load(
      "function doubled(n)\n    x = (1, 2)\n    for i in 1:n\n        x = (x, x)\n    end\n    return 0\nend\n");
  CHECK(f.value("doubled(3)") == "0");
  CHECK_THAT(f.error("doubled(10)"), StartsWith("TypeError: a type of more than 50 parts"));
  CHECK(f.value("length(string(\"abc\", 12))") == "5");
  CHECK(f.error("string(\"" + std::string(101, 'a') + "\")") ==
        "OutOfMemoryError: a string of more than 100 bytes");
}

TEST_CASE("exceptions: the name, the message, the place and the stack of calls") {
  InterpFixture f;
  f.load(R"(inner(x) = x > 2 ? throw(ErrorException("too much")) : x
outer(x) =
    inner(x)
check(x) = x ? 1 : 2
called(x) = x(4)
)");
  CHECK(f.value("outer(2)") == "2");
  auto thrown = f.evaluate("outer(3)");
  CHECK(failure(thrown) == "ErrorException: too much");
  CHECK(thrown.error().kind() == ErrorKind::Input);
  const Diagnostic &d = thrown.error().diagnostics()[0];
  REQUIRE(d.at.file);
  CHECK(d.at.file->position(d.at.begin).line == 1);
  std::vector<std::string> functions;
  for (const auto &frame : d.stack) functions.push_back(frame.function);
  REQUIRE(functions.size() >= 2);
  CHECK(functions[functions.size() - 2] == "inner");
  CHECK(functions[functions.size() - 1] == "outer");
  CHECK(f.error("check(1)") == "TypeError: non-boolean (Int64) used in boolean context");
  CHECK(f.error("inner(\"a\")") == "MethodError: no method matching isless(::Int64, ::String)");
  CHECK(f.error("not_there(1)") == "UndefVarError: `not_there` not defined in `Main`");
  CHECK_THAT(f.error("called(3)"), StartsWith("MethodError: ")); // an Int64 is no function
}

TEST_CASE("ambiguous calls name their candidates") {
  InterpFixture f;
  f.load("h(x::Int64, y) = 1\nh(x, y::Int64) = 2\n");
  auto called = f.evaluate("h(1, 2)");
  CHECK(failure(called) == "MethodError: h(::Int64, ::Int64) is ambiguous");
  CHECK(called.error().diagnostics()[0].notes.size() == 2);
  CHECK(f.value("h(1, 'a')") == "1");
}

TEST_CASE("what only kernels have is refused") {
  InterpFixture f;
  auto asked = f.evaluate("threadIdx().x");
  CHECK_THAT(failure(asked), Contains("`kiln.thread_idx.x` cannot be called here"));
  CHECK(asked.error().diagnostics()[0].hint == "it exists in compiled code only");
  auto loaded = f.evaluate("unsafe_load(reinterpret(Ptr{Int64}, 4096))");
  CHECK_THAT(failure(loaded), StartsWith("TypeError: ") && Contains("cannot be evaluated here"));
  CHECK(loaded.error().diagnostics()[0].hint == "device memory and device intrinsics exist in kernels only");
}

TEST_CASE("functions of the host serve the arguments that they know, and methods the others") {
  InterpFixture f;
  f.ok(f.interpreter.add_host_function(*f.world.main(), "twice",
                                       [](Interpreter &i, std::span<const Value> args) -> Result<Value> {
                                         TypeContext &types = i.world().types();
                                         if (args.size() != 1 || args[0].type() != types.builtins().Int64)
                                           return Value();
                                         return types.int64(2 * int64_t(args[0].low_bits()));
                                       }));
  f.load("twice(x::Float64) = 0.5\ncall(x) = twice(x)\n");
  CHECK(f.value("call(21)") == "42");
  CHECK(f.value("call(1.0)") == "0.5");
  CHECK(f.error("call('a')") == "MethodError: no method matching twice(::Char)");
}

TEST_CASE("rand gives the same numbers after the same seed") {
  InterpFixture f, other;
  CHECK(f.value("rand(UInt64)") == other.value("rand(UInt64)")); // with none given too
  f.interpreter.set_seed(7);
  other.interpreter.set_seed(7);
  const std::string first = f.value("(rand(Int64), rand(Float32))");
  CHECK(other.value("(rand(Int64), rand(Float32))") == first);
  CHECK(f.value("(rand(Int64), rand(Float32))") != first);
  f.interpreter.set_seed(7);
  CHECK(f.value("(rand(Int64), rand(Float32))") == first);
}

TEST_CASE("convert: as the language's") {
  InterpFixture f;
  CHECK(to_string(f.take(f.interpreter.convert(f.t.Float32, f.types.int64(3)))) == "3.0f0");
  CHECK(to_string(f.take(f.interpreter.convert(f.t.Number, f.types.int64(3)))) == "3"); // is one
  CHECK_THAT(failure(f.interpreter.convert(f.t.Int8, f.types.int64(300))), StartsWith("InexactError"));
}
