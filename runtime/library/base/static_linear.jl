# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: base/marray
# Linear algebra of static arrays: sums, products, transposes; determinants and inverses of small square matrices.

for op in (:+, :-)
    @eval @inline $op(A::StaticArray, B::StaticArray) = map($op, A, B)
    @eval @inline $op(A::StaticArray) = map($op, A)
end
@inline *(x::Number, A::StaticArray) = map(Fix1(*, x), A)
@inline *(A::StaticArray, x::Number) = map(Fix2(*, x), A)
@inline /(A::StaticArray, x::Number) = map(Fix2(/, x), A)

# ---- products. The transpose of a static vector is lazy, as for other vectors; that of a static matrix is a new
# matrix.
const StaticRow = Union{Adjoint{<:Any,<:StaticArray},Transpose{<:Any,<:StaticArray}}
@inline size(a::StaticRow) = (1, length(a.parent))
@inline broadcast_kind(a::StaticRow) = OfStatic()
@inline first_array(a::StaticRow) = a.parent
@inline adjoint(A::StaticMatrix) = turned_over(adjoint, A)
@inline transpose(A::StaticMatrix) = turned_over(transpose, A)
@inline turned_over(f, A) = static_like(A, Val((columns(A), rows(A))), ntuple(TurnedOver(f, A), Val(length(A))))
struct TurnedOver{F,A} <: Function
    f::F
    items::A
end
@inline (t::TurnedOver)(p) = (n = columns(t.items); t.f(@inbounds t.items[div(p - 1, n) + 1, rem(p - 1, n) + 1]))
# Computes entry (i, j) of A * B from a column-major element number.
struct EntryOf{A,B} <: Function
    a::A
    b::B
end
@inline (e::EntryOf)(p) = (m = rows(e.a); entry_of(e.a, e.b, rem(p - 1, m) + 1, div(p - 1, m) + 1))
@inline entry_of(A, B, i, j) = columns(A) === 0 ? zero(eltype(A)) * zero(eltype(B)) : entry_sum(A, B, i, j, Val(columns(A)))
@inline entry_sum(A, B, i, j, ::Val{n}) where {n} = afoldl(AddTerm(A, B, i, j), (@inbounds A[i, 1] * B[1, j]), tail(ntuple(identity, Val(n)))...)
struct AddTerm{A,B} <: Function
    a::A
    b::B
    i::Int
    j::Int
end
@inline (t::AddTerm)(sum, k) = @inbounds add_product(t.a[t.i, k], t.b[k, t.j], sum)
@inline function static_product(A, B, dims::Val, like)
    columns(A) === rows(B) || throw(DimensionMismatch("the rows of the first factor and the columns of the second differ in length"))
    return static_like(like, dims, ntuple(EntryOf(A, B), Val(rows(A) * columns(B))))
end
@inline *(A::StaticMatrix, b::StaticVector) = static_product(A, b, Val((rows(A),)), A)
@inline *(A::StaticMatrix, B::StaticMatrix) = static_product(A, B, Val((rows(A), columns(B))), A)
@inline *(a::StaticVector, B::Union{StaticMatrix,StaticRow}) = static_product(a, B, Val((rows(a), columns(B))), a)
@inline function *(a::StaticRow, b::StaticVector)
    columns(a) === length(b) || throw(DimensionMismatch("the vectors of a product differ in length"))
    return entry_of(a, b, 1, 1)
end
@inline *(a::Adjoint{<:Any,<:StaticArray}, B::StaticMatrix) = adjoint(adjoint(B) * parent(a))
@inline *(a::Transpose{<:Any,<:StaticArray}, B::StaticMatrix) = transpose(transpose(B) * parent(a))
@inline dot(A::SArray, B::SArray) = length(A) === 0 ? zero(eltype(A)) * zero(eltype(B)) : dot(Tuple(A), Tuple(B))
@inline cross(a::StaticVector{3}, b::StaticVector{3}) = static_like(a, Val((3,)), cross(Tuple(a), Tuple(b)))
@inline cross(a::StaticVector{2}, b::StaticVector{2}) = a[1] * b[2] - a[2] * b[1]
@inline normalize(v::StaticArray) = v * inv(norm(v))
@inline normalize(v::StaticArray, p::Real) = v * inv(norm(v, p))

# ---- square matrices
@inline tr(A::StaticMatrix) = reduce(+, ntuple(DiagonalOf(A), Val(checksquare(A))))
struct DiagonalOf{A} <: Function
    items::A
end
@inline (d::DiagonalOf)(i) = @inbounds d.items[i, i]
@inline checksquare(A::StaticMatrix) = rows(A) === columns(A) ? rows(A) : throw(DimensionMismatch("the matrix is not square"))
@inline det(A::StaticMatrix) = det_of(Val(checksquare(A)), Tuple(A))
@inline det_of(::Val{1}, a) = a[1]
@inline det_of(::Val{2}, a) = a[1] * a[4] - a[3] * a[2]
@inline det_of(::Val{3}, a) = afoldl(+, map(*, cofactors(a, 1), (a[1], a[2], a[3]))...)
det_of(::Val{n}, a) where {n} = static_error("det of a static matrix of ", n, " rows: there are formulas for up to 3 rows only")
# Cofactors of column j of a 3x3 matrix: the cross product of the two columns that follow j cyclically.
@inline cofactors(a, j) = j === 1 ? cross((a[4], a[5], a[6]), (a[7], a[8], a[9])) : j === 2 ? cross((a[7], a[8], a[9]), (a[1], a[2], a[3])) : cross((a[1], a[2], a[3]), (a[4], a[5], a[6]))
@inline inv(A::StaticMatrix) = static_like(A, Val(size(A)), inverse_of(Val(checksquare(A)), Tuple(A)))
@inline inverse_of(::Val{1}, a) = (inv(a[1]),)
@inline inverse_of(v::Val{2}, a) = (d = inv(det_of(v, a)); (a[4] * d, -(a[2] * d), -(a[3] * d), a[1] * d))
@inline function inverse_of(v::Val{3}, a)
    (x, y, z) = (cofactors(a, 1), cofactors(a, 2), cofactors(a, 3))
    d = inv(det_of(v, a))
    return (x[1] * d, y[1] * d, z[1] * d, x[2] * d, y[2] * d, z[2] * d, x[3] * d, y[3] * d, z[3] * d)
end
inverse_of(::Val{n}, a) where {n} = static_error("inv of a static matrix of ", n, " rows: there are formulas for up to 3 rows only")
@inline \(A::StaticMatrix, b::StaticArray) = inv(A) * b

# ---- operations with UniformScaling, a multiple of the identity matrix
@inline *(A::StaticArray, J::UniformScaling) = A * J.λ
@inline *(J::UniformScaling, A::StaticArray) = J.λ * A
@inline +(A::StaticMatrix, J::UniformScaling) = A + scaled_identity(A, J)
@inline -(A::StaticMatrix, J::UniformScaling) = A - scaled_identity(A, J)
@inline +(J::UniformScaling, A::StaticMatrix) = scaled_identity(A, J) + A
@inline -(J::UniformScaling, A::StaticMatrix) = scaled_identity(A, J) - A
@inline scaled_identity(A, J) = static_like(A, Val(size(A)), ntuple(OnDiagonal(J.λ, checksquare(A)), Val(length(A))))
@inline (::Type{A})(J::UniformScaling) where {A<:SArray} = A(identity_items(sides_in(A), J.λ))
@inline (::Type{A})(J::UniformScaling) where {A<:MArray} = A(identity_items(sides_in(A), J.λ))

# ---- random arrays
@inline rand(::Type{A}) where {A<:StaticArray} = drawn_array(rand, A)
@inline randn(::Type{A}) where {A<:StaticArray} = drawn_array(randn, A)
@inline randexp(::Type{A}) where {A<:StaticArray} = drawn_array(randexp, A)
@inline drawn_array(f, ::Type{A}) where {A<:StaticArray} = A(ntuple(DrawOne{element_in(A, Float64),typeof(f)}(f), item_count(sides_in(A))))
struct DrawOne{T,F} <: Function
    f::F
end
@inline (d::DrawOne{T})(i) where {T} = d.f(T)
