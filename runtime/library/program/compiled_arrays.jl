# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/compiled
# Functions by which compiled code of programs makes arrays. The interpreter calls host functions in their place. The
# methods in this file compute equal results element by element (lib/programs/hot_rules.cpp lists the names).
@inline __new_array(::Type{T}, dims::Tuple) where {T} = static_error("this makes an array, for which a kernel has no memory") # for the host: domain.jl
@inline __whole(dims::Tuple) = map(Int, dims)
@inline undef_array(::Type{T}, dims::Integer...) where {T} = __new_array(T, __whole(dims))
@inline undef_array(::Type{T}, dims::Tuple) where {T} = __new_array(T, __whole(dims))
@inline function __filled(A, x)
    for k in 1:length(A)
        @inbounds A[k] = x
    end
    return A
end
# A new array is zero-initialised.
@inline __of_zeros(::Type{T}, dims) where {T} = T <: Union{BitInteger,Bool,Float64,Float32,Float16} ? __new_array(T, dims) : __filled(__new_array(T, dims), zero(T))
@inline __of_ones(::Type{T}, dims) where {T} = __filled(__new_array(T, dims), one(T))
# All forms of these end in the one with a tuple of Ints. Packages add methods for axes that begin elsewhere than at 1.
for (f, made) in ((:zeros, :__of_zeros), (:ones, :__of_ones))
    @eval begin
        @inline $f(::Type{T}, dims::Dims) where {T} = $made(T, dims)
        @inline $f(::Type{T}, dims::Tuple{__PlainDim,Vararg{__PlainDim}}) where {T} = $f(T, map(given_extent, dims))
        @inline $f(::Type{T}, dims::DimOrInd...) where {T} = $f(T, dims)
        @inline $f(dims::DimOrInd...) = $f(Float64, dims)
        @inline $f(dims::Tuple{DimOrInd,Vararg{DimOrInd}}) = $f(Float64, dims)
        @inline $f(dims::Tuple{}) = $f(Float64, dims)
    end
end
@inline fill(x, dims::Dims) = __filled(__new_array(typeof(x), dims), x)
@inline fill(x, dims::Tuple{__PlainDim,Vararg{__PlainDim}}) = fill(x, map(given_extent, dims))
@inline fill(x, dims::DimOrInd...) = fill(x, dims)

(::Type{Array{T,1}})() where {T} = __new_array(T, (0,))
(::Type{Array{T}})(A::Array{T}) where {T} = copy(A)
(::Type{Array{T,N}})(A::Array{T,N}) where {T,N} = copy(A)
function __converted(::Type{T}, A) where {T}
    B = __new_array(T, size(A))
    for k in 1:length(A)
        @inbounds B[k] = convert(T, A[k])
    end
    return B
end
copy(A::Array{T}) where {T} = __converted(T, A)
(::Type{Array{T}})(A::Array) where {T} = __converted(T, A)
(::Type{Array{T,N}})(A::Array{S,N}) where {T,N,S} = __converted(T, A)

# Makes arrays from individual elements.
@inline function __from_tuple(::Type{T}, items) where {T}
    A = __new_array(T, (nfields(items),))
    __put!(A, 1, items...)
    return A
end
@inline __put!(A, k) = A
@inline __put!(A, k, x, rest...) = (@inbounds A[k] = x; __put!(A, k + 1, rest...))
@inline vect(first::T, items::T...) where {T} = __from_tuple(T, (first, items...))
@inline vect(first::Number, items::Number...) = (all = promote(first, items...); __from_tuple(typeof(getfield(all, 1)), all))
@inline __joined_array(items::Tuple, ::Type{T}, dims::Tuple{Int}) where {T} = __from_tuple(T, items)

# A global variable that a compiled loop assigns (lib/programs/hot_loops.cpp).
@inline __load_cell(cell::Array{T,1}) where {T} = @inbounds cell[1]
@inline __store_cell(cell::Array{T,1}, x::T) where {T} = (@inbounds cell[1] = x; x)

# Collects an iterator: as many elements as its shape states, or all up to its end.
@inline collect(g::Generator) = __collected(return_type(__next_of, typeof(g)), g, __shape(g))
@inline collect(r::AbstractRange) = __collected(eltype(r), r, size(r))
@inline collect(::Type{T}, g) where {T} = __collected(T, g, __shape(g))
@inline collect(A::Array) = copy(A)
@inline collect(A::SubArray{T,N,P}) where {T,N,P<:Array} = __collected(T, A, size(A))
@inline function __collected(::Type{T}, iter, dims::Tuple) where {T}
    A = __new_array(T, dims)
    __fill_from!(A, iter)
    return A
end
function __collected(::Type{T}, iter, ::Nothing) where {T}
    A = __new_array(T, (16,))
    n = 0
    for x in iter
        if n === length(A)
            A = __of_length(A, n, 2 * n)
        end
        n += 1
        @inbounds A[n] = x
    end
    return __of_length(A, n, n)
end
function __of_length(A::Array{T}, count, n) where {T}
    B = __new_array(T, (n,))
    for k in 1:count
        @inbounds B[k] = A[k]
    end
    return B
end
@inline map(f, A::Array) = collect(Generator(f, A))

# ---- vectors that change their length. A vector's header has the address of its elements, the bytes that they may use, its
# dimension and its length.
@inline function __set_length!(A::Array{T,1}, n::Int) where {T}
    isbitstype(T) || static_error("compiled code changes the length of vectors of bits alone, and these are ", T)
    header = retype_scalars(Ptr{Int}, A)
    if slt_int(pointer_load(header, 1, Val{0}()), mul_int(n, sizeof_type(T)))
        __check_memory(ccall("extern kiln_grow_array", llvmcall, Bool, (Ptr{Nothing}, Int), retype_scalars(Ptr{Nothing}, A), mul_int(n, sizeof_type(T))))
    end
    pointer_store(header, n, 2, Val{0}())
    pointer_store(header, n, 3, Val{0}())
    return A
end
@inline function push!(A::Array{T,1}, x) where {T}
    v = convert(T, x)
    n = length(A) + 1
    __set_length!(A, n)
    @inbounds A[n] = v
    return A
end
@inline push!(A::Array{T,1}, x, y, rest...) where {T} = push!(push!(A, x), y, rest...)
@inline function pop!(A::Array{T,1}) where {T}
    n = length(A)
    n === 0 && throw(ArgumentError("array must be non-empty"))
    x = @inbounds A[n]
    __set_length!(A, n - 1)
    return x
end
function __insert(A::Array{T,1}, i::Int, x) where {T}
    n = length(A) + 1
    ult_int(sub_int(i, 1), n) || __out_of_bounds(A, (i,))
    v = convert(T, x)
    __set_length!(A, n)
    for k in n:-1:i+1
        @inbounds A[k] = A[k-1]
    end
    @inbounds A[i] = v
    return A
end
function deleteat!(A::Array{T,1}, i::Integer) where {T}
    n = length(A)
    ult_int(sub_int(Int(i), 1), n) || __out_of_bounds(A, (Int(i),))
    for k in Int(i):n-1
        @inbounds A[k] = A[k+1]
    end
    return __set_length!(A, n - 1)
end
@inline pushfirst!(A::Array{T,1}, x) where {T} = __insert(A, 1, x)
@inline function popfirst!(A::Array{T,1}) where {T}
    length(A) === 0 && throw(ArgumentError("array must be non-empty"))
    x = @inbounds A[1]
    deleteat!(A, 1)
    return x
end
function append!(A::Array{T,1}, items::AbstractArray) where {T}
    for k in 1:length(items)                          # of before, since the items may be A's
        push!(A, @inbounds items[k])
    end
    return A
end
function append!(A::Array{T,1}, items) where {T}
    for x in items
        push!(A, x)
    end
    return A
end
@inline empty!(A::Array{T,1}) where {T} = __set_length!(A, 0)
function resize!(A::Array{T,1}, n::Integer) where {T}
    n < 0 && throw(ArgumentError("new length must be ≥ 0"))
    m = length(A)
    __set_length!(A, Int(n))
    for k in m+1:Int(n)
        @inbounds A[k] = unset_value(T)
    end
    return A
end

# Dotted calls.
@inline function __compiled_broadcast(b, dims)
    A = __new_array(return_type(__broadcast_element, typeof(b), typeof(dims)), dims)
    __broadcast_into!(A, b, dims)
    return A
end
@inline function __compiled_into(A, b, dims)
    __broadcast_into!(A, b, dims)
    return true
end

# Adds numbers in the same order as the host: pairwise for more than 1,024.
function __sum_of(A, from, n)
    if n > 1024
        half = (n + 1) >> 1
        return __sum_of(A, from, half) + __sum_of(A, from + half, n - half)
    end
    n == 0 && return zero(eltype(A))
    s = @inbounds A[from+1]
    for k in from+2:from+n
        @inbounds s += A[k]
    end
    return s
end
sum(A::Array{T}) where {T<:Union{Float64,Float32}} = __sum_of(A, 0, length(A))

# Products of matrices with equal element types, in the host's order of operations.
function __product(A::Array{T,2}, B::Array{T,2}) where {T}
    C = __of_zeros(T, (size(A, 1), size(B, 2)))
    for j in 1:size(B, 2), c in 1:size(A, 2), i in 1:size(A, 1)
        @inbounds C[i, j] = add_product(A[i, c], B[c, j], C[i, j])
    end
    return C
end
function __product(A::Array{T,2}, B::Array{T,1}) where {T}
    C = __of_zeros(T, (size(A, 1),))
    for c in 1:size(A, 2), i in 1:size(A, 1)
        @inbounds C[i] = add_product(A[i, c], B[c], C[i])
    end
    return C
end

# Parts, as new arrays.
@inline __part_index(A, d, i::Colon) = OneTo(size(A, d))
@inline __part_index(A, d, i) = i
@inline getindex(A::Array, r::AbstractUnitRange) = __part_of(A, r)
@inline getindex(A::Array, r::StepRange) = __part_of(A, r)
@inline getindex(A::Array, ::Colon) = __of_length(A, length(A), length(A))
function __part_of(A::Array{T}, r) where {T}
    isempty(r) || (1 <= minimum(r) && maximum(r) <= length(A)) || throw(BoundsError())
    B = __new_array(T, (length(r),))
    k = 0
    for i in r
        k += 1
        @inbounds B[k] = A[i]
    end
    return B
end
getindex(A::Array{<:Any,2}, i::Union{Colon,AbstractUnitRange}, j::Integer) = __column_part(A, __part_index(A, 1, i), j)
getindex(A::Array{<:Any,2}, i::Integer, j::Union{Colon,AbstractUnitRange}) = __row_part(A, i, __part_index(A, 2, j))
getindex(A::Array{<:Any,2}, i::Union{Colon,AbstractUnitRange}, j::Union{Colon,AbstractUnitRange}) = __block_part(A, __part_index(A, 1, i), __part_index(A, 2, j))
@inline __within(A, d, r) = isempty(r) || (1 <= first(r) && last(r) <= size(A, d)) || throw(BoundsError())
function __column_part(A::Array{T}, r, j) where {T}
    __within(A, 1, r)
    __within(A, 2, j:j)
    B = __new_array(T, (length(r),))
    for k in 1:length(r)
        @inbounds B[k] = A[r[k], j]
    end
    return B
end
function __row_part(A::Array{T}, i, r) where {T}
    __within(A, 1, i:i)
    __within(A, 2, r)
    B = __new_array(T, (length(r),))
    for k in 1:length(r)
        @inbounds B[k] = A[i, r[k]]
    end
    return B
end
function __block_part(A::Array{T}, r, s) where {T}
    __within(A, 1, r)
    __within(A, 2, s)
    B = __new_array(T, (length(r), length(s)))
    for j in 1:length(s), i in 1:length(r)
        @inbounds B[i, j] = A[r[i], s[j]]
    end
    return B
end

# Stores into parts.
@inline __as_many(n, v) = length(v) == n || throw(DimensionMismatch("tried to assign to another number of elements"))
function setindex!(A::Array, v::Union{Array,AbstractRange}, r::AbstractRange{<:Integer})
    __as_many(length(r), v)
    isempty(r) || (1 <= minimum(r) && maximum(r) <= length(A)) || throw(BoundsError())
    for k in 1:length(r)
        @inbounds A[r[k]] = v[k]
    end
    return A
end
setindex!(A::Array, v::Union{Array,AbstractRange}, ::Colon) = setindex!(A, v, 1:length(A))
function setindex!(A::Array{<:Any,2}, v::Union{Array{<:Any,1},AbstractRange}, i::Union{Colon,AbstractUnitRange}, j::Integer)
    r = __part_index(A, 1, i)
    __as_many(length(r), v)
    __within(A, 1, r)
    __within(A, 2, j:j)
    for k in 1:length(r)
        @inbounds A[r[k], j] = v[k]
    end
    return A
end
function setindex!(A::Array{<:Any,2}, v::Union{Array{<:Any,1},AbstractRange}, i::Integer, j::Union{Colon,AbstractUnitRange})
    r = __part_index(A, 2, j)
    __as_many(length(r), v)
    __within(A, 1, i:i)
    __within(A, 2, r)
    for k in 1:length(r)
        @inbounds A[i, r[k]] = v[k]
    end
    return A
end
function setindex!(A::Array{<:Any,2}, v::Array{<:Any,2}, i::Union{Colon,AbstractUnitRange}, j::Union{Colon,AbstractUnitRange})
    r, s = __part_index(A, 1, i), __part_index(A, 2, j)
    (size(v, 1) == length(r) && size(v, 2) == length(s)) || throw(DimensionMismatch("tried to assign an array of another size"))
    __within(A, 1, r)
    __within(A, 2, s)
    for n in 1:length(s), m in 1:length(r)
        @inbounds A[r[m], s[n]] = v[m, n]
    end
    return A
end
