# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/cluster_launch
# Tensor memory: 128 lanes x 512 columns of 32 bits per multiprocessor, for D of tcgen05.mma. An address is lane << 16
# + column. Warp w of four accesses lanes 32w to 32w + 31, one per thread. GPU targets overlay accesses.
# On the CPU each block has a tensor memory of its own (runtime/host/tensor_memory.h). Word 0 has the allocated units
# of 32 columns, word 1 the first units of allocations. Word 2 is not 0 if the block may not allocate any more. Lane 0
# starts at word 16.

const TensorWord = Union{UInt32,Int32,Float32}

@inline tensor_columns(::Val{n}) where {n} =
    (n == 32) | (n == 64) | (n == 128) | (n == 256) | (n == 512) || static_error("tensor memory is allocated in 32, 64, 128, 256 or 512 columns")
@inline tensor_access(::Type{T}, n) where {T} =
    (n in (1, 2, 4, 8, 16, 32, 64, 128)) & (T <: TensorWord) || static_error("tcgen05_ld and tcgen05_st move 1, 2, 4, ... 128 columns of UInt32, Int32 or Float32")

# Allocates n columns. All threads of a warp call it. Writes the columns' address (in lane 0) into shared memory. On a
# GPU the call waits until n columns are free.
@inline tcgen05_alloc(to::LLVMPtr{UInt32,3}, ::Val{n}) where {n} = (tensor_columns(Val(n)); tensor_alloc(to, Val(n)))
@inline tcgen05_dealloc(address::Integer, ::Val{n}) where {n} = (tensor_columns(Val(n)); tensor_dealloc(rem(address, UInt32), Val(n)))
# Loads or stores columns of each thread's own lane. All threads of a warp call these functions. Loaded values are
# valid after tcgen05_wait_ld.
@inline tcgen05_ld(::Type{T}, address::Integer, ::Val{n}) where {T,n} = (tensor_access(T, n); tensor_load(T, rem(address, UInt32), Val(n)))
@inline tcgen05_st(address::Integer, x::NTuple{n,T}) where {n,T} = (tensor_access(T, n); tensor_store(rem(address, UInt32), x))

# ---- natively
@inline function tensor_state()
    state = ccall("extern kiln_native_tensor_memory", llvmcall, LLVMPtr{UInt32,0}, (LLVMPtr{UInt8,0},), ccall("extern kiln.state", llvmcall, LLVMPtr{UInt8,0}, ()))
    pointer_to_int(state) == 0 && throw(ArgumentError("tensor memory belongs to a block: only kernels have it"))
    return state
end
@inline tensor_unit_mask(n) = shl_int(0x00000001, n >> 5) - 0x00000001
@inline tensor_byte(state::LLVMPtr{UInt32,0}, lane, column, ::Type{T}) where {T} =
    pointer_add(pointer_cast(LLVMPtr{T,0}, state), 64 + 4 * (512 * Int(lane) + Int(column)))
@inline tensor_lane(address::UInt32) = lshr_int(address, 16i32)
@inline tensor_column(address::UInt32) = address & 0x0000ffff
@inline function tensor_allocated(state::LLVMPtr{UInt32,0}, address::UInt32, n)
    first, last = Int(tensor_column(address)) >> 5, (Int(tensor_column(address)) + n - 1) >> 5
    mask = tensor_unit_mask((last - first + 1) << 5)
    (last < 16) & ((pointer_load(state, 0, Val(4)) >> min(first, 16)) & mask == mask) || throw(ArgumentError("tensor memory: an access of columns that are not allocated"))
    return
end

# Finds the first free range of n columns at a multiple of n. Returns its unit of 32 columns, or 16 if there is none.
function tensor_find(state::LLVMPtr{UInt32,0}, n)
    used, unit = pointer_load(state, 0, Val(4)), 0
    while unit < 16 && used & (tensor_unit_mask(n) << unit) != 0
        unit += n >> 5
    end
    return unit
end
function tensor_take(state::LLVMPtr{UInt32,0}, unit, n)
    pointer_store(state, pointer_load(state, 0, Val(4)) | (tensor_unit_mask(n) << unit), 0, Val(4))
    pointer_store(state, pointer_load(state, 1, Val(4)) | (0x00000001 << unit), 1, Val(4))
    for lane in 0:127, column in 32unit:32unit+n-1 # new columns are undefined on a GPU; the CPU fills them with NaN
        pointer_store(tensor_byte(state, lane, column, UInt32), 0xffffffff, 0, Val(4))
    end
end
# Returns the units of the allocation with n columns at this address, as a bit mask. 0: there is no such allocation.
function tensor_allocation(state::LLVMPtr{UInt32,0}, address::UInt32, n)
    used, firsts, unit = pointer_load(state, 0, Val(4)), pointer_load(state, 1, Val(4)), min(Int(tensor_column(address)) >> 5, 16)
    mask = tensor_unit_mask(n) << unit
    behind = 0x00000001 << (unit + (n >> 5)) # unit after the last one: part of the same allocation if it is used and does not start one
    return ifelse((address & 0xffff001f == 0) & (used & mask == mask) & (firsts & mask == 0x00000001 << unit) & (used & ~firsts & behind == 0), mask, 0x00000000)
end
@inline function tensor_alloc(to::LLVMPtr{UInt32,3}, ::Val{n}) where {n}
    if own_lane() == 0
        state = tensor_state()
        pointer_load(state, 2, Val(4)) == 0 || throw(ArgumentError("tcgen05_alloc after tcgen05_relinquish_alloc_permit"))
        unit = tensor_find(state, n)
        unit < 16 || throw(ArgumentError("tensor memory: tcgen05_alloc finds too few free columns"))
        tensor_take(state, unit, n)
        pointer_store(to, rem(unit << 5, UInt32), 0, Val(4))
    end
    sync_warp()
end
@inline function tensor_dealloc(address::UInt32, ::Val{n}) where {n}
    sync_warp()
    if own_lane() == 0
        state = tensor_state()
        mask = tensor_allocation(state, address, n)
        mask != 0 || throw(ArgumentError("tcgen05_dealloc frees what tcgen05_alloc gave, as many columns at its address"))
        pointer_store(state, pointer_load(state, 0, Val(4)) & ~mask, 0, Val(4))
        pointer_store(state, pointer_load(state, 1, Val(4)) & ~mask, 1, Val(4))
    end
    return
end
# After this call, no warp of the block may allocate tensor memory.
@inline function tcgen05_relinquish_alloc_permit()
    own_lane() == 0 && pointer_store(tensor_state(), 0x00000001, 2, Val(4))
    return
end

@inline function tensor_place(::Type{X}, address::UInt32, n) where {X}
    state, thread = tensor_state(), thread_of_warpgroup()
    Int(tensor_lane(address)) == thread & 96 || throw(ArgumentError("tensor memory: warp w of four accesses lanes from 32w on, and its address names lane 32w"))
    tensor_allocated(state, address, n)
    return tensor_byte(state, thread, tensor_column(address), X)
end
@inline tensor_load(::Type{T}, address::UInt32, ::Val{n}) where {T,n} = pointer_load(tensor_place(NTuple{n,T}, address, n), 0, Val(4))
@inline tensor_store(address::UInt32, x::NTuple{n,T}) where {n,T} = (pointer_store(tensor_place(NTuple{n,T}, address, n), x, 0, Val(4)); nothing)
@inline tcgen05_wait_ld(x::Tuple) = x
@inline tcgen05_wait_st() = nothing
