# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random numbers in kernels.
#! kernels: words, wide, shaped, floats, others

using CUDA
using Random
using StaticArrays

global_index() = (blockIdx().x - 1) * blockDim().x + threadIdx().x

function words(o)
    i = global_index()
    for k in 1:size(o, 2)
        o[i, k] = rand(UInt32)
    end
    return
end
function wide(o, seed)
    i = global_index()
    Random.seed!(seed)
    o[i, 1] = rand(UInt64)
    o[i, 2] = rand(UInt64)
    Random.seed!(seed)
    o[i, 3] = rand(UInt64)
    return
end
# Threads and blocks in three dimensions; the draws in functions that are not inlined, and behind a barrier.
@noinline deep(n) = n > 0 ? deep(n - 1) + 0x00000000 * rand(UInt32) : rand(UInt32)
function shaped(o)
    t, b = threadIdx(), blockIdx()
    linear = (((((b.z - 1) * gridDim().y + b.y - 1) * gridDim().x + b.x - 1) * blockDim().z + t.z - 1) * blockDim().y + t.y - 1) * blockDim().x + t.x
    o[linear, 1] = deep(2)
    sync_threads()
    o[linear, 2] = rand(UInt32)
    return
end
function floats(o, ::Val{f}, ::Type{T}) where {f,T}
    i = global_index()
    for k in 1:size(o, 2)
        o[i, k] = f === :rand ? rand(T) : f === :randn ? randn(T) : randexp(T)
    end
    return
end
function others(o, v)
    i = global_index()
    rng = Random.default_rng()
    for k in 1:20:size(o, 2)
        o[i, k] = rand(1:6)
        o[i, k+1] = rand(rng, 10:10:40)
        o[i, k+2] = rand((2, 3, 5))
        o[i, k+3] = rand(v)
        o[i, k+4] = rand(Bool)
        o[i, k+5] = rand(Int8)
        s = rand(SVector{2,Float32})
        o[i, k+6] = s[1]
        o[i, k+7] = s[2]
        o[i, k+8] = rand(rng, Float64)
        o[i, k+9] = rand(Float16)
        o[i, k+10] = real(rand(ComplexF32))
        o[i, k+11] = rand()
        o[i, k+12] = randn(rng)
        o[i, k+13] = randn(SVector{2,Float64})[2]
        m = MVector{2,Float32}(undef)
        rand!(m)
        o[i, k+14] = m[1]
        o[i, k+15] = m[2]
        randn!(m)
        o[i, k+16] = m[1]
        o[i, k+17] = Float64(rand(UInt128) >> 100)
        o[i, k+18] = rand(UInt16)
        o[i, k+19] = randexp()
    end
    return
end
none(o, n) = (o[1] = rand(1:n); return)
array(o, n) = (o[1] = sum(rand(Float32, n)); return)
