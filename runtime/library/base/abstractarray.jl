# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/pointer
# Functions for every array type: sizes, bounds checks, and conversion of any mixture of indices to a linear index.

abstract type IndexStyle end
struct IndexLinear <: IndexStyle end
struct IndexCartesian <: IndexStyle end
@inline IndexStyle(A::AbstractArray) = IndexStyle(typeof(A))
@inline IndexStyle(::Type{A}) where {A<:AbstractArray} = IndexCartesian()
@inline IndexStyle(::Type{A}) where {A<:DenseArray} = IndexLinear()
@inline IndexStyle(::Type{A}) where {A<:AbstractRange} = IndexLinear()

@inline eltype(x) = eltype(typeof(x))
@inline eltype(::Type{T}) where {T} = Any
@inline eltype(::Type{T}) where {T<:Number} = T
@inline eltype(A::AbstractArray{T}) where {T} = T
@inline eltype(::Type{<:AbstractArray{T}}) where {T} = T
@inline ndims(A::AbstractArray{T,N}) where {T,N} = N
@inline ndims(::Type{<:AbstractArray{<:Any,N}}) where {N} = N
@inline ndims(x::Number) = 0
@inline length(A::AbstractArray) = dims_product(size(A))
@inline dims_product(dims::Tuple{}) = 1
@inline dims_product(dims::Tuple{Any}) = getfield(dims, 1)
@inline dims_product(dims::Tuple) = afoldl(*, dims...)
@inline isempty(A::AbstractArray) = length(A) == 0
@inline function size(A::AbstractArray, d)
    dims = size(A)
    if d < 1
        throw(BoundsError(dims, d))
    end
    return d <= nfields(dims) ? getfield(dims, Int(d)) : 1
end
@inline size(A::AbstractArray, d::Integer, e::Integer, rest::Integer...) = map(Fix1(size, A), (d, e, rest...))
@inline axes(A::AbstractArray) = map(OneTo, size(A))
@inline axes(A::AbstractArray, d) = d <= ndims(A) ? axes(A)[d] : OneTo(1)
@inline axes(A::DenseArray, d) = OneTo(size(A, d))
@inline firstindex(A::AbstractArray) = 1
@inline lastindex(A::AbstractArray) = length(A)
@inline firstindex(A::AbstractArray, d::Integer) = first(axes(A, d))
@inline lastindex(A::AbstractArray, d::Integer) = last(axes(A, d))
@inline firstindex(A::AbstractVector) = first(axes(A, 1))
@inline lastindex(A::AbstractVector) = last(axes(A, 1))
@inline lastindex(A::DenseArray{T,1}) where {T} = length(A)
@inline lastindex(A::DenseArray{T,N}, d::Integer) where {T,N} = size(A, d)
@inline IndexStyle(A::AbstractArray, B::AbstractArray, rest::AbstractArray...) = IndexStyle(IndexStyle(A), IndexStyle(B), map(IndexStyle, rest)...)
@inline IndexStyle(::IndexLinear, ::IndexLinear...) = IndexLinear()
@inline IndexStyle(::IndexStyle, ::IndexStyle...) = IndexCartesian()
@inline eachindex(A::AbstractArray) = eachindex(IndexStyle(A), A)
@inline eachindex(::IndexLinear, A::AbstractArray) = OneTo(length(A))
@inline eachindex(::IndexLinear, A::AbstractVector) = axes(A, 1)
@inline eachindex(::IndexCartesian, A::AbstractArray) = CartesianIndices(axes(A))
@inline eachindex(::IndexCartesian, A::AbstractVector) = axes(A, 1)
@inline getindex(x::Number) = x
@inline getindex(x::Number, i::Integer) = i == 1 ? x : throw(BoundsError(x, i))
@inline eachindex(A::AbstractArray, B::AbstractArray, rest::AbstractArray...) = eachindex(A)
@inline keys(A::AbstractArray) = CartesianIndices(axes(A))
@inline keys(A::AbstractVector) = axes(A, 1)
@inline pairs(::IndexLinear, A::AbstractArray) = Pairs(A, eachindex(IndexLinear(), A))
@inline pairs(::IndexCartesian, A::AbstractArray) = Pairs(A, CartesianIndices(axes(A)))
@inline eachcol(A::AbstractMatrix) = Generator(ColumnOf(A), axes(A, 2))
@inline eachrow(A::AbstractMatrix) = Generator(RowOf(A), axes(A, 1))
struct ColumnOf{A} <: Function
    items::A
end
@inline (c::ColumnOf)(j) = view(c.items, :, j)
struct RowOf{A} <: Function
    items::A
end
@inline (r::RowOf)(i) = view(r.items, i, :)
@inline first(A::AbstractArray) = A[linear_index(A, 1)]
@inline last(A::AbstractArray) = A[linear_index(A, length(A))]
# Linear index of element k. The axis of a vector may begin elsewhere than at 1.
@inline linear_index(A::AbstractArray, k) = k
@inline linear_index(A::AbstractVector, k) = add_int(first(axes(A, 1)), sub_int(k, 1))
@inline linear_index(A::DenseArray, k) = k
@inline function stride(A::DenseArray, k::Integer)
    n = 1
    i = 1
    while i < k
        n *= size(A, i)
        i += 1
    end
    return n
end
@inline strides(A::DenseArray) = ntuple(Fix1(stride, A), nfields(size(A)))

# ---- bounds
# An array may have fewer indices than dimensions (the last index covers the rest) or more (the extra ones must be 1).
@inline function in_bounds(dims::Tuple, I::Tuple)
    if nfields(I) === 0
        return dims_product(dims) === 1
    elseif nfields(dims) === 0
        return all_ones(I...)
    end
    k = sub_int(getfield(I, 1), 1)
    if nfields(I) === 1
        return ult_int(k, dims_product(dims))
    end
    return and_int(ult_int(k, getfield(dims, 1)), in_bounds_rest(tail(dims), tail(I)))
end
@inline in_bounds_rest(dims, I) = in_bounds(dims, I)
@inline all_ones() = true
@inline all_ones(i, rest...) = and_int(i === 1, all_ones(rest...))
@inline function offset_of(dims::Tuple, I::Tuple)
    if nfields(I) === 0 || nfields(dims) === 0
        return 0
    end
    k = sub_int(getfield(I, 1), 1)
    if nfields(I) === 1
        return k
    end
    return add_int(k, mul_int(getfield(dims, 1), offset_of(tail(dims), tail(I))))
end
@inline _to_linear_index(A::AbstractArray, i::Integer) = int_index(i)
@inline _to_linear_index(A::AbstractArray, I::Integer...) = linear_index(A, add_int(offset_of(size(A), from_ones(axes(A), flat_indices(I))), 1))
@inline checkbounds(::Type{Bool}, A::AbstractArray, I...) = is_inside(axes(A), A, flat_indices(I))
@inline is_inside(::Tuple{Vararg{OneTo}}, A, I) = in_bounds(size(A), I)
@inline is_inside(sides::Tuple, A, I) = nfields(I) === 1 ? checkindex(Bool, eachindex(IndexLinear(), A), I[1]) : in_bounds(map(length, sides), from_each_one(sides, I))
@inline from_one(side, i) = add_int(sub_int(i, first(side)), 1)
# Indices of several dimensions, counted from 1.
@inline from_ones(::Tuple{Vararg{OneTo}}, I::Tuple) = I
@inline from_ones(sides::Tuple, I::Tuple) = nfields(I) === 1 && nfields(sides) !== 1 ? I : from_each_one(sides, I)
@inline from_each_one(sides::Tuple{}, I::Tuple) = I
@inline from_each_one(sides::Tuple{}, I::Tuple{}) = ()
@inline from_each_one(sides::Tuple, I::Tuple{}) = ()
@inline from_each_one(sides::Tuple, I::Tuple) = (from_one(getfield(sides, 1), getfield(I, 1)), from_each_one(tail(sides), tail(I))...)
@inline checkbounds(::Type{Bool}, A::AbstractArray, i::Integer) = is_inside(axes(A), A, (int_index(i),))
@inline checkbounds(::Type{Bool}, A::AbstractArray, r::AbstractUnitRange) = isempty(r) || (checkbounds(Bool, A, first(r)) & checkbounds(Bool, A, last(r)))
@inline function checkbounds(A::AbstractArray, I...)
    if !checkbounds(Bool, A, I...)
        throw(BoundsError(A, I))
    end
    return nothing
end
@inline checkindex(::Type{Bool}, r::AbstractUnitRange, i::Integer) = (first(r) <= i) & (i <= last(r))
@inline checkindex(::Type{Bool}, r::AbstractUnitRange, ::Colon) = true
@inline checkindex(::Type{Bool}, r::AbstractUnitRange, s::AbstractRange) = isempty(s) || (checkindex(Bool, r, first(s)) & checkindex(Bool, r, last(s)))
@inline checkbounds_indices(::Type{Bool}, axes::Tuple, I::Tuple) = in_bounds(map(length, axes), from_ones(axes, flat_indices(I)))
@inline isassigned(A::AbstractArray, I::Integer...) = checkbounds(Bool, A, I...)

# ---- conversion of mixed integers and Cartesian indices to a tuple of Ints
@inline int_index(i::Union{Bool,BitInteger}) = rem(i, Int)
@inline int_index(i::Integer) = convert(Int, i)
@inline index_ints(i::Integer) = (int_index(i),)
@inline index_ints(r::Union{AbstractRange,Colon}) = static_error("indexing an array with a range or `:` makes a new array, for which a kernel has no memory: use @view")
@inline index_ints(i) = static_error("an index is an integer, a CartesianIndex or, in a view, a range or `:`; it cannot be of type ", typeof(i))
@inline flat_indices(I::Tuple{}) = ()
@inline flat_indices(I::Tuple{Any}) = index_ints(getfield(I, 1))
@inline flat_indices(I::Tuple{Integer,Integer}) = (int_index(getfield(I, 1)), int_index(getfield(I, 2)))
@inline flat_indices(I::Tuple{Integer,Integer,Integer}) = (int_index(getfield(I, 1)), int_index(getfield(I, 2)), int_index(getfield(I, 3)))
@inline flat_indices(I::Tuple) = (index_ints(getfield(I, 1))..., flat_indices(tail(I))...)

# An array type defines getindex(A, i::Int) (IndexLinear) or getindex(A, i::Int...) (IndexCartesian). These methods
# convert all other indices to that form.
@propagate_inbounds getindex(A::AbstractArray, I...) = get_flat(IndexStyle(A), A, flat_indices(plain_indices(A, I)))
@propagate_inbounds setindex!(A::AbstractArray, v, I...) = set_flat(IndexStyle(A), A, v, flat_indices(plain_indices(A, I)))
@propagate_inbounds function get_flat(::IndexLinear, A, I::Tuple)
    if nfields(I) === 1
        return getindex(A, getfield(I, 1))
    end
    J = from_ones(axes(A), I)
    @boundscheck in_bounds(size(A), J) || throw(BoundsError(A, I))
    return getindex(A, linear_index(A, add_int(offset_of(size(A), J), 1)))
end
@propagate_inbounds function set_flat(::IndexLinear, A, v, I::Tuple)
    if nfields(I) === 1
        return setindex!(A, v, getfield(I, 1))
    end
    J = from_ones(axes(A), I)
    @boundscheck in_bounds(size(A), J) || throw(BoundsError(A, I))
    return setindex!(A, v, linear_index(A, add_int(offset_of(size(A), J), 1)))
end
@propagate_inbounds get_flat(::IndexCartesian, A, I::Tuple) = getindex(A, cartesian_ints(A, I)...)
@propagate_inbounds set_flat(::IndexCartesian, A, v, I::Tuple) = setindex!(A, v, cartesian_ints(A, I)...)
@inline function cartesian_ints(A::AbstractArray{T,N}, I::Tuple) where {T,N}
    if nfields(I) === N
        return I
    elseif nfields(I) === 1
        return from_firsts(axes(A), split_offset(size(A), sub_int(getfield(I, 1), 1)))
    elseif nfields(I) === 0
        return map(first, axes(A))
    end
    return ntuple(Fix1(getfield, I), N)            # trailing indices
end
@inline from_firsts(::Tuple{Vararg{OneTo}}, I::Tuple) = I
@inline from_firsts(sides::Tuple, I::Tuple) = map(from_first, sides, I)
@inline from_first(side, i) = add_int(first(side), sub_int(i, 1))
@inline split_offset(dims::Tuple{}, k) = ()
@inline split_offset(dims::Tuple{Any}, k) = (add_int(k, 1),)
@inline function split_offset(dims::Tuple, k)
    d = getfield(dims, 1)
    q = div(k, d)
    return (add_int(sub_int(k, mul_int(q, d)), 1), split_offset(tail(dims), q)...)
end

@inline iterate(A::AbstractArray) = iterate(A, 1)
@inline iterate(A::AbstractArray, i) = ult_int(sub_int(i, 1), length(A)) ? ((@inbounds A[linear_index(A, i)]), add_int(i, 1)) : nothing
@inline function fill!(A::AbstractArray, x)
    for i in eachindex(A)
        @inbounds A[i] = x
    end
    return A
end
@inline copyto!(A::AbstractArray, B::AbstractArray) = copy_items!(axes(A), axes(B), A, apart(A, B))
@inline function copy_items!(::Tuple{Vararg{OneTo}}, ::Tuple{Vararg{OneTo}}, A, B)
    for i in eachindex(B)
        A[i] = B[i]
    end
    return A
end
@inline function copy_items!(to, from, A, B)       # element by element in linear order, wherever the axes begin
    for k in 1:length(B)
        A[linear_index(A, k)] = B[linear_index(B, k)]
    end
    return A
end
@inline function copyto!(A::AbstractArray, i::Integer, B::AbstractArray, j::Integer=1, n::Integer=length(B) - j + 1)
    C = apart(A, B)
    if moves_back(A, C, i, j)
        for k in n-1:-1:0
            A[i+k] = C[j+k]
        end
        return A
    end
    for k in 0:n-1
        A[i+k] = C[j+k]
    end
    return A
end
@inline moves_back(A, B, i, j) = false             # true for a host array that moves its own elements: program/domain.jl
@inline diagind(m::Integer, n::Integer, k::Integer=0) = diagonal_of(Int(m), Int(n), Int(k))
@inline diagind(A::AbstractMatrix, k::Integer=0) = diagonal_of(size(A, 1), size(A, 2), Int(k))
@inline function diagonal_of(m::Int, n::Int, k::Int)
    a = k <= 0 ? 1 - k : k * m + 1
    count = max(0, k <= 0 ? min(m + k, n) : min(m, n - k))
    return a:(m + 1):(a + (count - 1) * (m + 1))
end
@inline map!(f, A::AbstractArray, sources...) = materialize!(A, broadcasted(f, sources...))
@inline reverse!(A::AbstractVector) = reverse!(A, 1, length(A))
@inline function reverse!(A::AbstractVector, i::Integer, j::Integer)
    while i < j
        (A[i], A[j]) = (A[j], A[i])
        i += 1
        j -= 1
    end
    return A
end
@inline ==(A::AbstractArray, B::AbstractArray) = axes(A) == axes(B) && same_items(==, A, B)
@inline isequal(A::AbstractArray, B::AbstractArray) = axes(A) == axes(B) && same_items(isequal, A, B)
@inline function same_items(same, A, B)
    for i in eachindex(A, B)
        if !same(A[i], B[i])
            return false
        end
    end
    return true
end
@inline zero_like(A::AbstractArray{T}) where {T} = zero(T)
@inline getindex(::Type{T}) where {T} = zeros(T, 0) # host arrays: T[] and T[a, b]
@inline getindex(::Type{T}, items...) where {T} = vect(map(Fix1(convert, T), items)...)
@inline conj(x::Real) = x
@inline dot(x::Number, y::Number) = conj(x) * y
@inline dot(x::Tuple, y::Tuple) = sum(map(dot, x, y))
@inline function dot(x::AbstractArray, y::AbstractArray)
    s = zero(eltype(x)) * zero(eltype(y))
    for i in eachindex(x)
        s = add_dot(x[i], y[i], s)
    end
    return s
end
@inline add_dot(x::Number, y::Number, s) = add_product(conj(x), y, s)
@inline add_dot(x, y, s) = s + dot(x, y)
