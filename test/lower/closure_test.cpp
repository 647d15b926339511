// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../julia/fixture.h"

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
