# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Barriers and fences. A GPU target overlays all of them; natively a barrier is a point that the block executor
# must bring every thread to, and a fence orders nothing within one thread.

@inline sync_threads() = ccall("extern kiln.barrier", llvmcall, Cvoid, ())
@inline sync_warp() = sync_threads()
@inline sync_warp(mask) = sync_threads()
@inline barrier_sync() = sync_threads()
@inline threadfence() = nothing
@inline threadfence_block() = nothing
@inline threadfence_system() = nothing
@inline nanosleep(t) = nothing
@inline assume(condition::Bool) = nothing

export sync_threads, sync_warp, barrier_sync, threadfence, threadfence_block, threadfence_system, nanosleep, assume
