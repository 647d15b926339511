# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/wmma_fragments
# Barriers in shared memory that count arriving threads and bytes (PTX's mbarrier), and bulk copies that signal such a
# barrier. GPU targets overlay this file's functions. On the CPU a copy completes at once, and a barrier is one word:
# bits 0-19 pending arrivals, 20-39 arrivals per phase, 40-61 pending bytes + 2^21, 63 parity of the phase.

const MBarrier = LLVMPtr{UInt64,3}
@inline mbarrier_no_bytes() = 0x2000000000000000

@inline function mbarrier_init(b::MBarrier, count::Integer)
    n = rem(count, UInt64)
    ordered_store(b, n | (n << 20) | mbarrier_no_bytes(), Val(:release), Val(:block))
    return
end
@inline mbarrier_inval(b::MBarrier) = nothing
@inline fence_mbarrier_init() = nothing

# Ends the phase if no arrivals and bytes are pending, and begins the next one.
@inline function mbarrier_turned(word::UInt64)
    over = ((word & 0x00000000000fffff) == 0) & ((word & 0x3fffff0000000000) == mbarrier_no_bytes())
    return ifelse(over, ((word ⊻ 0x8000000000000000) & 0xfffffffffff00000) | ((word >> 20) & 0x00000000000fffff), word)
end
@inline function mbarrier_change(b::MBarrier, change::UInt64)
    old = ordered_load(b, Val(:monotonic), Val(:block))
    while true
        found = ordered_replace(b, old, mbarrier_turned(old + change), Val(:acq_rel), Val(:block))
        found === old && return old
        old = found
    end
end
@inline mbarrier_bytes(bytes) = rem(bytes, UInt64) << 40
@inline mbarrier_arrive(b::MBarrier, count::Integer=1) = mbarrier_change(b, -rem(count, UInt64))
@inline mbarrier_arrive_expect_tx(b::MBarrier, bytes::Integer) = mbarrier_change(b, mbarrier_bytes(bytes) - 0x0000000000000001)
@inline mbarrier_expect_tx(b::MBarrier, bytes::Integer) = (mbarrier_change(b, mbarrier_bytes(bytes)); nothing)
@inline mbarrier_complete_tx(b::MBarrier, bytes::Integer) = (mbarrier_change(b, -mbarrier_bytes(bytes)); nothing)
@inline mbarrier_pending_count(state::UInt64) = rem(state & 0x00000000000fffff, UInt32)
# Arrives at the barrier of another block in the cluster. On the CPU, a cluster has only this block.
@inline mbarrier_arrive_remote(b::MBarrier, rank::Integer) = (mbarrier_arrive(b); nothing)

@inline mbarrier_parity(b::MBarrier) = ordered_load(b, Val(:acquire), Val(:block)) >> 63
@inline mbarrier_test_wait(b::MBarrier, state::UInt64) = mbarrier_parity(b) != state >> 63
@inline mbarrier_test_wait_parity(b::MBarrier, parity::Integer) = mbarrier_parity(b) != rem(parity, UInt64)
@inline mbarrier_try_wait(b::MBarrier, state::UInt64) = mbarrier_test_wait(b, state)
@inline mbarrier_try_wait_parity(b::MBarrier, parity::Integer) = mbarrier_test_wait_parity(b, parity)
@inline function mbarrier_wait(b::MBarrier, state::UInt64)
    while !mbarrier_try_wait(b, state)
    end
end
@inline function mbarrier_wait_parity(b::MBarrier, parity::Integer)
    while !mbarrier_try_wait_parity(b, parity)
    end
end

# Fences between earlier ordinary accesses, and later accesses by the copy engine and the matrix units.
@inline fence_proxy_async() = nothing
@inline fence_proxy_async_shared() = nothing

# ---- bulk copies. Both addresses and the size must be multiples of 16 bytes.
@inline bulk_words(to::LLVMPtr, from::LLVMPtr, bytes) =
    rem(pointer_to_int(to) | pointer_to_int(from) | rem(bytes, UInt64), UInt64(16)) == 0 ? rem(bytes, Int) >> 3 :
    throw(ArgumentError("a bulk copy needs addresses and a number of bytes that are multiples of 16"))
@inline function copy_words(to::LLVMPtr{S,A}, from::LLVMPtr{T,B}, bytes) where {S,A,T,B}
    target, source = pointer_cast(LLVMPtr{UInt64,A}, to), pointer_cast(LLVMPtr{UInt64,B}, from)
    for i in 0:bulk_words(to, from, bytes)-1
        pointer_store(target, pointer_load(source, i, Val(0)), i, Val(0))
    end
end
@inline function bulk_copy(to::LLVMPtr{S,3}, from::LLVMPtr{T,1}, bytes::Integer, b::MBarrier) where {S,T}
    copy_words(to, from, bytes)
    mbarrier_complete_tx(b, bytes)
end
@inline bulk_copy(to::LLVMPtr{S,1}, from::LLVMPtr{T,3}, bytes::Integer) where {S,T} = (copy_words(to, from, bytes); nothing)
@inline bulk_copy_multicast(to::LLVMPtr, from::LLVMPtr, bytes::Integer, b::MBarrier, mask::Integer) =
    static_error("bulk_copy_multicast writes into several blocks of a cluster: the CPU has clusters of one block only")
@inline bulk_prefetch(from::LLVMPtr, bytes::Integer) = nothing
@inline bulk_commit() = nothing
@inline bulk_wait(::Val{n}=Val(0)) where {n} = nothing
@inline bulk_wait_read(::Val{n}=Val(0)) where {n} = nothing
