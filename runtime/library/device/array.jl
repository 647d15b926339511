# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/types
# Device arrays, passed by value as a header: pointer, size in bytes, dimensions, length.

struct CuDeviceArray{T,N,A} <: DenseArray{T,N}
    ptr::LLVMPtr{T,A}
    maxsize::Int
    dims::NTuple{N,Int}
    len::Int
end
const CuDeviceVector{T,A} = CuDeviceArray{T,1,A}
const CuDeviceMatrix{T,A} = CuDeviceArray{T,2,A}

@inline function device_array(ptr::LLVMPtr{T,A}, dims::Tuple) where {T,A}
    sizes = Base.flat_indices(dims)
    len = Base.dims_product(sizes)
    return CuDeviceArray{T,nfields(sizes),A}(ptr, mul_int(len, sizeof_type(T)), sizes, len)
end
@inline (::Type{CuDeviceArray{T,N,A}})(ptr::LLVMPtr{T,A}, dims::Tuple) where {T,N,A} = device_array(ptr, dims)
@inline (::Type{CuDeviceArray{T,N,A}})(ptr::LLVMPtr{T,A}, dims::Tuple, maxsize::Integer) where {T,N,A} = CuDeviceArray{T,N,A}(ptr, Int(maxsize), Base.flat_indices(dims), Base.dims_product(Base.flat_indices(dims)))
@inline (::Type{CuDeviceArray{T}})(ptr::LLVMPtr{T,A}, dims::Tuple) where {T,A} = device_array(ptr, dims)
@inline CuDeviceArray(ptr::LLVMPtr, dims::Tuple) = device_array(ptr, dims)
@inline CuDeviceArray(ptr::LLVMPtr, len::Integer) = device_array(ptr, (len,))

# A read-only view of the array: nothing may write its memory while the kernel runs.
struct Const{T,N,A} <: DenseArray{T,N}
    a::CuDeviceArray{T,N,A}
end

@inline Base.size(A::CuDeviceArray) = getfield(A, :dims)
@inline Base.size(A::Const) = getfield(getfield(A, :a), :dims)
@inline Base.length(A::CuDeviceArray) = getfield(A, :len)
@inline Base.length(A::Const) = getfield(getfield(A, :a), :len)
@inline Base.sizeof(A::CuDeviceArray{T}) where {T} = mul_int(A.len, sizeof_type(T))
@inline Base.pointer(A::CuDeviceArray) = A.ptr
@inline Base.pointer(A::Const) = A.a.ptr
@inline Base.pointer(A::CuDeviceArray{T}, i::Integer) where {T} = pointer_add(A.ptr, mul_int(sub_int(rem(i, Int), 1), sizeof_type(T)))
@inline Base.pointer(A::Const, i::Integer) = pointer(A.a, i)
@inline Base.unsafe_convert(::Type{P}, A::CuDeviceArray) where {P<:LLVMPtr} = pointer_cast(P, A.ptr)

# k counts from 0
@inline load_at(A::CuDeviceArray, k::Int) = pointer_load(getfield(A, :ptr), k, Val{0}())
@inline load_at(A::Const, k::Int) = pointer_load_invariant(getfield(getfield(A, :a), :ptr), k, Val{0}())
@inline store_at(A::CuDeviceArray{T}, v, k::Int) where {T} = pointer_store(getfield(A, :ptr), convert(T, v), k, Val{0}())

for Array_ in (:CuDeviceArray, :Const)
    @eval begin
        @inline function Base.getindex(A::$Array_, i::Integer)
            k = sub_int(rem(i, Int), 1)
            @boundscheck ult_int(k, length(A)) || throw(BoundsError())
            return load_at(A, k)
        end
        @inline function Base.getindex(A::$Array_{T,2}, i::Integer, j::Integer) where {T}
            a = sub_int(rem(i, Int), 1)
            b = sub_int(rem(j, Int), 1)
            dims = size(A)
            @boundscheck and_int(ult_int(a, getfield(dims, 1)), ult_int(b, getfield(dims, 2))) || throw(BoundsError())
            return load_at(A, add_int(a, mul_int(getfield(dims, 1), b)))
        end
        @inline function Base.getindex(A::$Array_{T,3}, i::Integer, j::Integer, k::Integer) where {T}
            a = sub_int(rem(i, Int), 1)
            b = sub_int(rem(j, Int), 1)
            c = sub_int(rem(k, Int), 1)
            dims = size(A)
            @boundscheck and_int(and_int(ult_int(a, getfield(dims, 1)), ult_int(b, getfield(dims, 2))), ult_int(c, getfield(dims, 3))) || throw(BoundsError())
            return load_at(A, add_int(a, mul_int(getfield(dims, 1), add_int(b, mul_int(getfield(dims, 2), c)))))
        end
        @inline function Base.getindex(A::$Array_, I::Integer...)
            J = Base.flat_indices(I)
            dims = size(A)
            @boundscheck Base.in_bounds(dims, J) || throw(BoundsError())
            return load_at(A, Base.offset_of(dims, J))
        end
    end
end
@inline function Base.setindex!(A::CuDeviceArray, v, i::Integer)
    k = sub_int(rem(i, Int), 1)
    @boundscheck ult_int(k, length(A)) || throw(BoundsError())
    store_at(A, v, k)
    return A
end
@inline function Base.setindex!(A::CuDeviceArray{T,2}, v, i::Integer, j::Integer) where {T}
    a = sub_int(rem(i, Int), 1)
    b = sub_int(rem(j, Int), 1)
    dims = size(A)
    @boundscheck and_int(ult_int(a, getfield(dims, 1)), ult_int(b, getfield(dims, 2))) || throw(BoundsError())
    store_at(A, v, add_int(a, mul_int(getfield(dims, 1), b)))
    return A
end
@inline function Base.setindex!(A::CuDeviceArray{T,3}, v, i::Integer, j::Integer, k::Integer) where {T}
    a = sub_int(rem(i, Int), 1)
    b = sub_int(rem(j, Int), 1)
    c = sub_int(rem(k, Int), 1)
    dims = size(A)
    @boundscheck and_int(and_int(ult_int(a, getfield(dims, 1)), ult_int(b, getfield(dims, 2))), ult_int(c, getfield(dims, 3))) || throw(BoundsError())
    store_at(A, v, add_int(a, mul_int(getfield(dims, 1), add_int(b, mul_int(getfield(dims, 2), c)))))
    return A
end
@inline function Base.setindex!(A::CuDeviceArray, v, I::Integer...)
    J = Base.flat_indices(I)
    dims = size(A)
    @boundscheck Base.in_bounds(dims, J) || throw(BoundsError())
    store_at(A, v, Base.offset_of(dims, J))
    return A
end

# ---- views of contiguous parts are plain device arrays
@inline Base.view(A::CuDeviceArray{T,1}, ::Colon) where {T} = A
@inline Base.view(A::CuDeviceArray, ::Colon) = device_array(A.ptr, (A.len,))
@inline function Base.view(A::CuDeviceArray, r::AbstractUnitRange)
    @boundscheck checkbounds(A, r)
    return device_array(pointer(A, first(r)), (length(r),))
end
@inline function Base.view(A::CuDeviceArray{T,2}, ::Colon, j::Integer) where {T}
    k = sub_int(rem(j, Int), 1)
    @boundscheck ult_int(k, A.dims[2]) || throw(BoundsError())
    return device_array(pointer(A, add_int(mul_int(A.dims[1], k), 1)), (A.dims[1],))
end
@inline function Base.view(A::CuDeviceArray{T,2}, ::Colon, r::AbstractUnitRange) where {T}
    @boundscheck (isempty(r) || (1 <= first(r)) & (last(r) <= A.dims[2])) || throw(BoundsError())
    return device_array(pointer(A, add_int(mul_int(A.dims[1], sub_int(rem(first(r), Int), 1)), 1)), (A.dims[1], length(r)))
end
@inline function Base.view(A::CuDeviceArray{T,3}, ::Colon, ::Colon, k::Integer) where {T}
    c = sub_int(rem(k, Int), 1)
    @boundscheck ult_int(c, A.dims[3]) || throw(BoundsError())
    return device_array(pointer(A, add_int(mul_int(mul_int(A.dims[1], A.dims[2]), c), 1)), (A.dims[1], A.dims[2]))
end
@inline function Base.reshape(A::CuDeviceArray, dims::Dims)
    Base.check_extents(A, dims)
    return device_array(A.ptr, dims)
end
@inline Base.vec(A::CuDeviceArray) = device_array(A.ptr, (A.len,))
@inline function Base.reinterpret(::Type{S}, A::CuDeviceArray{T,N,AS_}) where {S,T,N,AS_}
    if sizeof_type(S) === sizeof_type(T)
        return device_array(pointer_cast(LLVMPtr{S,AS_}, A.ptr), A.dims)
    end
    rows = div(mul_int(A.dims[1], sizeof_type(T)), sizeof_type(S))
    return device_array(pointer_cast(LLVMPtr{S,AS_}, A.ptr), Base.setindex(A.dims, rows, 1))
end
@inline Base.reinterpret(::Type{S}, A::Const{T,N,AS_}) where {S,T,N,AS_} = Const{S,N,AS_}(reinterpret(S, A.a))
# reinterpret with another number of dimensions. Elements along the first dimension form one element of S, or one
# element is split into a new first dimension.
@inline function Base.reinterpret(::typeof(reshape), ::Type{S}, A::CuDeviceArray{T,N,AS_}) where {S,T,N,AS_}
    ptr = pointer_cast(LLVMPtr{S,AS_}, A.ptr)
    if sizeof_type(S) === sizeof_type(T)
        return device_array(ptr, A.dims)
    elseif sizeof_type(S) > sizeof_type(T)
        if mul_int(A.dims[1], sizeof_type(T)) != sizeof_type(S)
            throw(ArgumentError("the first dimension must hold exactly one element of the new type"))
        end
        return device_array(ptr, Base.tail(A.dims))
    end
    return device_array(ptr, (div(sizeof_type(T), sizeof_type(S)), A.dims...))
end
@inline ldg(A::CuDeviceArray, i::Integer) = pointer_load_invariant(A.ptr, sub_int(rem(i, Int), 1), Val{0}())
@inline unsafe_cached_load(p::LLVMPtr) = pointer_load_invariant(p, 0, Val{0}())
@inline unsafe_cached_load(p::LLVMPtr, i::Integer) = pointer_load_invariant(p, sub_int(rem(i, Int), 1), Val{0}())
@inline unsafe_cached_load(p::LLVMPtr, i::Integer, ::Val{align}) where {align} = pointer_load_invariant(p, sub_int(rem(i, Int), 1), Val(align))

# Uninitialised memory for N elements of T, private to the thread until the kernel ends.
@inline alloca(::Type{T}, ::Val{N}) where {T,N} = stack_alloc(T, Val(N))

# ---- shared memory. Static arrays have constant dimensions; each call site has its own array.
@inline CuStaticSharedArray(::Type{T}, n::Integer) where {T} = device_array(static_shared(T, Val(Int(n))), (Int(n),))
@inline CuStaticSharedArray(::Type{T}, dims::Tuple) where {T} = static_shared_array(T, Val(Base.flat_indices(dims)))
@inline static_shared_array(::Type{T}, ::Val{dims}) where {T,dims} = device_array(static_shared(T, Val(Base.dims_product(dims))), dims)
@propagate_inbounds CuDynamicSharedArray(::Type{T}, n::Integer, offset::Integer=0) where {T} = CuDynamicSharedArray(T, (n,), offset)
@propagate_inbounds function CuDynamicSharedArray(::Type{T}, dims::Tuple, offset::Integer=0) where {T}
    extents = Base.flat_indices(dims)
    @boundscheck rem(offset, Int) + Base.dims_product(extents) * sizeof(T) <= rem(dynamic_smem_size(), Int) || throw(BoundsError())
    return device_array(pointer_add(dynamic_shared(T), rem(offset, Int)), extents)
end

export CuDeviceArray, CuDeviceVector, CuDeviceMatrix, Const, ldg, unsafe_cached_load, CuStaticSharedArray, CuDynamicSharedArray
