# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Strides of views, pointers to elements of host arrays, and products of matrices at pointers.
#
# RUN: %kiln script %s | %filecheck %s
using LinearAlgebra
using LinearAlgebra.BLAS: @blasfunc
A = reshape(collect(1.0:24.0), 2, 3, 4)
V = view(A, :, 2:3, 1:2:4)
P = PermutedDimsArray(A, (3, 1, 2))
# CHECK: (1, 2, 6) (1, 2, 12) 12 (6, 1, 2) (2, 1) (1, 4, 24)
println(strides(A), " ", strides(V), " ", stride(V, 3), " ", strides(P), " ", strides([1 2; 3 4]'), " ", strides(reshape(A, 4, 6, 1)))
# CHECK-NEXT: 1.0 4.0 true true
println(unsafe_load(pointer(A)), " ", unsafe_load(pointer(A), 4), " ", [unsafe_load(pointer(V, i)) for i in 1:length(V)] == vec(collect(V)), " ", unsafe_load(pointer(P, 2)) == P[2])
unsafe_store!(pointer(A, 2), 20.0)
# CHECK-NEXT: 20.0
println(A[2])
message(f) = try f() catch e sprint(showerror, e) end
# CHECK-NEXT: ArgumentError: no array of the program is at the address of Ptr{Float64}(0x0000000000000008)
println(message(() -> unsafe_load(Ptr{Float64}(UInt64(8)))))
# CHECK-NEXT: BoundsError: attempt to access 24-element Vector{Float64} at index [25]
println(message(() -> unsafe_load(pointer(A), 25)))
gemm(ta, tb, m, n, k, a, A, lda, B, ldb, b, C, ldc) =
    ccall((@blasfunc(dgemm_), BLAS.libblastrampoline), Nothing,
        (Ref{UInt8}, Ref{UInt8}, Ref{Int}, Ref{Int}, Ref{Int}, Ref{Float64}, Ptr{Float64}, Ref{Int}, Ptr{Float64}, Ref{Int}, Ref{Float64}, Ptr{Float64}, Ref{Int}),
        ta, tb, m, n, k, a, A, lda, B, ldb, b, C, ldc)
X = [1.0 2.0; 3.0 4.0; 5.0 6.0]
Y = [1.0 0.0; 2.0 1.0]
Z = ones(3, 2)
gemm('N', 'N', 3, 2, 2, 2.0, pointer(X), 3, pointer(Y), 2, 1.0, pointer(Z), 3)
# CHECK-NEXT: [11.0 5.0; 23.0 9.0; 35.0 13.0]
println(Z)
gemm('N', 'T', 2, 2, 2, 1.0, pointer(X, 2), 3, pointer(Y), 2, 0.0, pointer(Z), 3) # rows 2 and 3 of X
# CHECK-NEXT: [3.0 10.0; 5.0 16.0; 35.0 13.0]
println(Z)
# CHECK-NEXT: [3.0;;] [1, 3, 2, 4] 78 A
println([1.0] + reshape([2.0], 1, 1), " ", vec(cat([1, 3], [2, 4]; dims=Val(2))), " ", convert(UInt8, 'N'), " ", convert(Char, 65))
struct Plain <: Number
    x::Int
end
# CHECK-NEXT: + not defined for Plain
println(message(() -> Plain(1) + Plain(2)))
# reinterpret(reshape, ...) of a view shares its elements.
B = reshape(collect(1.0:12.0), 1, 4, 3)
R = reinterpret(reshape, Complex{Float64}, view(reshape(B, 2, 6), :, 2:5))
R[1] = 30 + 40im
# CHECK-NEXT: ComplexF64[30.0 + 40.0im, 5.0 + 6.0im, 7.0 + 8.0im, 9.0 + 10.0im] 30.0 (2, 4)
println(R, " ", B[3], " ", size(reinterpret(reshape, Float64, R)))
