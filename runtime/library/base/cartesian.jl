# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/abstractarray
# Cartesian indices, boxes of Cartesian indices, and linear indices of a box.

abstract type AbstractCartesianIndex{N} end
struct CartesianIndex{N} <: AbstractCartesianIndex{N}
    I::NTuple{N,Int}
end
@inline CartesianIndex(i::Integer, rest::Integer...) = CartesianIndex(flat_indices((i, rest...)))
@inline CartesianIndex() = CartesianIndex{0}(())
@inline (::Type{CartesianIndex{N}})(i::Integer, rest::Integer...) where {N} = CartesianIndex{N}(flat_indices((i, rest...)))
@inline CartesianIndex(c::CartesianIndex) = c
@inline Tuple(c::CartesianIndex) = c.I
@inline convert(::Type{T}, c::CartesianIndex{1}) where {T<:Number} = convert(T, c.I[1])
@inline index_ints(c::CartesianIndex) = c.I
@inline length(c::CartesianIndex{N}) where {N} = N
@inline getindex(c::CartesianIndex, i::Integer) = c.I[i]
@inline firstindex(c::CartesianIndex) = 1
@inline lastindex(c::CartesianIndex{N}) where {N} = N
@inline indexed_iterate(c::CartesianIndex, i::Int, state=1) = (getfield(c.I, i), add_int(i, 1))
@inline +(c::CartesianIndex) = c
@inline -(c::CartesianIndex) = CartesianIndex(map(-, c.I))
@inline +(a::CartesianIndex{N}, b::CartesianIndex{N}) where {N} = CartesianIndex{N}(map(+, a.I, b.I))
@inline -(a::CartesianIndex{N}, b::CartesianIndex{N}) where {N} = CartesianIndex{N}(map(-, a.I, b.I))
@inline *(n::Integer, c::CartesianIndex{N}) where {N} = CartesianIndex{N}(map(Fix1(*, Int(n)), c.I))
@inline *(c::CartesianIndex, n::Integer) = n * c
@inline min(a::CartesianIndex{N}, b::CartesianIndex{N}) where {N} = CartesianIndex{N}(map(min, a.I, b.I))
@inline max(a::CartesianIndex{N}, b::CartesianIndex{N}) where {N} = CartesianIndex{N}(map(max, a.I, b.I))
@inline ==(a::CartesianIndex{N}, b::CartesianIndex{N}) where {N} = a.I == b.I
@inline isless(a::CartesianIndex{N}, b::CartesianIndex{N}) where {N} = isless(reverse(a.I), reverse(b.I))
@inline one(c::CartesianIndex{N}) where {N} = oneunit(c)
@inline oneunit(c::CartesianIndex{N}) where {N} = CartesianIndex{N}(ntuple(Returns(1), Val(N)))
@inline zero(c::CartesianIndex{N}) where {N} = CartesianIndex{N}(ntuple(Returns(0), Val(N)))
@inline oneunit(::Type{CartesianIndex{N}}) where {N} = CartesianIndex{N}(ntuple(Returns(1), Val(N)))
@inline zero(::Type{CartesianIndex{N}}) where {N} = CartesianIndex{N}(ntuple(Returns(0), Val(N)))

# ---- the box
struct CartesianIndices{N,R} <: AbstractArray{CartesianIndex{N},N}
    indices::R
end
@inline box_of(ranges::Tuple) = CartesianIndices{nfields(ranges),typeof(ranges)}(ranges)
@inline box_side(n::Integer) = OneTo(Int(n))
@inline box_side(r::AbstractUnitRange{Int}) = r
@inline box_side(r::AbstractUnitRange) = Int(first(r)):Int(last(r))
@inline box_side(r::StepRange) = StepRange{Int,Int}(Int(r.start), Int(r.step), Int(r.stop))
@inline CartesianIndices(dims::Tuple) = box_of(map(box_side, dims))
@inline CartesianIndices(A::AbstractArray) = box_of(axes(A))
@inline CartesianIndices(C::CartesianIndices) = C
@inline (:)(a::CartesianIndex{N}, b::CartesianIndex{N}) where {N} = box_of(map(UnitRange, a.I, b.I))
@inline size(C::CartesianIndices) = map(length, C.indices)
@inline axes(C::CartesianIndices) = map(axes1, C.indices)
@inline axes1(A) = axes(A, 1)
@inline first(C::CartesianIndices{N}) where {N} = CartesianIndex{N}(map(first, C.indices))
@inline last(C::CartesianIndices{N}) where {N} = CartesianIndex{N}(map(last, C.indices))
@inline step_in(r::AbstractUnitRange{Int}, i::Int) = (i != last(r), i + 1)
@inline step_in(r::StepRange{Int,Int}, i::Int) = (can_step(r, i), i + r.step)
@inline step_box(ranges::Tuple{}, I::Tuple{}) = (false, ())
@inline function step_box(ranges::Tuple{Any}, I::Tuple{Int})
    (more, i) = step_in(getfield(ranges, 1), getfield(I, 1))
    return (more, (i,))
end
@inline function step_box(ranges::Tuple, I::Tuple)
    (more, i) = step_in(getfield(ranges, 1), getfield(I, 1))
    if more
        return (true, (i, tail(I)...))
    end
    (more_rest, rest) = step_box(tail(ranges), tail(I))
    return (more_rest, (first(getfield(ranges, 1)), rest...))
end
@inline function iterate(C::CartesianIndices{N}) where {N}
    if any_of(isempty, C.indices...)
        return nothing
    end
    c = first(C)
    return (c, c)
end
@inline function iterate(C::CartesianIndices{N}, c) where {N}
    (more, I) = step_box(C.indices, c.I)
    if more
        n = CartesianIndex{N}(I)
        return (n, n)
    end
    return nothing
end
@propagate_inbounds getindex(C::CartesianIndices{N}, I::Vararg{Int,N}) where {N} = CartesianIndex{N}(map(getindex, C.indices, I))
@propagate_inbounds getindex(C::CartesianIndices{1}, i::Int) = CartesianIndex{1}((C.indices[1][i],))
@inline function getindex(C::CartesianIndices{N}, i::Int) where {N}
    @boundscheck ult_int(sub_int(i, 1), length(C)) || throw(BoundsError(C, i))
    I = split_offset(size(C), sub_int(i, 1))
    return CartesianIndex{N}(map(item_at, C.indices, I))
end
@inline item_at(r, i) = @inbounds r[i]
# Indexing a box with ranges gives a smaller box.
@propagate_inbounds getindex(C::CartesianIndices{N}, I::Vararg{Union{AbstractRange,Colon},N}) where {N} = box_of(map(part_of, C.indices, I))
@propagate_inbounds getindex(C::CartesianIndices{N}, B::CartesianIndices{N}) where {N} = box_of(map(part_of, C.indices, B.indices))
@propagate_inbounds part_of(r, part) = box_side(r[part])
@inline part_of(r, ::Colon) = r
@propagate_inbounds getindex(C::CartesianIndices, i::Integer) = getindex(C, Int(i))
@inline in(c::CartesianIndex{N}, C::CartesianIndices{N}) where {N} = all(map(in, c.I, C.indices))

struct LinearIndices{N,R} <: AbstractArray{Int,N}
    indices::R
end
@inline linear_box(ranges::Tuple) = LinearIndices{nfields(ranges),typeof(ranges)}(ranges)
@inline LinearIndices(dims::Tuple) = linear_box(map(box_side, dims))
@inline LinearIndices(A::AbstractArray) = linear_box(axes(A))
@inline IndexStyle(::Type{L}) where {L<:LinearIndices} = IndexLinear()
@inline size(L::LinearIndices) = map(length, L.indices)
@inline axes(L::LinearIndices) = map(axes1, L.indices)
@inline function getindex(L::LinearIndices, i::Int)
    @boundscheck is_inside(axes(L), L, (i,)) || throw(BoundsError(L, i))
    return i
end
@inline iterate(L::LinearIndices) = iterate(OneTo(length(L)))
@inline iterate(L::LinearIndices, i) = iterate(OneTo(length(L)), i)
