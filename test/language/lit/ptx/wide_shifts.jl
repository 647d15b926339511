# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A shift by 64 or more gives 0, or copies of the sign. PTX's shifts read 32 bits of the amount, so an amount of 64 bits
# needs its comparison.
using CUDA

left(a, x, n) = (@inbounds a[1] = x << n; return)
right(a, x, n) = (@inbounds a[1] = x >> n; return)
logical(a, x, n) = (@inbounds a[1] = x >>> n; return)

# A negative amount shifts the other way.
# RUN: %kiln compile %s 'left(CuDeviceVector{Int64,1}, Int64, Int64)' --target ptx -g0 | %filecheck %s --check-prefix=LEFT
# LEFT: setp.lt.u64 [[P:%p[0-9]+]], %rd{{[0-9]+}}, 64
# LEFT: shl.b64 [[S:%rd[0-9]+]],
# LEFT-NEXT: selp.b64 %rd{{[0-9]+}}, [[S]], 0, [[P]];
# LEFT: min.u64 {{.*}}, 63
# LEFT: shr.s64

# RUN: %kiln compile %s 'right(CuDeviceVector{Int64,1}, Int64, Int64)' --target ptx -g0 | %filecheck %s --check-prefix=RIGHT
# RIGHT: min.u64 {{.*}}, 63
# RIGHT: shr.s64
# RIGHT: setp.lt.u64 [[P:%p[0-9]+]], %rd{{[0-9]+}}, 64
# RIGHT: shl.b64 [[S:%rd[0-9]+]],
# RIGHT-NEXT: selp.b64 %rd{{[0-9]+}}, [[S]], 0, [[P]];

# RUN: %kiln compile %s 'logical(CuDeviceVector{Int64,1}, Int64, UInt64)' --target ptx -g0 | %filecheck %s --check-prefix=LOGICAL
# LOGICAL: setp.lt.u64 [[P:%p[0-9]+]], %rd{{[0-9]+}}, 64
# LOGICAL: shr.u64 [[S:%rd[0-9]+]],
# LOGICAL-NEXT: selp.b64 %rd{{[0-9]+}}, [[S]], 0, [[P]];

# Int32 by Int64: the amount is compared before it loses its upper half.
# RUN: %kiln compile %s 'left(CuDeviceVector{Int32,1}, Int32, UInt64)' --target ptx -g0 | %filecheck %s --check-prefixes=LEFT32,BOTH32
# RUN: %kiln compile %s 'logical(CuDeviceVector{Int32,1}, Int32, UInt64)' --target ptx -g0 | %filecheck %s --check-prefixes=LOGICAL32,BOTH32
# BOTH32: setp.lt.u64 [[P:%p[0-9]+]], %rd{{[0-9]+}}, 32
# LEFT32: shl.b32 [[S:%r[0-9]+]],
# LOGICAL32: shr.u32 [[S:%r[0-9]+]],
# BOTH32-NEXT: selp.b32 %r{{[0-9]+}}, [[S]], 0, [[P]];
# RUN: %kiln compile %s 'right(CuDeviceVector{Int32,1}, Int32, UInt64)' --target ptx -g0 | %filecheck %s --check-prefix=RIGHT32
# RIGHT32: setp.lt.u64 [[P:%p[0-9]+]], %rd{{[0-9]+}}, 32
# RIGHT32: selp.b32 [[N:%r[0-9]+]], %r{{[0-9]+}}, 31, [[P]];
# RIGHT32: shr.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, [[N]];

# An amount of 32 bits needs none.
# RUN: %kiln compile %s 'left(CuDeviceVector{Int64,1}, Int64, UInt32)' --target ptx -g0 | %filecheck %s --check-prefix=NARROW
# NARROW-NOT: selp.b64
# NARROW: shl.b64

# Selection looks through conversions of the amount, and finds the comparison of its 64 bits.
chosen(a, x, n) = (@inbounds a[1] = ifelse(n < 64, x << (n % UInt32), 0); return)
# RUN: %kiln compile %s 'chosen(CuDeviceVector{Int64,1}, Int64, UInt64)' --target ptx -g0 | %filecheck %s --check-prefix=CHOSEN
# CHOSEN: shl.b64 [[S:%rd[0-9]+]],
# CHOSEN: setp.lt.u64 [[P:%p[0-9]+]], %rd{{[0-9]+}}, 64
# CHOSEN: selp.b64 %rd{{[0-9]+}}, [[S]], 0, [[P]];
# RUN: %kiln compile %s 'chosen(CuDeviceVector{Int64,1}, Int64, UInt64)' --target ptx -g0 -O0 --emit llvm-opt | %filecheck %s --check-prefix=KEPT
# KEPT: [[T:%[0-9]+]] = trunc i64 %n to i32
# KEPT: [[Z:%[0-9]+]] = zext i32 [[T]] to i64
# KEPT: [[S:%[0-9]+]] = shl i64 %x, [[Z]]
# KEPT-NEXT: freeze i64 [[S]]
