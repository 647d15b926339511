# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/arrays
# Arrays of given shapes. As in Julia, all forms of `similar` end in the one with an element type and integers, so that
# an array type needs a method for that one alone.

const DimOrInd = Union{Integer,AbstractUnitRange}
const __PlainDim = Union{Integer,OneTo}
to_shape(dims::Tuple) = map(to_shape, dims)
to_shape(d::Integer) = Int(d)
to_shape(d::OneTo) = Int(last(d))
to_shape(d) = d
similar(A::AbstractArray{T}) where {T} = similar(A, T)
similar(A::AbstractArray, ::Type{T}) where {T} = similar(A, T, to_shape(axes(A)))
similar(A::AbstractArray{T}, dims::Tuple) where {T} = similar(A, T, to_shape(dims))
similar(A::AbstractArray{T}, dims::DimOrInd...) where {T} = similar(A, T, to_shape(dims))
similar(A::AbstractArray, ::Type{T}, dims::DimOrInd...) where {T} = similar(A, T, to_shape(dims))
similar(A::AbstractArray, ::Type{T}, dims::Tuple{__PlainDim,Vararg{__PlainDim}}) where {T} = similar(A, T, to_shape(dims))
similar(A::AbstractArray, ::Type{T}, dims::Dims) where {T} = Array{T}(undef, dims...)
similar(A::Union{SubArray,ReshapedArray,PermutedDimsArray,Adjoint,Transpose}, ::Type{T}, dims::Dims) where {T} = similar(parent(A), T, dims)
similar(::Type{A}, dims::DimOrInd...) where {A<:AbstractArray} = similar(A, dims)
similar(::Type{A}, dims::Tuple{__PlainDim,Vararg{__PlainDim}}) where {A<:AbstractArray} = similar(A, to_shape(dims))
similar(::Type{A}, dims::Dims) where {A<:AbstractArray} = A(undef, dims)
reshape(A::Array, dims::Dims) = (check_extents(A, dims); __reshaped(A, dims))
reshape(r::AbstractRange, dims::Dims) = reshape(collect(r), dims)
_reshape(A::Array, dims::Dims) = reshape(A, dims)
_reshape(v::AbstractVector, dims::Tuple{Int}) = dims[1] == length(v) ? v : throw(DimensionMismatch(string("new dimension(s) ", dims, " must be consistent with array length ", length(v))))
_reshape(v::Vector, dims::Tuple{Int}) = reshape(v, dims)
reshape(A::AbstractArray, ::Val{N}) where {N} = ndims(A) == N ? A : reshape(A, to_shape(rdims(Val(N), axes(A))))
# Axes of an array with N dimensions: the last one takes the rest. Packages add methods for their axes.
rdims(::Val{N}, sides::Tuple) where {N} = rdims(ntuple(k -> OneTo(1), Val(N)), sides)
rdims(ones::Tuple, ::Tuple{}) = ones
rdims(ones::Tuple{Any}, ::Tuple{}) = ones
rdims(ones::Tuple{Any}, sides::Tuple{Any,Vararg}) = length(sides) == 1 ? sides : (OneTo(rdims_trailing(sides...)),)
rdims(ones::Tuple, sides::Tuple{Any,Vararg}) = (sides[1], rdims(tail(ones), tail(sides))...)
rdims_trailing(side) = length(side)
rdims_trailing(side, rest...) = length(side) * rdims_trailing(rest...)
__on_axes(values, sides) = copyto!(similar(Array{eltype(values)}, sides), values)
parent(A::AbstractArray) = A
rest(items, state) = Rest(items, state)
rest(A::AbstractArray, state::Tuple) = Rest(A, state[2] + 1)
AbstractArray(A::AbstractArray) = A
AbstractArray{T}(A::AbstractArray{S,N}) where {T,S,N} = AbstractArray{T,N}(A)
AbstractArray{T,N}(A::AbstractArray{S,N}) where {T,S,N} = copyto!(similar(A, T), A)
for W in (:Adjoint, :Transpose)
    @eval AbstractArray{T}(A::$W) where {T} = $W(convert(AbstractArray{T}, parent(A)))
    @eval AbstractMatrix{T}(A::$W) where {T} = AbstractArray{T}(A)
end
(::Type{OneTo{T}})(r::AbstractRange) where {T} = OneTo{T}(convert(T, last(OneTo(r))))
AbstractUnitRange{T}(r::AbstractUnitRange{T}) where {T} = r
AbstractUnitRange{T}(r::UnitRange) where {T} = UnitRange{T}(r)
AbstractUnitRange{T}(r::OneTo) where {T} = OneTo{T}(r)
convert(::Type{AbstractArray{T}}, A::AbstractArray) where {T} = A isa AbstractArray{T} ? A : AbstractArray{T}(A)
convert(::Type{AbstractArray{T,N}}, A::AbstractArray{S,N}) where {T,S,N} = A isa AbstractArray{T} ? A : AbstractArray{T,N}(A)
convert(::Type{AbstractUnitRange{T}}, r::AbstractUnitRange) where {T} = AbstractUnitRange{T}(r)
axes(t::Tuple) = (OneTo(length(t)),)
require_one_based_indexing(arrays...) = has_offset_axes(arrays...) ? throw(ArgumentError("offset arrays are not supported but got an array with index other than 1")) : true
has_offset_axes(arrays...) = any(A -> A isa AbstractArray && any(r -> first(r) != 1, axes(A)), arrays)
copyto!(A::AbstractArray, items) = (i = firstindex(A) - 1; for x in items; i += 1; A[i] = x; end; A)
# The array that holds the elements.
__storage(A::AbstractArray) = parent(A)
