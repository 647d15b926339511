# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# CUSPARSE: sparse arrays of the device by columns and by rows.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA, CUDA.CUSPARSE, SparseArrays, LinearAlgebra, GPUArrays, Adapt
h = sparse([1, 3, 2, 1], [1, 1, 2, 3], [1.0, -2.0, 3.0, 4.0], 3, 3)
A = CuSparseMatrixCSC(h)
R = CuSparseMatrixCSR(A)
# CHECK: (3, 3) 4 true Int32[1, 3, 2, 1] [1.0, -2.0, 3.0, 4.0]
println(size(A), " ", nnz(A), " ", A isa CuSparseMatrixCSC{Float64,Int32}, " ", Array(rowvals(A)), " ", Array(nonzeros(A)))
# CHECK-NEXT: Int32[1, 3, 4, 5] Int32[1, 3, 2, 1] [1.0, 4.0, 3.0, -2.0]
println(Array(R.rowPtr), " ", Array(R.colVal), " ", Array(R.nzVal))
# CHECK-NEXT: [1.0 0.0 4.0; 0.0 3.0 0.0; -2.0 0.0 0.0] true true
println(Array(A), " ", collect(R) == Array(A), " ", SparseMatrixCSC(R) == h)
# CHECK-NEXT: true [1.0 0.0 -2.0; 0.0 3.0 0.0; 4.0 0.0 0.0] CuArray{Float64, 2, CUDA.DeviceMemory}
println(CuSparseMatrixCSC(CuArray(h)) == A, " ", Array(CuSparseMatrixCSR(transpose(h))), " ", typeof(CuArray(A)))
# Dotted calls: sparse if zeros give zero.
B = CuSparseMatrixCSC(sparse([1, 2, 3], [1, 2, 3], [10.0, -3.0, 5.0], 3, 3))
# CHECK-NEXT: sparse([1, 3, 2, 1], [1, 1, 2, 3], [2.0, -4.0, 6.0, 8.0], 3, 3)
println(A .* 2)
# CHECK-NEXT: sparse([1, 3, 2, 1, 3], [1, 1, 2, 3, 3], [11.0, -2.0, 0.0, 4.0, 5.0], 3, 3)
println(A .+ B)
# CHECK-NEXT: true [11.0 0.0 4.0; 0.0 0.0 0.0; -2.0 0.0 5.0] true
println(Array(A .+ B) == Array(R + B), " ", Array(R .+ B), " ", R .+ B isa CuSparseMatrixCSR{Float64,Int32})
# CHECK-NEXT: CuArray{Float64, 2, CUDA.DeviceMemory} [2.0 1.0 5.0; 1.0 4.0 1.0; -1.0 1.0 1.0] [2.0 0.0 8.0; 0.0 6.0 0.0; -4.0 0.0 0.0]
println(typeof(A .+ 1), " ", Array(A .+ 1), " ", Array(A .* CUDA.fill(2, 3, 3)))
# Reductions: elements that are not stored are zeros.
# CHECK-NEXT: 6.0 [-1.0 3.0 4.0] [5.0; 3.0; -2.0;;] [1.0 3.0 4.0] [4.0; 3.0; 0.0;;]
println(sum(A), " ", Array(sum(A; dims=1)), " ", Array(sum(A; dims=2)), " ", Array(maximum(R; dims=1)), " ", Array(maximum(R; dims=2)))
# CHECK-NEXT: 10.0 0.0 4.0 19.0 5.0 4.0
println(mapreduce(abs, +, A), " ", prod(abs, A), " ", mapreduce(abs, max, A), " ", mapreduce(x -> x + 1, +, A) + 4, " ", opnorm(A, Inf), " ", opnorm(A, 1))
# CHECK-NEXT: [13.0, 6.0, -2.0] [13.0, 6.0, -2.0] [1.0 8.0; 0.0 9.0; -2.0 -4.0] [27.0, 14.0, -1.0]
x = CuArray([1.0, 2.0, 3.0])
println(Array(A * x), " ", Array(R * x), " ", Array(R * CuArray([1.0 2; 0 3; 0 1.5])), " ", Array(mul!(copy(x), A, x, 2, 1)))
v = CuSparseVector(sparsevec([2, 4], [3, -1], 5))
w = CuSparseVector(sparsevec([1, 2], [5, 7], 5))
# CHECK-NEXT: true Int32[2, 4] sparsevec([1, 2, 4], [5, 10, -1], 5) sparsevec([1, 2, 4], [0, 21, 0], 5) [1, 4, 1, 0, 1]
println(v isa CuSparseVector{Int,Int32}, " ", Array(SparseArrays.nonzeroinds(v)), " ", v .+ w, " ", v .* w, " ", Array(v .+ 1))
# CHECK-NEXT: true false true (0.0, -2.0, 4.0) 3 [1.0, 0.0, -2.0]
println(iszero(v .* 0), " ", iszero(v), " ", iszero(CuSparseMatrixCSC(spzeros(2, 2))), " ", CUDA.@allowscalar((A[2, 1], A[3, 1], R[1, 3])), " ", CUDA.@allowscalar(v[2]), " ", Array(A[:, 1]))
# CHECK-NEXT: true (2, 4) 0 true
s = similar(R, Float32, 2, 4)
println(s isa CuSparseMatrixCSR{Float32,Int32}, " ", size(s), " ", nnz(s), " ", GPUArrays.dense_array_type(R) === CuArray)
# CHECK-NEXT: [-5.0, 6.0, 4.0] true [1.0 0.0 -2.0; 0.0 3.0 0.0; 4.0 0.0 0.0] true
t = A' * x # (1 - 6, 6, 4)
println(Array(t), " ", Array(transpose(R) * x) == Array(t), " ", Array(copy(A')), " ", copy(R') isa CuSparseMatrixCSR)
# CHECK-NEXT: (Int32[1, 3, 2, 1], Int32[1, 1, 2, 3], [1.0, -2.0, 3.0, 4.0]) (Int32[1, 1, 2, 3], Int32[1, 3, 2, 1], [1.0, 4.0, 3.0, -2.0])
println(map(Array, findnz(A)), " ", map(Array, findnz(R)))
S = sparse(CuArray([2, 1, 2]), CuArray([1, 2, 1]), CuArray([1.5, 2.0, 0.5]), 2, 3; fmt=:csr)
# CHECK-NEXT: true [0.0 2.0 0.0; 2.0 0.0 0.0] sparse([1, 3, 2, 1], [1, 1, 2, 3], [1.0, 2.0, 3.0, 4.0], 3, 3)
println(S isa CuSparseMatrixCSR, " ", Array(S), " ", map(abs, A))
# CHECK-NEXT: true true true true
println(cu(h) isa CuSparseMatrixCSC{Float32}, " ", adapt(CuArray, h) == A, " ", adapt(Array, A) == h, " ", adapt(CuArray, sparsevec([1], [2], 3)) isa CuSparseVector)
# In kernels, and stored into dense arrays.
function copy_elements(out, A, v)
    i, j = threadIdx().x, blockIdx().x
    out[i, j] = A[i, j] + v[j] + nnz(A)
    return
end
out = CUDA.zeros(Float64, 3, 3)
@cuda threads=3 blocks=3 copy_elements(out, A, w)
# CHECK-NEXT: [10.0 11.0 8.0; 9.0 14.0 4.0; 7.0 11.0 4.0]
println(Array(out))
@cuda threads=3 blocks=3 copy_elements(out, R, v)
# CHECK-NEXT: [5.0 7.0 8.0; 4.0 10.0 4.0; 2.0 7.0 4.0] [3.0 1.0 9.0; 1.0 7.0 1.0; -3.0 1.0 1.0]
print(Array(out), " ")
out .= A .* 2 .+ 1
println(Array(out))
for f in (() -> A[4, 1], () -> A[1, 1], () -> opnorm(A, 2), () -> A + CuSparseMatrixCSC(spzeros(2, 2)))
    try
        f()
    catch e
        println(typeof(e))
    end
end
# CHECK-NEXT: BoundsError
# CHECK-NEXT: ErrorException
# CHECK-NEXT: ArgumentError
# CHECK-NEXT: DimensionMismatch
