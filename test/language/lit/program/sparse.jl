# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# SparseArrays: matrices by compressed columns and sparse vectors.
#
# RUN: %kiln script %s | %filecheck %s
using SparseArrays, LinearAlgebra
A = sparse([1, 3, 2, 3, 1], [1, 1, 2, 2, 1], [1.0, 2.0, 3.0, 4.0, 10.0], 3, 2)
# CHECK: (3, 2) 4 [1, 3, 2, 3] [11.0, 2.0, 3.0, 4.0] 3:4
println(size(A), " ", nnz(A), " ", rowvals(A), " ", nonzeros(A), " ", nzrange(A, 2))
# CHECK-NEXT: [11.0 0.0; 0.0 3.0; 2.0 4.0] true sparse([1, 3, 2, 3], [1, 1, 2, 2], [11.0, 2.0, 3.0, 4.0], 3, 2)
println(Matrix(A), " ", sparse(Matrix(A)) == A, " ", A)
A[1, 2] = 5
A[3, 1] = -2
# CHECK-NEXT: [11.0 5.0; 0.0 3.0; -2.0 4.0] 5
println(Matrix(A), " ", nnz(A))
# CHECK-NEXT: ([1, 3, 1, 2, 3], [1, 1, 2, 2, 2], [11.0, -2.0, 5.0, 3.0, 4.0])
println(findnz(A))
# CHECK-NEXT: [16.0, 3.0, 2.0] true [22.0 10.0; 0.0 6.0; -4.0 8.0] [0.0 0.0; 0.0 0.0; 0.0 0.0]
println(A * [1.0, 1.0], " ", typeof(2A) == SparseMatrixCSC{Float64,Int}, " ", Matrix(A + A), " ", Matrix(A - A))
# CHECK-NEXT: [125.0 47.0; 47.0 50.0] true
println(sparse(Matrix(A')) * A |> Matrix, " ", issparse(A'))
v = sparsevec([2, 5], [1.5, 2.5], 6)
v[3] = 4
# CHECK-NEXT: [0.0, 1.5, 4.0, 0.0, 2.5, 0.0] 3 8.0 sparsevec([2, 3, 5], [3.0, 8.0, 5.0], 6)
println(Vector(v), " ", nnz(v), " ", sum(v), " ", v + v)
# CHECK-NEXT: 0 3 true
println(nnz(spzeros(2, 3)), " ", length(spzeros(3)), " ", all(0 .<= nonzeros(sprand(10, 10, 0.5)) .< 1))
try A[4, 1] catch e println(typeof(e)) end
# CHECK-NEXT: BoundsError
