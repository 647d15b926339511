# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Threads that stand side by side in memory along y: the loop over a block's threads has y inside, and is vectorised all the same.
#
# RUN: %kiln compile %s 'beside(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1})' --kernel --arch x86-64-v3 --emit llvm-opt --strip | %filecheck %s --check-prefix=BESIDE
# BESIDE: store <8 x float>
# BESIDE-NOT: kiln_native_frames
#
# With a loop in each thread's work, too.
# RUN: %kiln compile %s 'product(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1})' --kernel --contract=on --arch x86-64-v3 | %filecheck %s --check-prefix=PRODUCT
# PRODUCT: vfmadd{{.*}}ps {{.*}}%ymm
#
# Where either axis has accesses far from each other, x stays inside.
# RUN: %kiln compile %s 'transposed(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1})' --kernel --arch x86-64-v3 --emit llvm-opt --strip | %filecheck %s --check-prefix=TRANSPOSED
# TRANSPOSED: define void
# TRANSPOSED-NOT: kiln_native_frames

using CUDA

indices() = ((blockIdx().x - 1) * blockDim().x + threadIdx().x, (blockIdx().y - 1) * blockDim().y + threadIdx().y)

function beside(o, a)
    i, j = indices()
    @inbounds if i <= size(a, 2) && j <= size(a, 1)
        o[j, i] = a[j, i] + 1f0
    end
    return
end

function product(o, a, b)
    i, j = indices()
    sum = 0f0
    @inbounds if i <= size(b, 2) && j <= size(a, 1)
        for k in 1:size(a, 2)
            sum += a[j, k] * b[k, i]
        end
        o[j, i] = sum
    end
    return
end

function transposed(o, a)
    i, j = indices()
    @inbounds if i <= size(a, 2) && j <= size(a, 1)
        o[i, j] = a[j, i]
    end
    return
end
