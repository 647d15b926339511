# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Bunch-Kaufman factors: the example of Julia's manual, and the laws of the factors.
#
# RUN: %kiln script %s | %filecheck %s
using LinearAlgebra
A = Float64.([1 2; 2 3])
S = bunchkaufman(A)
# CHECK: BunchKaufman{Float64, Matrix{Float64}, Vector{Int64}}
# CHECK-NEXT: D factor:
# CHECK-NEXT: 2×2 Tridiagonal{Float64, Vector{Float64}}:
# CHECK-NEXT:  -0.333333  0.0
# CHECK-NEXT:   0.0       3.0
# CHECK-NEXT: U factor:
# CHECK-NEXT: 2×2 UnitUpperTriangular{Float64, Matrix{Float64}}:
# CHECK-NEXT:  1.0  0.666667
# CHECK-NEXT:   ⋅   1.0
# CHECK-NEXT: permutation:
# CHECK-NEXT: 2-element Vector{Int64}:
# CHECK-NEXT:  1
# CHECK-NEXT:  2
display(S)
d, u, p = S
# CHECK: true true [0.0 0.0; 0.0 0.0]
println("\n", S isa BunchKaufman, " ", d == S.D && u == S.U && p == S.p, " ", S.U * S.D * S.U' - S.P * A * S.P')
L = bunchkaufman(Symmetric(A, :L))
# CHECK-NEXT: [3.0 0.0; 0.0 -0.333333] [1.0 0.0; 0.666667 1.0] [2, 1]
println(round.(Matrix(L.D); digits=6), " ", round.(Matrix(L.L); digits=6), " ", L.p)
# D has a block of two rows: zeros on the diagonal are no pivots. [0 1; 1 0] by hand: D = A.
Z = bunchkaufman([0.0 1; 1 0])
# CHECK-NEXT: [0.0 1.0; 1.0 0.0] [-1, -1] -1.0 (0.0, -1.0) [3.0, 2.0]
println(Matrix(Z.D), " ", Z.ipiv, " ", det(Z), " ", logabsdet(Z), " ", Z \ [2.0, 3.0])
function holds(A, F, near)
    (D, U, p) = F
    n = size(A, 1)
    B = U * Matrix(D) * (F.symmetric ? transpose(U) : U')
    b = collect(eltype(A), 1:n)
    return norm(B - A[p, p]) < near && norm(A * (F \ b) - b) < near * n && norm(A * (F \ [b 2b]) - [b 2b]) < near * n && norm(Matrix(F) - A) < near &&
           norm(inv(F) * A - I) < near * n && abs(det(F) - det(A)) < near * abs(det(A)) && size(F) == (n, n) && issuccess(F) && isperm(p) && (F.P * A * F.P') ≈ A[p, p]
end
entry(i, j) = sin(3i + 7j + i * j)
real_matrix(n) = [i == j ? 0.1 * entry(i, i) : entry(min(i, j), max(i, j)) for i in 1:n, j in 1:n]
hermitian_matrix(n) = [i == j ? complex(0.1 * entry(i, i)) : i < j ? complex(entry(i, j), entry(j + 1, i)) : complex(entry(j, i), -entry(i + 1, j)) for i in 1:n, j in 1:n]
symmetric_matrix(n) = [complex(entry(min(i, j), max(i, j)), entry(1 + max(i, j), min(i, j))) for i in 1:n, j in 1:n]
# CHECK-NEXT: true true true true true true true
println(all(n -> holds(real_matrix(n), bunchkaufman(real_matrix(n)), 1e-10), (1, 2, 3, 4, 7, 10, 25, 60)), " ",
    all(n -> holds(real_matrix(n), bunchkaufman(Symmetric(real_matrix(n), :L)), 1e-10), (1, 2, 3, 8, 25)), " ",
    all(n -> holds(hermitian_matrix(n), bunchkaufman(hermitian_matrix(n)), 1e-10), (1, 2, 3, 5, 12, 25)), " ",
    all(n -> holds(hermitian_matrix(n), bunchkaufman(Hermitian(hermitian_matrix(n), :L)), 1e-10), (2, 3, 5, 12)), " ",
    all(n -> holds(symmetric_matrix(n), bunchkaufman(symmetric_matrix(n)), 1e-10), (2, 3, 5, 12)), " ",
    all(n -> holds(symmetric_matrix(n), bunchkaufman(Symmetric(symmetric_matrix(n), :L)), 1e-10), (2, 3, 5, 12)), " ",
    any(x -> x != 0, bunchkaufman(real_matrix(25)).D.du))
# CHECK-NEXT: Float32 true [1.0, 2.0] false
println(eltype(bunchkaufman(Float32[2 1; 1 3])), " ", bunchkaufman([2 1; 1 3]) \ [4, 7] ≈ [1, 2], " ", round.(ldiv!(bunchkaufman([2.0 1; 1 3]), [4.0, 7.0]); digits=12), " ", issuccess(bunchkaufman(zeros(2, 2); check=false)))
message(f) = try f() catch e sprint(showerror, e) end
# CHECK-NEXT: SingularException(2) ArgumentError: Bunch-Kaufman decomposition is only valid for symmetric or Hermitian matrices
println(message(() -> bunchkaufman(zeros(2, 2))), " ", message(() -> bunchkaufman([1.0 2; 3 4])))
# CHECK-NEXT: ArgumentError: factorization is U*D*U
println(message(() -> bunchkaufman([2 1im; -1im 3]).L))
