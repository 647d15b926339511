# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: base/broadcast_styles; after: base/pivoting
# Names of LinearAlgebra that packages extend. Packages provide products and solutions. The matrices that wrap another
# matrix are in structured.jl.

if !isdefined(Base, :SingularException)            # programs define their own
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
# ---- products of a row vector with a column vector, and of a row vector with a matrix
@inline *(a::Adjoint{<:Any,<:AbstractVector}, b::AbstractVector) = dot(a.parent, b)
@inline *(a::Transpose{<:Any,<:AbstractVector}, b::AbstractVector) = sum_of_products(a.parent, b)
@inline *(a::Adjoint{<:Any,<:AbstractVector}, B::AbstractMatrix) = adjoint(adjoint(B) * a.parent)
@inline *(a::Transpose{<:Any,<:AbstractVector}, B::AbstractMatrix) = transpose(transpose(B) * a.parent)
@inline function sum_of_products(a, b)
    length(a) == length(b) || throw(DimensionMismatch("a row and a column differ in length"))
    s = zero(eltype(a)) * zero(eltype(b))
    for i in 1:length(a)
        s = add_product(a[i], b[i], s)
    end
    return s
end

# ---- factorizations made by packages
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
    elseif name === :UL
        return getfield(C, :uplo) == 'U' ? UpperTriangular(A) : LowerTriangular(A)
    elseif name === :L
        return LowerTriangular(getfield(C, :uplo) == 'L' ? A : adjoint(A))
    end
    return getfield(C, name)
end
@inline propertynames(C::Cholesky, private::Bool=false) = private ? (:U, :L, :UL, :factors, :uplo, :info) : (:U, :L, :UL)
struct Eigen{T,V,S,U} <: Factorization{T}
    values::U
    vectors::S
end
@inline Eigen(values::AbstractVector{V}, vectors::AbstractMatrix{T}) where {T,V} = Eigen{T,V,typeof(vectors),typeof(values)}(values, vectors)
@inline iterate(E::Eigen) = (E.values, Val(:vectors))
@inline iterate(E::Eigen, ::Val{:vectors}) = (E.vectors, Val(:done))
@inline iterate(E::Eigen, ::Val{:done}) = nothing
abstract type QR{T,S} <: Factorization{T} end
abstract type SVD{T,R,S} <: Factorization{T} end
struct LDLt{T,S<:AbstractMatrix{T}} <: Factorization{T}
    data::S
end
struct BunchKaufman{T,S<:AbstractMatrix,P<:AbstractVector{<:Integer}} <: Factorization{T}
    LD::S                                          # the upper triangle: D, and U without its diagonal
    ipiv::P                                        # rows that were exchanged, as LAPACK has them: below 0 in blocks of two rows
    p::P
    uplo::Char
    symmetric::Bool
    rook::Bool
    info::Int
end

# ---- functions that packages extend
@inline eigvals(E::Eigen) = E.values
@inline eigvecs(E::Eigen) = E.vectors
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
import Base: Factorization, AbstractTriangular, SingularException, PosDefException, LAPACKException,
    UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular, Symmetric, Hermitian, RealHermSymComplexHerm, HermOrSym, symmetric, hermitian, Diagonal, Cholesky, Eigen, QR, LU, SVD, LDLt, BunchKaufman,
    eigvals, eigvecs, eigen, lyap, kron, diagm, diag, lu, lu!, svd, svdvals, pinv, factorize, isposdef, issuccess, logdet, logabsdet, diff, qr, triu, tril, cholesky, _chol!, mul!, ldiv!, rdiv!, lmul!,
    rmul!, axpy!, rank, cond, hermitian_type, normalize!, opnorm, nullspace, matprod, norm_sqr, issymmetric, ishermitian, BlasFloat, checksquare, \
const BlasInt = Int64
module BLAS
const BlasInt = Int64
end
module LAPACK
end
const libblastrampoline = :libblastrampoline
export LAPACK, Factorization, SingularException, PosDefException, LAPACKException, UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular,
    Symmetric, Hermitian, Diagonal, Cholesky, Eigen, QR, LU, SVD, LDLt, BunchKaufman, eigvals, eigvecs, eigen, lyap, kron, diagm, diag, lu, lu!, svd, svdvals, pinv, factorize, isposdef, issuccess, logdet, logabsdet, qr,
    triu, tril, cholesky, mul!, ldiv!, rdiv!, lmul!, rmul!, axpy!, rank, cond, normalize!, opnorm, nullspace, issymmetric, ishermitian
end
