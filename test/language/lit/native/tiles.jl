# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A block that is as wide as the tile its threads share has loops for that width: no vector loop in these, and the tile's elements stay
# in registers from row to row (products of registers alone).
#
# RUN: %kiln compile %s 'tiled(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1})' --kernel --contract=on --arch x86-64-v4 -g 0 | %filecheck %s
# CHECK-COUNT-16: vfmadd{{...}}ps %ymm{{[0-9]+}}, %ymm{{[0-9]+}}, %ymm{{[0-9]+}}

using CUDA

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
