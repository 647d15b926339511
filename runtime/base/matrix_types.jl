# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The matrices of LinearAlgebra that hold another one, and its names, for packages that give methods for them. What an
# element is, is said here; products and solutions are the packages'.

abstract type Factorization{T} end
abstract type AbstractTriangular{T} <: AbstractMatrix{T} end
abstract type PivotingStrategy end
struct NoPivot <: PivotingStrategy end
struct RowNonZero <: PivotingStrategy end
struct RowMaximum <: PivotingStrategy end
struct ColumnNorm <: PivotingStrategy end
if !isdefined(Base, :SingularException)            # a program has its own
    struct SingularException <: Exception
        info::Int
    end
    struct PosDefException <: Exception
        info::Int
    end
end
struct LAPACKException <: Exception
    info::Int
end
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
@propagate_inbounds getindex(A::UpperTriangular, i::Int, j::Int) = i <= j ? A.data[i, j] : zero(eltype(A))
@propagate_inbounds getindex(A::LowerTriangular, i::Int, j::Int) = i >= j ? A.data[i, j] : zero(eltype(A))
@propagate_inbounds getindex(A::UnitUpperTriangular, i::Int, j::Int) = i < j ? A.data[i, j] : i == j ? one(eltype(A)) : zero(eltype(A))
@propagate_inbounds getindex(A::UnitLowerTriangular, i::Int, j::Int) = i > j ? A.data[i, j] : i == j ? one(eltype(A)) : zero(eltype(A))
@propagate_inbounds setindex!(A::AbstractTriangular, v, i::Int, j::Int) = (A.data[i, j] = v; A)
@inline transpose(A::UpperTriangular) = LowerTriangular(transpose(A.data))
@inline transpose(A::LowerTriangular) = UpperTriangular(transpose(A.data))
@inline transpose(A::UnitUpperTriangular) = UnitLowerTriangular(transpose(A.data))
@inline transpose(A::UnitLowerTriangular) = UnitUpperTriangular(transpose(A.data))
@inline adjoint(A::UpperTriangular) = LowerTriangular(adjoint(A.data))
@inline adjoint(A::LowerTriangular) = UpperTriangular(adjoint(A.data))
@inline adjoint(A::UnitUpperTriangular) = UnitLowerTriangular(adjoint(A.data))
@inline adjoint(A::UnitLowerTriangular) = UnitUpperTriangular(adjoint(A.data))

# ---- symmetric: the elements of one triangle stand for those of the other
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
@inline real_of(x::Real) = x
@inline real_of(x) = convert(typeof(x), real(x))
@propagate_inbounds getindex(A::Symmetric, i::Int, j::Int) = i == j ? A.data[i, j] : (A.uplo == 'U') == (i < j) ? A.data[i, j] : transpose(A.data[j, i])
@propagate_inbounds getindex(A::Hermitian, i::Int, j::Int) = i == j ? real_of(A.data[i, j]) : (A.uplo == 'U') == (i < j) ? A.data[i, j] : adjoint(A.data[j, i])
@inline transpose(A::Symmetric) = A
@inline adjoint(A::Hermitian) = A

# ---- a row times a column, and a row times a matrix
@inline *(a::Adjoint{<:Any,<:AbstractVector}, b::AbstractVector) = dot(a.parent, b)
@inline *(a::Transpose{<:Any,<:AbstractVector}, b::AbstractVector) = sum_of_products(a.parent, b)
@inline *(a::Adjoint{<:Any,<:AbstractVector}, B::AbstractMatrix) = adjoint(adjoint(B) * a.parent)
@inline *(a::Transpose{<:Any,<:AbstractVector}, B::AbstractMatrix) = transpose(transpose(B) * a.parent)
@inline function sum_of_products(a, b)
    length(a) == length(b) || throw(DimensionMismatch("a row and a column differ in length"))
    s = zero(eltype(a)) * zero(eltype(b))
    for i in 1:length(a)
        s += a[i] * b[i]
    end
    return s
end

# ---- a diagonal
struct Diagonal{T,V} <: AbstractMatrix{T}
    diag::V
end
@inline Diagonal(v::AbstractVector) = Diagonal{eltype(v),typeof(v)}(v)
@inline (::Type{Diagonal{T}})(v::AbstractVector) where {T} = Diagonal{T,typeof(v)}(v)
@inline Diagonal(D::Diagonal) = D
@inline size(D::Diagonal) = (length(D.diag), length(D.diag))
@inline parent(D::Diagonal) = D.diag
@inline getindex(D::Diagonal, i::Int, j::Int) = i == j ? D.diag[i] : zero(eltype(D))
@inline transpose(D::Diagonal) = Diagonal(D.diag)
@inline *(a::Number, D::Diagonal) = Diagonal(a * D.diag)
@inline *(D::Diagonal, a::Number) = Diagonal(D.diag * a)
@inline +(D::Diagonal, E::Diagonal) = Diagonal(D.diag + E.diag)
@inline -(D::Diagonal, E::Diagonal) = Diagonal(D.diag - E.diag)
@inline -(D::Diagonal) = Diagonal(-D.diag)
@inline det(D::Diagonal) = prod(D.diag)
@inline tr(D::Diagonal) = sum(D.diag)
@inline diag(D::Diagonal) = D.diag

# ---- factorizations that packages make
struct Cholesky{T,S} <: Factorization{T}
    factors::S
    uplo::Char
    info::Int
end
@inline Cholesky(A::AbstractMatrix, uplo, info) = Cholesky{eltype(A),typeof(A)}(A, uplo, info)
@inline issuccess(C::Cholesky) = getfield(C, :info) == 0
@inline size(C::Cholesky) = size(getfield(C, :factors))
@inline function getproperty(C::Cholesky, name::Symbol)
    A = getfield(C, :factors)
    if name === :U
        return UpperTriangular(getfield(C, :uplo) == 'U' ? A : adjoint(A))
    elseif name === :L
        return LowerTriangular(getfield(C, :uplo) == 'L' ? A : adjoint(A))
    end
    return getfield(C, name)
end
struct Eigen{T,V,S,U} <: Factorization{T}
    values::U
    vectors::S
end
@inline Eigen(values::AbstractVector{V}, vectors::AbstractMatrix{T}) where {T,V} = Eigen{T,V,typeof(vectors),typeof(values)}(values, vectors)
@inline iterate(E::Eigen) = (E.values, Val(:vectors))
@inline iterate(E::Eigen, ::Val{:vectors}) = (E.vectors, Val(:done))
@inline iterate(E::Eigen, ::Val{:done}) = nothing
abstract type QR{T,S} <: Factorization{T} end
abstract type LU{T,S} <: Factorization{T} end
abstract type SVD{T,R,S} <: Factorization{T} end

# ---- functions that packages give methods for
function eigvals end
function eigvecs end
function eigen end
function lyap end
function kron end
function diagm end
function lu end
function lu! end
function svd end
function svdvals end
function pinv end
function factorize end
function isposdef end
function logdet end
function logabsdet end
function diff end
function qr end
function triu end
function tril end
function cholesky end
function _chol! end
function mul! end
function ldiv! end
function rdiv! end
function lmul! end
function rmul! end
function axpy! end
function rank end
function cond end
function hermitian_type end
function normalize! end
function opnorm end
function nullspace end
@inline checksquare(A) = size(A)[1] == size(A)[2] ? size(A)[1] : throw(DimensionMismatch("the matrix is not square"))
@inline function ^(A::AbstractMatrix, n::Integer)
    if n < 0
        return inv(A)^(-n)
    end
    (power, square) = (one(A), A)
    while n > 0
        if n & 1 == 1
            power = power * square
        end
        n >>= 1
        if n > 0
            square = square * square
        end
    end
    return power
end
@inline literal_pow(::typeof(^), A::AbstractMatrix, ::Val{2}) = A * A
@inline literal_pow(::typeof(^), A::AbstractMatrix, ::Val{3}) = A * A * A
@inline function isapprox(A::AbstractArray, B::AbstractArray; atol::Real=0, rtol::Real=atol > 0 ? 0 : default_rtol(first(A), first(B)))
    d = norm(A - B)
    return isfinite(d) ? d <= max(atol, rtol * max(norm(A), norm(B))) : A == B
end
@inline matprod(x, y) = x * y + x * y
@inline norm_sqr(x) = norm(x)^2
@inline norm_sqr(x::Number) = abs2(x)
@inline norm_sqr(x::Union{Integer,Complex{<:Integer}}) = abs2(float(x))
@inline issymmetric(x::Number) = x == x
@inline ishermitian(x::Number) = x == conj(x)
@inline issymmetric(A::AbstractMatrix) = size(A, 1) == size(A, 2) && same_items(==, A, transpose(A))
@inline ishermitian(A::AbstractMatrix) = size(A, 1) == size(A, 2) && same_items(==, A, adjoint(A))
const BlasFloat = Union{Float64,Float32,Complex{Float64},Complex{Float32}}

module LinearAlgebra
import Base: Factorization, AbstractTriangular, PivotingStrategy, NoPivot, RowNonZero, RowMaximum, ColumnNorm, SingularException, PosDefException, LAPACKException,
    UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular, Symmetric, Hermitian, RealHermSymComplexHerm, HermOrSym, symmetric, hermitian, Diagonal, Cholesky, Eigen, QR, LU, SVD,
    eigvals, eigvecs, eigen, lyap, kron, diagm, diag, lu, lu!, svd, svdvals, pinv, factorize, isposdef, issuccess, logdet, logabsdet, diff, qr, triu, tril, cholesky, _chol!, mul!, ldiv!, rdiv!, lmul!,
    rmul!, axpy!, rank, cond, hermitian_type, normalize!, opnorm, nullspace, matprod, norm_sqr, issymmetric, ishermitian, BlasFloat, checksquare, \
module BLAS
const BlasInt = Int64
end
module LAPACK
end
const libblastrampoline = :libblastrampoline
export Factorization, NoPivot, RowNonZero, RowMaximum, ColumnNorm, SingularException, PosDefException, LAPACKException, UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular,
    Symmetric, Hermitian, Diagonal, Cholesky, Eigen, QR, LU, SVD, eigvals, eigvecs, eigen, lyap, kron, diagm, diag, lu, lu!, svd, svdvals, pinv, factorize, isposdef, issuccess, logdet, logabsdet, qr,
    triu, tril, cholesky, mul!, ldiv!, rdiv!, lmul!, rmul!, axpy!, rank, cond, normalize!, opnorm, nullspace, issymmetric, ishermitian
end
