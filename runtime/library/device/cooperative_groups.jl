# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/output
# Module CG: groups of threads, with sizes, ranks (from 1) and barriers.

# Data with known alignment: CUDA.align{16}(pointer).
struct Aligned{T,N}
    data::T
end
struct align{N} end
@inline (::Type{align{N}})(data) where {N} = Aligned{typeof(data),N}(data)
@inline (::Type{Aligned})(x::Aligned) = x
@inline (::Type{Aligned})(p::Union{Ptr,LLVMPtr}) = Aligned{typeof(p),Base.datatype_alignment(eltype(typeof(p)))}(p)
@inline alignment(::Aligned{T,N}) where {T,N} = N
@inline Base.getindex(x::Aligned) = x.data

# A barrier of all blocks. Any kernel on the CPU may use it, since the executor keeps waiting blocks while it starts
# others. The CPU needs no barrier in memory: a wait counts as the arrival.
@inline grid_barrier() = pointer_cast(LLVMPtr{UInt32,1}, kernel_state())
@inline grid_arrive(barrier, expected, master) = 0x00000000
@inline function grid_wait(barrier, token)
    ccall("extern kiln.wait.grid", llvmcall, UInt64, (UInt32, UInt32, UInt64), 0x00000000, 0x00000000, 0x0000000000000000)
    return
end
# Copies 4, 8 or 16 bytes, as one value of that size, into shared memory. GPU targets overlay these functions with
# asynchronous copies.
@inline copy_element(to::LLVMPtr, from::LLVMPtr) = (unsafe_store!(to, unsafe_load(from)); nothing)
@inline copies_commit() = nothing
@inline copies_wait(stage) = nothing
@inline copies_wait_all() = nothing

module CG

import CUDA
import CUDA: threadIdx, blockIdx, blockDim, gridDim, laneid, i32, FULL_MASK, active_mask, lanemask, sync_warp, barrier_sync
import CUDA: shfl_sync, shfl_up_sync, shfl_down_sync, vote_all_sync, vote_ballot_sync, Aligned, alignment

abstract type thread_group end
struct thread_block <: thread_group end
struct grid_group <: thread_group
    barrier::LLVMPtr{UInt32,1}
end
struct coalesced_group <: thread_group
    mask::UInt32
    size::UInt32
end

@inline this_thread_block() = thread_block()
@inline this_grid() = grid_group(CUDA.grid_barrier())
@inline coalesced_group(mask::UInt32) = coalesced_group(mask, rem(CUDA.popc(mask), UInt32))
@inline coalesced_threads() = coalesced_group(active_mask())

@inline linear(T, i, n) = (T(i.z) - one(T)) * n.y * n.x + (T(i.y) - one(T)) * n.x + T(i.x)
@inline thread_rank(::thread_block) = linear(Int32, threadIdx(), blockDim())
@inline num_threads(::thread_block) = blockDim().x * blockDim().y * blockDim().z
@inline group_index(::thread_block) = blockIdx()
@inline thread_index(::thread_block) = threadIdx()
@inline dim_threads(::thread_block) = blockDim()

@inline is_valid(g::grid_group) = CUDA.pointer_to_int(g.barrier) != 0
@inline thread_rank(g::grid_group) = (block_rank(g) - 1) * num_threads(thread_block()) + thread_rank(thread_block())
@inline block_rank(::grid_group) = linear(Int64, blockIdx(), gridDim())
@inline num_threads(g::grid_group) = num_blocks(g) * num_threads(thread_block())
@inline num_blocks(::grid_group) = Int64(gridDim().x) * Int64(gridDim().y) * Int64(gridDim().z)
@inline dim_blocks(::grid_group) = gridDim()
@inline block_index(::grid_group) = blockIdx()

@inline num_threads(g::coalesced_group) = g.size
@inline thread_rank(g::coalesced_group) = CUDA.popc(g.mask & lanemask(<)) + 1i32
@inline meta_group_rank(::coalesced_group) = 0x0001
@inline meta_group_size(::coalesced_group) = 0x0000

# ---- waiting
@inline sync(g::coalesced_group) = sync_warp(g.mask)
@inline sync(::thread_block) = barrier_sync(0)
@inline barrier_arrive(::thread_block) = nothing
@inline barrier_wait(::thread_block, token) = barrier_sync(0)
@inline sync(g::grid_group) = barrier_wait(g, barrier_arrive(g))
@inline first_of(i) = (i.x == 1i32) & (i.y == 1i32) & (i.z == 1i32)
# Arrival at a grid barrier. The first thread of each block adds 1; the first block instead adds a value such that the
# complete sum flips the highest bit.
@inline function barrier_arrive(g::grid_group)
    token = 0x00000000
    barrier_sync(0)
    if first_of(threadIdx())
        token = CUDA.grid_arrive(g.barrier, rem(num_blocks(g), UInt32), first_of(blockIdx()))
    end
    return token
end
@inline function barrier_wait(g::grid_group, token)
    if first_of(threadIdx())
        CUDA.grid_wait(g.barrier, token)
    end
    barrier_sync(0)
end

# ---- shuffles in a coalesced group, which address members by rank
@inline function shfl(g::coalesced_group, value, rank)
    lane = if rank == 0
        CUDA.ffs(g.mask)
    elseif num_threads(g) == 32
        rem(rank, Int32)
    else
        CUDA.fns(g.mask, 0, rank) + 1i32
    end
    @boundscheck lane > 0 || throw(BoundsError())
    return shfl_sync(g.mask, value, lane)
end
# Lane of the group member that is `delta - 1` ranks later. A negative `delta` counts to earlier members: -1 is this
# thread, too. This thread's lane if there is no such member.
@inline function neighbour(g::coalesced_group, delta)
    lane = CUDA.fns(g.mask, laneid() - 1i32, delta) + 1i32
    return 0i32 < lane <= 32i32 ? lane : laneid()
end
@inline function shfl_down(g::coalesced_group, value, delta)
    num_threads(g) == 32 && return shfl_down_sync(FULL_MASK, value, delta)
    return shfl_sync(g.mask, value, neighbour(g, rem(delta, Int32) + 1i32))
end
@inline function shfl_up(g::coalesced_group, value, delta)
    num_threads(g) == 32 && return shfl_up_sync(FULL_MASK, value, delta)
    return shfl_sync(g.mask, value, neighbour(g, -(rem(delta, Int32) + 1i32)))
end
@inline vote_any(g::coalesced_group, predicate) = vote_ballot_sync(g.mask, predicate) != 0x00000000
@inline vote_all(g::coalesced_group, predicate) = vote_all_sync(g.mask, predicate)
@inline vote_ballot(g::coalesced_group, predicate) = pack_lanes(g, vote_ballot_sync(g.mask, predicate))
# Converts a mask with one bit per lane to a mask with one bit per group member.
@inline function pack_lanes(g::coalesced_group, lanes::UInt32)
    packed = rank = 0x00000000
    for i in 0x00000000:0x0000001f
        bit = 0x00000001 << i
        if g.mask & bit != 0
            packed |= lanes & bit != 0 ? 0x00000001 << rank : 0x00000000
            rank += 0x00000001
        end
    end
    return packed
end

# ---- copies in which all threads of a group take part
const memcpy_group = Union{thread_block,coalesced_group}
@inline function wait(g::memcpy_group)
    wait_prior(g, 0)
    sync(g)
end
@inline function wait_prior(g::memcpy_group, stage::Integer)
    CUDA.copies_wait(stage)
    sync(g)
end
@inline memcpy_async(g, dst, src, bytes) = memcpy_async(g, Aligned(dst), Aligned(src), bytes)
@inline function memcpy_async(g::memcpy_group, dst::Aligned, src::Aligned, bytes::Integer)
    unit = min(alignment(dst), alignment(src))
    Base.ispow2(unit) || Core.static_error("memcpy_async alignment must be a power of 2")
    copy_units(Int(thread_rank(g)), Int(num_threads(g)), copied_type(Val(min(unit, 16))), dst[], src[], Int(bytes))
    CUDA.copies_commit()
end
# Asynchronous copies of 4, 8 or 16 bytes by one thread. The thread commits them in groups and does other work
# meanwhile.
@inline function pipeline_memcpy_async(dst::LLVMPtr{T}, src::LLVMPtr{T}) where {T}
    (sizeof(T) == 4) | (sizeof(T) == 8) | (sizeof(T) == 16) || Core.static_error("an asynchronous copy is of 4, 8 or 16 bytes")
    copy_units(1, 1, copied_type(Val(sizeof(T))), dst, src, sizeof(T))
end
@inline pipeline_commit() = CUDA.copies_commit()
@inline pipeline_wait_prior(n::Integer) = CUDA.copies_wait(n)
@inline pipeline_wait_prior(::Val{n}) where {n} = CUDA.copies_wait(n)
@inline pipeline_wait_all() = CUDA.copies_wait_all()

@inline copied_type(::Val{16}) = NTuple{4,UInt32}
@inline copied_type(::Val{8}) = NTuple{2,UInt32}
@inline copied_type(::Val{4}) = UInt32
@inline copied_type(::Val{2}) = UInt16
@inline copied_type(::Val{1}) = UInt8
@inline function copy_units(rank::Int, threads::Int, ::Type{U}, dst::LLVMPtr{S,A}, src::LLVMPtr{T,B}, bytes::Int) where {U,S,A,T,B}
    to = reinterpret(LLVMPtr{U,A}, dst)
    from = reinterpret(LLVMPtr{U,B}, src)
    at = (rank - 1) * sizeof(U)
    while at < bytes
        CUDA.copy_element(to + at, from + at)
        at += threads * sizeof(U)
    end
end

export thread_rank, num_threads, thread_block, this_thread_block, group_index, thread_index, dim_threads
export grid_group, this_grid, is_valid, block_rank, num_blocks, dim_blocks, block_index
export coalesced_group, coalesced_threads, meta_group_rank, meta_group_size
export sync, barrier_arrive, barrier_wait, memcpy_async, wait, wait_prior

end

@inline this_grid() = CG.this_grid()
@inline sync_grid(grid) = CG.sync(grid)

export CG, this_grid, sync_grid
