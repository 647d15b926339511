// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected values are what Julia 1.11 yields for the same text.
#include "julia_fixture.h"

TEST_CASE("Scopes, control flow and assignment as in Julia") {
  JuliaFixture f;
  struct Case {
    const char *name, *definitions, *expression, *expected;
  };
  // clang-format off
  const Case cases[] = {
    {"a loop shares what was assigned before it", "function f1(n)\n s = 0\n for i in 1:n\n s += i\n end\n s\nend", "f1(4)", "10"},
    {"a loop's own name is local to it", "function f2()\n for i in 1:3\n y = i\n end\n @isdefined(y)\nend", "f2()", "false"},
    {"assigned later in the same scope: shared", "function f3()\n for i in 1:3\n x = i\n end\n x = 10\n x\nend", "f3()", "10"},
    {"the loop variable is always new", "function f4()\n i = 7\n for i in 1:3\n end\n i\nend", "f4()", "7"},
    {"if is no scope", "function f5(c)\n if c\n z = 1\n else\n z = 2\n end\n z\nend", "(f5(true), f5(false))", "(1, 2)"},
    {"let is one", "function f6()\n x = 1\n let x = 2\n x += 1\n end\n x\nend", "f6()", "1"},
    {"let sees outer names on the right", "function f7()\n x = 1\n let x = x + 1, y = x\n (x, y)\n end\nend", "f7()", "(2, 2)"},
    {"let body assigns outer names", "function f8()\n x = 1\n let y = 5\n x = y\n end\n x\nend", "f8()", "5"},
    {"local makes a new one", "function f9()\n x = 1\n for i in 1:2\n local x = 9\n end\n x\nend", "f9()", "1"},
    {"while", "function f10(n)\n k = 0\n while n > 1\n n = n >> 1\n k += 1\n end\n k\nend", "f10(40)", "5"},
    {"break and continue", "function f11()\n s = 0\n for i in 1:10\n if i == 3\n continue\n end\n i > 5 && break\n s += i\n end\n s\nend", "f11()", "12"},
    {"break leaves a whole product loop", "function f12()\n n = 0\n for i in 1:3, j in 1:3\n j == 2 && break\n n += 1\n end\n n\nend", "f12()", "1"},
    {"continue in a product loop", "function f13()\n n = 0\n for i in 1:3, j in 1:3\n j == 2 && continue\n n += 1\n end\n n\nend", "f13()", "6"},
    {"inner ranges see outer variables", "function f14()\n n = 0\n for i in 1:4, j in i:4\n n += 1\n end\n n\nend", "f14()", "10"},
    {"an empty range", "function f15()\n for i in 3:1\n return 1\n end\n 0\nend", "f15()", "0"},
    {"loops have value nothing", "function f16()\n for i in 1:2\n end\nend", "f16()", "nothing"},
    {"if without else has value nothing", "f17(c) = if c 1 end", "(f17(true), f17(false))", "(1, nothing)"},
    {"if as a value", "function f18(a)\n x = if a > 0 \"pos\" elseif a < 0 \"neg\" else \"zero\" end\n x\nend", "(f18(1), f18(-1), f18(0))", "(\"pos\", \"neg\", \"zero\")"},
    {"begin as a value", "function f19()\n y = begin\n a = 2\n a * 3\n end\n y + a\nend", "f19()", "8"},
    {"and-or values", "f20(a, b) = (a && b, a || b)", "(f20(true, 5), f20(false, 5))", "((5, true), (false, 5))"},
    {"and as a statement", "function f21(x)\n x < 0 && return -1\n x == 0 || return 1\n 0\nend", "(f21(-3), f21(0), f21(3))", "(-1, 0, 1)"},
    {"ternaries nest", "f22(x) = x < 0 ? -1 : x > 0 ? 1 : 0", "(f22(-3), f22(0), f22(3))", "(-1, 0, 1)"},
    {"comparison chains", "f23(a, b, c) = a < b <= c", "(f23(1, 2, 2), f23(2, 1, 3), f23(1, 3, 2))", "(true, false, false)"},
    {"a chain stops early and evaluates the middle once", "function f24()\n n = 0\n m() = 2\n r = 1 < m() < 3\n r\nend", "f24()", "true"},
    {"swap", "function f25(a, b)\n a, b = b, a\n (a, b)\nend", "f25(1, 2)", "(2, 1)"},
    {"destructuring a call", "g26() = (1, 2, 3)\nfunction f26()\n x, y = g26()\n (x, y)\nend", "f26()", "(1, 2)"},
    {"nested destructuring", "function f27(t)\n (a, (b, c)), d = t\n a + 10b + 100c + 1000d\nend", "f27(((1, (2, 3)), 4))", "4321"},
    {"slurping", "function f28(t)\n a, b... = t\n (a, b)\nend", "f28((1, 2, 3))", "(1, (2, 3))"},
    {"property destructuring", "function f29(t)\n (; x, y) = t\n x - y\nend", "f29((x = 5, y = 3))", "2"},
    {"destructured parameters", "f30((a, b), c) = a + b * c", "f30((1, 2), 3)", "7"},
    {"the value of an assignment", "function f31()\n a = b = 4\n (a, b, (c = 5), c)\nend", "f31()", "(4, 4, 5, 5)"},
    {"the value of a tuple assignment", "f32() = (a, b) = (1, 2)", "f32()", "(1, 2)"},
    {"arguments are read in order", "function f33()\n x = 1\n (x, (x = 2), x)\nend", "f33()", "(1, 2, 2)"},
    {"typed locals convert each assignment", "function f34()\n x::Float64 = 1\n x = 2\n x\nend", "f34()", "2.0"},
    {"declared return types convert", "f35(x)::Float32 = x", "f35(2)", "2.0f0"},
    {"return in the middle, too", "function f36(x)::Float64\n x > 0 && return 1\n 2\nend", "(f36(1), f36(0))", "(1.0, 2.0)"},
    {"arguments may be reassigned", "function f37(n)\n n = n + 1\n n\nend", "f37(1)", "2"},
    {"names may hide functions of Base", "function f38(max, sum)\n max - sum\nend", "f38(5, 2)", "3"},
    {"lowering's own calls mean Base", "getindex(a, b) = 99\nf39(t) = t[1]", "f39((7, 8))", "7"},
    {"end in an index", "f40(t) = (t[end], t[end - 1], t[begin])", "f40((1, 2, 3))", "(3, 2, 1)"},
    {"literal powers", "f41(x) = (x^2, x^3, x^-1)", "f41(2.0)", "(4.0, 8.0, 0.5)"},
    {"juxtaposition", "f42(x) = 2x + 3(x + 1)", "f42(2)", "13"},
    {"splats", "g43(xs...) = length(xs)\nf43(t) = g43(0, t..., t...)", "f43((1, 2))", "5"},
    {"varargs", "f44(a, rest...) = (a, rest)", "(f44(1), f44(1, 2, 3))", "((1, ()), (1, (2, 3)))"},
    {"named tuples", "f45(a, c) = (; a, b = 2, c)", "f45(1, 3)", "(a = 1, b = 2, c = 3)"},
    {"named tuples with splats", "f46(t) = (; t..., z = 3)", "f46((x = 1, y = 2))", "(x = 1, y = 2, z = 3)"},
    {"static parameters as values", "f47(::Val{N}) where {N} = N + 1", "f47(Val(3))", "4"},
    {"type parameters as functions", "f48(x::T) where {T} = T(3) + x", "f48(Int32(1))", "4"},
    {"isa and <:", "f49(x) = (x isa Integer, Int32 <: Signed, typeof(x) === Int64)", "f49(1)", "(true, true, true)"},
    {"hex literals are sized", "f50() = (0x1, 0x0001, 0x00000001)", "f50()", "(0x01, 0x0001, 0x00000001)"},
    {"op-assign to a tuple's copy is not possible, to a name it is", "function f51()\n x = 5\n x -= 1\n x *= 3\n x ÷= 2\n x <<= 1\n x\nend", "f51()", "12"},
    {"a condition with statements", "function f52(n)\n while (n -= 1; n > 0)\n end\n n\nend", "f52(3)", "0"},
    {"for over a tuple", "function f53()\n s = 0\n for x in (8, 4, 2, 1)\n s = 10s + x\n end\n s\nend", "f53()", "8421"},
    {"for destructures", "function f54()\n s = 0\n for (a, b) in ((1, 2), (3, 4))\n s += a * b\n end\n s\nend", "f54()", "14"},
    {"a descending range", "function f55()\n s = 0\n for i in 3:-1:1\n s = 10s + i\n end\n s\nend", "f55()", "321"},
    {"unnamed arguments", "f56(::Int, ::Float64) = 1\nf56(::Int, ::Int) = 2", "(f56(1, 1.0), f56(1, 1))", "(1, 2)"},
    {"optional arguments see earlier ones", "f57(a, b = a + 1, c = b * 2) = (a, b, c)", "(f57(1), f57(1, 5), f57(1, 5, 0))", "((1, 2, 4), (1, 5, 10), (1, 5, 0))"},
    {"chained assignment of elements evaluates the index once", "mutable struct C58\n n::Int\nend\nfunction f58()\n c = C58(1)\n c.n += 4\n c.n\nend", "f58()", "5"},
    {"a block in an argument", "f59(x) = max(begin\n y = x\n y + 1\n end, y)", "f59(3)", "4"},
    {"a call in tail position of a branch", "f60(x) = if x > 0 f60(x - 1) else :done end", "f60(3)", ":done"},
    {"adjoint is a call", "Base.adjoint(x::C58) = 42\nf61() = C58(1)'", "f61()", "42"},
    {"qualified names", "f62() = Base.max(1, 2)", "f62()", "2"},
    {"global constants", "const K63 = 16 * 2\nf63() = K63 + 1", "f63()", "33"},
    {"undefined variables", "function f64(c)\n if c\n x = 1\n end\n x\nend", "f64(false)", "UndefVarError: `x` not defined"},
    {"a typed local in a loop", "function f65()\n s = 0.0\n for i in 1:3\n t::Float64 = i\n s += t / 2\n end\n s\nend", "f65()", "3.0"},
    {"string interpolation in a message that is not reached", "f66(x) = x > 0 ? x : error(\"bad $x\")", "f66(2)", "2"},
    {"broadcast over tuples fuses", "f67(t) = t .+ 2 .* t", "f67((1, 2))", "(3, 6)"},
    {"fastmath", "f68(a, b) = @fastmath a * b + 1.0", "f68(2.0, 3.0)", "7.0"},
    {"nexprs and ntuple", "function f69(t)\n @nexprs 3 i -> x_i = t[i] * i\n @ntuple 3 i -> x_i\nend", "f69((1, 2, 3))", "(1, 4, 9)"},
    {"assert", "f70(x) = (@assert x > 0; x)", "f70(1)", "1"},
  };
  // clang-format on
  for (const Case &c : cases) {
    INFO(c.name << "\n" << c.definitions);
    CHECK(f.run(c.definitions, c.expression) == c.expected);
  }
}
