# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arrays on the device: a header of pointer, size in bytes, dimensions and length, passed by value.

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

# The same array, of memory that nothing writes while the kernel runs.
struct Const{T,N,A} <: DenseArray{T,N}
    a::CuDeviceArray{T,N,A}
end

@inline Base.size(A::CuDeviceArray) = A.dims
@inline Base.size(A::Const) = A.a.dims
@inline Base.length(A::CuDeviceArray) = A.len
@inline Base.length(A::Const) = A.a.len
@inline Base.sizeof(A::CuDeviceArray{T}) where {T} = mul_int(A.len, sizeof_type(T))
@inline Base.pointer(A::CuDeviceArray) = A.ptr
@inline Base.pointer(A::Const) = A.a.ptr
@inline Base.pointer(A::CuDeviceArray{T}, i::Integer) where {T} = pointer_add(A.ptr, mul_int(sub_int(rem(i, Int), 1), sizeof_type(T)))
@inline Base.pointer(A::Const, i::Integer) = pointer(A.a, i)
@inline Base.unsafe_convert(::Type{P}, A::CuDeviceArray) where {P<:LLVMPtr} = pointer_cast(P, A.ptr)

# k counts from 0
@inline load_at(A::CuDeviceArray, k::Int) = pointer_load(A.ptr, k, Val(0))
@inline load_at(A::Const, k::Int) = pointer_load_invariant(A.a.ptr, k, Val(0))
@inline store_at(A::CuDeviceArray{T}, v, k::Int) where {T} = pointer_store(A.ptr, convert(T, v), k, Val(0))
@inline offset2(dims, i::Int, j::Int) = add_int(i, mul_int(getfield(dims, 1), j))
@inline offset3(dims, i::Int, j::Int, k::Int) = add_int(i, mul_int(getfield(dims, 1), add_int(j, mul_int(getfield(dims, 2), k))))
@inline check1(A, i::Int) = ult_int(i, length(A)) || throw(BoundsError())
@inline check2(dims, i::Int, j::Int) = and_int(ult_int(i, getfield(dims, 1)), ult_int(j, getfield(dims, 2))) || throw(BoundsError())
@inline check3(dims, i::Int, j::Int, k::Int) = and_int(and_int(ult_int(i, getfield(dims, 1)), ult_int(j, getfield(dims, 2))), ult_int(k, getfield(dims, 3))) || throw(BoundsError())
@inline from_zero(i::Integer) = sub_int(rem(i, Int), 1)

for Array_ in (:CuDeviceArray, :Const)
    @eval begin
        @inline function Base.getindex(A::$Array_, i::Integer)
            k = from_zero(i)
            @boundscheck check1(A, k)
            return load_at(A, k)
        end
        @inline function Base.getindex(A::$Array_{T,2}, i::Integer, j::Integer) where {T}
            a = from_zero(i)
            b = from_zero(j)
            dims = size(A)
            @boundscheck check2(dims, a, b)
            return load_at(A, offset2(dims, a, b))
        end
        @inline function Base.getindex(A::$Array_{T,3}, i::Integer, j::Integer, k::Integer) where {T}
            a = from_zero(i)
            b = from_zero(j)
            c = from_zero(k)
            dims = size(A)
            @boundscheck check3(dims, a, b, c)
            return load_at(A, offset3(dims, a, b, c))
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
    k = from_zero(i)
    @boundscheck check1(A, k)
    store_at(A, v, k)
    return A
end
@inline function Base.setindex!(A::CuDeviceArray{T,2}, v, i::Integer, j::Integer) where {T}
    a = from_zero(i)
    b = from_zero(j)
    dims = size(A)
    @boundscheck check2(dims, a, b)
    store_at(A, v, offset2(dims, a, b))
    return A
end
@inline function Base.setindex!(A::CuDeviceArray{T,3}, v, i::Integer, j::Integer, k::Integer) where {T}
    a = from_zero(i)
    b = from_zero(j)
    c = from_zero(k)
    dims = size(A)
    @boundscheck check3(dims, a, b, c)
    store_at(A, v, offset3(dims, a, b, c))
    return A
end
@inline function Base.setindex!(A::CuDeviceArray, v, I::Integer...)
    J = Base.flat_indices(I)
    dims = size(A)
    @boundscheck Base.in_bounds(dims, J) || throw(BoundsError())
    store_at(A, v, Base.offset_of(dims, J))
    return A
end

# ---- contiguous parts are arrays again
@inline Base.view(A::CuDeviceArray{T,1}, ::Colon) where {T} = A
@inline Base.view(A::CuDeviceArray, ::Colon) = device_array(A.ptr, (A.len,))
@inline function Base.view(A::CuDeviceArray, r::AbstractUnitRange)
    @boundscheck checkbounds(A, r)
    return device_array(pointer(A, first(r)), (length(r),))
end
@inline function Base.view(A::CuDeviceArray{T,2}, ::Colon, j::Integer) where {T}
    k = from_zero(j)
    @boundscheck ult_int(k, A.dims[2]) || throw(BoundsError())
    return device_array(pointer(A, add_int(mul_int(A.dims[1], k), 1)), (A.dims[1],))
end
@inline function Base.view(A::CuDeviceArray{T,2}, ::Colon, r::AbstractUnitRange) where {T}
    @boundscheck (isempty(r) || (1 <= first(r)) & (last(r) <= A.dims[2])) || throw(BoundsError())
    return device_array(pointer(A, add_int(mul_int(A.dims[1], from_zero(first(r))), 1)), (A.dims[1], length(r)))
end
@inline function Base.view(A::CuDeviceArray{T,3}, ::Colon, ::Colon, k::Integer) where {T}
    c = from_zero(k)
    @boundscheck ult_int(c, A.dims[3]) || throw(BoundsError())
    return device_array(pointer(A, add_int(mul_int(mul_int(A.dims[1], A.dims[2]), c), 1)), (A.dims[1], A.dims[2]))
end
@inline function Base.reshape(A::CuDeviceArray, dims::Tuple)
    sizes = Base.flat_indices(dims)
    if Base.dims_product(sizes) != A.len
        throw(DimensionMismatch("new dimensions must hold as many elements as the array"))
    end
    return device_array(A.ptr, sizes)
end
@inline Base.reshape(A::CuDeviceArray, dims::Integer...) = reshape(A, dims)
@inline Base.vec(A::CuDeviceArray) = device_array(A.ptr, (A.len,))
@inline function Base.reinterpret(::Type{S}, A::CuDeviceArray{T,N,AS_}) where {S,T,N,AS_}
    if sizeof_type(S) === sizeof_type(T)
        return device_array(pointer_cast(LLVMPtr{S,AS_}, A.ptr), A.dims)
    end
    rows = div(mul_int(A.dims[1], sizeof_type(T)), sizeof_type(S))
    return device_array(pointer_cast(LLVMPtr{S,AS_}, A.ptr), Base.setindex(A.dims, rows, 1))
end
@inline ldg(A::CuDeviceArray, i::Integer) = pointer_load_invariant(A.ptr, from_zero(i), Val(0))
@inline unsafe_cached_load(p::LLVMPtr, i::Integer) = pointer_load_invariant(p, from_zero(i), Val(0))
@inline unsafe_cached_load(p::LLVMPtr, i::Integer, ::Val{align}) where {align} = pointer_load_invariant(p, from_zero(i), Val(align))

# ---- shared memory. Dimensions of a static array are constants; each call site has an array of its own.
@inline CuStaticSharedArray(::Type{T}, n::Integer) where {T} = device_array(static_shared(T, Val(Int(n))), (Int(n),))
@inline CuStaticSharedArray(::Type{T}, dims::Tuple) where {T} = static_shared_array(T, Val(Base.flat_indices(dims)))
@inline static_shared_array(::Type{T}, ::Val{dims}) where {T,dims} = device_array(static_shared(T, Val(Base.dims_product(dims))), dims)
@inline CuDynamicSharedArray(::Type{T}, n::Integer) where {T} = device_array(dynamic_shared(T), (Int(n),))
@inline CuDynamicSharedArray(::Type{T}, dims::Tuple) where {T} = device_array(dynamic_shared(T), dims)
@inline CuDynamicSharedArray(::Type{T}, n::Integer, offset::Integer) where {T} = device_array(pointer_add(dynamic_shared(T), Int(offset)), (Int(n),))
@inline CuDynamicSharedArray(::Type{T}, dims::Tuple, offset::Integer) where {T} = device_array(pointer_add(dynamic_shared(T), Int(offset)), dims)

export CuDeviceArray, CuDeviceVector, CuDeviceMatrix, Const, ldg, unsafe_cached_load, CuStaticSharedArray, CuDynamicSharedArray
