# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Lists of the registers that hold a variable are empty: ptxas 13.0 gives wrong code at -g where they are not.
# RUN: %kiln compile %s 'halves(CuDeviceVector{Int64,1}, Int64)' --target ptx -g2 | %filecheck %s
# CHECK: .section{{.*}}.debug_loc
# CHECK-NEXT: {
# CHECK-NEXT: $L__debug_loc0:
# CHECK-NEXT: .b64 0
# CHECK-NEXT: .b64 0
# CHECK-NOT: .b64 $L__tmp
# CHECK: .section{{.*}}.debug_abbrev
using CUDA

function halves(a, n)
    x = n
    while x > 1
        x = x ÷ 2 + a[x]
    end
    a[1] = x
    return
end
