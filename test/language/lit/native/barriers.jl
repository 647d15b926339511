# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels whose barriers all threads pass together are loops over the threads between barriers, vectorised; any other one
# is a coroutine.
#
# RUN: %kiln compile %s 'sums(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --kernel --arch x86-64-v3 --emit llvm-opt --strip | %filecheck %s --check-prefix=SUMS
# SUMS-NOT: kiln_native_rounds
# SUMS: load <8 x float>
# SUMS: store <8 x float>
# SUMS: fadd <8 x float>
# SUMS-NOT: kiln_native_rounds
# RUN: %kiln compile %s 'sums(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --kernel --arch x86-64-v3 | %filecheck %s --check-prefix=ASM
# ASM: vaddps {{.*}}%ymm
#
# RUN: %kiln compile %s 'tiled(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1})' --kernel --contract=on --arch x86-64-v3 | %filecheck %s --check-prefix=TILED
# TILED: vfmadd231ps {{.*}}%ymm
#
# RUN: %kiln compile %s 'early(CuDeviceVector{Float32,1}, Int64)' --kernel --emit llvm-opt --strip | %filecheck %s --check-prefix=WAITS
# RUN: %kiln compile %s 'from_memory(CuDeviceVector{Float32,1})' --kernel --emit llvm-opt --strip | %filecheck %s --check-prefix=WAITS
# RUN: %kiln compile %s 'lanes(CuDeviceVector{Float32,1})' --kernel --emit llvm-opt --strip | %filecheck %s --check-prefix=WAITS
# RUN: %kiln compile %s 'sums(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --kernel --emit llvm-opt --strip -O0 | %filecheck %s --check-prefix=WAITS
# WAITS: call void @kiln_native_rounds
#
# Who ends by an exception is the one that threw, and other threads have gone on: the error is the kernel's, no deadlock.
# RUN: %status 1 %kiln run %s thrower --arg 'zeros(Int64, 8)' --arg 6 --threads 2,4 --blocks 2 2>&1 | %filecheck %s --check-prefix=THROWS
# THROWS: barriers.jl:[[@LINE+66]]:5: BoundsError[108]: thrown in thread (2, 3, 1) of block ({{[12]}}, 1, 1)
# THROWS: ] thrower @ {{.*}}barriers.jl:[[@LINE+65]]

using CUDA

function sums(o, x)
    s = CuStaticSharedArray(Float32, 256)
    t = threadIdx().x
    i = (blockIdx().x - 1i32) * blockDim().x + t
    @inbounds s[t] = i <= length(x) ? x[i] : 0f0
    d = blockDim().x >> 1
    while d > 0
        sync_threads()
        t <= d && (@inbounds s[t] += s[t+d])
        d >>= 1
    end
    t == 1 && (@inbounds o[blockIdx().x] = s[1])
    return
end

function tiled(C, A, B)
    a = CuStaticSharedArray(Float32, (16, 16))
    b = CuStaticSharedArray(Float32, (16, 16))
    (x, y) = (threadIdx().x, threadIdx().y)
    row = (blockIdx().x - 1i32) * 16i32 + x
    col = (blockIdx().y - 1i32) * 16i32 + y
    sum = 0f0
    for m in 0:16:size(A, 2)-1
        @inbounds a[x, y] = A[row, m+y]
        @inbounds b[x, y] = B[m+x, col]
        sync_threads()
        for k in 1:16
            @inbounds sum += a[x, k] * b[k, y]
        end
        sync_threads()
    end
    @inbounds C[row, col] = sum
    return
end

function early(o, n)
    threadIdx().x > n && return
    sync_threads()
    @inbounds o[threadIdx().x] = 1f0
    return
end

function from_memory(o)
    while @inbounds o[1] > 0
        sync_threads()
        threadIdx().x == 1 && (@inbounds o[1] -= 1f0)
        sync_threads()
    end
    return
end

function lanes(o)
    @inbounds o[threadIdx().x] = shfl_down_sync(0xffffffff, 1f0, 1)
    sync_threads()
    return
end

function thrower(o, bad)
    t = threadIdx().x + blockDim().x * (threadIdx().y - 1)
    sync_threads()
    i = t == bad ? 100 : t
    o[i] = t
    sync_threads()
    return
end
