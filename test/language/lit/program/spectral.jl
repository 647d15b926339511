# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Eigenvalues, singular values, QR. Values are those of NumPy 2.4 (numpy.linalg: eigvals, eigvalsh, svd, qr, cond, pinv, lstsq).
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
using LinearAlgebra
rounded(x; n=8) = round.(x; digits=n) .+ 0.0
A = [4.0 1 2; 1 3 0; 2 0 5]
B = [1.0 2 3; 4 5 6; 7 8 10]
#      CHECK:[1.85489731, 3.4760236, 6.66907909]
println(rounded(eigvals(A)))
# CHECK-NEXT:[-0.90574018, 0.19824686, 16.70749332]
println(rounded(eigvals(B)))
# CHECK-NEXT:ComplexF64[0.0 - 1.0im, 0.0 + 1.0im, 2.0 + 0.0im]
println(eigvals([0.0 -1 0; 1 0 0; 0 0 2]))
# CHECK-NEXT:[-0.09807621, 5.09807621] [0.3660254, -1.3660254]
d = eigvals([1.0+1im 2; 3 4-2im])
println(rounded(real.(d)), " ", rounded(imag.(d)))
# CHECK-NEXT:[1.38196601, 3.61803399]
println(rounded(eigvals([2.0 1im; -1im 3])))
# CHECK-NEXT:[17.41250517, 0.87516135, 0.19686652] [9.52551809, 0.51430058] [9.52551809, 0.51430058]
println(rounded(svdvals(B)), " ", rounded(svdvals([1 2; 3 4; 5 6])), " ", rounded(svdvals([1 3 5; 2 4 6])))
# CHECK-NEXT:[-8.1240384 -9.6011363 -11.93987462; 0.0 0.90453403 1.50755672; 0.0 0.0 0.40824829]
Q, R = qr(B)
println(rounded(R))
# CHECK-NEXT:17.41250517 88.44827992 133.0 1 3 0
println(rounded(opnorm(B)), " ", rounded(cond(B)), " ", rounded(cond(B, 1); n=6), " ", rank([1 2; 2 4]), " ", rank(B), " ", rank(zeros(2, 2)))
# CHECK-NEXT:[-1.33333333 -0.33333333 0.66666667; 1.08333333 0.33333333 -0.41666667]
println(rounded(pinv([1.0 2; 3 4; 5 6])))
# CHECK-NEXT:[0.66666667, 0.5] (3, 3) (3, 2)
F = qr([1.0 1; 1 2; 1 3])
println(rounded(F \ [1.0, 2, 2]), " ", size(F.Q), " ", size(Matrix(F.Q)))

# Larger ones, whose loops are compiled.
n = 20
S = [sin(i * j) + 0.5 * (i - j) for i in 1:n, j in 1:n]
E = eigen(S)
# CHECK-NEXT:167.92814 3.49438 57.4924 [58.9497, 0.66849]
println(rounded(sum(abs, E.values); n=5), " ", rounded(maximum(real, E.values); n=5), " ", rounded(maximum(imag, E.values); n=5), " ", rounded(svdvals(S)[[1, 20]]; n=5))

# What makes them what they are.
small(X) = maximum(abs, X) < 1e-11
# CHECK-NEXT:true true true
println(small(S * E.vectors - E.vectors * diagm(E.values)), " ", small(A * eigvecs(A) - eigvecs(A) * diagm(eigvals(A))), " ", small(eigvecs(A)' * eigvecs(A) - I))
U, s, V = svd(S)
# CHECK-NEXT:true true true true
println(small(U * diagm(s) * V' - S), " ", small(U' * U - I), " ", small(V' * V - I), " ", issorted(s; rev=true))
# CHECK-NEXT:true true true true
println(small(Q * R - B), " ", small(Q' * Q - I), " ", istriu(R), " ", small(B * pinv(B) - I))
N = nullspace([1.0 1 1])
# CHECK-NEXT:(3, 2) true true
println(size(N), " ", small([1.0 1 1] * N), " ", small(N' * N - I))
Z = svd([1.0 0; 0 0])
# CHECK-NEXT:[1.0, 0.0] true
println(Z.S, " ", small(Z.U' * Z.U - I))
# CHECK-NEXT:[2.0, 2.0, 3.0]
println(eigvals([2.0 0 1; 0 2 0; 0 0 3]))
# CHECK-NEXT:Eigen{Float64, Float64, Matrix{Float64}, Vector{Float64}}
# CHECK-NEXT:values:
# CHECK-NEXT:2-element Vector{Float64}:
# CHECK-NEXT: 1.0
# CHECK-NEXT: 3.0
# CHECK-NEXT:vectors:
# CHECK-NEXT:2×2 Matrix{Float64}:
# CHECK-NEXT: 1.0  0.0
# CHECK-NEXT: 0.0  1.0
display(eigen([1.0 0; 0 3.0]))
# CHECK-NEXT:ArgumentError: matrix contains Infs or NaNs
# CHECK-NEXT:DimensionMismatch: matrix is not square: dimensions are (2, 3)
for f in (() -> eigen([NaN 1; 1 0]), () -> eigvals([1 2 3; 4 5 6]))
    try
        f()
    catch e
        println(sprint(showerror, e))
    end
end
