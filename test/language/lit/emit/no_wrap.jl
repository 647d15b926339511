# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sums, differences and products that promise not to wrap are LLVM's, with nsw and nuw, on both targets.
#
# RUN: %kiln compile %s 'no_wrap(CuDeviceVector{Int32,1}, Int32)' --target ptx --emit llvm | %filecheck %s
# RUN: %kiln compile %s 'no_wrap(CuDeviceVector{Int32,1}, Int32)' --kernel --emit llvm | %filecheck %s
# CHECK-DAG: add nsw i32
# CHECK-DAG: add nuw i32
# CHECK-DAG: add nuw nsw i32
# CHECK-DAG: sub nsw i32
# CHECK-DAG: sub nuw i32
# CHECK-DAG: sub nuw nsw i32
# CHECK-DAG: mul nsw i32
# CHECK-DAG: mul nuw i32
# CHECK-DAG: mul nuw nsw i32
#
# What follows: x + 1 > x always, where it does not wrap; and only there.
# RUN: %kiln compile %s 'grows(Int32)' --emit llvm-opt | %filecheck %s --check-prefix=GROWS
# GROWS: define {{.*}}grows
# GROWS-NOT: icmp
# GROWS: ret
# RUN: %kiln compile %s 'wraps(Int32)' --emit llvm-opt | %filecheck %s --check-prefix=WRAPS
# WRAPS: define {{.*}}wraps
# WRAPS: icmp
#
# At top level, and in what is known when it is compiled, a promise that does not hold is an error, not a number.
# RUN: %kiln run %s same --no-kernel --arg 'Core.Intrinsics.mul_nsw(6, 7)' | %filecheck %s --check-prefix=VALUE
# VALUE: 42
# RUN: %status 1 %kiln run %s same --no-kernel --arg 'Core.Intrinsics.add_nsw(typemax(Int64), 1)' 2>&1 | %filecheck %s --check-prefix=BROKEN
# BROKEN: OverflowError[112]: add_nsw(9223372036854775807, 1) does not fit Int64, though the code promises that it does

import Core.Intrinsics: add_nsw, add_nuw, add_nuw_nsw, sub_nsw, sub_nuw, sub_nuw_nsw, mul_nsw, mul_nuw, mul_nuw_nsw

function no_wrap(y, x)
    y[1] = add_nsw(x, y[1])
    y[2] = add_nuw(x, y[2])
    y[3] = add_nuw_nsw(x, y[3])
    y[4] = sub_nsw(x, y[4])
    y[5] = sub_nuw(x, y[5])
    y[6] = sub_nuw_nsw(x, y[6])
    y[7] = mul_nsw(x, y[7])
    y[8] = mul_nuw(x, y[8])
    y[9] = mul_nuw_nsw(x, y[9])
    return
end
grows(x) = add_nsw(x, Int32(1)) > x
wraps(x) = x + Int32(1) > x
same(x) = x
