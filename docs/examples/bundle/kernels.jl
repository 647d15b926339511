# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The three kernels of the program in this folder.
using CUDA

function saxpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
    end
    return
end

# Sums each block's part of x in shared memory. Blocks have 256 threads.
function block_sums(sums, x)
    part = CuStaticSharedArray(Float32, 256)
    t = threadIdx().x
    i = (blockIdx().x - 1i32) * blockDim().x + t
    part[t] = i <= length(x) ? x[i] : 0f0
    d = blockDim().x >> 1
    while d > 0
        sync_threads()
        if t <= d
            part[t] += part[t + d]
        end
        d >>= 1
    end
    if t == 1
        sums[blockIdx().x] = part[1]
    end
    return
end

struct View
    left::Float32
    lower::Float32
    step::Float32
end

# Counts the steps of z^2 + c until each point leaves the circle of radius two.
function escape(image, view, limit)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    j = (blockIdx().y - 1i32) * blockDim().y + threadIdx().y
    (width, height) = size(image)
    if i <= width && j <= height
        c = Complex(view.left + i * view.step, view.lower + j * view.step)
        z = zero(c)
        n = zero(limit)
        while n < limit && abs2(z) <= 4
            z = z^2 + c
            n += one(n)
        end
        @inbounds image[i, j] = n
    end
    return
end
