# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A parameter that takes values of another type is one parameter, of the type passed, and a variable for each other type:
# two with one argument number end LLVM's code generation. What is assigned to `_` cannot be read: no variable.
#
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --target ptx -g2 -O0 --emit llvm | %filecheck %s --check-prefix=NAMES
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --kernel -g2 -O0 --emit llvm | %filecheck %s --check-prefix=NAMES
# NAMES-DAG: !DILocalVariable(name: "n", arg: 1, scope: ![[F:[0-9]+]], {{.*}}line: [[@LINE+21]], type: ![[INT:[0-9]+]])
# NAMES-DAG: ![[INT]] = !DIBasicType(name: "Int64"
# NAMES-DAG: !DILocalVariable(name: "n", scope: ![[F]], {{.*}}line: [[@LINE+21]], type: ![[FLOAT:[0-9]+]])
# NAMES-DAG: ![[FLOAT]] = !DIBasicType(name: "Float64"
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --target ptx -g2 -O0 --emit llvm | %filecheck %s --check-prefix=UNREAD
# UNREAD-NOT: DILocalVariable(name: "_"
#
# Code is made of them at every level of debugging and optimisation.
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --target ptx -g0 -O0 | %filecheck %s --check-prefix=PTX
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --target ptx -g1 -O0 | %filecheck %s --check-prefix=PTX
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --target ptx -g2 -O0 | %filecheck %s --check-prefix=PTX
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --target ptx -g2 -O2 | %filecheck %s --check-prefix=PTX
# PTX: .visible .entry {{.*}}kernel
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --kernel -g0 -O0 | %filecheck %s --check-prefix=NATIVE
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --kernel -g1 -O0 | %filecheck %s --check-prefix=NATIVE
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --kernel -g2 -O0 | %filecheck %s --check-prefix=NATIVE
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Int64)' --kernel -g2 -O2 | %filecheck %s --check-prefix=NATIVE
# NATIVE: .globl {{.*}}kernel

using CUDA

function halves(n)
    m = n
    n = n / 4
    n = n + 0.5
    n > 1.0 ? m : 2m
end
function swapped(::Val{1}, x, y::Val{2})
    y = x                      # a parameter without bits, and then two types
    y = x > 1 ? 1.5f0 : 2.5f0
    (x, a) = (y, x)
    x + a
end
function unread(_::Val{N}, x) where {N}
    (a, b, _, _) = ((1,)..., x, 1.0, Int32(1))
    u, v, _, _ = ((0x01, 'a', b)..., 1)
    a + b + u
end
function kernel(y, n)
    y[1] = halves(n)
    y[2] = unsafe_trunc(Int, swapped(Val(1), y[2], Val(2)))
    y[3] = unread(Val(1), y[3])
    n = Float32(n)
    y[4] = unsafe_trunc(Int, n)
    return
end
