# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Warp operations: one instruction a word; larger and smaller values go in parts.
#
# RUN: %kiln compile %s 'shuffles(CuDeviceVector{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=SHUFFLE
# SHUFFLE: shfl.sync.idx.b32 {{.*}}, 31, -1;
# SHUFFLE: shfl.sync.up.b32 {{.*}}, 1, 0, -1;
# SHUFFLE: shfl.sync.down.b32 {{.*}}, 2, 31, 255;
# SHUFFLE: shfl.sync.bfly.b32 {{.*}}, 4, 6175, -1;
#
# RUN: %kiln compile %s 'parts(CuDeviceVector{Float64,1})' --target ptx -g0 | %filecheck %s --check-prefix=TWO
# RUN: %kiln compile %s 'parts(CuDeviceVector{Int8,1})' --target ptx -g0 | %filecheck %s --check-prefix=ONE
# RUN: %kiln compile %s 'parts(CuDeviceVector{Complex{Float32},1})' --target ptx -g0 | %filecheck %s --check-prefix=TWO
# RUN: %kiln compile %s 'parts(CuDeviceVector{Tuple{Int16,Int64},1})' --target ptx -g0 | %filecheck %s --check-prefix=THREE
# RUN: %kiln compile %s 'parts(CuDeviceVector{Mark,1})' --target ptx -g0 | %filecheck %s --check-prefix=TWO
# ONE-COUNT-1: shfl.sync.down
# ONE-NOT: shfl.sync
# TWO-COUNT-2: shfl.sync.down
# TWO-NOT: shfl.sync
# THREE-COUNT-3: shfl.sync.down
# THREE-NOT: shfl.sync
#
# RUN: %kiln compile %s 'votes(CuDeviceVector{UInt32,1})' --target ptx -g0 | %filecheck %s --check-prefix=VOTE
# VOTE: vote.sync.all.pred
# VOTE: vote.sync.any.pred
# VOTE: vote.sync.uni.pred
# VOTE: vote.sync.ballot.b32
# VOTE: match.any.sync.b32
# VOTE: match.all.sync.b64
# VOTE: activemask.b32
# VOTE: lanemask_lt
# VOTE: bar.warp.sync
#
# RUN: %kiln compile %s 'barriers(CuDeviceVector{Int32,1})' --target ptx -g0 | %filecheck %s --check-prefix=BARRIER
# BARRIER: bar.red.popc.u32
# BARRIER: bar.red.and.pred
# BARRIER: bar.red.or.pred
# BARRIER: barrier.sync
# BARRIER: membar.cta
# BARRIER: membar.gl
# BARRIER: membar.sys
# BARRIER: %clock64
# BARRIER: %globaltimer
# BARRIER: nanosleep.u32

using CUDA

struct Mark
    at::Int32
    weight::Float16
end

function shuffles(a)
    i = threadIdx().x
    @inbounds v = a[i]
    @inbounds begin
        a[i] = shfl_sync(FULL_MASK, v, 32)
        a[i+32] = shfl_up_sync(FULL_MASK, v, 1)
        a[i+64] = shfl_down_sync(0x000000ff, v, 2)
        a[i+96] = shfl_xor_sync(FULL_MASK, v, 4, 8)
    end
    return
end

function parts(a)
    i = threadIdx().x
    @inbounds a[i] = shfl_down_sync(FULL_MASK, a[i], 1)
    return
end

function votes(a)
    i = threadIdx().x
    @inbounds begin
        a[1] = vote_all_sync(FULL_MASK, i > 1)
        a[2] = vote_any_sync(FULL_MASK, i > 2)
        a[3] = vote_uni_sync(FULL_MASK, i > 3)
        a[4] = vote_ballot_sync(FULL_MASK, i > 4)
        a[5] = match_any_sync(FULL_MASK, i)
        mask, same = match_all_sync(FULL_MASK, Float64(i))
        a[6] = same ? mask : 0x00000000
        a[7] = active_mask()
        a[8] = lanemask(<)
    end
    sync_warp()
    return
end

function barriers(a)
    @inbounds begin
        a[1] = sync_threads_count(a[2])
        a[3] = sync_threads_and(a[4] > 0)
        a[5] = sync_threads_or(true)
    end
    barrier_sync(1)
    threadfence_block()
    threadfence()
    threadfence_system()
    @inbounds a[6] = (clock(UInt64) + CUDA.globaltimer()) % Int32
    nanosleep(0x00000020)
    return
end
