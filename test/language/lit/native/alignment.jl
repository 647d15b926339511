# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An access of 32 bytes that states its alignment relies on 16 on the CPU: a host's memory need not have more. What the kernel
# has of its own keeps its alignment.
#
# RUN: %kiln compile %s 'copy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --emit llvm-opt -g0 | %filecheck %s
# CHECK: load {{.*}} align 16
# CHECK-NOT: align {{32|64}}
# CHECK: ret
# RUN: %kiln compile %s 'copy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --target ptx --arch sm_100 --emit llvm-opt -g0 | %filecheck %s --check-prefix=PTX
# PTX: load {{.*}} align 32

using CUDA

function copy(to, from)
    i = threadIdx().x
    x = unsafe_load(reinterpret(LLVMPtr{NTuple{8,Float32},1}, pointer(from)), i, Val(32))
    unsafe_store!(reinterpret(LLVMPtr{NTuple{8,Float32},1}, pointer(to)), ntuple(k -> 2f0 * x[k], Val(8)), i, Val(32))
    return
end
