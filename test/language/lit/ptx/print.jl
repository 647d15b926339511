# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Printing: one vprintf each, its format put together from the types, its arguments in memory as C promotes them.
#
# RUN: %kiln compile %s 'print(CuDeviceVector{Float32,1})' --target ptx -g0 --emit llvm | %filecheck %s
# CHECK-DAG: c"%ld%%: %f, (%d, %u)\0A\00"
# CHECK-DAG: c"a[1] = %f\0A\00"
# CHECK-DAG: c"%f|%d\00"
# CHECK: alloca {{.*}}{ double, i32 }
# CHECK: call i32 @vprintf(
#
# RUN: %status 1 %kiln compile %s 'unprintable(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=BAD
# BAD: @cuprint does not support values of type Thing

using CUDA

struct Thing
    x::Float32
end

function print(a)
    @cuprintln(7 + length(a), "%: $(a[1]), ", (1i32, 0x00000002))
    @cushow a[1]
    @cuprintf("%f|%d", a[1], 0x07)
    return
end

function unprintable(a)
    @cuprintln(Thing(a[1]))
    return
end
