# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Division and square root are correctly rounded unless --fastmath or @fastmath says otherwise.
#
# REQUIRES: libdevice
# RUN: %kiln compile %s 'exact(CuDeviceVector{Float32,1}, Float32, Float32)' --target ptx -g0 | %filecheck %s --check-prefix=EXACT32
# EXACT32: div.rn.f32
# EXACT32: sqrt.rn.f32
# EXACT32-NOT: .approx
# RUN: %kiln compile %s 'exact(CuDeviceVector{Float64,1}, Float64, Float64)' --target ptx -g0 | %filecheck %s --check-prefix=EXACT64
# EXACT64: div.rn.f64
# EXACT64: sqrt.rn.f64
# EXACT64-NOT: .approx
#
# The whole job, denormals flushed to zero.
# RUN: %kiln compile %s 'exact(CuDeviceVector{Float32,1}, Float32, Float32)' --target ptx --fastmath -g0 | %filecheck %s --check-prefix=FAST32
# FAST32: div.approx.ftz.f32
# FAST32: sqrt.approx.ftz.f32
# FAST32-NOT: .rn.
#
# These two operations alone, denormals kept.
# RUN: %kiln compile %s 'relaxed(CuDeviceVector{Float32,1}, Float32, Float32)' --target ptx -g0 | %filecheck %s --check-prefix=SOME32
# SOME32: div.{{(approx|full)}}.f32
# SOME32: sqrt.approx.f32
# SOME32: div.rn.f32
#
# A reciprocal square root is one instruction, of one operation and of a whole job; f64 quotients and roots are refined approximations.
# RUN: %kiln compile %s 'reciprocal(CuDeviceVector{Float32,1}, Float32)' --target ptx -g0 | %filecheck %s --check-prefix=RSQRT32
# RSQRT32: rsqrt.approx.f32
# RSQRT32-NOT: {{sqrt.rn|sqrt.approx.f32|div|rcp}}
# RUN: %kiln compile %s 'reciprocal(CuDeviceVector{Float32,1}, Float32)' --target ptx --fastmath -g0 | %filecheck %s --check-prefix=RSQRT32FTZ
# RSQRT32FTZ: rsqrt.approx.ftz.f32
# RSQRT32FTZ-NOT: {{div|rcp}}
# RUN: %kiln compile %s 'reciprocal(CuDeviceVector{Float64,1}, Float64)' --target ptx -g0 | %filecheck %s --check-prefix=RSQRT64
# RUN: %kiln compile %s 'reciprocal(CuDeviceVector{Float64,1}, Float64)' --target ptx --fastmath -g0 | %filecheck %s --check-prefix=RSQRT64
# RSQRT64: rsqrt.approx.f64
# RSQRT64-NOT: {{sqrt.rn|div|rcp}}
# RUN: %kiln compile %s 'relaxed(CuDeviceVector{Float64,1}, Float64, Float64)' --target ptx -g0 | %filecheck %s --check-prefix=SOME64
# SOME64: rcp.approx.ftz.f64
# SOME64-NOT: sqrt.rn
# SOME64: rsqrt.approx.f64
# SOME64: div.rn.f64
# RUN: %kiln compile %s 'exact(CuDeviceVector{Float64,1}, Float64, Float64)' --target ptx --fastmath -g0 | %filecheck %s --check-prefix=FAST64
# FAST64: rcp.approx.ftz.f64
# FAST64: rsqrt.approx.f64
# FAST64-NOT: sqrt.rn
# FAST64-NOT: div.rn
# Without either, three instructions.
# RUN: %kiln compile %s 'plain_reciprocal(CuDeviceVector{Float64,1}, Float64)' --target ptx -g0 | %filecheck %s --check-prefix=PLAIN64
# PLAIN64: sqrt.rn.f64
# PLAIN64: rcp.rn.f64

using CUDA

function reciprocal(y, a)
    @inbounds y[1] = @fastmath 1 / sqrt(a)
    return
end

function plain_reciprocal(y, a)
    @inbounds y[1] = 1 / sqrt(a)
    return
end

function exact(y, a, b)
    @inbounds y[1] = a / b
    @inbounds y[2] = sqrt(a)
    return
end

function relaxed(y, a, b)
    @inbounds y[1] = @fastmath a / b
    @inbounds y[2] = @fastmath sqrt(a)
    @inbounds y[3] = b / a
    return
end
