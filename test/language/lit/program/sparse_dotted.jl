# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Dotted calls of sparse arrays give sparse arrays, as in Julia.
#
# RUN: %kiln script %s | %filecheck %s
using SparseArrays
A = sparse([1, 3, 2], [1, 1, 2], [1.0, -2.0, 3.0], 3, 2)
B = sparse([1, 2, 3], [1, 2, 2], [10.0, -3.0, 5.0], 3, 2)
# CHECK: sparse([1, 3, 2], [1, 1, 2], [2.0, -4.0, 6.0], 3, 2)
println(A .* 2)
# CHECK-NEXT: sparse([1, 3, 3], [1, 1, 2], [11.0, -2.0, 5.0], 3, 2)
println(A .+ B)
# CHECK-NEXT: sparse([1, 2], [1, 2], [10.0, -9.0], 3, 2)
println(A .* B)
# CHECK-NEXT: true 6 [2.0 1.0; 1.0 4.0; -1.0 1.0]
C = A .+ 1
println(C isa SparseMatrixCSC{Float64,Int}, " ", nnz(C), " ", Matrix(C))
# CHECK-NEXT: sparse([1, 3, 2], [1, 1, 2], [4.0, -8.0, 12.0], 3, 2) 0
println(A .* fill(4, 3, 2), " ", nnz(A .* 0))
v = sparsevec([2, 4], [3, -1], 5)
# CHECK-NEXT: sparsevec([2, 4], [9, 1], 5) sparsevec([2, 4], Float32[6.0, -2.0], 5) [1, 4, 1, 0, 1]
println(v .^ 2, " ", v .* 2.0f0, " ", Vector(v .+ 1))
w = sparsevec([1, 2], [5, -3], 5)
# CHECK-NEXT: sparsevec([1, 4], [5, -1], 5) sparsevec([2], [-9], 5) sparsevec([1, 2, 4], [10, 3, -2], 5)
println(v .+ w, " ", v .* w, " ", @. 2v + 2w - (w == -3) * w - abs(v * w) * 0)
# CHECK-NEXT: [0.0 2.0 0.0 0.0; 0.0 0.0 3.0 0.0; 0.0 0.0 0.0 0.0; 4.0 0.0 0.0 0.0] 3
D = spdiagm(4, 4, 1 => [2.0, 3.0], -3 => [4.0])
println(Matrix(D), " ", nnz(D))
E = sparse([1, 2], [1, 1], [0.0, 7.0], 2, 2)
# CHECK-NEXT: 2 1 sparse([2], [1], [7.0], 2, 2)
println(nnz(E), " ", nnz(dropzeros!(E)), " ", E)
# CHECK-NEXT: true true Float32 true
println(all(!iszero, nonzeros(sprandn(20, 20, 0.5))), " ", 0 < nnz(sprand(Float32, 100, 0.5)) < 100, " ", eltype(sprand(Float32, 100, 0.5)), " ", nnz(sprandn(Float64, 10, 1.0)) == 10)

# A function is called at stored places, and once for all zeros, by dotted calls and by map.
using SparseArrays
calls = Ref(0)
counted(x) = (calls[] += 1; x + 1)
v = sparsevec([2], [5.0], 4)
println(map(counted, v) == [1, 6, 1, 1], " ", calls[], " ", counted.(v) == [1, 6, 1, 1], " ", calls[])
# CHECK: true 2 true 4
