# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: base/static_array
# Small mutable arrays of static size in the thread's memory, also under StaticArrays' names. An array lives until the
# kernel ends. Each call site has one array, however often it runs.

struct MArray{S,T,N,L} <: StaticArray{S,T,N}
    ptr::LLVMPtr{T,5}
    @inline MArray{S,T,N,L}(memory::LLVMPtr{T,5}) where {S,T,N,L} = new{S,T,N,L}(memory)
end
const MVector{N,T} = MArray{Tuple{N},T,1,N}
const MMatrix{R,C,T,L} = MArray{Tuple{R,C},T,2,L}

@inline scratch(::Type{S}, ::Type{T}) where {S,T} = scratch_of(S, T, Val(sides_of(S)))
@inline scratch_of(::Type{S}, ::Type{T}, ::Val{dims}) where {S,T,dims} = MArray{S,T,nfields(dims),dims_product(dims)}(stack_alloc(T, Val(dims_product(dims))))
@inline (::Type{MArray{S,T}})(::UndefInitializer) where {S,T} = scratch(S, T)
@inline (::Type{MArray{S,T,N}})(::UndefInitializer) where {S,T,N} = scratch(S, T)
@inline (::Type{MArray{S,T,N,L}})(::UndefInitializer) where {S,T,N,L} = scratch(S, T)
@inline (::Type{M})(t::Tuple) where {M<:MArray} = static_made(M, sides_or(sides_in(M), t), t)
@inline (::Type{M})(x, rest...) where {M<:MArray} = M((x, rest...))
@inline (::Type{M})(items::AbstractArray) where {M<:MArray} = M(sized_items(sides_in(M), items))
@inline (::Type{M})(items::StaticArray) where {M<:MArray} = static_made(M, sides_or_size(sides_in(M), items), Tuple(items))
@inline static_made(::Type{M}, dims::Val, t::Tuple) where {M<:MArray} = static_filled(MArray, dims, element_in(M, common_type(t)), t)
@inline function static_filled(::Type{MArray}, ::Val{dims}, ::Type{T}, t::Tuple) where {dims,T}
    nfields(t) === dims_product(dims) || static_error("a static array of ", dims_product(dims), " elements cannot be made of ", nfields(t))
    A = scratch(size_type(Val(dims)), T)
    fill_items(A, 1, t...)
    return A
end
@inline static_kind(::MArray) = MArray
# Fills arrays by a loop, since they may be large.
@inline filled_with(x, ::Type{M}) where {M<:MArray} = fill!(M(undef), convert(element_in(M, typeof(x)), x))
@inline similar(A::StaticArray{S,T}) where {S,T} = scratch(S, T)
@inline similar(A::StaticArray{S}, ::Type{T}) where {S,T} = scratch(S, T)
@inline copy(A::MArray) = copyto!(similar(A), A)
@inline copy(A::SArray) = A
@inline fill_items(A, i) = nothing
@inline function fill_items(A, i, item, rest...)
    @inbounds A[i] = item
    fill_items(A, i + 1, rest...)
    return nothing
end
@inline pointer(A::MArray) = getfield(A, :ptr)
@inline function getindex(A::MArray, i::Integer)
    k = sub_int(rem(i, Int), 1)
    @boundscheck ult_int(k, length(A)) || throw(BoundsError(A, i))
    return pointer_load(getfield(A, :ptr), k, Val{0}())
end
@inline function getindex(A::MArray, I::Integer...)
    J = flat_indices(I)
    @boundscheck in_bounds(size(A), J) || throw(BoundsError(A, J))
    return pointer_load(getfield(A, :ptr), offset_of(size(A), J), Val{0}())
end
@inline function setindex!(A::MArray{S,T}, v, i::Integer) where {S,T}
    k = sub_int(rem(i, Int), 1)
    @boundscheck ult_int(k, length(A)) || throw(BoundsError(A, i))
    pointer_store(getfield(A, :ptr), convert(T, v), k, Val{0}())
    return A
end
@inline function setindex!(A::MArray{S,T}, v, I::Integer...) where {S,T}
    J = flat_indices(I)
    @boundscheck in_bounds(size(A), J) || throw(BoundsError(A, J))
    pointer_store(getfield(A, :ptr), convert(T, v), offset_of(size(A), J), Val{0}())
    return A
end
@inline Tuple(A::MArray) = ntuple(ItemOf(A), length(A))
