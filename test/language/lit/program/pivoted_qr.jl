# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# qr with column pivots, and the real diagonal of R: laws of the factors, which Julia's manual gives. The order of the
# columns is computed by hand: each step takes the column with the largest remaining norm.
using LinearAlgebra
is_unitary(Q) = norm(Matrix(Q)' * Matrix(Q) - I) < 1e-12
A = [3.0 0 4; 0 1 0; 0 0 1]
F = qr(A, ColumnNorm())
# The norms are 3, 1 and 4.12; below the first row, those of columns 1 and 2 are then 0.73 and 1.
# CHECK: [3, 2, 1] true true true
println(F.p, " ", is_unitary(F.Q), " ", norm(Matrix(F.Q) * F.R - A[:, F.p]) < 1e-12, " ", F.P == [0 0 1; 0 1 0; 1 0 0])
(Q, R, p) = qr(A, ColumnNorm())
# CHECK-NEXT: true true true
println(p == F.p, " ", istriu(R), " ", norm(F \ [1.0, 2, 3] - A \ [1.0, 2, 3]) < 1e-12)
for B in ([1.0 2 3 4; 5 6 7 9; 2 -1 0 3], [1.0 2; -3 5; 2 8; 1 1], [1 + 2im 3 -1im; 2 1im 4; 0.5 1 - 1im 2], [1im 2 3; 4 5im 6.0])
    (Q, R, p) = qr(B, ColumnNorm())
    d = abs.(diag(R))
    C = qr(B)
    # CHECK-NEXT: true true true true true true
    # CHECK-NEXT: true true true true true true
    # CHECK-NEXT: true true true true true true
    # CHECK-NEXT: true true true true true true
    println(is_unitary(Q), " ", norm(Matrix(Q) * R - B[:, p]) < 1e-12, " ", issorted(d; rev=true), " ", sort(p) == 1:size(B, 2), " ", norm(Matrix(C.Q) * C.R - B) < 1e-12, " ",
            all(iszero, imag(diag(C.R))) && all(iszero, imag(diag(R))))
end
# The signs are LAPACK's: R[1, 1] has the opposite sign of the real part of A[1, 1].
# CHECK-NEXT: true true
println(qr([-3.0 1; 4 2]).R[1, 1] ≈ 5, " ", qr([3.0im 1; 4 2]).R[1, 1] ≈ -5)
# lu without pivots, and with the first element that is not 0
let B = [2.0 1 1; 4 3 3; 8 7 9], C = [0.0 2; 3 4]
    # CHECK-NEXT: [1.0 0.0 0.0; 2.0 1.0 0.0; 4.0 3.0 1.0] [2.0 1.0 1.0; 0.0 1.0 1.0; 0.0 0.0 2.0] [1, 2, 3]
    println(lu(B, NoPivot()).L, " ", lu(B, NoPivot()).U, " ", lu(B, NoPivot()).p)
    # CHECK-NEXT: [2, 1] [3.0 4.0; 0.0 2.0] [2, 1] SingularException
    println(lu(C, RowNonZero()).p, " ", lu(C, RowNonZero()).U, " ", lu(C, RowMaximum()).p, " ", try lu(C, NoPivot()) catch e nameof(typeof(e)) end)
end
