# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Optimised code does not tell which registers hold variables: ptxas 13.0 gives wrong code at -g where it does.
# RUN: %kiln compile %s 'halves(CuDeviceVector{Int64,1}, Int64)' --target ptx -g2 | %filecheck %s
# CHECK-NOT: .b64 $L__tmp
# CHECK: .section{{.*}}.debug_abbrev
# CHECK-NOT: DW_AT_location
using CUDA

function halves(a, n)
    x = n
    while x > 1
        x = x ÷ 2 + a[x]
    end
    a[1] = x
    return
end
