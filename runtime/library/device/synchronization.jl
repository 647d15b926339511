# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/indexing
# Barriers, fences and clocks. GPU targets overlay all functions of this file. On the CPU, a thread that reaches a
# barrier returns to the block executor, which runs the other threads of the block (or lanes of the warp) up to the
# barrier.

@inline sync_threads() = ccall("extern kiln.barrier", llvmcall, Cvoid, ())
@inline function sync_warp(mask=0xffffffff)
    ccall("extern kiln.wait.sync", llvmcall, UInt64, (UInt32, UInt32, UInt64), rem(mask, UInt32), 0x00000000, 0x0000000000000000)
    return
end
@inline function barrier_sync(id=0)
    ccall("extern kiln.wait.barrier", llvmcall, UInt64, (UInt32, UInt32, UInt64), 0x00000000, rem(id, UInt32), 0x0000000000000000)
    return
end
@inline threadfence() = memory_fence()
@inline threadfence_block() = memory_fence()
@inline threadfence_system() = memory_fence()
@inline nanosleep(t) = memory_fence()               # later loads read memory again
# Size in bytes of the launch's dynamic shared memory, without static arrays: a field of NativeThread
# (include/kiln/abi.h).
@inline dynamic_smem_size() = rem(pointer_load_invariant(pointer_cast(LLVMPtr{UInt64,0}, ccall("extern kiln.state", llvmcall, LLVMPtr{UInt8,0}, ())), 7, Val(8)), UInt32)

# Number of threads of the block for which the predicate is true. Barriers separate resetting the sum, adding to it,
# reading it, and the reset of a following call.
@inline function sync_threads_count(predicate)
    sum = static_shared(Int32, Val(1))
    atomic_store(sum, 0i32)
    sync_threads()
    atomic_modify(Val(:add), sum, Int32(predicate != 0))
    sync_threads()
    count = atomic_load(sum)
    sync_threads()
    return count
end
@inline sync_threads_or(predicate) = sync_threads_count(predicate) != 0i32
@inline sync_threads_and(predicate) = sync_threads_count(predicate == 0) == 0i32

@inline assume(condition::Bool) = ccall("llvm.assume", llvmcall, Cvoid, (Bool,), condition)
@inline assume(f, x) = (assume(f(x)); x)
@inline clock(::Type{UInt64}) = ccall("llvm.readcyclecounter", llvmcall, UInt64, ())
@inline clock(::Type{UInt32}) = trunc_int(UInt32, clock(UInt64))
# Time in nanoseconds since a fixed moment in the past.
@inline function globaltimer()
    time = stack_alloc(Int64, Val(2))
    ccall("extern clock_gettime", llvmcall, Int32, (Int32, LLVMPtr{Int64,5}), 1i32, time)
    return rem(unsafe_load(time) * 1000000000 + unsafe_load(time, 2), UInt64)
end

export sync_threads, sync_warp, barrier_sync, threadfence, threadfence_block, threadfence_system, nanosleep
export sync_threads_count, sync_threads_and, sync_threads_or, clock, assume
