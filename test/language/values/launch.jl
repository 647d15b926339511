# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Threads and blocks: every index of a launch, shared memory, barriers, atomics, constant arrays.

using CUDA

function indices(o)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    j = (blockIdx().y - 1) * blockDim().y + threadIdx().y
    k = (blockIdx().z - 1) * blockDim().z + threadIdx().z
    o[i, j, k] = 100i + 10j + k
    return
end

# The sum of each block's elements, halving the number of threads that add.
function block_sum(o, x)
    shared = CuStaticSharedArray(Float32, 64)
    t = threadIdx().x
    i = (blockIdx().x - 1) * blockDim().x + t
    shared[t] = i <= length(x) ? x[i] : 0f0
    sync_threads()
    d = blockDim().x ÷ 2
    while d > 0
        if t <= d
            shared[t] += shared[t+d]
        end
        sync_threads()
        d ÷= 2
    end
    if t == 1
        o[blockIdx().x] = shared[1]
    end
    return
end

function block_reverse(o, x)
    shared = @cuDynamicSharedMem(Int32, blockDim().x)
    t = threadIdx().x
    i = (blockIdx().x - 1) * blockDim().x + t
    shared[t] = x[i]
    sync_threads()
    o[i] = shared[blockDim().x-t+1]
    return
end

function transpose_tile(o, x)
    tile = @cuStaticSharedMem(Float64, (8, 9))
    tx, ty = threadIdx().x, threadIdx().y
    i = (blockIdx().x - 1) * 8 + tx
    j = (blockIdx().y - 1) * 8 + ty
    @inbounds tile[tx, ty] = x[i, j]
    sync_threads()
    i = (blockIdx().y - 1) * 8 + tx
    j = (blockIdx().x - 1) * 8 + ty
    @inbounds o[i, j] = tile[ty, tx]
    return
end

function histogram(bins, x)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(x)
        @inbounds CUDA.@atomic bins[x[i]] += 1i32
    end
    return
end

function atomics(o, old, f)
    t = threadIdx().x
    old[t] = CUDA.atomic_add!(pointer(o, 1), Int32(1))
    CUDA.@atomic o[2] = max(o[2], t)
    CUDA.@atomic o[3] -= 2i32
    CUDA.@atomic o[4] |= 1i32 << (t - 1i32)
    CUDA.atomic_min!(pointer(o, 5), -t)
    CUDA.@atomic f[1] += 0.5f0
    CUDA.atomic_cas!(pointer(o, 6), Int32(0), t)
    return
end

struct Model{A,T}
    weights::A
    bias::T
end
function through_struct(o, weights, pair, named)
    i = threadIdx().x
    m = Model(weights, 0.5)
    if i <= length(o)
        o[i] = m.weights[i] * pair[1][i] + m.bias + named.scale * named.offsets[i]
    end
    return
end

function grid_stride(o)
    start = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    stride = blockDim().x * gridDim().x
    for i = start:stride:length(o)
        o[i] = i
    end
    return
end
