# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Products and sums may fuse, here and in ptxas: mul and sub without .rn, which would forbid it.
#
# RUN: %kiln compile %s 'apart(CuDeviceVector{Float32,1}, Float32, Float32)' --target ptx -g0 | %filecheck %s --check-prefix=APART
# APART: mul.f32
# APART: sub.f32
# RUN: %kiln compile %s 'fused(CuDeviceVector{Float32,1}, Float32, Float32, Float32)' --target ptx -g0 | %filecheck %s --check-prefix=FUSED
# FUSED-NOT: mul.
# FUSED-NOT: add.f32
# FUSED: fma.rn.f32
# FUSED-NOT: mul.
# FUSED-NOT: add.f32

# With --contract=off each operation rounds on its own, in ptxas too: .rn. muladd, fma and @fastmath stay what they are.
# RUN: %kiln compile %s 'fused(CuDeviceVector{Float32,1}, Float32, Float32, Float32)' --target ptx -g0 --contract=off | %filecheck %s --check-prefix=OFF
# RUN: %kiln compile %s 'fused(CuDeviceVector{Float32,1}, Float32, Float32, Float32)' --target ptx -g0 -O3 --contract=off | %filecheck %s --check-prefix=OFF
# OFF-NOT: fma
# OFF: mul.rn.f32
# OFF-NOT: fma
# OFF: add.rn.f32
# OFF-NOT: fma
# RUN: %kiln compile %s 'wanted(CuDeviceVector{Float64,1})' --target ptx -g0 --contract=off | %filecheck %s --check-prefix=WANTED
# WANTED-COUNT-3: fma.rn.f64
#
# Fast math fuses: the two exclude each other.
# RUN: %status 2 %kiln compile %s 'fused(CuDeviceVector{Float32,1}, Float32, Float32, Float32)' --target ptx --contract=off --fastmath 2>&1 | %filecheck %s --check-prefix=BOTH
# BOTH: contract is off, and fast math fuses products and sums: leave one of them out
# RUN: %status 2 %kiln compile %s 'fused(CuDeviceVector{Float32,1}, Float32, Float32, Float32)' --contract=maybe 2>&1 | %filecheck %s --check-prefix=WORD
# WORD: --contract takes default, off or on, not `maybe`

using CUDA

function wanted(y)
    @inbounds y[1] = muladd(y[1], y[2], y[3])
    @inbounds y[4] = fma(y[5], y[6], y[7])
    @inbounds y[8] = @fastmath y[9] * y[10] + y[11]
    return
end

function apart(y, a, b)
    @inbounds y[1] = a * b
    @inbounds y[2] = a - b
    return
end

function fused(y, a, b, c)
    @inbounds y[1] = a * b + c
    return
end

# Where the library's results depend on a rounded product, it does not fuse: mul.rn. Rounding to the nearest adds a half.
# RUN: %kiln compile %s 'digits(CuDeviceVector{Float64,1}, Int64)' --target ptx -g0 | %filecheck %s --check-prefix=DIGITS64
# RUN: %kiln compile %s 'digits(CuDeviceVector{Float64,1}, Int64)' --target ptx -g0 -O0 | %filecheck %s --check-prefix=DIGITS64
# DIGITS64: mul.rn.f64
# RUN: %kiln compile %s 'digits(CuDeviceVector{Float32,1}, Int64)' --target ptx -g0 | %filecheck %s --check-prefix=DIGITS32
# RUN: %kiln compile %s 'digits(CuDeviceVector{Float16,1}, Int64)' --target ptx -g0 | %filecheck %s --check-prefix=DIGITS32
# DIGITS32: mul.rn.f32
# RUN: %kiln compile %s 'two_digits(CuDeviceVector{Float64,1})' --target ptx -g0 | %filecheck %s --check-prefix=SCALED
# SCALED: .visible .entry
# SCALED-NOT: fma
# SCALED: mul.rn.f64 [[P:%rd[0-9]+]],
# SCALED: cvt.rmi.f64.f64 [[F:%rd[0-9]+]], [[P]];
# SCALED: sub{{(\.rn)?}}.f64 %rd{{[0-9]+}}, [[P]], [[F]];
# SCALED-NOT: fma
# SCALED: ret;
# RUN: %kiln compile %s 'steps(CuDeviceVector{Float64,1})' --target ptx -g0 | %filecheck %s --check-prefix=STEPS
# STEPS-COUNT-3: mul.rn.f64
# RUN: %kiln compile %s 'power(CuDeviceVector{Float64,1}, Int64)' --target ptx -g0 | %filecheck %s --check-prefix=POWER
# POWER-COUNT-2: add.rn.f64

function digits(y, n)
    @inbounds y[1] = round(y[1], RoundNearestTiesAway; digits=n)
    return
end
function two_digits(y)
    @inbounds y[1] = round(y[1], RoundNearestTiesUp; digits=2)
    return
end
function steps(y)
    @inbounds y[1] = length(y[1]:y[2]:y[3])
    return
end
function power(y, n)
    @inbounds y[1] = y[1]^n
    return
end
