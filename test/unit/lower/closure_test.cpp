// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "julia_fixture.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define KILN_TEST_LEAKS() __lsan::ScopedDisabler leaks
#endif
#endif
#ifndef KILN_TEST_LEAKS
#define KILN_TEST_LEAKS()
#endif

TEST_CASE("Closures capture by value what is assigned once") {
  JuliaFixture f;
  struct Case {
    const char *name, *definitions, *expression, *expected;
  };
  // clang-format off
  const Case cases[] = {
    {"an anonymous function", "function c1(n)\n f = x -> x + n\n f(2)\nend", "c1(3)", "5"},
    {"a named one", "function c2(n)\n g(x) = x * n\n g(2) + g(3)\nend", "c2(10)", "50"},
    {"a recursive one", "function c3(n)\n fact(k) = k <= 1 ? 1 : k * fact(k - 1)\n fact(n)\nend", "c3(5)", "120"},
    {"several methods of one name", "function c4(x)\n g(a::Int) = a + 1\n g(a::Float64) = a + x\n (g(1), g(1.0))\nend", "c4(2)", "(2, 3.0)"},
    {"nested closures", "function c5(a)\n f = b -> (c -> a + b + c)\n f(10)(100)\nend", "c5(1)", "111"},
    {"do-blocks", "ap6(f, x) = f(x)\nfunction c6(n)\n ap6(4) do x\n x * n\n end\nend", "c6(3)", "12"},
    {"the enclosing where-variables as values", "function c7(::Val{N}, x::T) where {N, T}\n g = y -> (N, T(y))\n g(2)\nend", "c7(Val(3), 1.5)", "(3, 2.0)"},
    {"the enclosing where-variables in signatures", "function c8(x::T) where {T}\n g(y::T) = 1\n g(y) = 2\n (g(x), g(\"s\"))\nend", "c8(1)", "(1, 2)"},
    {"ntuple", "c9(t) = ntuple(i -> t[i] + 1, Val(3))", "c9((1, 2, 3))", "(2, 3, 4)"},
    {"a loop variable", "function c10()\n s = 0\n for i in 1:3\n g = () -> i\n s = 10s + g()\n end\n s\nend", "c10()", "123"},
    {"a closure's own where", "function c11(k)\n g(x::S) where {S} = S(k)\n (g(1.0), g(1))\nend", "c11(2)", "(2.0, 2)"},
    {"optional arguments of a nested function", "function c12(n)\n g(a, b = n) = a + b\n (g(1), g(1, 2))\nend", "c12(10)", "(11, 3)"},
    {"destructured parameters", "c13(p) = ((a, b) -> a - b)(p...)\nd13(p) = (((a, b),) -> a - b)(p)", "(c13((5, 3)), d13((5, 3)))", "(2, 2)"},
    {"varargs", "c14(n) = ((xs...) -> length(xs) + n)(1, 2, 3)", "c14(1)", "4"},
    {"a nested function returned", "function c15(n)\n add(x) = x + n\n return add\nend", "c15(2)(3)", "5"},
    {"a captured argument that is never assigned", "c16(x, y) = map(z -> z + x * y, (1, 2))", "c16(2, 3)", "(7, 8)"},
    {"operators as values", "c17(op, a, b) = op(a, b)", "(c17(+, 1, 2), c17(max, 1, 2))", "(3, 2)"},
    {"composition of captures in a nested named function", "function c18(a)\n b = a + 1\n inner(x) = x + b\n outer(y) = inner(y) * 2\n outer(1)\nend", "c18(1)", "6"},
    {"reassigned: shared with the closure", "function c19()\n n = 0\n g = () -> n\n n = 1\n g()\nend", "c19()", "1"},
    {"assigned inside", "function c20()\n n = 0\n g = () -> (n += 1)\n g()\n n\nend", "c20()", "1"},
  };
  // clang-format on
  for (const Case &c : cases) {
    INFO(c.name << "\n" << c.definitions);
    CHECK(f.run(c.definitions, c.expression) == c.expected);
  }
}

// Expected values: Julia's manual, "Scope of Variables", by hand.
TEST_CASE("Closures share variables that are assigned after them, or around them by a loop") {
  JuliaFixture f;
  struct Case {
    const char *name, *definitions, *expression, *expected;
  };
  // clang-format off
  const Case cases[] = {
    {"assigned before the closure's text, and after it by the loop", "function d1(n)\n s = 0\n local h\n for j in 1:n\n s += j\n j == 1 && (h = () -> s)\n end\n h()\nend", "d1(3)", "6"},
    {"kept from the first round", "function d2()\n i = 0\n kept = nothing\n while i < 3\n i += 1\n kept === nothing && (kept = () -> i)\n end\n kept()\nend", "d2()", "3"},
    {"a round's variables are its own", "function d3()\n a = b = nothing\n for i in 1:2\n v = i\n f = () -> v\n v += 10\n i == 1 ? (a = f) : (b = f)\n end\n (a(), b())\nend", "d3()", "(11, 12)"},
    {"so are a let's, round a loop", "function d4()\n a = b = nothing\n i = 0\n while i < 2\n i += 1\n let x = i\n f = () -> x\n x += 10\n i == 1 ? (a = f) : (b = f)\n end\n end\n (a(), b())\nend", "d4()", "(11, 12)"},
    {"two closures share the variable", "function d5()\n c = 0\n add = k -> (c += k)\n get = () -> c\n add(2)\n add(3)\n (get(), c)\nend", "d5()", "(5, 5)"},
    {"shared through a function that only passes it on", "function d6()\n c = 0\n outer = () -> (() -> (c += 1))\n inner = outer()\n inner()\n inner()\n c\nend", "d6()", "2"},
    {"a closure that another closure made", "function d7()\n s = 1\n make = () -> (() -> s)\n made = make()\n s = 5\n made()\nend", "d7()", "5"},
    {"an operand is read before a call that assigns it", "function d8()\n c = 1\n add = () -> (c += 1)\n c + add() + c\nend", "d8()", "5"},
    {"captured before it is assigned", "function d9()\n f(x) = x + y\n y = 3\n f(1)\nend", "d9()", "4"},
    {"a default is evaluated at the call", "function d11()\n x = 1\n f(a, b = x) = a + b\n x = 10\n f(1)\nend", "d11()", "11"},
    {"so is a keyword's", "function d12()\n x = 1\n f(a; b = x) = a + b\n x = 10\n f(1)\nend", "d12()", "11"},
    {"assigned in a catch, after a closure in the try", "function d13()\n x = 1\n f = () -> 0\n try\n f = () -> x\n error(\"\")\n catch\n x = 2\n end\n f()\nend", "d13()", "2"},
    {"a parameter that is assigned later", "function d14(n)\n f = () -> n\n n = 7\n f()\nend", "d14(1)", "7"},
    {"a local of a round is unassigned at its beginning", "function d15()\n r = 0\n for i in 1:2\n if i == 1\n x = 1\n end\n r = 10r + (@isdefined(x) ? 1 : 2)\n end\n r\nend", "d15()", "12"},
    {"do-blocks", "ap16(f) = (f(1); f(2))\nfunction d16()\n s = 0\n ap16() do k\n s += k\n end\n s\nend", "d16()", "3"},
    {"a typed variable converts what a closure assigns", "function d17()\n x::Float64 = 1\n f = () -> (x = 2)\n f()\n x\nend", "d17()", "2.0"},
    {"a generator sees the variable", "function d18()\n s = 1\n for v in (s * i for i in 1:3)\n s += v\n end\n s\nend", "d18()", "24"},
  };
  // clang-format on
  for (const Case &c : cases) {
    INFO(c.name << "\n" << c.definitions);
    CHECK(f.run(c.definitions, c.expression) == c.expected);
  }
}

TEST_CASE("Two local functions call each other") {
  KILN_TEST_LEAKS(); // the evaluator counts references: docs/known_faults.md, "Values that contain each
                     // other"
  JuliaFixture f;
  CHECK(
      f.run("function d10(n)\n even(k) = k == 0 ? true : odd(k - 1)\n odd(k) = k == 0 ? false : even(k - 1)\n"
            " even(n)\nend",
            "d10(5)") == "false");
}

TEST_CASE("A closure's name follows from its definition, not from a counter") {
  const char *text = "k1(n) = map(x -> x + n, (1, 2))\nk2(n) = map(x -> x - n, (1, 2))";
  JuliaFixture a(false), b(false);
  a.load(text);
  b.load("other(n) = map(x -> x, (n,))"); // loaded first, elsewhere
  b.load(text);
  CHECK(a.lowered("k1") == b.lowered("k1"));
  CHECK(a.lowered("k2") == b.lowered("k2"));
  CHECK(a.lowered("k1") != a.lowered("k2"));
}
