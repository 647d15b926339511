# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/wmma
# mma.sync and ldmatrix: products whose fragments are registers with PTX's documented layout, so that kernels may
# build them. On the CPU they exchange elements through memory of the warp's first thread, as wmma_mma does. One
# register of A or B holds elements that are neighbours along dimension K.

@inline mma_exists(::Union{Val{(16,8,8)},Val{(16,8,16)}}, ::Type{Float16}, ::Type{<:Union{Float16,Float32}}) = true
@inline mma_exists(::Union{Val{(16,8,8)},Val{(16,8,16)}}, ::Type{BFloat16}, ::Type{Float32}) = true
@inline mma_exists(::Union{Val{(16,8,4)},Val{(16,8,8)}}, ::Type{Float32}, ::Type{Float32}) = true
@inline mma_exists(::Val{(8,8,4)}, ::Type{Float64}, ::Type{Float64}) = true
@inline mma_exists(::Union{Val{(8,8,16)},Val{(16,8,16)},Val{(16,8,32)}}, ::Type{<:Union{Int8,UInt8}}, ::Type{Int32}) = true
@inline mma_exists(shape, ::Type, ::Type) = false
@inline mma_words(::Val{:a}, ::Val{s}, ::Type{T}) where {s,T} = div(s[1] * s[3] * sizeof(T), 32 * sizeof(wmma_word(Val(:a), T)))
@inline mma_words(::Val{:b}, ::Val{s}, ::Type{T}) where {s,T} = div(s[2] * s[3] * sizeof(T), 32 * sizeof(wmma_word(Val(:b), T)))
@inline mma_words(::Val{:c}, ::Val{s}, ::Type{T}) where {s,T} = div(s[1] * s[2] * sizeof(T), 32 * sizeof(wmma_word(Val(:c), T)))
@inline mma_registers(mat, shape, ::Type{T}) where {T} = NTuple{mma_words(mat, shape, T),wmma_word(mat, T)}

# Row and column (from 0) in the matrix for element e of this thread's fragment.
@inline function mma_place(::Val{:a}, ::Val{s}, ::Type{T}, e) where {s,T}
    group, thread = div(Int(own_lane()), 4), rem(Int(own_lane()), 4)
    in_word = div(sizeof(wmma_word(Val(:a), T)), sizeof(T))
    word = div(e, in_word)
    half = s[1] == 16 ? rem(word, 2) : 0
    return (group + 8 * half, thread * in_word + rem(e, in_word) + 4 * in_word * (s[1] == 16 ? div(word, 2) : word))
end
@inline function mma_place(::Val{:b}, ::Val{s}, ::Type{T}, e) where {s,T}
    group, thread = div(Int(own_lane()), 4), rem(Int(own_lane()), 4)
    in_word = div(sizeof(wmma_word(Val(:b), T)), sizeof(T))
    return (thread * in_word + rem(e, in_word) + 4 * in_word * div(e, in_word), group)
end
@inline mma_place(::Val{:c}, shape, ::Type, e) = (div(Int(own_lane()), 4) + 8 * div(e, 2), 2 * rem(Int(own_lane()), 4) + rem(e, 2))

@inline function mma_sync(shape::Val{s}, ::Type{T}, ::Type{D}, a::A, b::B, c::C) where {s,T,D,A,B,C}
    rows, cols, depth = s
    together = stack_alloc(UInt64, Val(div((rows * depth + cols * depth) * sizeof(T), 8)))
    first = ccall("extern kiln.wait.shuffle", llvmcall, UInt64, (UInt32, UInt32, UInt64), 0xffffffff, 0x00000000, pointer_to_int(together))
    of_b = first + (rows * depth * sizeof(T)) % UInt64
    own_a, own_b = stack_alloc(A, Val(1)), stack_alloc(B, Val(1))
    pointer_store(own_a, a, 0, Val(0))
    pointer_store(own_b, b, 0, Val(0))
    for e in 0:div(sizeof(A), sizeof(T))-1
        row, k = mma_place(Val(:a), shape, T, e)
        wmma_put(first + ((row * depth + k) * sizeof(T)) % UInt64, pointer_load(pointer_cast(LLVMPtr{T,5}, own_a), e, Val(0)))
    end
    for e in 0:div(sizeof(B), sizeof(T))-1
        k, col = mma_place(Val(:b), shape, T, e)
        wmma_put(of_b + ((col * depth + k) * sizeof(T)) % UInt64, pointer_load(pointer_cast(LLVMPtr{T,5}, own_b), e, Val(0)))
    end
    sync_warp()
    sums = stack_alloc(C, Val(1))
    pointer_store(sums, c, 0, Val(0))
    a_row, b_col = stack_alloc(T, Val(depth)), stack_alloc(T, Val(depth))
    for e in 0:div(sizeof(C), sizeof(D))-1
        row, col = mma_place(Val(:c), shape, D, e)
        wmma_get(a_row, first + (row * depth * sizeof(T)) % UInt64, depth * sizeof(T))
        wmma_get(b_col, of_b + (col * depth * sizeof(T)) % UInt64, depth * sizeof(T))
        sum = convert(typeof(wmma_wide(zero(T))), pointer_load(pointer_cast(LLVMPtr{D,5}, sums), e, Val(0)))
        for k in 0:depth-1
            sum = muladd(wmma_wide(pointer_load(a_row, k, Val(0))), wmma_wide(pointer_load(b_col, k, Val(0))), sum)
        end
        pointer_store(pointer_cast(LLVMPtr{D,5}, sums), convert(D, sum), e, Val(0))
    end
    sync_warp()
    return pointer_load(sums, 0, Val(0))
end

# Loads 8 x 8 matrices of 16-bit elements. Thread 8m + r gives the address of row r of matrix m. Each thread receives
# two neighbouring elements of row lane/4 of every matrix; with `transposed`, of column lane/4.
@inline ldmatrix(count::Val{n}, p::LLVMPtr, transposed) where {n} = ntuple(LoadMatrix{typeof(transposed)}(pointer_to_int(p)), count)
struct LoadMatrix{T} <: Function
    row::UInt64
end
@inline row_of(l::LoadMatrix, thread) = ccall("extern kiln.wait.shuffle", llvmcall, UInt64, (UInt32, UInt32, UInt64), 0xffffffff, rem(thread, UInt32), l.row)
@inline function read_word(address::UInt64, ::Type{T}) where {T}
    word = stack_alloc(T, Val(1))
    wmma_get(word, address, sizeof(T))
    return pointer_load(word, 0, Val(0))
end
@inline function (l::LoadMatrix{Val{false}})(m)
    lane = Int(own_lane())
    return read_word(row_of(l, 8 * (m - 1) + div(lane, 4)) + (4 * rem(lane, 4)) % UInt64, UInt32)
end
@inline function (l::LoadMatrix{Val{true}})(m)
    lane = Int(own_lane())
    at = (2 * div(lane, 4)) % UInt64
    low = read_word(row_of(l, 8 * (m - 1) + 2 * rem(lane, 4)) + at, UInt16)
    high = read_word(row_of(l, 8 * (m - 1) + 2 * rem(lane, 4) + 1) + at, UInt16)
    return or_int(zext_int(UInt32, low), shl_int(zext_int(UInt32, high), 16))
end
