# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A shift by 64 or more gives 0. PTX's shifts read 32 bits of the amount, so one of 64 bits needs its comparison.
# RUN: %kiln compile %s 'shifted(CuDeviceVector{Int64,1}, Int64, Int64)' --target ptx -g0 | %filecheck %s
# CHECK: setp.{{gt|lt}}.u64 [[P:%p[0-9]+]], %rd{{[0-9]+}}, 6{{[34]}}
# CHECK: shl.b64
# CHECK: selp.b64
# RUN: %kiln compile %s 'shifted(CuDeviceVector{Int64,1}, Int64, UInt32)' --target ptx -g0 | %filecheck %s --check-prefix=NARROW
# NARROW-NOT: selp.b64
# NARROW: shl.b64
using CUDA

function shifted(a, x, n)
    @inbounds a[1] = x << n
    return
end
