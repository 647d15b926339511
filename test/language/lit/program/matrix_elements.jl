# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Elements, shapes and element types of wrapped matrices (Julia's LinearAlgebra, "Special matrices"; Base's reshape, view and convert).
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using LinearAlgebra
throws(f, E) = try f(); false catch e; e isa E end
# Elements that a matrix does not store have bounds too.
matrices = (Diagonal([1, 2]), UpperTriangular([1 2; 3 4]), LowerTriangular([1 2; 3 4]), UnitUpperTriangular([1 2; 3 4]), UnitLowerTriangular([1 2; 3 4]),
            Bidiagonal([1, 2], [3], :U), SymTridiagonal([1, 2], [3]), Tridiagonal([3], [1, 2], [4]))
for M in matrices
    print(all(throws(() -> M[i, j], BoundsError) for (i, j) in ((1, 5), (5, 1), (3, 3), (0, 1))), " ", collect(M), " ")
end
# CHECK: true [1 0; 0 2] true [1 2; 0 4] true [1 0; 3 4] true [1 2; 0 1] true [1 0; 3 1] true [1 3; 0 2] true [1 3; 3 2] true [1 4; 3 2]
println()
# The blocks on the diagonal of a symmetric matrix are symmetric themselves.
m = [1 2; 3 4]
c = [1+1im 2; 3im 4]
S = Symmetric([[m] [m]; [m] [m]])
println(S[1, 1], " ", S[1, 2], " ", S[2, 1], " ", Symmetric([[m] [m]; [m] [m]], :L)[2, 2], " ", Hermitian([[c] [c]; [c] [c]])[1, 1])
# CHECK-NEXT: [1 2; 2 4] [1 2; 3 4] [1 3; 2 4] [1 3; 3 4] Complex{Int64}[1 + 0im 2 + 0im; 2 + 0im 4 + 0im]
println(transpose(S) == S, " ", transpose(S)[1, 1] == S[1, 1])
# CHECK-NEXT: true true
# A conversion of the elements keeps the kind of matrix.
println(join([string(nameof(typeof(convert(AbstractArray{Float64}, M))), eltype(AbstractMatrix{Float64}(M))) for M in (matrices..., Symmetric(m), Hermitian(m))], " "))
# CHECK-NEXT: DiagonalFloat64 UpperTriangularFloat64 LowerTriangularFloat64 UnitUpperTriangularFloat64 UnitLowerTriangularFloat64 BidiagonalFloat64 SymTridiagonalFloat64 TridiagonalFloat64 SymmetricFloat64 HermitianFloat64
# The last of N dimensions takes the rest.
println(size(reshape(ones(2, 3, 4), Val(2))), size(reshape(ones(2), Val(3))), size(reshape(ones(2, 3), Val(1))), size(reshape(fill(1), Val(2))))
# CHECK-NEXT: (2, 12)(2, 1, 1)(6,)(1, 1)
# Every index of a view is checked, also those in the middle of a list.
struct Places <: AbstractVector{Int}
    list::Vector{Int}
end
Base.size(p::Places) = size(p.list)
Base.getindex(p::Places, i::Int) = p.list[i]
println(view([1, 2, 3], Places([3, 1])), " ", throws(() -> view([1, 2, 3], Places([1, 4, 2])), BoundsError))
# CHECK-NEXT: [3, 1] true
# A style's destination has to have the shape of the nest, also where a package invokes the general method.
struct OwnStyle <: Broadcast.AbstractArrayStyle{1} end
struct Own <: AbstractVector{Int}
    list::Vector{Int}
end
Base.size(o::Own) = size(o.list)
Base.getindex(o::Own, i::Int) = o.list[i]
Base.setindex!(o::Own, x, i::Int) = (o.list[i] = x)
OwnStyle(::Val{1}) = OwnStyle()
Base.BroadcastStyle(::Type{Own}) = OwnStyle()
Broadcast.instantiate(b::Broadcast.Broadcasted{OwnStyle}) = invoke(Broadcast.instantiate, Tuple{Broadcast.Broadcasted}, b)
o = Own([1, 2])
println(throws(() -> (o .= Own([1, 2, 3]) .+ 1), DimensionMismatch), " ", o .= o .+ 1)
# CHECK-NEXT: true [2, 3]
# A conversion of a transposed array keeps it transposed.
for A in ([1 2; 3 4]', transpose([1, 2]), [1im, 2]')
    B = convert(AbstractArray{ComplexF64}, A)
    print(nameof(typeof(B)), " ", eltype(B), " ", B == A, " ")
end
# CHECK-NEXT: Adjoint {{.*}} true Transpose {{.*}} true Adjoint {{.*}} true
println()
# A package's axes reach its method for a tuple of them.
struct Sides <: AbstractUnitRange{Int}
    n::Int
end
Base.first(s::Sides) = 1
Base.last(s::Sides) = s.n
Base.reshape(A::AbstractArray, sides::Tuple{Sides,Vararg{Sides}}) = reshape(A, map(last, sides))
println(reshape([1, 2, 3, 4], Sides(2), Sides(2)), " ", reshape([1, 2], 2, Base.OneTo(1)), " ", throws(() -> reshape([1, 2], 1:2), MethodError))
# CHECK-NEXT: [1 3; 2 4] [1; 2;;] true
