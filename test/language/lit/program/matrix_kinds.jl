# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kinds of matrices and factorizations (Julia's LinearAlgebra): arithmetic that keeps a matrix's kind, factorizations of packages, Sylvester's equation.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using LinearAlgebra
kind(A) = string(nameof(typeof(A)))
M = [1 2; 3 4]
println(join(map(kind, (2 * LowerTriangular(M), UpperTriangular(M) / 2, Symmetric(M) * 3, 2 * Hermitian(M), 2im * Hermitian(M), -UpperTriangular(M), -Diagonal([1, 2]))), " "))
# CHECK: LowerTriangular UpperTriangular Symmetric Hermitian Array UpperTriangular Diagonal
println(2 * UnitLowerTriangular(M), " ", kind(2 * UnitLowerTriangular(M)), " ", UpperTriangular(M) + UpperTriangular(M), " ", kind(LowerTriangular(M) - LowerTriangular(M)))
# CHECK-NEXT: [2 0; 6 2] LowerTriangular [2 4; 0 8] LowerTriangular
F = lu([1.0 2; 3 4])
println(F isa LU, " ", F isa Factorization, " ", Matrix(F) ≈ M, " ", axes(F), " ", size(F, 1), " ", F \ [5, 11] ≈ [1, 2])
# CHECK-NEXT: true true true (Base.OneTo(2), Base.OneTo(2)) 2 true
# A package's factorization defines ldiv!(F, B).
struct Halves{T} <: Factorization{T} end
LinearAlgebra.ldiv!(::Halves, B::AbstractVecOrMat) = (B .*= 2; B)
println(Halves{Float64}() \ [1, 2], " ", ldiv!([0.0, 0.0], Halves{Float64}(), [3.0, 4.0]), " ", eltype(Halves{Float32}()))
# CHECK-NEXT: [2.0, 4.0] [6.0, 8.0] Float32
println(mul!([0, 0][1:1], [1 2], [3, 4]), " ", mul!([1], [1, 2]', [3, 4], 2, 1))
# CHECK-NEXT: [11] [23]
# Norms of collections of collections.
println(norm(([3, 4], [12])), " ", norm(([3, 4], [12]), 1), " ", norm(x for x in (3, 4)))
# CHECK-NEXT: 13.0 17.0 5.0
# LAPACK's trsyl: op(A)*X + s*X*op(B) = C.
A, B, C = [1.0 2; 0 3], [4.0 1; 0 5], [1.0 2; 3 4]
for (ta, tb, s) in (('N', 'N', 1), ('T', 'N', -1), ('N', 'C', 1))
    X, scale = LinearAlgebra.LAPACK.trsyl!(ta, tb, A, B, copy(C), s)
    print((ta == 'N' ? A : A') * X + s * X * (tb == 'N' ? B : B') ≈ scale * C, " ")
end
println()
# CHECK-NEXT: true true true
# Eigenvectors of a real symmetric matrix of two rows have the signs of LAPACK's dlaev2.
for A in ([1.0 2; 2 4], [2.0 1; 1 2], [4.0 2; 2 1], [-1.0 2; 2 -4], [-4.0 2; 2 -1], [-1.0 2; 2 -1], [0.0 1; 1 0], [1.0 -2; -2 4])
    E = eigen(Symmetric(A))
    print(Int.(sign.(E.vectors)), norm(A * E.vectors - E.vectors * Diagonal(E.values)) < 1e-12 ? " " : "wrong ")
end
println()
# CHECK-NEXT: [-1 1; 1 1] [-1 1; 1 1] [1 -1; -1 -1] [-1 -1; 1 -1] [-1 -1; 1 -1] [1 1; -1 1] [-1 1; 1 1] [-1 -1; -1 1]
println(accumulate(+, [1 2; 3 4]; init=10, dims=1), " ", accumulate(+, [1 2; 3 4]; dims=2, init=10))
# CHECK-NEXT: [11 12; 14 16] [11 13; 13 17]
# show writes an anonymous function's type and what it captures; print writes its name.
captured(v) = x -> x .+ v
println(repr(captured([1, 2])), " ", repr(x -> x), " ", x -> x)
# CHECK-NEXT: var"#{{[0-9]+}}"{Vector{Int64}}([1, 2]) var"#{{[0-9]+}}"() #{{[0-9]+$}}
# The factors of a tridiagonal matrix are bands. A vector is a matrix of one column.
G = lu(Tridiagonal([1, 2], [4, 5, 6], [1, 1]))
println(G isa LU{Float64,<:Tridiagonal}, " ", G \ [5.0, 9, 20] ≈ [1, 1, 3], " ", Matrix(G) ≈ [4 1 0; 1 5 1; 0 2 6])
# CHECK-NEXT: true true true
println(mul!([0, 0], [1, 2], [3]), " ", kind(similar(Tridiagonal([1], [2, 3], [4]), Float32)), " ", kind(copy(SymTridiagonal([1, 2], [3]))))
# CHECK-NEXT: [3, 6] Tridiagonal SymTridiagonal
D = Diagonal([1.0, 4]) # functions of a diagonal matrix
println(kind(sqrt(D)), sqrt(D).diag, " ", kind(exp(D)), " ", factorize(D) === D, " ", [1im, 2]' * Diagonal([2im, 3]), " ", transpose([2, 8]) / D)
# CHECK-NEXT: Diagonal[1.0, 2.0] Diagonal true Complex{Int64}[2 + 0im 6 + 0im] [2.0 2.0]
println([1 0; 0 1] == I, " ", I == [1.0 0; 0 1], " ", [2 0; 0 1] == I, " ", [1 0 0; 0 1 0] == I, " ", Diagonal([2, 2]) == 2I, " ", 2I == 2.0I, " ", [1 1; 0 1] != I)
# CHECK-NEXT: true true false false true true true
