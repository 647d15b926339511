# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# L * D * transpose(L) of symmetric tridiagonal matrices.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines
using LinearAlgebra
S = SymTridiagonal([4.0, 3.0, 2.0], [1.0, 2.0])
F = ldlt(S)
# By hand: 1 / 4 = 0.25, 3 - 0.25^2 * 4 = 2.75, 2 / 2.75 = 8 / 11, 2 - (8 / 11)^2 * 2.75 = 6 / 11. The determinant is 4 * 2.75 * 6 / 11 = 6.
#      CHECK: true [4.0, 2.75, 0.545]
println(F isa LDLt, " ", round.(F.d; digits=3))
# CHECK-NEXT: [1.0 0.0 0.0; 0.25 1.0 0.0; 0.0 0.727 1.0]
println(round.(Matrix(F.L); digits=3))
full = [4.0 1 0; 1 3 2; 0 2 2]
# CHECK-NEXT: true true true true true
println(F.L * F.D * F.Lt ≈ full, " ", Matrix(F) ≈ full, " ", det(F) ≈ 6, " ", logdet(F) ≈ log(6), " ", S == full)
b = [1.0, 2, 3]
# CHECK-NEXT: true true true true (3, 3)
println(full * (F \ b) ≈ b, " ", full * (F \ [b 2b]) ≈ [b 2b], " ", full * ldiv!(F, copy(b)) ≈ b, " ", full * inv(F) ≈ [1 0 0; 0 1 0; 0 0 1], " ", size(F))
# Integers are divided, and ldlt! overwrites the bands.
# CHECK-NEXT: [2.0, 1.5] [2.0, 1.5] [0.5]
T = SymTridiagonal([2.0, 2.0], [1.0])
println(ldlt(SymTridiagonal([2, 2], [1])).d, " ", ldlt!(T).d, " ", T.ev)
# CHECK-NEXT: ZeroPivotException(2) DimensionMismatch
println(try ldlt(SymTridiagonal([1.0, 1.0, 1.0], [1.0, 1.0])) catch e e end, " ", try F \ [1.0, 2] catch e typeof(e) end)
