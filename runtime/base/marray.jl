# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Small arrays of known size in the thread's own memory, under the names of StaticArrays: they hold while the kernel
# runs, and each place that makes one has one.

struct UndefInitializer end
const undef = UndefInitializer()

struct MArray{S,T,N,L} <: DenseArray{T,N}
    ptr::LLVMPtr{T,5}
end
const MVector{N,T} = MArray{Tuple{N},T,1,N}
const MMatrix{R,C,T,L} = MArray{Tuple{R,C},T,2,L}

struct SideOf{S} <: Function end
@inline (::SideOf{S})(i) where {S} = type_parameter(S, i)
@inline sides_of(::Type{S}) where {S} = ntuple(SideOf{S}(), fieldcount_(S))
@inline scratch(::Type{S}, ::Type{T}) where {S,T} = scratch_of(S, T, Val(sides_of(S)))
@inline scratch_of(::Type{S}, ::Type{T}, ::Val{dims}) where {S,T,dims} = MArray{S,T,nfields(dims),dims_product(dims)}(stack_alloc(T, Val(dims_product(dims))))
@inline (::Type{MArray{S,T}})(::UndefInitializer) where {S,T} = scratch(S, T)
@inline (::Type{MArray{S,T,N}})(::UndefInitializer) where {S,T,N} = scratch(S, T)
@inline (::Type{MArray{S,T,N,L}})(::UndefInitializer) where {S,T,N,L} = scratch(S, T)
@inline function (::Type{M})(first_item::Number, items::Number...) where {S,T,M<:MArray{S,T}}
    A = scratch(S, T)
    nfields(items) + 1 === length(A) || throw(DimensionMismatch("as many values as elements make an MArray"))
    fill_items(A, 1, first_item, items...)
    return A
end
@inline MVector(items::Number...) = MVector{nfields(items),promote_type(map(typeof, items)...)}(items...)
@inline fill_items(A, i) = nothing
@inline function fill_items(A, i, item, rest...)
    @inbounds A[i] = item
    fill_items(A, i + 1, rest...)
    return nothing
end
@inline size(::MArray{S}) where {S} = sides_of(S)
@inline length(::MArray{S,T,N,L}) where {S,T,N,L} = dims_product(sides_of(S))
@inline pointer(A::MArray) = getfield(A, :ptr)
@inline function getindex(A::MArray, i::Integer)
    k = sub_int(rem(i, Int), 1)
    @boundscheck ult_int(k, length(A)) || throw(BoundsError())
    return pointer_load(getfield(A, :ptr), k, Val{0}())
end
@inline function getindex(A::MArray, I::Integer...)
    J = flat_indices(I)
    @boundscheck in_bounds(size(A), J) || throw(BoundsError())
    return pointer_load(getfield(A, :ptr), offset_of(size(A), J), Val{0}())
end
@inline function setindex!(A::MArray{S,T}, v, i::Integer) where {S,T}
    k = sub_int(rem(i, Int), 1)
    @boundscheck ult_int(k, length(A)) || throw(BoundsError())
    pointer_store(getfield(A, :ptr), convert(T, v), k, Val{0}())
    return A
end
@inline function setindex!(A::MArray{S,T}, v, I::Integer...) where {S,T}
    J = flat_indices(I)
    @boundscheck in_bounds(size(A), J) || throw(BoundsError())
    pointer_store(getfield(A, :ptr), convert(T, v), offset_of(size(A), J), Val{0}())
    return A
end
@inline Tuple(A::MArray) = ntuple(ItemOf(A), length(A))
struct ItemOf{A} <: Function
    items::A
end
@inline (f::ItemOf)(i) = @inbounds f.items[i]
