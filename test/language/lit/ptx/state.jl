# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The kernel state is passed by value: to kernels, and to those functions alone that use it, directly or through a call.
#
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Pair_)' --target ptx -g0 --emit llvm-opt | %filecheck %s
# No pointers among the parameters of a kernel: structs are passed by value too.
# CHECK-NOT: @kiln.state
# CHECK: define ptx_kernel void @_Z6kernel{{[A-Za-z0-9_]*}}([1 x i64] %state, { ptr addrspace(1), i64, [1 x i64], i64 } %y, { i32, double } %p)
# CHECK: call i64 @[[PLAIN:julia_plain_[0-9]+]](i64
# CHECK: call i64 @[[THROWS:julia_may_throw_[0-9]+]]([1 x i64] %state, i64
# CHECK-DAG: define internal{{.*}} i64 @[[PLAIN]](i64 {{[^,)]*}})
# CHECK-DAG: define internal{{.*}} i64 @[[THROWS]]([1 x i64] %state, i64 {{[^,)]*}})
# CHECK-NOT: @kiln.state
#
# Each argument is a parameter of the text, at its alignment.
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Int64,1}, Pair_)' --target ptx -g0 | %filecheck %s --check-prefix=PTX
# PTX: .visible .entry _Z6kernel
# PTX-NEXT: .param .align 8 .b8 {{.*}}_param_0[8],
# PTX-NEXT: .param .align 8 .b8 {{.*}}_param_1[32],
# PTX-NEXT: .param .align 8 .b8 {{.*}}_param_2[16]
# PTX-NEXT: )
#
# A function that is no kernel gets none unless it uses it.
# RUN: %kiln compile %s 'plain(Int64)' --target ptx --no-kernel -g0 --emit llvm-opt | %filecheck %s --check-prefix=FUNCTION
# FUNCTION-NOT: ptx_kernel
# FUNCTION: define i64 @plain(i64 {{[^,)]*}})
# RUN: %kiln compile %s 'may_throw(Int64)' --target ptx --no-kernel -g0 --emit llvm-opt | %filecheck %s --check-prefix=USES
# USES: define i64 @may_throw([1 x i64] %state, i64 {{[^,)]*}})
#
# The code that throws ends the thread where it stands, so no barrier waits for it, and nothing behind it is reached.
# RUN: %kiln compile %s 'waits(CuDeviceVector{Int64,1})' --target ptx | %filecheck %s --check-prefix=WAITS
# WAITS: bar.sync
# WAITS: atom.acq_rel.sys.global.cas.b32
# WAITS: exit;
# WAITS-NOT: trap

using CUDA

struct Pair_
    a::Int32
    b::Float64
end

@noinline plain(x) = x * x + 1
@noinline may_throw(x) = div(7, x)

function kernel(y, p)
    @inbounds y[1] = plain(y[1]) + p.a
    @inbounds y[2] = may_throw(y[2])
    return
end

function waits(y)
    i = threadIdx().x
    v = div(7, y[i])
    sync_threads()
    y[i] = v
    return
end
