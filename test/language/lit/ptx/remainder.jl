# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: libdevice
# RUN: %kiln compile %s 'exact(CuDeviceVector{Float64,1})' --target ptx --emit llvm-opt | %filecheck %s
# RUN: %kiln compile %s 'half(CuDeviceVector{Float16,1})' --target ptx --emit llvm-opt | %filecheck %s --check-prefix=HALF
# RUN: %kiln compile %s 'fast(CuDeviceVector{Float32,1})' --target ptx --emit llvm-opt | %filecheck %s --check-prefix=FAST
#
# A remainder of floats is libdevice's fmod, whatever front-end asked for it: the instruction that NVPTX makes of frem is wrong for large quotients.
# fmod aligns the divisor's exponent by its bits, in a loop.
function exact(a)
    @inbounds a[1] = Core.Intrinsics.rem_float(a[1], a[2])
    return
end
# CHECK-LABEL: define {{.*}}exact
# CHECK-NOT: frem
# CHECK: bitcast double {{.*}} to i64
# CHECK-NOT: frem
# CHECK: phi
# CHECK-NOT: frem
# CHECK: ret void
function half(a)
    @inbounds a[1] = Core.Intrinsics.rem_float(a[1], a[2])
    return
end
# HALF-NOT: frem
# HALF: fpext half {{.*}} to float
# HALF-NOT: frem
# HALF: fptrunc float {{.*}} to half
# HALF: ret void
function fast(a)
    @inbounds a[1] = @fastmath a[1] % a[2]
    return
end
# FAST-LABEL: define {{.*}}fast
# FAST: frem {{.*}}float
