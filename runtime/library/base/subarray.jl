# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/cartesian
# Views of any array by integers, ranges and colons, without a copy. For contiguous parts, device arrays have faster
# methods that return plain arrays.

# Packages may define index types. to_index converts a single index; to_indices converts an index and knows the
# remaining axes.
const PlainIndex = Union{Integer,AbstractCartesianIndex,AbstractArray,Colon}
@inline to_index(i::Integer) = int_index(i)
@inline to_index(i::Union{AbstractArray,Colon}) = i
@inline to_index(i) = no_index(i)
@inline no_index(i) = index_ints(i) # lists the supported indices
@inline to_index(A, i) = to_index(i)
@inline to_indices(A, I::Tuple) = to_indices(A, axes(A), I)
@inline to_indices(A, I::Tuple{Vararg{Int}}) = I
@inline to_indices(A, I::Tuple{Vararg{Integer}}) = map(to_index, I)
@inline to_indices(A, I::Tuple{Vararg{Union{Integer,CartesianIndex}}}) = to_indices(A, (), I)
@inline to_indices(A, inds, I::Tuple{}) = ()
@inline to_indices(A, inds, I::Tuple{CartesianIndex,Vararg}) = to_indices(A, inds, (getfield(I, 1).I..., tail(I)...))
@inline to_indices(A, inds, I::Tuple) = (to_index(A, getfield(I, 1)), to_indices(A, next_axes(inds), tail(I))...)
@inline next_axes(inds::Tuple{}) = ()
@inline next_axes(inds::Tuple) = tail(inds)
@inline plain_indices(A, I::Tuple{Vararg{PlainIndex}}) = I
@inline plain_indices(A, I::Tuple) = to_indices(A, I)

# L: true if linear indices of the view are at equal distances in the parent, as in Julia.
struct SubArray{T,N,P,I,L} <: AbstractArray{T,N}
    parent::P
    indices::I
end
const ScalarIndex = Real
const ViewIndex = Union{Real,AbstractArray}
const FastSubArray{T,N,P,I} = SubArray{T,N,P,I,true}
@inline viewindexing(I::Tuple) = IndexCartesian()
@inline viewindexing(I::Tuple{}) = IndexLinear()
@inline viewindexing(I::Tuple{ScalarIndex,Vararg{Any}}) = viewindexing(tail(I))
@inline viewindexing(I::Tuple{AbstractRange,Vararg{ScalarIndex}}) = IndexLinear()
@inline is_linear_view(A, I) = IndexStyle(IndexStyle(A), viewindexing(I)) === IndexLinear()
@inline unchecked_view(A, I) = SubArray{eltype(A),nfields(kept_ranges(I...)),typeof(A),typeof(I),is_linear_view(A, I)}(A, I)
@inline SubArray(A::AbstractArray, I::Tuple) = view_of(A, I)
@inline selectdim(A::AbstractArray{T,N}, d::Integer, i) where {T,N} = view(A, ntuple(PickAt(Int(d), i), Val(N))...)
struct PickAt{I} <: Function
    d::Int
    i::I
end
@inline (p::PickAt)(k) = k === p.d ? p.i : (:)
@inline view_index(A, d, i::Integer) = int_index(i)
@inline view_index(A, d, r::AbstractUnitRange{Int}) = r
@inline view_index(A, d, r::AbstractUnitRange) = Int(first(r)):Int(last(r))
@inline view_index(A, d, r::StepRange) = box_side(r)
@inline view_index(A, d, ::Colon) = axes(A, d)
@inline view_indices(A, d) = ()
@inline view_indices(A, d, c::CartesianIndex, rest...) = view_indices(A, d, c.I..., rest...)
@inline view_indices(A, d, i, rest...) = (view_index(A, d, i), view_indices(A, d + 1, rest...)...)
@inline kept_ranges() = ()
@inline kept_ranges(i::Int, rest...) = kept_ranges(rest...)
@inline kept_ranges(r, rest...) = (r, kept_ranges(rest...)...)
@inline is_in_range(n::Int, i::Int) = ult_int(sub_int(i, 1), n)
@inline is_in_range(side, i::Int) = checkindex(Bool, side, i)
@inline is_in_range(n, r::AbstractArray) = all(i -> is_in_range(n, i), r)
@inline is_in_range(n, r::AbstractRange) = isempty(r) || (is_in_range(n, first(r)) & is_in_range(n, last(r)))
@inline view(A::AbstractArray, r::Union{AbstractRange,Colon}) = view_linear(IndexStyle(A), A, r)
@inline view_linear(::IndexStyle, A, r) = view_of(A, (view_index(A, 1, r),))
@inline view_linear(::IndexLinear, A, ::Colon) = view_of(A, (OneTo(length(A)),))
@inline view(A::AbstractArray, I...) = view_of(A, view_indices(A, 1, plain_indices(A, I)...))
@inline function view_of(A::AbstractArray, I::Tuple)
    @boundscheck check_view(A, I)
    return unchecked_view(A, I)
end
@inline has_view(A, I) = has_view_in(axes(A), A, I)
@inline has_view_in(::Tuple{Vararg{OneTo}}, A, I) = nfields(I) === 1 ? is_in_range(length(A), getfield(I, 1)) : all(map(is_in_range, ntuple(Fix1(size, A), nfields(I)), I))
@inline has_view_in(sides, A, I) = nfields(I) === 1 ? is_in_range(eachindex(IndexLinear(), A), getfield(I, 1)) : all(map(is_in_range, ntuple(Fix1(axes, A), nfields(I)), I))
@inline SubArray(A::AbstractArray, I::Tuple) = @inbounds view_of(A, I)
@inline function check_view(A, I)
    if !has_view(A, I)
        throw(BoundsError(A, I))
    end
    return nothing
end
# @views expands A[I...] to this.
@propagate_inbounds maybeview(A, I...) = getindex(A, I...)
@propagate_inbounds maybeview(A::AbstractArray, I...) = view(A, I...)
@propagate_inbounds maybeview(A::AbstractArray, I::Union{Number,AbstractCartesianIndex}...) = getindex(A, I...)
@inline parent(S::SubArray) = S.parent
@inline parentindices(S::SubArray) = S.indices
@inline size(S::SubArray) = map(length, kept_ranges(S.indices...))
@inline axes(S::SubArray) = map(axes1, kept_ranges(S.indices...))
@inline reindex(indices::Tuple{}, J::Tuple) = ()
@inline reindex(indices::Tuple, J::Tuple) = reindex_one(getfield(indices, 1), tail(indices), J)
@inline reindex_one(i::Int, rest::Tuple, J::Tuple) = (i, reindex(rest, J)...)
@inline reindex_one(r, rest::Tuple, J::Tuple) = (item_at(r, getfield(J, 1)), reindex(rest, tail(J))...)
@inline function getindex(S::SubArray{T,N}, J::Vararg{Int,N}) where {T,N}
    @boundscheck is_inside(axes(S), S, J) || throw(BoundsError(S, J))
    return @inbounds getindex(S.parent, reindex(S.indices, J)...)
end
@inline function setindex!(S::SubArray{T,N}, v, J::Vararg{Int,N}) where {T,N}
    @boundscheck is_inside(axes(S), S, J) || throw(BoundsError(S, J))
    @inbounds setindex!(S.parent, v, reindex(S.indices, J)...)
    return S
end

# Result of reshape: the elements of any array with other dimensions, without a copy.
struct ReshapedArray{T,N,P} <: AbstractArray{T,N}
    parent::P
    dims::NTuple{N,Int}
end
@inline IndexStyle(::Type{R}) where {R<:ReshapedArray} = IndexLinear()
@inline parent(R::ReshapedArray) = R.parent
@inline size(R::ReshapedArray) = R.dims
# As in Julia, all forms of reshape end in the one with a tuple of Ints. An array type needs a method for that one alone,
# and packages may add methods for tuples of other axes.
const PlainExtent = Union{Integer,Colon,OneTo}
@inline reshape(A::AbstractArray, dims::Union{PlainExtent,AbstractUnitRange}...) = reshape(A, dims)
@inline reshape(A::AbstractArray, dims::Tuple{Vararg{Union{Integer,OneTo}}}) = reshape(A, map(given_extent, dims))
@inline reshape(A::AbstractArray, dims::Tuple{Vararg{PlainExtent}}) = reshape(A, whole_extents(length(A), dims))
@inline reshape(A::AbstractArray, dims::Dims) = _reshape(A, dims)
@inline function _reshape(A::AbstractArray{T}, dims::Dims) where {T}
    check_extents(A, dims)
    return ReshapedArray{T,nfields(dims),typeof(A)}(A, dims)
end
@inline function check_extents(A, dims)
    if dims_product(dims) != length(A)
        throw(DimensionMismatch(message("new dimensions ", dims, " must be consistent with array size ", length(A))))
    end
    return nothing
end
@inline function whole_extents(n, dims)
    known = dims_product(map(given_extent, dims))
    sizes = map(Fix1(extent_or, known == 0 ? 0 : div(n, known)), dims)
    if dims_product(sizes) != n
        throw(DimensionMismatch(message("array size ", n, " must be divisible by the product of the new dimensions ", dims)))
    end
    return sizes
end
@inline given_extent(n::Integer) = Int(n)
@inline given_extent(r::OneTo) = Int(last(r))
@inline given_extent(::Colon) = 1
@inline extent_or(left, n) = given_extent(n)
@inline extent_or(left, ::Colon) = left
@inline vec(A::AbstractArray) = reshape(A, (length(A),))
@inline vec(A::AbstractVector) = A
@propagate_inbounds getindex(R::ReshapedArray, i::Int) = R.parent[i]
@propagate_inbounds setindex!(R::ReshapedArray, v, i::Int) = (R.parent[i] = v; R)

# Result of reinterpret: the bits of any array as elements of another type, without a copy. IsReshaped: with another
# first dimension (program/reinterpret_array.jl).
struct ReinterpretArray{T,N,S,A<:AbstractArray{S},IsReshaped} <: AbstractArray{T,N}
    parent::A
    readable::Bool
    writable::Bool
end
const ReshapedReinterpretArray{T,N,S,A<:AbstractArray{S}} = ReinterpretArray{T,N,S,A,true}
const NonReshapedReinterpretArray{T,N,S,A<:AbstractArray{S}} = ReinterpretArray{T,N,S,A,false}
