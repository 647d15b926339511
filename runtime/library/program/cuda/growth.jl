# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/blas
# Methods that grow and shrink CuArray vectors. resize! keeps memory like CUDA.jl: it reallocates only if the memory is
# too small or more than four times too large. After a reallocation, the array shares memory with no other array.

const resize_threshold = 100 * 1024^2 # in bytes; above this size, arrays grow by resize_increment
const resize_increment = 32 * 1024^2
function Base.resize!(A::CuArray{T,1}, n::Integer) where {T}
    n >= 0 || throw(ArgumentError("new length must be ≥ 0"))
    n == length(A) && return A
    bytes = max(sizeof(T), 1)
    capacity = div(A.maxsize, bytes)
    if n > capacity || n < div(capacity, 4)
        count = n < capacity ? Int(n) : A.maxsize > resize_threshold ? max(Int(n), capacity + div(resize_increment, bytes)) : max(Int(n), 2 * length(A))
        storage = __allocate(count * sizeof(T))
        kept = min(length(A), Int(n)) * sizeof(T)
        kept == 0 || __copy(storage, 0, A.storage, A.offset, kept)
        A.storage = storage
        A.offset = 0
        A.maxsize = count * sizeof(T)
    end
    A.dims = (Int(n),)
    return A
end
const resize! = Base.resize!
Base.sizehint!(A::CuArray{T,1}, n::Integer; keywords...) where {T} = A

# Converts new elements to one array, so that host elements are copied in one transfer.
new_items(::Type{T}, items::Tuple) where {T} = T[convert(T, x) for x in items]
new_items(::Type{T}, items::AnyCuArray) where {T} = items
new_items(::Type{T}, items::AbstractArray) where {T} = host_array(items)
new_items(::Type{T}, items) where {T} = T[convert(T, x) for x in items]
function Base.append!(A::CuArray{T,1}, items) where {T}
    B = new_items(T, items)
    n = length(A)
    count = length(B)
    count == 0 && return A
    B isa CuArray && B === A && (B = copy(A))
    resize!(A, n + count)
    copyto!(view(A, n+1:n+count), B isa Array ? (eltype(B) === T ? B : convert_host(T, B)) : vec(B isa CuArray ? B : copy(B)))
    return A
end
Base.append!(A::CuArray{T,1}, items, more...) where {T} = append!(append!(A, items), more...)
Base.push!(A::CuArray{T,1}, items...) where {T} = append!(A, items)
Base.prepend!(A::CuArray{T,1}, items) where {T} = insert_items!(A, 1, new_items(T, items))
Base.pushfirst!(A::CuArray{T,1}, items...) where {T} = insert_items!(A, 1, new_items(T, items))
Base.insert!(A::CuArray{T,1}, i::Integer, x) where {T} = 1 <= i <= length(A) + 1 ? insert_items!(A, Int(i), new_items(T, (x,))) : throw(BoundsError(A, i))
function insert_items!(A, i, items)
    rest = A[i:end]
    B = items isa CuArray && items === A ? copy(A) : items
    return append!(append!(resize!(A, i - 1), B), rest)
end
# pop! and popfirst! copy one element to the host, since they return it.
function Base.pop!(A::CuArray{T,1}) where {T}
    n = length(A)
    n > 0 || throw(ArgumentError("array must be non-empty"))
    x = load_element(A, n)
    resize!(A, n - 1)
    return x
end
function Base.popfirst!(A::CuArray{T,1}) where {T}
    length(A) > 0 || throw(ArgumentError("array must be non-empty"))
    x = load_element(A, 1)
    deleteat!(A, 1)
    return x
end
Base.empty!(A::CuArray{T,1}) where {T} = resize!(A, 0)
function Base.deleteat!(A::CuArray{T,1}, i::Integer) where {T}
    1 <= i <= length(A) || throw(BoundsError(A, i))
    return deleteat!(A, Int(i):Int(i))
end
function Base.deleteat!(A::CuArray{T,1}, r::AbstractUnitRange) where {T}
    length(r) == 0 && return A
    first(r) >= 1 && last(r) <= length(A) || throw(BoundsError(A, r))
    rest = A[last(r)+1:end]
    return append!(resize!(A, first(r) - 1), rest)
end
Base.filter!(f, A::CuArray{T,1}) where {T} = (B = filter(f, A); resize!(A, length(B)); copyto!(A, B))
