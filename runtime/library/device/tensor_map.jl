# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/mbarrier
# A tensor map describes an array of up to 5 dimensions in global memory, and the box of elements that one copy moves.
# The host creates tensor maps (kiln/tensor_map.h) and passes them to kernels by value. The CPU's format has these
# words: 1 address; 2-6 lengths; 7-10 strides of dimensions 2-5 in bytes; 11 box lengths 1-4 with 16 bits each. Word
# 12 has box length 5, from bit 32 on the swizzle's bytes, and in bit 48 whether elements outside are NaN. GPUs use
# their driver's format, which an overlay passes to the copy engine.

struct TensorMap{T,N}
    words::NTuple{16,UInt64}
end
@inline tensor_word(map::TensorMap, ::Val{i}) where {i} = getfield(getfield(map, :words), i)
@inline tensor_length(map::TensorMap, ::Val{d}) where {d} = rem(tensor_word(map, Val(d + 1)), Int)
@inline tensor_stride(map::TensorMap{T}, ::Val{d}) where {T,d} = d == 1 ? sizeof(T) : rem(tensor_word(map, Val(d == 1 ? 7 : d + 5)), Int)
@inline tensor_box(map::TensorMap, ::Val{d}) where {d} = rem((tensor_word(map, Val(d == 5 ? 12 : 11)) >> (d == 5 ? 0 : 16 * (d - 1))) & 0x000000000000ffff, Int)
@inline tensor_swizzle(map::TensorMap) = (tensor_word(map, Val(12)) >> 32) & 0x000000000000ffff
# Elements are copied as integers of the same size: float loads and stores of a processor may change some values.
@inline tensor_bits(::Type{T}) where {T} = sizeof(T) == 1 ? UInt8 : sizeof(T) == 2 ? UInt16 : sizeof(T) == 4 ? UInt32 : UInt64
@inline tensor_outside(map::TensorMap{T}) where {T} = ((tensor_word(map, Val(12)) >> 48) & 0x0000000000000001) != 0 ? tensor_nan(T) : zero(tensor_bits(T))
@inline tensor_nan(::Type{T}) where {T<:AbstractFloat} = reinterpret(tensor_bits(T), T(NaN))
@inline tensor_nan(::Type{T}) where {T} = zero(tensor_bits(T))

@inline tensor_box_elements(map::TensorMap{T,N}, ::Val{d}=Val(1)) where {T,N,d} = d == N ? tensor_box(map, Val(d)) : tensor_box(map, Val(d)) * tensor_box_elements(map, Val(d == N ? d : d + 1))
# Returns two values for element e of the box: true if the element is inside the array, and its offset in bytes.
@inline tensor_place(map::TensorMap{T,N}, at, e::Int) where {T,N} = tensor_place(map, at, e, Val(1), true, 0)
@inline function tensor_place(map::TensorMap{T,N}, at, e::Int, ::Val{d}, inside, offset) where {T,N,d}
    d > N && return (inside, offset)
    size = tensor_box(map, Val(d))
    i = rem(getfield(at, d), Int) + rem(e, size)
    return tensor_place(map, at, div(e, size), Val(d + 1), inside & (0 <= i) & (i < tensor_length(map, Val(d))), offset + i * tensor_stride(map, Val(d)))
end
# Swizzle of a shared memory address: bits 4 to 6 (fewer for shorter spans) are xored with the three bits above bit 6.
@inline swizzled(address::UInt64, bytes::UInt64) = bytes == 0 ? address : address ⊻ (((address >> 7) & ((bytes >> 4) - 0x0000000000000001)) << 4)
@inline function tensor_shared(p::LLVMPtr{T,3}, map::TensorMap{T}, e::Int) where {T}
    address = pointer_to_int(p) + rem(e * sizeof(T), UInt64)
    return int_to_pointer(LLVMPtr{tensor_bits(T),3}, swizzled(address, tensor_swizzle(map)))
end
@inline tensor_global(map::TensorMap{T}, offset::Int) where {T} = int_to_pointer(LLVMPtr{tensor_bits(T),1}, tensor_word(map, Val(1)) + rem(offset, UInt64))
@inline tensor_aligned(p::LLVMPtr, map::TensorMap) = rem(pointer_to_int(p), UInt64(128)) == 0 || throw(ArgumentError("a tensor copy needs shared memory at a multiple of 128 bytes"))

# Copies the box whose first element has index `at` (from 0, contiguous dimension first). Elements outside of the
# array become zero or NaN.
@inline function tensor_load(to::LLVMPtr{T,3}, map::TensorMap{T,N}, at::NTuple{N,Integer}, b::MBarrier) where {T,N}
    tensor_aligned(to, map)
    count = tensor_box_elements(map)
    for e in 0:count-1
        inside, offset = tensor_place(map, at, e)
        x = tensor_outside(map)
        if inside
            x = pointer_load(tensor_global(map, offset), 0, Val(0))
        end
        pointer_store(tensor_shared(to, map, e), x, 0, Val(0))
    end
    mbarrier_complete_tx(b, count * sizeof(T))
end
@inline tensor_load_multicast(to::LLVMPtr, map::TensorMap, at::Tuple, b::MBarrier, mask::Integer) =
    static_error("tensor_load_multicast writes into several blocks of a cluster: the CPU has clusters of one block only")
# Checks a box before a store; elements outside of the array are not written. An H200 rejects boxes that start before
# the array, or in a row at an offset other than a multiple of 16 bytes.
@inline tensor_begins(map::TensorMap{T,N}, at, ::Val{d}=Val(1)) where {T,N,d} = d > N || ((getfield(at, d) >= 0) & (d > 1 || rem(rem(getfield(at, d), Int) * sizeof(T), 16) == 0) && tensor_begins(map, at, Val(d + 1)))
@inline tensor_writable(map::TensorMap, at) = tensor_begins(map, at) || throw(ArgumentError("a box is written to places that are not negative, of which the first is a multiple of 16 bytes"))
@inline function tensor_store(map::TensorMap{T,N}, at::NTuple{N,Integer}, from::LLVMPtr{T,3}) where {T,N}
    tensor_aligned(from, map)
    tensor_writable(map, at)
    for e in 0:tensor_box_elements(map)-1
        inside, offset = tensor_place(map, at, e)
        if inside
            pointer_store(tensor_global(map, offset), pointer_load(tensor_shared(from, map, e), 0, Val(0)), 0, Val(0))
        end
    end
end
@inline tensor_add(map::TensorMap{T,N}, at::NTuple{N,Integer}, from::LLVMPtr{T,3}) where {T<:Union{Float16,BFloat16,Float32,Int32,UInt32,UInt64},N} = tensor_add_checked(map, at, from)
@inline tensor_add(map::TensorMap, at::Tuple, from::LLVMPtr) = static_error("tensor_add takes Float16, BFloat16, Float32, Int32, UInt32 and UInt64")
@inline function tensor_add_checked(map::TensorMap{T,N}, at, from::LLVMPtr{T,3}) where {T,N}
    tensor_aligned(from, map)
    tensor_writable(map, at)
    for e in 0:tensor_box_elements(map)-1
        inside, offset = tensor_place(map, at, e)
        if inside
            atomic_add!(pointer_cast(LLVMPtr{T,1}, tensor_global(map, offset)), pointer_load(pointer_cast(LLVMPtr{T,3}, tensor_shared(from, map, e)), 0, Val(0)))
        end
    end
end
@inline tensor_prefetch(map::TensorMap, at::Tuple) = nothing
@inline tensor_map_prefetch(map::TensorMap) = nothing

# Coordinate of a box in dimension i, with the 32 bits that the copy engine takes.
struct TensorCoordinate{T} <: Function
    at::T
end
@inline (c::TensorCoordinate)(i) = rem(getfield(c.at, i), Int32)
