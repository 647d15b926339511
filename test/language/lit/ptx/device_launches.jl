# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Launches by kernels are calls of CUDA's device runtime: the code that is launched is a kernel of the same module, and its parameters lie
# in the runtime's buffer each at a multiple of its alignment, behind the kernel state.
#
# RUN: %kiln compile %s 'parent(CuDeviceVector{Float32,1}, Int64, Bool)' --target ptx --arch sm_90 -g0 | %filecheck %s
# CHECK: .extern .func  (.param .b64 func_retval0) __cudaCDP2GetParameterBufferV2
# CHECK: .param .align 4 .b8 __cudaCDP2GetParameterBufferV2_param_1[12],
# CHECK: .param .align 4 .b8 __cudaCDP2GetParameterBufferV2_param_2[12],
# CHECK: .extern .func  (.param .b32 func_retval0) __cudaCDP2LaunchDeviceV2
# CHECK: .visible .entry _Z6parent
# CHECK: mov.b64 [[KERNEL:%rd[0-9]+]], [[NAME:julia_launched_[0-9]+_grid]];
# CHECK-DAG: st.param.b64 [param0], [[KERNEL]];
# CHECK-DAG: st.param.b32 [param1], 3;
# CHECK-DAG: st.param.b32 [param1+4], 1;
# CHECK-DAG: st.param.b32 [param2], 4;
# CHECK-DAG: st.param.b32 [param2+4], 2;
# CHECK-DAG: st.param.b32 [param2+8], 1;
# CHECK-DAG: st.param.b32 [param3], 16;
# CHECK: call.uni (retval0), __cudaCDP2GetParameterBufferV2,
# CHECK: ld.param.b64 [[BUFFER:%rd[0-9]+]], [retval0];
# CHECK: st.b64 {{\[}}[[BUFFER]]],
# CHECK: st.b64 {{\[}}[[BUFFER]]+40],
# CHECK: st.b8 {{\[}}[[BUFFER]]+48],
# CHECK: .visible .entry [[NAME]](
# CHECK: .param .align 8 .b8 [[NAME]]_param_0[8],
# CHECK: .param .u8 [[NAME]]_param_6
#
# A kernel that launches itself: the launched one is one kernel, which names itself.
# RUN: %kiln compile %s 'again(CuDeviceVector{Float32,1}, Int64)' --target ptx --arch sm_90 -g0 | %filecheck %s --check-prefix=AGAIN
# AGAIN: .visible .entry [[NAME:julia_launched_[0-9]+_grid]](
# AGAIN: mov.b64 {{%rd[0-9]+}}, [[NAME]];
#
# What cannot be.
# RUN: %status 1 %kiln compile %s 'of_thread(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=MUTABLE
# MUTABLE: which is not a bitstype: it is this thread's own, and another grid cannot see it
# RUN: %status 1 %kiln compile %s 'parent(CuDeviceVector{Float32,1}, Int64, Bool)' --target ptx --no-kernel 2>&1 | %filecheck %s --check-prefix=PLAIN
# PLAIN: only a kernel launches others
# RUN: %status 1 %kiln compile %s 'of_host(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=HOST
# HOST: InvalidIRError[122]: unsupported: macro @cuda
# RUN: %status 1 %kiln compile %s 'with_registers(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=KEYWORD
# KEYWORD: InvalidIRError[122]: unsupported: the keyword argument `maxregs = 32` of @cuda dynamic=true

using CUDA
of_host(y) = (@cuda threads=4 child(y, 0, true); nothing)
with_registers(y) = (@cuda dynamic=true maxregs=32 child(y, 0, true); nothing)
function child(y, base, flag)
    flag && @inbounds y[base+threadIdx().x] = 1.0f0
    return
end
function parent(y, n, flag)
    @cuda dynamic=true threads=(4, 2) blocks=3 shmem=16 child(y, n, flag)
    return
end
function again(y, n)
    y[1] += 1.0f0
    n > 0 && CUDA.launch_dynamic(again, (y, n - 1), Val(true))
    return
end
mutable struct Box
    x::Float32
end
stores(y, b) = (y[1] = b.x; nothing)
of_thread(y) = (CUDA.launch_dynamic(stores, (y, Box(y[1])), Val(true)); nothing)
