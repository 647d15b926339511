# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --invariant-arguments: no array argument overlaps another. What the kernel only reads goes through the read-only cache;
# what it may write to never does.
#
# RUN: %kiln compile %s 'axpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target ptx -g0 --invariant-arguments | %filecheck %s --check-prefix=AXPY
# AXPY: ld.global.nc.b32
# AXPY: ld.global.b32
# AXPY: st.global.b32
# Arguments may overlap without it.
# RUN: %kiln compile %s 'axpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target ptx -g0 | %filecheck %s --check-prefix=PLAIN
# PLAIN-NOT: ld.global.nc
#
# A load that no store in the loop can change stands before it.
# RUN: %kiln compile %s 'sums(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Int)' --target ptx -g0 --invariant-arguments | %filecheck %s --check-prefix=SUMS
# SUMS: ld.global.nc.b32 [[FIRST:%r[0-9]+]], [%rd{{[0-9]+}}];
# SUMS: $L__BB0_
# SUMS: ld.global.nc.b32
# SUMS: st.global.b32
#
# A pointer that may be either array's is not read-only; nor is an array that atomic operations change, what a called
# function was given, and anything once the kernel writes to an address that memory told.
# RUN: %kiln compile %s 'either(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Bool)' --target ptx -g0 --invariant-arguments | %filecheck %s --check-prefix=EITHER
# EITHER: ld.global.b32 {{.*}}+4];
# EITHER: ld.global.nc.b32
# RUN: %kiln compile %s 'atomic(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --target ptx -g0 --invariant-arguments | %filecheck %s --check-prefix=NONE
# RUN: %kiln compile %s 'given(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --target ptx -g0 --invariant-arguments | %filecheck %s --check-prefix=NONE
# RUN: %kiln compile %s 'told(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, CuDeviceVector{Ptr{Float32},1})' --target ptx -g0 --invariant-arguments | %filecheck %s --check-prefix=NONE
# NONE-NOT: ld.global.nc
# NONE: ld.global.b32
# NONE-NOT: ld.global.nc
#
# The record of exceptions is no argument.
# RUN: %kiln compile %s 'checked(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --target ptx --invariant-arguments | %filecheck %s --check-prefix=CHECKED
# CHECKED: ld.global.nc.b32
# CHECKED: atom.acq_rel.sys.global.cas.b32
#
# RUN: %status 2 %kiln compile %s 'axpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --invariant-arguments 2>&1 | %filecheck %s --check-prefix=NATIVE
# NATIVE: usage error[200]: --invariant-arguments is for the target ptx, not native

using CUDA

function axpy(y, x, a)
    i = threadIdx().x
    @inbounds y[i] = a * x[i] + y[i]
    return
end

function sums(y, x, n)
    s = 0f0
    for i in 1:n
        @inbounds s += x[1] * x[i]
        @inbounds y[i] = s
    end
    return
end

function either(y, x, c)
    p = c ? x : y
    @inbounds y[1] = p[2] + x[1]
    return
end

function atomic(y, x)
    @inbounds y[1] = x[2]
    CUDA.@atomic x[1] += 1f0
    return
end

@noinline change(x) = (@inbounds x[3] = 0f0; nothing)
function given(y, x)
    @inbounds y[1] = x[2]
    change(x)
    return
end

function told(y, x, t)
    @inbounds y[1] = x[1]
    @inbounds q = t[1]
    unsafe_store!(q, 1f0, 1)
    return
end

function checked(y, x)
    y[threadIdx().x] = x[threadIdx().x]
    return
end
