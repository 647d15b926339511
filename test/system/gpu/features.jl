# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels of features.py: what only a GPU has.
using CUDA

# tripled(float) comes from a file that is linked.
function triple(y)
    i = threadIdx().x
    @inbounds y[i] = ccall("extern tripled", llvmcall, Float32, (Float32,), y[i])
    return
end

plus_one(x) = x + 1f0
squared(x) = x * x
function choose(y, which)
    f = which == 0 ? deferred_codegen(plus_one, Float32) : deferred_codegen(squared, Float32)
    i = threadIdx().x
    @inbounds y[i] = ccall(f, Float32, (Float32,), y[i])
    return
end

function reversed(s, x)
    i = threadIdx().x
    @inbounds s[i] = x
    sync_threads()
    @inbounds return s[blockDim().x + 1 - i]
end
same(s, x) = x
function rotate(y, which)
    s = CuStaticSharedArray(Float32, 32)
    S = typeof(s)
    f = which == 0 ? deferred_codegen(same, S, Float32) : deferred_codegen(reversed, S, Float32)
    i = threadIdx().x
    @inbounds y[i] = ccall(f, Float32, (S, Float32), s, y[i])
    return
end

# Each sees what the one before it wrote, if the arrays overlap: y is x but for one element.
function running(y, x)
    i = threadIdx().x
    @inbounds y[i] = 2f0 * x[i] + 1f0
    return
end

# The rank of the block that follows in the cluster, from its shared memory.
function neighbour(A)
    s = CuStaticSharedArray(Int32, 1)
    rank, size = linearBlockIdxInCluster(), linearClusterSize()
    threadIdx().x == 1 && (@inbounds s[1] = 100i32 * blockIdx().x + rank)
    cluster_arrive()
    cluster_wait()
    other = CuDistributedSharedArray(s, rank % size + 1)
    threadIdx().x == 1 && (@inbounds A[blockIdx().x] = other[1])
    cluster_arrive()
    cluster_wait()
    return
end
