# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/storage
# Indexing of device arrays. Scalar indexing is an error unless allowed. Parts are views or copies.

mutable struct ScalarIndexing
    allowed::Bool
end
const scalar_indexing = ScalarIndexing(false)
function assertscalar(op)
    scalar_indexing.allowed && return nothing
    error(string("Scalar indexing is disallowed.\nInvocation of ", op, " resulted in scalar indexing of a GPU array.\n",
                 "This is typically caused by calling an iterating implementation of a method.\n",
                 "Such implementations *do not* execute on the GPU, but very slowly on the CPU,\n",
                 "and therefore should be avoided.\n\n",
                 "If you want to allow scalar iteration, use `allowscalar` or `@allowscalar`\n",
                 "to enable scalar iteration globally or for the operations in question."))
end
function allowscalar(f::Function)
    before = scalar_indexing.allowed
    scalar_indexing.allowed = true
    try
        return f()
    finally
        scalar_indexing.allowed = before
    end
end
function allowscalar(allow::Bool=true)
    scalar_indexing.allowed = allow
    return nothing
end
macro allowscalar(ex) # `@allowscalar x = a[1]` assigns x outside of the closure
    if ex isa Expr && ex.head === :(=) && ex.args[1] isa Symbol
        return Expr(:(=), esc(ex.args[1]), Expr(:call, :allowscalar, Expr(:->, Expr(:tuple), esc(ex.args[2]))))
    end
    return Expr(:call, :allowscalar, Expr(:->, Expr(:tuple), esc(ex)))
end

# ---- elements
load_element(A::CuArray{T}, k::Int) where {T} = checked_load(__load(T, A.storage, A.offset + (k - 1) * sizeof(T)))
checked_load(x) = x
checked_load(x::String) = raise_thrown(x)
function scalar_index(A, I)
    J = Base.flat_indices(I)
    Base.in_bounds(size(A), J) || throw(BoundsError(A, I))
    return Base.offset_of(size(A), J) + 1
end
const ScalarIndex = Union{Integer,CartesianIndex}
Base.getindex(A::CuArray) = length(A) == 1 ? scalar_load(A, 1) : throw(BoundsError(A, ()))
may_index(A::CuArray{T,N,M}) where {T,N,M} = M !== DeviceMemory # the host can access memory other than DeviceMemory directly
may_index(A) = false
function scalar_load(A, k)
    may_index(A) || assertscalar("getindex")
    return load_element(A, k)
end
Base.getindex(A::CuArray, i::Integer) = scalar_load(A, scalar_index(A, (i,)))
Base.getindex(A::CuArray, I::ScalarIndex...) = scalar_load(A, scalar_index(A, I))
function scalar_store(A::CuArray{T}, x, k) where {T}
    may_index(A) || assertscalar("setindex!")
    raise_thrown(__store(A.storage, A.offset + (k - 1) * sizeof(T), convert(T, x)))
    return A
end
Base.setindex!(A::CuArray, x) = scalar_store(A, x, 1)
Base.setindex!(A::CuArray, x, i::Integer) = scalar_store(A, x, scalar_index(A, (i,)))
Base.setindex!(A::CuArray, x, I::ScalarIndex...) = scalar_store(A, x, scalar_index(A, I))
Base.iterate(A::CuArray, i::Int=1) = i <= length(A) ? (A[i], i + 1) : nothing
Base.first(A::CuArray) = A[1]
Base.last(A::CuArray) = A[length(A)]

# ---- views; a contiguous view is a plain CuArray
Base.view_index(A, d, i::CuArray) = i
Base.is_in_range(n::Int, i::CuArray) = is_within((n,), i)
@inline Base.item_at(A::CuDeviceArray, j::Int) = @inbounds A[j]
plain_view(A, I) = Base.unchecked_view(A, I)
Base.view(A::CuArray, r::Union{AbstractRange,Colon}) = device_view(A, r)
Base.view(A::CuArray, I...) = device_view(A, Base.plain_indices(A, I)...)
function device_view(A::CuArray, I...)
    any(map(is_list, I)) && return view_of_lists(A, flat_views(I))
    if length(I) == 1
        i = I[1] isa CartesianIndex ? I[1].I : (I[1],)
        length(i) == 1 || return view(A, i...)
        J = (i[1] isa Colon ? Base.OneTo(length(A)) : Base.view_index(A, 1, i[1]),)
    else
        J = Base.view_indices(A, 1, flat_views(I)...)
    end
    Base.check_view(A, J)
    where_ = contiguous_part(length(J) == 1 ? (length(A),) : size(A), J)
    where_ === nothing && return plain_view(A, J)
    return part(A, eltype(A), A.offset + where_[1] * sizeof(eltype(A)), where_[2])
end
flat_views(I::Tuple{}) = ()
flat_views(I::Tuple) = I[1] isa CartesianIndex ? (I[1].I..., flat_views(Base.tail(I))...) : (I[1], flat_views(Base.tail(I))...)
# If the part is contiguous (whole dimensions, then one range, then single indices), returns the number of elements
# before the part, and the part's dimensions.
function contiguous_part(dims, J)
    before = 0
    stride = 1
    sizes = ()
    whole = true
    for d in 1:length(J)
        j = J[d]
        extent = d <= length(dims) ? dims[d] : 1
        if j isa Int
            before += (j - 1) * stride
            whole = whole && extent == 1
        elseif j isa AbstractUnitRange && (whole || length(j) == 1)
            length(j) == 0 || (before += (first(j) - 1) * stride)
            sizes = (sizes..., length(j))
            whole = whole && length(j) == extent
        else
            return nothing
        end
        stride *= extent
    end
    return (before, sizes)
end
# A view of a view becomes a view of the array with composed indices (index_lists.jl handles lists).
Base.view(A::CuSubArray, r::Union{AbstractRange,Colon}) = view_again(A, (r,))
Base.view(A::CuSubArray, I...) = view_again(A, Base.plain_indices(A, I))
function view_again(A, I)
    J = flat_views(I)
    if length(J) == ndims(A) && all(is_regular, J) && all(is_regular, A.indices)
        K = Base.view_indices(A, 1, J...)
        Base.check_view(A, K)
        return view(A.parent, composed(A.indices, K)...)
    end
    check_part(A, J)
    return view_of_view(A, length(J) == 1 && J[1] isa Integer ? Base.split_offset(size(A), Int(J[1]) - 1) : J)
end
is_regular(i) = i isa Union{Integer,AbstractRange,Colon} && !(i isa Bool)
composed(::Tuple{}, K) = ()
composed(own::Tuple, K) = own[1] isa Int ? (own[1], composed(Base.tail(own), K)...) : (own[1][K[1]], composed(Base.tail(own), Base.tail(K))...)

# ---- parts copied to new arrays, and stores into parts
function Base.getindex(A::CuArray, I...)
    J = Base.plain_indices(A, I)
    J === I || return A[J...]
    return copied_part(A, view(A, I...))
end
copied_part(A, V::CuArray) = copy(V)
copied_part(A, V) = copyto!(new_array(eltype(A), size(V)), V)
Base.getindex(A::CuArray, ::Colon) = copy(vec(A))
Base.getindex(A::CuSubArray, I...) = any_range(I) ? copy(view(A, I...)) : getindex_scalar(A, I)
any_range(I) = !all(map(i -> i isa ScalarIndex, I))
function getindex_scalar(A, I)
    J = Base.flat_indices(I)
    Base.in_bounds(size(A), J) || throw(BoundsError(A, I))
    return A.parent[Base.reindex(A.indices, Base.cartesian_ints(A, J))...]
end
function Base.setindex!(A::CuArray, x, I...)
    J = Base.plain_indices(A, I)
    J === I || return setindex!(A, x, J...)
    return store_part(A, view(A, I...), x)
end
store_part(A, V, x) = throw(ArgumentError("indexed assignment with a single value to possibly many locations is not supported; perhaps use broadcasting `.=` instead?"))
store_part(A, V, x::AbstractArray) = store_array(A, V, x)
function store_array(A, V, x)
    n = filter_ones(size(V))
    m = filter_ones(size(x))
    n == m || (ndims(x) == 1 && length(x) == length(V)) || throw(DimensionMismatch(string("tried to assign ", size_text(size(x)), " array to ", size_text(size(V)), " destination")))
    B = x isa AnyCuArray ? x : CuArray(x)
    copyto!(V, size(B) == size(V) ? B : reshape(B, size(V)))
    return A
end
filter_ones(dims::Tuple{}) = ()
filter_ones(dims::Tuple) = dims[1] == 1 ? filter_ones(Base.tail(dims)) : (dims[1], filter_ones(Base.tail(dims))...)
function size_text(dims)
    length(dims) == 0 && return "0-dimensional"
    length(dims) == 1 && return string(dims[1], "-element")
    text = string(dims[1])
    for d in Base.tail(dims)
        text = string(text, "×", d)
    end
    return text
end

# ---- reshaped and reinterpreted arrays share the original's memory
function Base.reshape(A::CuArray, dims::Dims)
    Base.check_extents(A, dims)
    dims === size(A) && return A
    return part(A, eltype(A), A.offset, dims)
end
Base.vec(A::CuArray{T,1}) where {T} = A
Base.vec(A::CuArray) = reshape(A, (length(A),))
Base.dropdims(A::CuArray; dims) = reshape(A, kept_sizes(size(A), dims isa Tuple ? dims : (dims,), 1))
kept_sizes(sizes::Tuple{}, dims, d) = ()
kept_sizes(sizes::Tuple, dims, d) = d in dims ? kept_sizes(Base.tail(sizes), dims, d + 1) : (sizes[1], kept_sizes(Base.tail(sizes), dims, d + 1)...)
function Base.reinterpret(::Type{S}, A::CuArray{T,N}) where {S,T,N}
    check_element(S)
    if sizeof(S) == sizeof(T)
        return part(A, S, A.offset, size(A))
    end
    N == 0 && throw(ArgumentError(string("cannot reinterpret a zero-dimensional `", T, "` array to `", S, "` which is of a different size")))
    bytes = size(A, 1) * sizeof(T)
    if bytes % sizeof(S) != 0
        throw(ArgumentError(string("cannot reinterpret an `", T, "` array to `", S, "` whose first dimension has size `", size(A, 1),
                                   "`.\nThe resulting array would have a non-integral first dimension.\n")))
    end
    return part(A, S, A.offset, (div(bytes, sizeof(S)), Base.tail(size(A))...))
end
function Base.reinterpret(::typeof(reshape), ::Type{S}, A::CuArray{T}) where {S,T}
    if sizeof(S) == sizeof(T)
        return part(A, S, A.offset, size(A))
    elseif sizeof(S) > sizeof(T)
        size(A, 1) * sizeof(T) == sizeof(S) || throw(ArgumentError(string("`reinterpret(reshape, ", S, ", a)` where `eltype(a)` is ", T, " requires that `axes(a, 1)` (got Base.OneTo(", size(A, 1), ")) be equal to 1:", div(sizeof(S), sizeof(T)), " (from the ratio of element sizes)")))
        return part(A, S, A.offset, Base.tail(size(A)))
    end
    return part(A, S, A.offset, (div(sizeof(T), sizeof(S)), size(A)...))
end

# ---- concatenation
Base.vcat(A::CuArray, rest::Union{AbstractArray,Number}...) = joined(1, (A, map(on_device, rest)...))
Base.hcat(A::CuArray, rest::Union{AbstractArray,Number}...) = joined(2, (A, map(on_device, rest)...))
# A number before the arrays fills a row of a matrix, as in Julia.
Base.vcat(x::Number, A::CuArray, rest::Union{AbstractArray,Number}...) = vcat(fill(x, (1, Base.tail(size(A))...)), A, rest...)
Base.hcat(x::Number, A::CuArray, rest::Union{AbstractArray,Number}...) = hcat(fill(x, (1,)), A, rest...)
Base.vcat(A::Array, B::CuArray, rest::AbstractArray...) = vcat(A, Array(B), map(Array, rest)...)
Base.hcat(A::Array, B::CuArray, rest::AbstractArray...) = hcat(A, Array(B), map(Array, rest)...)
on_device(A::CuArray) = A
on_device(x::Number) = fill(x, (1,))
on_device(A::AbstractArray) = CuArray(collect(A))
function Base.cat(A::CuArray, rest::CuArray...; dims)
    return joined(dims, (A, rest...))
end
function joined(d, parts)
    T = eltype(parts[1])
    N = d
    n = 0
    for p in parts
        T = promote_type(T, eltype(p))
        N = max(N, ndims(p))
        n += size(p, d)
    end
    A = new_array(T, ntuple(k -> k == d ? n : size(parts[1], k), N))
    at = 0
    for p in parts
        for k in 1:N
            k == d || size(p, k) == size(A, k) || throw(DimensionMismatch(string("mismatch in dimension ", k, " (expected ", size(A, k), " got ", size(p, k), ")")))
        end
        I = ntuple(k -> k == d ? (at+1:at+size(p, d)) : (1:size(A, k)), N)
        V = view(A, I...)
        copyto!(V, size(p) == size(V) ? p : reshape(p, size(V)))
        at += size(p, d)
    end
    return A
end

export allowscalar, @allowscalar
