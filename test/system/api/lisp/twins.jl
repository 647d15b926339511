# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels of docs/examples/lisp/programs in Julia, written alike: check.py compares the PTX.
using CUDA
function saxpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
    end
    return
end
function sum!(result, x)
    part = CuStaticSharedArray(Float32, 256)
    mine = threadIdx().x
    s = 0f0
    i = Int64((blockIdx().x - 1i32) * blockDim().x + threadIdx().x)
    step = Int64(blockDim().x) * Int64(gridDim().x)
    while i <= length(x)
        @inbounds s += x[i]
        i += step
    end
    @inbounds part[mine] = s
    sync_threads()
    half = 128
    while half > 0
        if mine <= half
            @inbounds part[mine] += part[mine + half]
        end
        sync_threads()
        half = div(half, 2)
    end
    if mine == 1
        @inbounds CUDA.atomic_add!(pointer(result, 1), part[1])
    end
    return
end
function multiply!(c, a, b)
    ta = CuStaticSharedArray(Float32, 256); tb = CuStaticSharedArray(Float32, 256)
    thread = Int64(threadIdx().x - 1i32); block = Int64(blockIdx().x - 1i32)
    r = rem(thread, 16); k = div(thread, 16)
    tiles = div(size(c, 1), 16)
    row = 16 * rem(block, tiles) + r; column = 16 * div(block, tiles) + k
    s = 0f0
    @inbounds begin
        t = 0
        while t < size(a, 2)
            ta[r + 16 * k + 1] = a[row + 1, t + k + 1]
            tb[r + 16 * k + 1] = b[t + r + 1, column + 1]
            sync_threads()
            i = 0
            while i < 16
                s += ta[r + 16 * i + 1] * tb[i + 16 * k + 1]
                i += 1
            end
            sync_threads()
            t += 16
        end
        c[row + 1, column + 1] = s
    end
    return
end
