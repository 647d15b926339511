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

using CUDA

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
