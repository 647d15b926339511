# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# LinearAlgebra's matrices of bands. Values of det, solves and eigenvalues: numpy.linalg of the dense matrices; entries, products with small
# whole numbers and traces: by hand; the error's text: Julia's own source.
#
# RUN: %kiln script %s | %filecheck %s
using LinearAlgebra
T = Tridiagonal([1.0, 2], [3.0, 4, 5], [6.0, 7])
println(Matrix(T))
# CHECK: [3.0 6.0 0.0; 1.0 4.0 7.0; 0.0 2.0 5.0]
println(det(T), " ", tr(T), " ", T[1, 3], " ", size(T), " ", diag(T))
# CHECK-NEXT: -12.0 12.0 0.0 (3, 3) [3.0, 4.0, 5.0]
println(round.(T \ [1.0, 2, 3]; digits=12), " ", T * [1.0, 2, 3])
# CHECK-NEXT: [-6.0, 3.166666666667, -0.666666666667] [15.0, 30.0, 19.0]
println(Matrix(T'), " ", transpose(T) isa Tridiagonal)
# CHECK-NEXT: [3.0 1.0 0.0; 6.0 4.0 2.0; 0.0 7.0 5.0] true
S = SymTridiagonal([2.0, 2, 2], [-1.0, -1])
println(round.(eigvals(S); digits=6), " ", det(S), " ", S * [1.0, 2, 3])
# CHECK-NEXT: [0.585786, 2.0, 3.414214] 4.0 [0.0, 0.0, 4.0]
B = Bidiagonal([1, 2, 3], [4, 5], :U)
println(Matrix(B), " ", Matrix(B'), " ", det(B), " ", Matrix(2 * B))
# CHECK-NEXT: [1 4 0; 0 2 5; 0 0 3] [1 0 0; 4 2 0; 0 5 3] 6 [2 8 0; 0 4 10; 0 0 6]
println(Matrix(Bidiagonal([1, 2, 3], [4, 5], :L)), " ", Matrix(Tridiagonal([1 2 3; 4 5 6; 7 8 9])))
# CHECK-NEXT: [1 0 0; 4 2 0; 0 5 3] [1 2 0; 4 5 6; 0 8 9]
T[2, 3] = 0
println(T[2, 3], " ", T + T isa Tridiagonal)
# CHECK-NEXT: 0.0 true
try
    T[1, 3] = 1
catch e
    println(e)
end
# CHECK-NEXT: ArgumentError("cannot set entry (1, 3) off the tridiagonal band to a nonzero value (1)")
try
    Tridiagonal([1], [1], [1])
catch e
    println(e isa DimensionMismatch)
end
# CHECK-NEXT: true
