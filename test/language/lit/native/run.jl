# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels and plain functions on the CPU.
#
# RUN: %kiln run %s scale --arg 'fill(1.5f0, 5)' --arg 2f0 --threads 4 --blocks 2 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=SCALED
# SCALED: dtype <f4 shape (5,) values 3.0 3.0 3.0 3.0 3.0
#
# RUN: %kiln run %s add --no-kernel --arg 2 --arg 40 | %filecheck %s --check-prefix=SUM
# SUM: {{^}}42{{$}}
# RUN: %kiln run %s add --no-kernel --arg -2f0 --arg 'Float32(0.5)' | %filecheck %s --check-prefix=NEGATIVE
# NEGATIVE: {{^}}-1.5f0{{$}}
#
# The same seed gives the same numbers.
# RUN: %kiln run %s scale --arg 'rand(Float32, 8)' --arg 1f0 --seed 7 --threads 8 --out 1=%t.a.npy
# RUN: %kiln run %s scale --arg 'rand(Float32, 8)' --arg 1f0 --seed 7 --threads 8 --out 1=%t.b.npy
# RUN: %kiln run %s scale --arg 'rand(Float32, 8)' --arg 1f0 --seed 8 --threads 8 --out 1=%t.c.npy
# RUN: cmp %t.a.npy %t.b.npy
# RUN: %status 1 cmp %t.a.npy %t.c.npy
#
# RUN: %status 2 %kiln run %s scale --arg 'zeros(Float32, 8)' --arg 1f0 --threads 2000 2>&1 | %filecheck %s --check-prefix=MANY
# MANY: 2000
# RUN: %status 2 %kiln run %s scale --arg 'zeros(Float32, 8)' --arg 1f0 --out 2=%t.npy 2>&1 | %filecheck %s --check-prefix=NOARRAY
# NOARRAY: usage error[200]: --out 2: argument 2 is a value of type Float32 and holds no array
#
# An exception of a kernel names the thread, and with -g2 the place.
# RUN: %status 1 %kiln run %s beyond --arg 'zeros(Float32, 3)' --threads 4 2>&1 | %filecheck %s --check-prefix=BOUNDS
# RUN: %status 1 %kiln run %s beyond --arg 'zeros(Float32, 3)' --threads 4 -g2 2>&1 | %filecheck %s --check-prefixes=BOUNDS,PLACE
# BOUNDS: BoundsError[108]: {{.*}}in thread (4, 1, 1) of block (1, 1, 1)
# PLACE: beyond @ {{.*}}run.jl:{{[0-9]+$}}
#
# compile's options hold for run: the artifact too goes where -o says.
# RUN: %kiln run %s add --no-kernel --arg 2 --arg 40 --emit asm -o %t.s | %filecheck %s --check-prefix=SUM
# RUN: %filecheck %s --check-prefix=ASM < %t.s
# ASM: add:

using CUDA

function scale(y, a)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * y[i]
    end
    return
end

add(a, b) = a + b

function beyond(y)
    y[threadIdx().x] = 1f0
    return
end
