# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Linear algebra of host arrays: as Julia 1.10 prints it.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
using LinearAlgebra
A = [4.0 2.0; 2.0 2.0]
#      CHECK:[1.0, 0.5] [1.0 0.0; 0.0 1.0] [1.0 0.0; 0.0 1.0]
println(A \ [5.0, 3.0], " ", A \ A, " ", A / A)
# CHECK-NEXT:[0.5 -0.5; -0.5 1.0] 4.0 -2.0 6.0
println(inv(A), " ", det(A), " ", det([1 2; 3 4]), " ", tr(A))
# CHECK-NEXT:[-1.9999999999999996 0.9999999999999998; 1.4999999999999998 -0.4999999999999999]
println(inv([1 2; 3 4]))
# CHECK-NEXT:Rational{Int64}[-2//1, 7//2] Rational{Int64}[-2//1 1//1; 3//2 -1//2] -2//1 Float32
R = [1//1 2//1; 3//1 4//1]
println(R \ [5, 8], " ", inv(R), " ", det(R), " ", eltype([1.0f0 2; 3 4] \ [1.0f0, 2]))
# CHECK-NEXT:true true
n = 60
M = [1 / (i + j) + (i == j) for i in 1:n, j in 1:n]
x = collect(1.0:n)
println(M \ (M * x) ≈ x, " ", inv(M) * M ≈ Matrix(1.0I, n, n))
# CHECK-NEXT:[1.0, 2.0] true
X = [1.0 1; 1 2; 1 3]
println(round.(X \ [3.0, 5, 7]; digits=10), " ", [2.0im 1; 1 0] \ [1, 1] ≈ [1, 1 - 2im])
# CHECK-NEXT:[3.0 4.0; 1.0 2.0] [1.0 0.0; 0.5 1.0] [3.0 4.0; 0.0 2.0] [2, 1]
F = lu([2.0 4.0; 4.0 4.0] / 1)
L, U, p = lu([1.5 4.0; 3.0 4.0])
println([1.0 2.0; 3.0 4.0][[2, 1], :], " ", L, " ", U, " ", p)
# CHECK-NEXT:true -8.0 [2.0 0.0; 1.0 2.0] true
println(F \ [6.0, 8.0] == [1.0, 1.0], " ", det(F), " ", cholesky([4.0 2.0; 2.0 5.0]).L, " ", isposdef([2 0; 0 1]))
# CHECK-NEXT:[7 10; 15 22] [37 54; 81 118] [1 0; 0 1]
B = [1 2; 3 4]
println(B^2, " ", B^3, " ", B^0)
# CHECK-NEXT:[1, 4] [3] [1 0; 0 2] [1 2; 0 4] [1 0; 3 4] [1 2; 1 2] [-3, 6, -3] [0.6, 0.8]
println(diag(B), " ", diag(B, -1), " ", diagm([1, 2]), " ", triu(B), " ", tril(B), " ", kron([1 2], [1, 1]), " ", cross([1, 2, 3], [4, 5, 6]), " ", normalize([3.0, 4.0]))
# CHECK-NEXT:[2 2; 3 5] [1.0 0.0; 0.0 1.0] [2, 4] UniformScaling{Int64}(2)
println(B + I, " ", Matrix{Float64}(I, 2, 2), " ", 2I * [1, 2], " ", 2I)
# CHECK-NEXT:[3 4; 6 8] 11 [7 10] [5.0, 11.0] 6.0 7.0
println([1, 2] * [3, 4]', " ", [1, 2]' * [3, 4], " ", [1, 2]' * B, " ", mul!(zeros(2), B, [1, 2]), " ", opnorm([1.0 2; 3 4], 1), " ", opnorm(B, Inf) + 0.0)
# CHECK-NEXT:[1 2; 4 6] [3 4; 1 2] [2 1; 3 4] [4 6] [2 2]
println(cumsum(B; dims=1), " ", reverse(B; dims=1), " ", sort([3 1; 2 4]; dims=1), " ", mapslices(sum, B; dims=1), " ", diff(B; dims=1))
# CHECK-NEXT:2×2 adjoint(::Matrix{Int64}) with eltype Int64:
# CHECK-NEXT: 1  3
# CHECK-NEXT: 2  4
display(B')
for f in (() -> [1.0 2; 2 4] \ [1.0, 2], () -> inv([1 2 3; 4 5 6]), () -> inv([0.0 0; 0 0]), () -> B \ [1, 2, 3], () -> cholesky([1.0 2; 2 1]), () -> [1.0 2 3; 4 5 6] \ [1.0, 2])
    try
        f()
    catch e
        println(sprint(showerror, e))
    end
end
# CHECK-NEXT:SingularException(2)
# CHECK-NEXT:DimensionMismatch: matrix is not square: dimensions are (2, 3)
# CHECK-NEXT:SingularException(1)
# CHECK-NEXT:DimensionMismatch: arguments must have the same number of rows
# CHECK-NEXT:PosDefException: matrix is not positive definite; Factorization failed.
# CHECK-NEXT:ArgumentError: \: a system with fewer equations than unknowns is not supported: write A' * ((A * A') \ b) for the shortest solution
# A product of a matrix and its own adjoint is Hermitian to the last bit.
println(all(ishermitian(X * X') && ishermitian(X' * X) && issymmetric(transpose(X) * X) for X in (randn(7, 9), randn(ComplexF64, 33, 20), randn(Float32, 300, 300))), [1 2im; 3 4]' * [1 2im; 3 4])
# CHECK-NEXT:trueComplex{Int64}[10 + 0im 12 + 2im; 12 - 2im 20 + 0im]
println([1.0, 2]' * UpperTriangular([1.0 2; 0 3]), [1.0, 2]' * Symmetric([1.0 2; 2 3]), transpose([1.0, 2]) * LowerTriangular([1.0 2; 2 3]))
# CHECK-NEXT:[1.0 8.0][5.0 8.0][5.0 6.0]
