# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Base.FastMath: the table of fast functions, and the function behind @fastmath. Packages read both.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines
using Base.FastMath: fast_op, make_fastmath
#      CHECK: add_fast pow_fast maximum_fast false true
println(fast_op[:+], " ", fast_op[:^], " ", fast_op[:maximum], " ", haskey(fast_op, :foo), " ", all(f -> isdefined(Base.FastMath, f), values(fast_op)))
# CHECK-NEXT: Base.FastMath.add_fast(a, Base.FastMath.mul_fast(b, Base.FastMath.sin_fast(c)))
println(make_fastmath(:(a + b * sin(c))))
# A literal power keeps its exponent as a type, as in Julia.
# CHECK-NEXT: Base.FastMath.add_fast(Base.FastMath.pow_fast(x, Val{2}()), y)
println(make_fastmath(:(x^2 + y)))
# CHECK-NEXT: x = Base.FastMath.add_fast(x, Base.FastMath.mul_fast(2, y))
println(make_fastmath(:(x += 2y)))
# A quote stays as it is.
# CHECK-NEXT: true
println(make_fastmath(:(:(x + y))) == :(:(x + y)))
# 2^2 + 3 / 2 - 3 = 2.5
# CHECK-NEXT: 2.5 3.0 -1.0
a, b = 2.0, 3.0
println(eval(make_fastmath(:(a^2 + b / a - abs(-b)))), " ", Base.FastMath.maximum_fast([1.0, 3.0, -1.0]), " ", Base.FastMath.minimum_fast([1.0, 3.0, -1.0]))
