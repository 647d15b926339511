# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/wrappers
# Norms and products of vectors, and Julia's module LinearAlgebra.

abstract type Factorization{T} end
@inline eltype(::Type{<:Factorization{T}}) where {T} = T
abstract type LU{T,S} <: Factorization{T} end
@inline norm(x::Number) = float(abs(x))
@inline norm(x) = sqrt(sum(square_of_norm, x))
@inline norm(x::Tuple) = sqrt(sum(square_of_norm, x))
@inline norm(x, p::Real) = p == 1 ? sum(float_abs, x) : p == 2 ? norm(x) : p == Inf ? maximum(float_abs, x) : sum(PowerOfAbs(p), x)^inv(float(p))
@inline float_abs(x::Number) = float(abs(x))
@inline float_abs(x) = float(norm(x))              # elements may be collections themselves
@inline square_of_norm(x::Number) = abs2(x)
@inline square_of_norm(x) = float_abs(x)^2
struct PowerOfAbs{P} <: Function
    p::P
end
@inline (f::PowerOfAbs)(x) = float_abs(x)^f.p
@inline cross(a, b) = (a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1])
const × = cross
const ⋅ = dot
@inline normalize(t::Tuple) = map(Fix2(/, norm(t)), t)
# The type of the numbers in an array, or in arrays of arrays.
@inline leaf_type(::Type{T}) where {T} = T
@inline leaf_type(::Type{<:AbstractArray{T}}) where {T} = leaf_type(T)
@inline promote_leaf_eltypes(A::AbstractArray) = leaf_type(typeof(A))
@inline function isapprox(A::AbstractArray, B::AbstractArray; atol::Real=0, rtol::Real=rtoldefault(promote_leaf_eltypes(A), promote_leaf_eltypes(B), atol))
    d = norm(A - B)
    return isfinite(d) ? d <= max(atol, rtol * max(norm(A), norm(B))) : A == B
end
@inline det(x::Number) = x
@inline tr(x::Number) = x
@inline tr(A::AbstractMatrix) = sum_diagonal(A, checksquare(A))
@inline checksquare(A::AbstractMatrix) = size(A, 1) == size(A, 2) ? size(A, 1) : throw(DimensionMismatch("the matrix is not square"))
@inline function sum_diagonal(A, n)
    s = zero(eltype(A))
    for i in 1:n
        s += A[i, i]
    end
    return s
end

# The identity matrix times a number λ. It has no size of its own and fits any operand.
struct UniformScaling{T<:Number}
    λ::T
end
@inline *(x::Number, J::UniformScaling) = UniformScaling(x * J.λ)
@inline *(J::UniformScaling, x::Number) = UniformScaling(J.λ * x)
@inline -(J::UniformScaling) = UniformScaling(-J.λ)
module LinearAlgebra
import Base: dot, norm, cross, normalize, adjoint, transpose, ×, ⋅, Transpose, Adjoint, UniformScaling, det, tr, checksquare
const I = UniformScaling(true)
export dot, norm, cross, normalize, adjoint, transpose, ×, ⋅, Transpose, Adjoint, UniformScaling, I, det, tr
end
