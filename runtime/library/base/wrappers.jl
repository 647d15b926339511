# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/division
# Lazy transposes and adjoints of matrices, and arrays with permuted dimensions. They do not copy elements.

struct Transpose{T,S} <: AbstractMatrix{T}
    parent::S
end
struct Adjoint{T,S} <: AbstractMatrix{T}
    parent::S
end
@inline Transpose(A::AbstractVecOrMat) = Transpose{eltype(A),typeof(A)}(A)
@inline Adjoint(A::AbstractVecOrMat) = Adjoint{eltype(A),typeof(A)}(A)
@inline transpose(A::AbstractVecOrMat) = Transpose(A)
@inline adjoint(A::AbstractVecOrMat) = Adjoint(A)
@inline transpose(A::Transpose) = A.parent
@inline adjoint(A::Adjoint) = A.parent
const var"'" = adjoint
@inline size(A::Union{Transpose,Adjoint}) = (size(A.parent, 2), size(A.parent, 1))
@inline parent(A::Union{Transpose,Adjoint}) = A.parent
@inline vec(A::Transpose{<:Number,<:AbstractVector}) = A.parent # a row with the elements of its parent
@inline vec(A::Adjoint{<:Real,<:AbstractVector}) = A.parent
@propagate_inbounds getindex(A::Transpose, i::Int, j::Int) = transpose(A.parent[j, i])
@propagate_inbounds getindex(A::Adjoint, i::Int, j::Int) = adjoint(A.parent[j, i])
@propagate_inbounds setindex!(A::Transpose, v, i::Int, j::Int) = (A.parent[j, i] = transpose(v); A)
@propagate_inbounds setindex!(A::Adjoint, v, i::Int, j::Int) = (A.parent[j, i] = adjoint(v); A)

module PermutedDimsArrays
struct PermutedDimsArray{T,N,perm,iperm,P} <: Base.AbstractArray{T,N}
    parent::P
end
end
const PermutedDimsArray = PermutedDimsArrays.PermutedDimsArray
@inline PermutedDimsArray(A::AbstractArray, perm) = permuted(A, Val(flat_indices(Tuple(perm))))
@inline function permuted(A::AbstractArray{T,N}, ::Val{perm}) where {T,N,perm}
    isperm(perm) && nfields(perm) === N || throw(ArgumentError("no permutation of the dimensions"))
    return PermutedDimsArray{T,N,perm,invperm(perm),typeof(A)}(A)
end
@inline parent(A::PermutedDimsArray) = A.parent
@inline size(A::PermutedDimsArray{T,N,perm}) where {T,N,perm} = map(Fix1(size, A.parent), perm)
@propagate_inbounds getindex(A::PermutedDimsArray{T,N,perm,iperm}, I::Vararg{Int,N}) where {T,N,perm,iperm} = getindex(A.parent, map(Fix1(getfield, I), iperm)...)
@propagate_inbounds setindex!(A::PermutedDimsArray{T,N,perm,iperm}, v, I::Vararg{Int,N}) where {T,N,perm,iperm} = (setindex!(A.parent, v, map(Fix1(getfield, I), iperm)...); A)
@inline isperm(perm::Tuple) = all(map(Fix2(in, perm), ntuple(identity, nfields(perm))))
@inline invperm(perm::Tuple) = ntuple(Fix1(place_in, perm), nfields(perm))
@inline place_in(perm::Tuple, d) = findfirst(Fix2(===, d), perm)
