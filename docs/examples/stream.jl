# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The five loops of the STREAM benchmarks, limited by memory bandwidth. Launch at least as many threads as there are
# elements: each kernel checks its bounds.
#
#   kiln compile stream.jl 'triad(CuDeviceVector{Float64,1}, CuDeviceVector{Float64,1}, CuDeviceVector{Float64,1}, Float64)' --target ptx
#   kiln run stream.jl add --arg 'zeros(Float64, 4096)' --arg 'rand(Float64, 4096)' --arg 'rand(Float64, 4096)' --threads 256 --blocks 16 --out 1=c.npy
#   kiln bench stream.jl triad --arg 'zeros(Float64, 1 << 25)' --arg 'rand(Float64, 1 << 25)' --arg 'rand(Float64, 1 << 25)' --arg 0.4 --threads 1024 --blocks 32768 --bytes 805306368

using CUDA

linear_index() = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x

function copy(c, a)
    i = linear_index()
    if i <= length(c)
        @inbounds c[i] = a[i]
    end
    return
end

function mul(b, c, scalar)
    i = linear_index()
    if i <= length(b)
        @inbounds b[i] = scalar * c[i]
    end
    return
end

function add(c, a, b)
    i = linear_index()
    if i <= length(c)
        @inbounds c[i] = a[i] + b[i]
    end
    return
end

function triad(a, b, c, scalar)
    i = linear_index()
    if i <= length(a)
        @inbounds a[i] = b[i] + scalar * c[i]
    end
    return
end

function nstream(a, b, c, scalar)
    i = linear_index()
    if i <= length(a)
        @inbounds a[i] += b[i] + scalar * c[i]
    end
    return
end
