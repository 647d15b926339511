# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/parts
# Dotted calls of numbers, tuples, ranges and arrays. A nest of dotted calls is one lazy object, whose elements are
# computed one by one. `A .= ...` stores them in one loop of the calling thread. The index is an Int if all shapes
# agree, and a tuple of Ints if an argument is repeated along a dimension.

struct Broadcasted{Style,Axes,F,Args}
    style::Style # nothing, or the style of a package's arrays (broadcast_styles.jl)
    f::F
    args::Args
    axes::Axes
end
# Programs replace lazy_call to collect iterators first (program/domain.jl); kernels have no memory for that.
@inline lazy_call(f, args) = Broadcasted{Nothing,Nothing,typeof(f),typeof(args)}(nothing, f, args, nothing)
@inline Broadcasted(f, args::Tuple) = lazy_call(f, args)
@inline (::Type{Broadcasted{S}})(f, args::Tuple, axes=nothing) where {S} = Broadcasted{S,typeof(axes),typeof(f),typeof(args)}(S(), f, args, axes)
@inline broadcasted(f, args...) = lazy_call(f, args)
struct Constructs{T} <: Function end # calls the constructor of T; T is a parameter, since a field with a type is not isbits
@inline (::Constructs{T})(x...) where {T} = T(x...)
@inline broadcasted(::Type{T}, args...) where {T} = lazy_call(Constructs{T}(), args)
struct OfType{T} <: Ref{Type{T}} end # an argument that is the type T; a parameter, since a field with a type is not isbits
@inline getindex(::OfType{T}) where {T} = T
@inline axes(::OfType) = ()
@inline broadcasted(f::Function, ::Type{T}, args...) where {T} = lazy_call(f, (OfType{T}(), args...))
@inline broadcasted(f::Function, x, ::Type{T}, args...) where {T} = lazy_call(f, (x, OfType{T}(), args...))
@inline broadcast_at(::OfType{T}, i) where {T} = T
@inline broadcastable(x) = x                       # packages and programs add methods for their types
@inline broadcast(f, args...) = materialize(broadcasted(f, args...))
@inline broadcast!(f, A, args...) = materialize!(A, broadcasted(f, args...))
@inline dotted_update!(A, f, x) = materialize!(A, broadcasted(f, A, x)) # A .+= x
@inline dotview(A, I...) = maybeview(A, I...)
# Functions for dotted a .&& b, a .|| b and a .< b .< c, applied to one element of each argument.
@inline both_hold(a, b) = a && b
@inline either_holds(a, b) = a || b
struct CompareChain{O} <: Function
    operators::O
end
@inline (c::CompareChain)(x...) = compare_next(c.operators, x...)
@inline compare_next(operators::Tuple{Any}, a, b) = first(operators)(a, b)
@inline compare_next(operators::Tuple, a, b, rest...) = first(operators)(a, b) & compare_next(tail(operators), b, rest...)
# f.(x; keywords...)
struct WithKeywords{F,K} <: Function
    f::F
    keywords::K
end
@inline (f::WithKeywords)(x...) = Core.kwcall(f.keywords, f.f, x...)
# Dotted calls of ranges and numbers that return ranges.
@inline broadcasted(::typeof(+), r::AbstractRange, x::Real) = r + x
@inline broadcasted(::typeof(+), x::Real, r::AbstractRange) = r + x
@inline broadcasted(::typeof(-), r::AbstractRange, x::Real) = r - x
@inline broadcasted(::typeof(-), x::Real, r::AbstractRange) = -r + x
@inline broadcasted(::typeof(*), r::AbstractRange, x::Real) = r * x
@inline broadcasted(::typeof(*), x::Real, r::AbstractRange) = r * x
@inline broadcasted(::typeof(/), r::AbstractRange, x::Real) = r / x
@inline broadcasted(::typeof(-), r::AbstractRange) = -r
@inline broadcasted(::typeof(+), r::AbstractRange) = r

# ---- sizes of arguments; a scalar has size ()
@inline broadcast_size(x) = ()
@inline broadcast_size(t::Tuple) = (nfields(t),)
@inline broadcast_size(A::AbstractArray) = size(A)
@inline broadcast_size(b::Broadcasted) = common_size(map(broadcast_size, b.args)...)
@inline common_size() = ()
@inline common_size(m::Tuple) = m
@inline common_size(m::Tuple, n::Tuple, rest::Tuple...) = common_size(meet_sizes(m, n), rest...)
@inline meet_sizes(m::Tuple{}, n::Tuple{}) = ()
@inline meet_sizes(m::Tuple, n::Tuple{}) = m
@inline meet_sizes(m::Tuple{}, n::Tuple) = n
@inline meet_sizes(m::Tuple, n::Tuple) = (meet_extent(getfield(m, 1), getfield(n, 1)), meet_sizes(tail(m), tail(n))...)
@inline function meet_extent(m::Int, n::Int)
    if m === n || n === 1
        return m
    elseif m === 1
        return n
    end
    throw(DimensionMismatch("arguments of a dotted call differ in size"))
end

# Kinds of arguments. The kinds in a nest of dotted calls determine the kind of its result.
struct OfScalars end
struct OfTuples end
struct OfRanges end
struct OfArrays end
@inline broadcast_kind(x) = OfScalars()
@inline broadcast_kind(t::Tuple) = OfTuples()
@inline broadcast_kind(r::AbstractRange) = OfRanges()
@inline broadcast_kind(C::CartesianIndices) = OfRanges()
@inline broadcast_kind(A::AbstractArray) = ndims(A) === 0 ? OfScalars() : OfArrays()
@inline broadcast_kind(b::Broadcasted) = afoldl(stronger_kind, OfScalars(), map(broadcast_kind, b.args)...)
@inline stronger_kind(a, b) = kind_rank(a) < kind_rank(b) ? b : a
@inline kind_rank(::OfScalars) = 0
@inline kind_rank(::OfTuples) = 1
@inline kind_rank(::OfRanges) = 3
@inline kind_rank(::OfArrays) = 4

@inline materialize(x) = x
@inline materialize(b::Broadcasted) = materialize_as(broadcast_kind(b), b)
@inline materialize_as(::OfScalars, b) = broadcast_at(b, 1)
@inline materialize_as(::OfTuples, b) = ntuple(Fix1(broadcast_at, b), Val(getfield(broadcast_size(b), 1)))
@inline materialize_as(::OfRanges, b) = lazy_array(b, broadcast_size(b))
@inline materialize_as(::OfArrays, b) = materialize_array(first_array(b), b)
@inline materialize_array(A, b) = static_error("a dotted call of arrays makes an array, for which a kernel has no memory: store it in one with `.=`")
@inline first_array(x) = nothing
@inline first_array(A::AbstractArray) = A
@inline first_array(r::AbstractRange) = nothing
@inline first_array(b::Broadcasted) = first_something(map(first_array, b.args)...)
@inline first_something() = nothing
@inline first_something(x::Nothing, rest...) = first_something(rest...)
@inline first_something(x, rest...) = x

# Result of a dotted call of ranges. Computes elements on access, which is safe because ranges cannot change.
struct LazyArray{T,N,B} <: AbstractArray{T,N}
    source::B
    dims::NTuple{N,Int}
end
@inline lazy_array(b, dims::Tuple) = LazyArray{typeof(broadcast_at(b, map(Returns(1), dims))),nfields(dims),typeof(b)}(b, dims)
@inline size(A::LazyArray) = A.dims
@inline function getindex(A::LazyArray{T,N}, I::Vararg{Int,N}) where {T,N}
    @boundscheck in_bounds(A.dims, I) || throw(BoundsError(A, I))
    return broadcast_at(A.source, I)
end

# ---- one element
@inline broadcast_at(x, i) = x
@inline broadcast_at(x::LazyIterator, i) = static_error("a dotted call takes an iterator as an array of its elements, for which a kernel has no memory: loop over the iterator")
@inline broadcast_at(t::Tuple, i::Int) = nfields(t) === 1 ? getfield(t, 1) : getfield(t, i)
@inline broadcast_at(t::Tuple, I::Tuple) = nfields(t) === 1 ? getfield(t, 1) : getfield(t, getfield(I, 1))
@inline broadcast_at(A::AbstractArray, i::Int) = ndims(A) === 0 ? (@inbounds A[]) : (@inbounds A[i])
@inline broadcast_at(A::AbstractArray, I::Tuple) = @inbounds A[kept_in(axes(A), A, I)...]
@inline kept_in(::Tuple{Vararg{OneTo}}, A, I::Tuple) = kept_indices(size(A), I)
@inline kept_in(sides::Tuple{}, A, I::Tuple) = ()
@inline kept_in(sides::Tuple, A, I::Tuple) = (ifelse(length(getfield(sides, 1)) === 1, Int(first(getfield(sides, 1))), getfield(I, 1)), kept_in(tail(sides), A, tail(I))...)
@inline kept_indices(dims::Tuple{}, I::Tuple) = ()
@inline kept_indices(dims::Tuple{Int}, I::Tuple) = (ifelse(getfield(dims, 1) === 1, 1, getfield(I, 1)),)
@inline kept_indices(dims::Tuple, I::Tuple) = (ifelse(getfield(dims, 1) === 1, 1, getfield(I, 1)), kept_indices(tail(dims), tail(I))...)
@inline broadcast_at(r::RefValue, i) = r.x
@inline broadcast_at(s::Some, i) = s.value
@inline broadcast_at(b::Broadcasted, i) = broadcast_call(b.f, i, b.args)
@inline broadcast_call(f, i, args::Tuple{Any}) = f(broadcast_at(getfield(args, 1), i))
@inline broadcast_call(f, i, args::Tuple{Any,Any}) = f(broadcast_at(getfield(args, 1), i), broadcast_at(getfield(args, 2), i))
@inline broadcast_call(f, i, args::Tuple{Any,Any,Any}) = f(broadcast_at(getfield(args, 1), i), broadcast_at(getfield(args, 2), i), broadcast_at(getfield(args, 3), i))
@inline broadcast_call(f, i, args::Tuple) = f(map(AtIndex(i), args)...)
struct AtIndex{I} <: Function
    i::I
end
@inline (a::AtIndex)(x) = broadcast_at(x, a.i)
@inline getindex(b::Broadcasted, i::Int) = broadcast_at(b, nfields(broadcast_size(b)) <= 1 ? i : split_offset(broadcast_size(b), i - 1))
@inline getindex(b::Broadcasted, i::Integer) = b[Int(i)]
@inline getindex(b::Broadcasted, I::Integer...) = broadcast_at(b, map(Int, I))
@inline getindex(b::Broadcasted, I::CartesianIndex) = broadcast_at(b, I.I)
@inline size(b::Broadcasted) = broadcast_size(b)
@inline axes(b::Broadcasted) = map(OneTo, broadcast_size(b))
@inline length(b::Broadcasted) = dims_product(broadcast_size(b))
@inline ndims(b::Broadcasted) = nfields(broadcast_size(b))
@inline eachindex(b::Broadcasted) = CartesianIndices(broadcast_size(b))

# ---- storing a dotted call in an array
# True if linear index i of an array with sizes `dims` selects element i of the argument.
@inline is_linear_in(dims, x) = true
@inline is_linear_in(dims, t::Tuple) = nfields(t) === 1 || (nfields(dims) === 1 && getfield(dims, 1) === nfields(t))
@inline is_linear_in(dims, A::AbstractArray) = begins_at_one(axes(A)) && is_linear_array(dims, IndexStyle(A), size(A))
@inline begins_at_one(::Tuple{Vararg{OneTo}}) = true
@inline begins_at_one(sides::Tuple) = all(Fix1(===, 1), map(first, sides))
@inline is_linear_array(dims, ::IndexLinear, own::Tuple{}) = true
@inline is_linear_array(dims, ::IndexLinear, own::Tuple) = dims === own
@inline is_linear_array(dims, ::IndexStyle, own) = false
@inline is_linear_in(dims, b::Broadcasted) = all_linear_in(dims, b.args...)
@inline all_linear_in(dims) = true
@inline all_linear_in(dims, x, rest...) = is_linear_in(dims, x) && all_linear_in(dims, rest...)
@inline fits_in(dims::Tuple{}, own::Tuple{}) = true
@inline fits_in(dims::Tuple, own::Tuple{}) = true
@inline fits_in(dims::Tuple{}, own::Tuple) = getfield(own, 1) === 1 && fits_in(dims, tail(own))
@inline fits_in(dims::Tuple, own::Tuple) = (getfield(own, 1) === getfield(dims, 1) || getfield(own, 1) === 1) && fits_in(tail(dims), tail(own))
@inline materialize!(A::AbstractArray, source) = store_broadcast!(A, source)
# The source of an assignment to A, without arrays that share memory with A. Host code copies them: program/domain.jl.
@inline apart(A, source) = source
@inline store_broadcast!(A::AbstractArray, source) = store_elements!(A, apart(A, source))
@inline function store_elements!(A::AbstractArray, source)
    dims = size(A)
    if is_linear_in(dims, A) && is_linear_in(dims, source)
        for i in OneTo(length(A))
            @inbounds A[i] = broadcast_at(source, i)
        end
        return A
    end
    if !fits_in(dims, broadcast_size(source))
        throw(DimensionMismatch("what a dotted call gives does not fit the array that it is stored in"))
    end
    for I in CartesianIndices(A)
        @inbounds A[I] = broadcast_at(source, I.I)
    end
    return A
end
@inline copyto!(A::AbstractArray, b::Broadcasted) = copy_nest!(A, b)
@inline copy_nest!(A, b) = materialize!(A, b)

module Broadcast
import Base: Broadcasted, broadcastable, broadcasted, broadcast, broadcast!, materialize, materialize!, dotview
@inline instantiate(b) = b
@inline preprocess(dest, b) = b
end
