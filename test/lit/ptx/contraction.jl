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

using CUDA

function apart(y, a, b)
    @inbounds y[1] = a * b
    @inbounds y[2] = a - b
    return
end

function fused(y, a, b, c)
    @inbounds y[1] = a * b + c
    return
end
