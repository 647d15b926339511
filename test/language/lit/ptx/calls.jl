# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A @noinline function stays a function that is called; --always-inline leaves no call.
#
# RUN: %kiln compile %s 'parent(CuDeviceVector{Float32,1})' --target ptx -g0 | %filecheck %s
# CHECK: .func {{.*}} [[CHILD:julia_child[A-Za-z0-9_]*]]
# CHECK: .visible .entry _Z6parent
# CHECK: call.uni (retval0), [[CHILD]],
# CHECK: .func {{.*}} [[CHILD]](
# CHECK: fma.rn.f32
#
# RUN: %kiln compile %s 'parent(CuDeviceVector{Float32,1})' --target ptx -g0 --always-inline | %filecheck %s --check-prefix=INLINE
# INLINE-NOT: call
# INLINE: .visible .entry _Z6parent
# INLINE-NOT: call
# INLINE: fma.rn.f32
# INLINE-NOT: call
#
# Two instances of one function are two functions; two calls of one instance are one.
# RUN: %kiln compile %s 'both(CuDeviceVector{Float32,1}, CuDeviceVector{Float64,1})' --target ptx -g0 > %t.ptx
# RUN: grep -c '^.func.*julia_child.*($' %t.ptx | %filecheck %s --check-prefix=COUNT
# COUNT: {{^}}2{{$}}
# RUN: grep -c 'call.uni' %t.ptx | %filecheck %s --check-prefix=CALLS
# CALLS: {{^}}3{{$}}

using CUDA

@noinline child(x) = x * 2 + 1

function parent(y)
    @inbounds y[1] = child(y[1])
    return
end

function both(y, z)
    @inbounds y[1] = child(y[1])
    @inbounds y[2] = child(y[2])
    @inbounds z[1] = child(z[1])
    return
end
