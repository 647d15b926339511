# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Indices as everybody writes them are 64 bits wide; what the special registers may hold makes them narrow again.
#
# One multiplication of 32 by 32 bits, and none of 64; a block's index in y times its width fits 32 bits.
# RUN: %kiln compile %s 'linear(CuDeviceVector{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=LINEAR
# LINEAR: .entry
# LINEAR-NOT: cvt.s64
# LINEAR-NOT: mul.lo.s64
# LINEAR: mul.wide.u32
# LINEAR-NOT: mul.lo.s64
# RUN: %kiln compile %s 'plane(CuDeviceMatrix{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=PLANE
# PLANE: .entry
# PLANE: mul.wide.u32
# PLANE: mad.lo.s32
# PLANE: ret;
#
# Comparisons that they decide.
# RUN: %kiln compile %s 'step(CuDeviceVector{Int32,1})' --target ptx -g0 | %filecheck %s --check-prefix=STEP
# STEP: .entry
# STEP-NOT: setp
# STEP: st.global.b32
# A kernel for blocks of at most 128 threads has none above.
# RUN: %kiln compile %s 'few(CuDeviceVector{Int32,1})' --target ptx -g0 --maxthreads 16,8 | %filecheck %s --check-prefix=STEP
# RUN: %kiln compile %s 'few(CuDeviceVector{Int32,1})' --target ptx -g0 | %filecheck %s --check-prefix=MANY
# MANY: setp
using CUDA

function linear(y)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = 1f0
    end
    return
end

function plane(y)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    j = (blockIdx().y - 1) * blockDim().y + threadIdx().y
    if i <= size(y, 1) && j <= size(y, 2)
        @inbounds y[i, j] = 1f0
    end
    return
end

function step(y)
    if threadIdx().x < 1 || threadIdx().x > 1024 || blockDim().x < 1 || laneid() > 32
        @inbounds y[1] = 1i32
    end
    @inbounds y[threadIdx().x] = 2i32
    return
end

function few(y)
    if threadIdx().x > 128 || blockDim().y > 128
        @inbounds y[1] = 1i32
    end
    @inbounds y[2] = 2i32
    return
end
