# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/broadcast, base/iterators
# Array expressions that are evaluated on the host, before a kernel runs. Dotted calls of host arrays make new arrays.

@inline broadcast_size(A::Array) = size(A)
@inline broadcast_kind(A::Array) = ndims(A) === 0 ? OfScalars() : OfArrays()
@inline first_array(A::Array) = A
@inline broadcast_at(A::Array, i::Int) = ndims(A) === 0 ? A[] : A[i]
@inline broadcast_at(A::Array, I::Tuple) = A[kept_indices(size(A), I)...]
@inline is_linear_in(dims, A::Array) = dims === size(A) || ndims(A) === 0
@inline isempty(A::Array) = length(A) == 0
@inline eachindex(A::Array) = OneTo(length(A))
@inline iterate(A::Array) = iterate(A, 1)
@inline iterate(A::Array, i) = i <= length(A) ? (A[i], i + 1) : nothing
@inline axes(A::Array) = map(OneTo, size(A))
@inline axes(A::Array, d) = OneTo(size(A, d))
@inline lastindex(A::Array) = length(A)
@inline firstindex(A::Array) = 1
@inline CartesianIndices(A::Array) = CartesianIndices(size(A))
function materialize!(A::Array, source)
    dims = size(A)
    if !fits_in(dims, broadcast_size(source))
        throw(DimensionMismatch("what a dotted call gives does not fit the array that it is stored in"))
    end
    for k in 1:length(A)
        A[k] = broadcast_at(source, split_offset(dims, k - 1))
    end
    return A
end
function new_array(b, dims)
    T = typeof(broadcast_at(b, ntuple(Returns(1), nfields(dims))))
    return isbitstype(T) ? materialize!(undef_array(T, dims), b) : collect(materialize!(undef_array(Any, dims), b))
end
(::Type{Array{T}})(::UndefInitializer, dims...) where {T} = undef_array(T, dims...)
(::Type{Array{T,N}})(::UndefInitializer, dims...) where {T,N} = undef_array(T, dims...)
similar(A::Array) = undef_array(eltype(A), size(A))
similar(A::Array, ::Type{T}) where {T} = undef_array(T, size(A))
similar(A::Array, ::Type{T}, dims::Dims) where {T} = undef_array(T, dims)
similar(A::Array, ::Type{T}, dims::Integer...) where {T} = undef_array(T, dims)
similar(A::Union{CartesianIndices,LinearIndices,AbstractRange}, ::Type{T}) where {T} = undef_array(T, size(A))
firstindex(A::Array, d::Integer) = 1
first(A::Array, n::Integer) = A[1:min(checked_count(n), length(A))]
last(A::Array, n::Integer) = A[length(A)-min(checked_count(n), length(A))+1:length(A)]
reverse(A::Array) = A[length(A):-1:1]
keys(A::Array) = ndims(A) == 1 ? OneTo(length(A)) : CartesianIndices(size(A))
# Views: part of an array that shares the array's memory.
view(A::Array, I...) = host_view(A, view_indices(A, 1, plain_indices(A, I)...))
maybeview(A::Array, I...) = view(A, I...)
maybeview(A::Array, I::Union{Number,AbstractCartesianIndex}...) = getindex(A, I...)
function host_view(A, I::Tuple)
    check_view(A, I)
    return __unchecked_host_view(A, I)
end
function __unchecked_host_view(A, I::Tuple)
    return unchecked_view(A, I)
end
function copyto!(A::Union{Array,AbstractArray}, B::Array)
    for i in 1:length(B)
        A[linear_index(A, i)] = B[i]
    end
    return A
end
function permutedims(A::Array)
    B = undef_array(eltype(A), (size(A, 2), size(A, 1)))
    for i in 1:size(A, 1), j in 1:size(A, 2)
        B[j, i] = A[i, j]
    end
    return B
end
# Size of the array that collect makes from an iterator; nothing: the result is a vector.
__shape(x) = nothing
__shape(x::Number) = ()
__shape(A::Array) = size(A)
__shape(A::AbstractArray) = size(A)
__shape(g::Generator) = __shape_over(g.iter)
__shape_over(x) = __shape(x)
__shape_over(A::AbstractArray) = begins_at_one(axes(A)) ? size(A) : axes(A)
__shape(e::Enumerate) = __shape(e.items)
__shape(p::Pairs) = __shape(p.itr)
__shape(p::ProductIterator) = __joined_shapes(p.iterators...)
__joined_shapes() = ()
__joined_shapes(items, rest...) = (a = __shape_in(items); b = __joined_shapes(rest...); a === nothing || b === nothing ? nothing : (a..., b...))
__shape_in(x) = __shape(x)
__shape_in(t::Tuple) = (nfields(t),)
# Element type of the array that collect makes from an empty iterator.
__empty_eltype(x) = eltype(x)
materialize_array(A::Array, b) = new_array(b, broadcast_size(b))
fill(x) = fill(x, ())
hcat(x::Number, rest::Number...) = rows_of((1 + length(rest),), (x, rest...))
vcat(x::Number, rest::Number...) = vect(promote(x, rest...)...)
hvcat(lengths::Tuple, items...) = rows_of(lengths, items)
function rows_of(lengths, items)
    T = typeof(promote(items...)[1])
    A = undef_array(T, (length(lengths), lengths[1]))
    for i in 1:length(lengths), j in 1:lengths[1]
        A[i, j] = items[(i-1)*lengths[1]+j]
    end
    return A
end
