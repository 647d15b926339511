# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular, AbstractTriangular, Symmetric, Hermitian, Diagonal, Bidiagonal, Tridiagonal, SymTridiagonal, HermOrSym, RealHermSymComplexHerm
# Matrices of LinearAlgebra that wrap another one: triangular, symmetric, diagonal. This file defines their elements;
# packages and programs provide products and solutions.

abstract type AbstractTriangular{T} <: AbstractMatrix{T} end
struct UpperTriangular{T,S} <: AbstractTriangular{T}
    data::S
end
struct LowerTriangular{T,S} <: AbstractTriangular{T}
    data::S
end
struct UnitUpperTriangular{T,S} <: AbstractTriangular{T}
    data::S
end
struct UnitLowerTriangular{T,S} <: AbstractTriangular{T}
    data::S
end
for M in (:UpperTriangular, :LowerTriangular, :UnitUpperTriangular, :UnitLowerTriangular)
    @eval begin
        @inline $M(A::AbstractMatrix) = (checksquare(A); $M{eltype(A),typeof(A)}(A))
        @inline $M(A::$M) = A
        @inline size(A::$M) = size(A.data)
        @inline parent(A::$M) = A.data
    end
end
# Elements that a matrix does not store.
@propagate_inbounds unstored(A, i::Int, j::Int) = (@boundscheck checkbounds(A, i, j); zero(eltype(A)))
@propagate_inbounds stored_one(A, i::Int, j::Int) = (@boundscheck checkbounds(A, i, j); one(eltype(A)))
@propagate_inbounds getindex(A::UpperTriangular, i::Int, j::Int) = i <= j ? A.data[i, j] : unstored(A, i, j)
@propagate_inbounds getindex(A::LowerTriangular, i::Int, j::Int) = i >= j ? A.data[i, j] : unstored(A, i, j)
@propagate_inbounds getindex(A::UnitUpperTriangular, i::Int, j::Int) = i < j ? A.data[i, j] : i == j ? stored_one(A, i, j) : unstored(A, i, j)
@propagate_inbounds getindex(A::UnitLowerTriangular, i::Int, j::Int) = i > j ? A.data[i, j] : i == j ? stored_one(A, i, j) : unstored(A, i, j)
# Outside of the triangle only zeros may be stored, and on a unit diagonal only ones.
@propagate_inbounds setindex!(A::Union{UpperTriangular,UnitUpperTriangular}, v, i::Int, j::Int) = set_in_triangle!(A, v, i, j, i < j, "lower", "Upper")
@propagate_inbounds setindex!(A::Union{LowerTriangular,UnitLowerTriangular}, v, i::Int, j::Int) = set_in_triangle!(A, v, i, j, i > j, "upper", "Lower")
@propagate_inbounds function set_in_triangle!(A, v, i, j, is_inside, outside, name)
    is_unit = A isa Union{UnitUpperTriangular,UnitLowerTriangular}
    if is_inside || (i == j && !is_unit)
        A.data[i, j] = v
    elseif i == j
        isone(v) || throw(ArgumentError(message("cannot set index on the diagonal (", i, ", ", j, ") of a Unit", name, "Triangular matrix to a non-unit value (", v, ")")))
    elseif !iszero(v)
        throw(ArgumentError(message("cannot set index in the ", outside, " triangular part (", i, ", ", j, ") of an ", is_unit ? "Unit" : "", name, "Triangular matrix to a nonzero value (", v, ")")))
    end
    return A
end
@inline transpose(A::UpperTriangular) = LowerTriangular(transpose(A.data))
@inline transpose(A::LowerTriangular) = UpperTriangular(transpose(A.data))
@inline transpose(A::UnitUpperTriangular) = UnitLowerTriangular(transpose(A.data))
@inline transpose(A::UnitLowerTriangular) = UnitUpperTriangular(transpose(A.data))
@inline adjoint(A::UpperTriangular) = LowerTriangular(adjoint(A.data))
@inline adjoint(A::LowerTriangular) = UpperTriangular(adjoint(A.data))
@inline adjoint(A::UnitUpperTriangular) = UnitLowerTriangular(adjoint(A.data))
@inline adjoint(A::UnitLowerTriangular) = UnitUpperTriangular(adjoint(A.data))

# ---- Symmetric and Hermitian: one triangle of the parent determines the other
struct Symmetric{T,S} <: AbstractMatrix{T}
    data::S
    uplo::Char
end
struct Hermitian{T,S} <: AbstractMatrix{T}
    data::S
    uplo::Char
end
for M in (:Symmetric, :Hermitian)
    @eval begin
        @inline $M(A::AbstractMatrix, uplo::Symbol=:U) = (checksquare(A); $M{eltype(A),typeof(A)}(A, uplo === :U ? 'U' : uplo === :L ? 'L' : throw(ArgumentError("uplo is :U or :L"))))
        @inline $M(A::$M) = A
        @inline size(A::$M) = size(A.data)
        @inline parent(A::$M) = A.data
    end
end
const RealHermSymComplexHerm{T<:Real,S} = Union{Hermitian{T,S},Symmetric{T,S},Hermitian{Complex{T},S}}
const HermOrSym{T,S} = Union{Hermitian{T,S},Symmetric{T,S}}
@inline symmetric(x::Number, uplo::Symbol) = x
@inline symmetric(A::AbstractMatrix, uplo::Symbol) = Symmetric(A, uplo)
@inline hermitian(x::Number, uplo::Symbol) = real_of(x)
@inline hermitian(A::AbstractMatrix, uplo::Symbol) = Hermitian(A, uplo)
# A block on the diagonal is symmetric itself.
@inline symmetric_block(x, uplo) = x
@inline symmetric_block(x::AbstractMatrix, uplo) = Symmetric{eltype(x),typeof(x)}(x, uplo)
@inline hermitian_block(x, uplo) = real_of(x)
@inline hermitian_block(x::AbstractMatrix, uplo) = Hermitian{eltype(x),typeof(x)}(x, uplo)
@inline real_of(x::Real) = x
@inline real_of(x) = convert(typeof(x), real(x))
@propagate_inbounds getindex(A::Symmetric, i::Int, j::Int) = i == j ? symmetric_block(A.data[i, j], A.uplo) : (A.uplo == 'U') == (i < j) ? A.data[i, j] : transpose(A.data[j, i])
@propagate_inbounds getindex(A::Hermitian, i::Int, j::Int) = i == j ? hermitian_block(A.data[i, j], A.uplo) : (A.uplo == 'U') == (i < j) ? A.data[i, j] : adjoint(A.data[j, i])
@inline transpose(A::Symmetric) = A
@inline adjoint(A::Hermitian) = A

# ---- diagonal
struct Diagonal{T,V} <: AbstractMatrix{T}
    diag::V
end
@inline Diagonal(v::AbstractVector) = Diagonal{eltype(v),typeof(v)}(v)
@inline (::Type{Diagonal{T}})(v::AbstractVector) where {T} = Diagonal{T,typeof(v)}(v)
@inline Diagonal(D::Diagonal) = D
@inline size(D::Diagonal) = (length(D.diag), length(D.diag))
@inline parent(D::Diagonal) = D.diag
@propagate_inbounds getindex(D::Diagonal, i::Int, j::Int) = i == j ? D.diag[i] : unstored(D, i, j)
@inline transpose(D::Diagonal) = Diagonal(D.diag)
@inline *(a::Number, D::Diagonal) = Diagonal(a * D.diag)
@inline *(D::Diagonal, a::Number) = Diagonal(D.diag * a)
@inline +(D::Diagonal, E::Diagonal) = Diagonal(D.diag + E.diag)
@inline -(D::Diagonal, E::Diagonal) = Diagonal(D.diag - E.diag)
@inline -(D::Diagonal) = Diagonal(-D.diag)
@inline det(D::Diagonal) = prod(D.diag)
@inline tr(D::Diagonal) = sum(D.diag)
@inline diag(D::Diagonal) = D.diag

# ---- band matrices: the diagonal and its neighbours
struct Bidiagonal{T,V} <: AbstractMatrix{T}
    dv::V
    ev::V
    uplo::Char
end
struct SymTridiagonal{T,V} <: AbstractMatrix{T}
    dv::V
    ev::V
end
struct Tridiagonal{T,V} <: AbstractMatrix{T}
    dl::V
    d::V
    du::V
end
@inline Bidiagonal(dv::V, ev::V, uplo::Char) where {V<:AbstractVector} = (check_band(dv, ev); Bidiagonal{eltype(dv),V}(dv, ev, uplo == 'U' || uplo == 'L' ? uplo : throw(ArgumentError("uplo is :U or :L"))))
@inline Bidiagonal(dv::V, ev::V, uplo::Symbol) where {V<:AbstractVector} = Bidiagonal(dv, ev, uplo === :U ? 'U' : uplo === :L ? 'L' : '?')
@inline SymTridiagonal(dv::V, ev::V) where {V<:AbstractVector} = (check_band(dv, ev); SymTridiagonal{eltype(dv),V}(dv, ev))
@inline Tridiagonal(dl::V, d::V, du::V) where {V<:AbstractVector} = (check_band(d, dl); check_band(d, du); Tridiagonal{eltype(d),V}(dl, d, du))
@inline check_band(d, e) = length(e) + 1 == length(d) || (length(d) == 0 && length(e) == 0) || throw(DimensionMismatch("a band beside a diagonal has one element less"))
@inline size(A::Union{Bidiagonal,SymTridiagonal}) = (length(A.dv), length(A.dv))
@inline size(A::Tridiagonal) = (length(A.d), length(A.d))
@propagate_inbounds getindex(A::Bidiagonal, i::Int, j::Int) = i == j ? A.dv[i] : A.uplo == 'U' ? (j == i + 1 ? A.ev[i] : unstored(A, i, j)) : i == j + 1 ? A.ev[j] : unstored(A, i, j)
@propagate_inbounds getindex(A::SymTridiagonal, i::Int, j::Int) = i == j ? A.dv[i] : j == i + 1 ? A.ev[i] : i == j + 1 ? A.ev[j] : unstored(A, i, j)
@propagate_inbounds getindex(A::Tridiagonal, i::Int, j::Int) = i == j ? A.d[i] : j == i + 1 ? A.du[i] : i == j + 1 ? A.dl[j] : unstored(A, i, j)
@inline diag(A::Union{Bidiagonal,SymTridiagonal}) = A.dv
@inline diag(A::Tridiagonal) = A.d
@inline transpose(A::Bidiagonal) = Bidiagonal(A.dv, A.ev, A.uplo == 'U' ? 'L' : 'U')
@inline transpose(A::SymTridiagonal) = A
@inline transpose(A::Tridiagonal) = Tridiagonal(A.du, A.d, A.dl)
@inline adjoint(A::Bidiagonal) = Bidiagonal(map(conj, A.dv), map(conj, A.ev), A.uplo == 'U' ? 'L' : 'U')
@inline adjoint(A::Bidiagonal{<:Real}) = transpose(A)
@inline adjoint(A::SymTridiagonal{<:Real}) = A
@inline adjoint(A::Tridiagonal{<:Real}) = transpose(A)
@inline adjoint(A::Tridiagonal) = Tridiagonal(map(conj, A.du), map(conj, A.d), map(conj, A.dl))
@inline tr(A::Union{Bidiagonal,SymTridiagonal,Tridiagonal}) = sum(diag(A))
@inline det(A::Bidiagonal) = prod(A.dv)
# Determinant of a tridiagonal matrix, by its leading minors. Each minor follows from the two minors before it.
@inline det(A::Union{SymTridiagonal,Tridiagonal}) = minors(diag(A), k -> A[k, k+1] * A[k+1, k])
@inline function minors(d, beside)
    before = one(eltype(d))
    now = before
    for k in 1:length(d)
        (before, now) = (now, k == 1 ? d[1] * now : d[k] * now - beside(k - 1) * before)
    end
    return now
end

module LinearAlgebra
import Base: AbstractTriangular, UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular, Symmetric, Hermitian, Diagonal, Bidiagonal, SymTridiagonal, Tridiagonal
export UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular, Symmetric, Hermitian, Diagonal, Bidiagonal, SymTridiagonal, Tridiagonal
end
