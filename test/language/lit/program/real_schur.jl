# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Schur forms of real matrices: the example of Julia's manual, known eigenvalues, and the laws of the form.
#
# RUN: %kiln script %s | %filecheck %s
using LinearAlgebra
F = schur([5.0 7.0; -2.0 -4.0])
# CHECK: Schur{Float64, Matrix{Float64}, Vector{Float64}}
# CHECK-NEXT: T factor:
# CHECK-NEXT: 2×2 Matrix{Float64}:
# CHECK-NEXT:  3.0   9.0
# CHECK-NEXT:  0.0  -2.0
# CHECK-NEXT: Z factor:
# CHECK-NEXT: 2×2 Matrix{Float64}:
# CHECK-NEXT:   0.961524  0.274721
# CHECK-NEXT:  -0.274721  0.961524
# CHECK-NEXT: eigenvalues:
# CHECK-NEXT: 2-element Vector{Float64}:
# CHECK-NEXT:   3.0
# CHECK-NEXT:  -2.0
display(F)
t, z, vals = F
# CHECK: true true
println("\n", F.vectors * F.Schur * F.vectors' ≈ [5 7; -2 -4], " ", t == F.T && z == F.Z && vals == F.values)
function holds(A, near)
    (T, Z, values) = schur(A)
    n = size(A, 1)
    is_standard = all(1:n-1) do k # equal entries on the diagonal of a block, others of opposite signs, no two blocks in turn
        T[k+1, k] == 0 || T[k, k] == T[k+1, k+1] && T[k, k+1] * T[k+1, k] < 0 && (k == n - 1 || T[k+2, k+1] == 0)
    end
    return norm(Z * T * Z' - A) < near * n && norm(Z' * Z - I) < near * n && istriu(T, -1) && is_standard && abs(sum(values) - tr(A)) < near * n
end
# CHECK-NEXT: true true true true
entry(i, j) = sin(3i + 7j + i * j)
println(all(n -> holds([entry(i, j) for i in 1:n, j in 1:n], 1e-11), (1, 2, 3, 4, 5, 8, 13, 30, 60)), " ",
    all(n -> holds(Float64[mod(i * 7 + j * j * 5, 11) - 5 for i in 1:n, j in 1:n], 1e-10), 1:12), " ",
    holds(triu([entry(i, j) for i in 1:9, j in 1:9]), 1e-12), " ", holds([0.0 0 0 1; 1 0 0 0; 0 1 0 0; 0 0 1 0], 1e-12))
# The companion matrix of (x - 1)(x - 2)(x - 3)(x^2 + 4), and one whose eigenvalues are the 4th roots of 1.
companion = [6.0 -15 30 -44 24; 1 0 0 0 0; 0 1 0 0 0; 0 0 1 0 0; 0 0 0 1 0]
near(values) = sort([(round(real(x); digits=6) + 0.0, round(imag(x); digits=6) + 0.0) for x in values])
# CHECK-NEXT: [(0.0, -2.0), (0.0, 2.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)] [(-1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (1.0, 0.0)]
println(near(schur(companion).values), " ", near(schur([0.0 0 0 1; 1 0 0 0; 0 1 0 0; 0 0 1 0]).values))
# A pair of complex eigenvalues: 1 +- 2i. The block's standard form by hand: the rotation by a turn of 0.
# CHECK-NEXT: [1.0 -4.0; 1.0 1.0] Complex{{.*}}[1.0 + 2.0im, 1.0 - 2.0im] Float32
println(schur([1.0 -4; 1 1]).T, " ", schur([1.0 -4; 1 1]).values, " ", eltype(schur(Float32[1 2; 3 4]).T))
