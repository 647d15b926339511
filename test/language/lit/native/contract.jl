# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# On the CPU a product and a sum round apart at every level, alone and in vectors.
# RUN: %kiln compile %s 'f(Float64, Float64, Float64)' --no-kernel --arch x86-64-v3 -O1 | %filecheck %s --check-prefix=APART
# RUN: %kiln compile %s 'f(Float64, Float64, Float64)' --no-kernel --arch x86-64-v3 | %filecheck %s --check-prefix=APART
# RUN: %kiln compile %s 'axpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --arch x86-64-v3 --kernel -O3 | %filecheck %s --check-prefix=APART
# APART-NOT: vfm
# APART-NOT: vfn
# APART: vmul
# APART-NOT: vfm
# APART-NOT: vfn
#
# They fuse where the job or the program asks for it.
# RUN: %kiln compile %s 'f(Float64, Float64, Float64)' --no-kernel --arch x86-64-v3 --contract=on | %filecheck %s --check-prefix=FUSED
# RUN: %kiln compile %s 'f(Float64, Float64, Float64)' --no-kernel --arch x86-64-v3 --fastmath | %filecheck %s --check-prefix=FUSED
# RUN: %kiln compile %s 'fast(Float64, Float64, Float64)' --no-kernel --arch x86-64-v3 | %filecheck %s --check-prefix=FUSED
# RUN: %kiln compile %s 'added(Float64, Float64, Float64)' --no-kernel --arch x86-64-v3 | %filecheck %s --check-prefix=FUSED
# RUN: %kiln compile %s 'added(Float64, Float64, Float64)' --no-kernel --arch x86-64-v3 -O0 --contract=off | %filecheck %s --check-prefix=FUSED
# RUN: %kiln compile %s 'axpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --arch x86-64-v3 --kernel --contract=on | %filecheck %s --check-prefix=FUSED
# RUN: %kiln compile %s 'known(Float64)' --no-kernel --arch x86-64-v3 -O0 | %filecheck %s --check-prefix=FUSED
# RUN: %kiln compile %s 'known(Float64)' --no-kernel --arch x86-64-v3 | %filecheck %s --check-prefix=FUSED
# FUSED: vfmadd
#
# Two equal products differ by 0, at every level; fused, one of them keeps what the other's rounding dropped: 0.1 * 0.3 - fl(0.1 * 0.3) =
# 1.7e-18 (exact fractions).
# RUN: %kiln run %s det2 --no-kernel --arg 0.1 --arg 0.3 --arg 0.1 --arg 0.3 -O0 | %filecheck %s --check-prefix=ZERO
# RUN: %kiln run %s det2 --no-kernel --arg 0.1 --arg 0.3 --arg 0.1 --arg 0.3 -O1 | %filecheck %s --check-prefix=ZERO
# RUN: %kiln run %s det2 --no-kernel --arg 0.1 --arg 0.3 --arg 0.1 --arg 0.3 -O3 | %filecheck %s --check-prefix=ZERO
# RUN: %kiln run %s det2 --no-kernel --arg 0.1 --arg 0.3 --arg 0.1 --arg 0.3 --contract=off | %filecheck %s --check-prefix=ZERO
# ZERO: {{^}}0.0{{$}}
#
# The option is part of a job's key.
# RUN: rm -rf %t.cache
# RUN: %kiln compile %s 'f(Float64, Float64, Float64)' --no-kernel --arch x86-64-v3 --cache %t.cache -o %t.apart.s
# RUN: %kiln compile %s 'f(Float64, Float64, Float64)' --no-kernel --arch x86-64-v3 --cache %t.cache --contract=on -o %t.fused.s
# RUN: not cmp %t.apart.s %t.fused.s

using CUDA

f(a, b, c) = a * b + c
fast(a, b, c) = @fastmath a * b + c
added(a, b, c) = muladd(a, b, c)
known(c) = muladd(1.2, 1.8, c)
det2(a, b, c, d) = a * d - b * c

function axpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    i <= length(y) && @inbounds y[i] = a * x[i] + y[i]
    return
end
