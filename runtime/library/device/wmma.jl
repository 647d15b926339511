# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/clusters
# Products of small matrices by a warp: D = A*B + C, where each thread holds a fragment of every matrix. This file has
# the structure of fragments, and software for their loads, stores and products. On the CPU, the fragments of a warp's
# threads contain a matrix's elements consecutively: A row by row, B column by column. GPU targets overlay wmma_load,
# wmma_store and wmma_mma with instructions.

# PTX's names of element types. A Float32 element of A or B is named tf32: the hardware uses 19 of its bits.
@inline wmma_name(mat, ::Type{Float16}) = :f16
@inline wmma_name(mat, ::Type{BFloat16}) = :bf16
@inline wmma_name(::Union{Val{:a},Val{:b}}, ::Type{Float32}) = :tf32
@inline wmma_name(mat, ::Type{Float32}) = :f32
@inline wmma_name(mat, ::Type{Float64}) = :f64
@inline wmma_name(mat, ::Type{Int8}) = :s8
@inline wmma_name(mat, ::Type{UInt8}) = :u8
@inline wmma_name(mat, ::Type{Int32}) = :s32
@inline wmma_name(mat, ::Type) = static_error("WMMA has no matrices of these elements")

# Supported combinations of shape, element type of A and B, and element type of C and D.
const WmmaShape16 = Union{Val{(16,16,16)},Val{(32,8,16)},Val{(8,32,16)}}
@inline wmma_exists(::WmmaShape16, ::Type{Float16}, ::Type{<:Union{Float16,Float32}}) = true
@inline wmma_exists(::WmmaShape16, ::Type{BFloat16}, ::Type{Float32}) = true
@inline wmma_exists(::WmmaShape16, ::Type{<:Union{Int8,UInt8}}, ::Type{Int32}) = true
@inline wmma_exists(::Val{(16,16,8)}, ::Type{Float32}, ::Type{Float32}) = true
@inline wmma_exists(::Val{(8,8,4)}, ::Type{Float64}, ::Type{Float64}) = true
@inline wmma_exists(shape, ::Type, ::Type) = false
# True if the matrix `mat` exists with this shape and element type. Accumulators of a shape are the same for all
# element types of A.
@inline wmma_has(mat::Union{Val{:a},Val{:b}}, shape, ::Type{T}) where {T} =
    wmma_exists(shape, T, Float16) | wmma_exists(shape, T, Float32) | wmma_exists(shape, T, Float64) | wmma_exists(shape, T, Int32)
@inline wmma_has(mat, shape, ::Type{T}) where {T} =
    wmma_exists(shape, Float16, T) | wmma_exists(shape, Float32, T) | wmma_exists(shape, Float64, T) | wmma_exists(shape, Int8, T)
@inline wmma_check(found) = found || static_error("WMMA has no such shape (M, N, K) for these element types")

# Type of a fragment's register, then functions for a matrix's size and the number of registers per thread.
@inline wmma_word(mat, ::Type{Float16}) = NTuple{2,VecElement{Float16}}
@inline wmma_word(mat, ::Type{T}) where {T<:Union{BFloat16,Int8,UInt8}} = UInt32
@inline wmma_word(::Union{Val{:a},Val{:b}}, ::Type{Float32}) = UInt32
@inline wmma_word(mat, ::Type{T}) where {T} = T
@inline wmma_rows(::Val{:b}, ::Val{s}) where {s} = getfield(s, 3)
@inline wmma_rows(mat, ::Val{s}) where {s} = getfield(s, 1)
@inline wmma_cols(::Val{:a}, ::Val{s}) where {s} = getfield(s, 3)
@inline wmma_cols(mat, ::Val{s}) where {s} = getfield(s, 2)
@inline wmma_words(::Union{Val{:a},Val{:b}}, shape, ::Type{Float16}) = 8 # two threads hold each element
@inline wmma_words(mat, shape, ::Type{T}) where {T} = div(wmma_rows(mat, shape) * wmma_cols(mat, shape) * sizeof(T), 32 * sizeof(wmma_word(mat, T)))
@inline wmma_fragment(mat, shape, ::Type{T}) where {T} = NTuple{wmma_words(mat, shape, T),wmma_word(mat, T)}

# ---- between registers and elements
@inline word_element(::Type{T}, w::NTuple{2,VecElement{T}}, i) where {T} = getfield(w, i + 1).value
@inline word_element(::Type{T}, w::T, i) where {T} = w
@inline word_element(::Type{Float32}, w::UInt32, i) = reinterpret(Float32, w)
@inline word_element(::Type{BFloat16}, w::UInt32, i) = reinterpret(BFloat16, trunc_int(UInt16, lshr_int(w, 16 * i)))
@inline word_element(::Type{T}, w::UInt32, i) where {T<:Union{Int8,UInt8}} = reinterpret(T, trunc_int(UInt8, lshr_int(w, 8 * i)))
@inline word_of(::Type{NTuple{2,VecElement{T}}}, x::Tuple) where {T} = (VecElement(getfield(x, 1)), VecElement(getfield(x, 2)))
@inline word_of(::Type{T}, x::Tuple{T}) where {T} = getfield(x, 1)
@inline word_of(::Type{UInt32}, x::Tuple{Float32}) = reinterpret(UInt32, getfield(x, 1))
@inline word_of(::Type{UInt32}, x::NTuple{2,BFloat16}) = or_int(word_bits(x, Val(1)), shl_int(word_bits(x, Val(2)), 16))
@inline word_of(::Type{UInt32}, x::NTuple{4,T}) where {T<:Union{Int8,UInt8}} =
    or_int(or_int(word_bits(x, Val(1)), shl_int(word_bits(x, Val(2)), 8)), or_int(shl_int(word_bits(x, Val(3)), 16), shl_int(word_bits(x, Val(4)), 24)))
@inline word_bits(x::NTuple{2,BFloat16}, ::Val{i}) where {i} = zext_int(UInt32, reinterpret(UInt16, getfield(x, i)))
@inline word_bits(x::Tuple, ::Val{i}) where {i} = zext_int(UInt32, reinterpret(UInt8, getfield(x, i)))

struct ElementOf{T,P,F} <: Function
    words::F
end
@inline (e::ElementOf{T,P})(i) where {T,P} = word_element(T, getfield(e.words, div(i - 1, P) + 1), rem(i - 1, P))
@inline function wmma_elements(::Type{T}, words::NTuple{N,W}) where {T,N,W}
    count = div(sizeof(W), sizeof(T))
    return ntuple(ElementOf{T,count,typeof(words)}(words), Val(N * count))
end
struct SomeOf{X} <: Function
    x::X
    from::Int
end
@inline (s::SomeOf)(i) = getfield(s.x, s.from + i)
struct WordOf{W,P,X} <: Function
    x::X
end
@inline (w::WordOf{W,P})(i) where {W,P} = word_of(W, ntuple(SomeOf(w.x, (i - 1) * P), Val(P)))
@inline function wmma_registers(::Type{NTuple{N,W}}, x::NTuple{E,T}) where {N,W,E,T}
    return ntuple(WordOf{W,div(E, N),typeof(x)}(x), Val(N))
end

# ---- software for the CPU
# Row and column of this thread's element e, for `count` elements per thread.
@inline function wmma_place(mat, shape, count, e)
    rows, cols = wmma_rows(mat, shape), wmma_cols(mat, shape)
    at = rem(Int(own_lane()) * count + e, rows * cols)
    return wmma_split(mat, rows, cols, at)
end
@inline wmma_split(::Val{:b}, rows, cols, at) = (rem(at, rows), div(at, rows))
@inline wmma_split(mat, rows, cols, at) = (div(at, cols), rem(at, cols))
@inline wmma_offset(::Val{:col}, (row, col), stride) = row + col * stride
@inline wmma_offset(::Val{:row}, (row, col), stride) = row * stride + col

@inline function wmma_load(mat, layout, shape, ::Type{T}, p::LLVMPtr, stride) where {T}
    F = wmma_fragment(mat, shape, T)
    fragment = stack_alloc(F, Val(1))
    elements = pointer_cast(LLVMPtr{T,5}, fragment)
    count = div(sizeof(F), sizeof(T))
    for e in 0:count-1
        at = wmma_offset(layout, wmma_place(mat, shape, count, e), Int(stride))
        pointer_store(elements, pointer_load(p, at, Val(0)), e, Val(0))
    end
    return pointer_load(fragment, 0, Val(0))
end
@inline function wmma_store(layout, shape, ::Type{T}, p::LLVMPtr, d, stride) where {T}
    fragment = stack_alloc(typeof(d), Val(1))
    pointer_store(fragment, d, 0, Val(0))
    elements = pointer_cast(LLVMPtr{T,5}, fragment)
    count = div(sizeof(d), sizeof(T))
    for e in 0:count-1
        at = wmma_offset(layout, wmma_place(Val(:d), shape, count, e), Int(stride))
        pointer_store(p, pointer_load(elements, e, Val(0)), at, Val(0))
    end
    return
end

@inline wmma_wide(x::Union{Float16,BFloat16}) = Float32(x)
@inline wmma_wide(x::Union{Int8,UInt8}) = Int32(x)
@inline wmma_wide(x::Float32) = reinterpret(Float32, reinterpret(UInt32, x) & 0xffffe000) # as the hardware reads it
@inline wmma_wide(x::Float64) = x
# All threads copy their fragments of A and B into memory of the warp's first thread. Each thread then reads the rows
# and columns for its part of D from that memory. Copies use C's memcpy, because bounds checks do not cover that
# memory.
@inline function wmma_mma(a_layout, b_layout, shape::Val{s}, ::Type{T}, ::Type{D}, ::Type{S}, a::A, b::B, c::C) where {s,T,D,S,A,B,C}
    rows, cols, depth = s
    a_bytes, b_bytes = rows * depth * sizeof(T), cols * depth * sizeof(T)
    together = stack_alloc(UInt64, Val(div(rows * depth * sizeof(T) + cols * depth * sizeof(T), 8)))
    first = ccall("extern kiln.wait.shuffle", llvmcall, UInt64, (UInt32, UInt32, UInt64), 0xffffffff, 0x00000000, pointer_to_int(together))
    lane = Int(own_lane())
    wmma_put(first + rem(lane * sizeof(A), a_bytes) % UInt64, a)
    wmma_put(first + (a_bytes + rem(lane * sizeof(B), b_bytes)) % UInt64, b)
    sync_warp()
    count = div(sizeof(wmma_fragment(Val(:d), shape, D)), sizeof(D))
    row, col = wmma_place(Val(:d), shape, count, 0)
    a_row = stack_alloc(T, Val(depth))
    b_cols = stack_alloc(T, Val(count * depth))
    wmma_get(a_row, first + (row * depth * sizeof(T)) % UInt64, depth * sizeof(T))
    wmma_get(b_cols, first + (a_bytes + col * depth * sizeof(T)) % UInt64, count * depth * sizeof(T))
    sync_warp()
    start = stack_alloc(C, Val(1))
    pointer_store(start, c, 0, Val(0))
    fragment = stack_alloc(wmma_fragment(Val(:d), shape, D), Val(1))
    for e in 0:count-1
        sum = convert(typeof(wmma_wide(zero(T))), pointer_load(pointer_cast(LLVMPtr{S,5}, start), e, Val(0)))
        for k in 0:depth-1
            sum = muladd(wmma_wide(pointer_load(a_row, k, Val(0))), wmma_wide(pointer_load(b_cols, e * depth + k, Val(0))), sum)
        end
        pointer_store(pointer_cast(LLVMPtr{D,5}, fragment), convert(D, sum), e, Val(0))
    end
    return pointer_load(fragment, 0, Val(0))
end
@inline function wmma_put(to::UInt64, x)
    own = stack_alloc(typeof(x), Val(1))
    pointer_store(own, x, 0, Val(0))
    ccall("extern memcpy", llvmcall, Ptr{UInt8}, (Ptr{UInt8}, LLVMPtr{UInt8,0}, UInt64), int_to_pointer(Ptr{UInt8}, to), pointer_cast(LLVMPtr{UInt8,0}, own), sizeof(x) % UInt64)
    return
end
@inline function wmma_get(to, from::UInt64, bytes)
    ccall("extern memcpy", llvmcall, Ptr{UInt8}, (LLVMPtr{UInt8,0}, Ptr{UInt8}, UInt64), pointer_cast(LLVMPtr{UInt8,0}, to), int_to_pointer(Ptr{UInt8}, from), bytes % UInt64)
    return
end
