# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a device lacks is an error at the line that needs it, with SPIR-V's name of the capability.
#
# RUN: %status 1 %kiln compile %s 'double(CuDeviceVector{Float64,1})' --target spirv --spirv-features fp16,generic 2>&1 | %filecheck %s --check-prefix=DOUBLE
# DOUBLE: refused.jl:[[#]]:{{.*}}KernelError{{.*}}the kernel needs Float64 (arithmetic with 64-bit floats), which the device does not have
# RUN: %status 1 %kiln compile %s 'half(CuDeviceVector{Float16,1})' --target spirv --spirv-features fp64,generic 2>&1 | %filecheck %s --check-prefix=HALF
# HALF: the kernel needs Float16
# RUN: %status 1 %kiln compile %s 'count(CuDeviceVector{Int64,1})' --target spirv --spirv-features fp64,generic 2>&1 | %filecheck %s --check-prefix=COUNT
# COUNT: refused.jl:[[#]]:{{.*}}the kernel needs Int64Atomics
# RUN: %kiln compile %s 'count(CuDeviceVector{Int32,1})' --target spirv --spirv-features fp64,generic | %filecheck %s --check-prefix=COUNT32
# COUNT32: OpAtomicIAdd
#
# Operations of a warp need sub-groups of 32 threads and SPIR-V 1.3.
# RUN: %status 1 %kiln compile %s 'turn(CuDeviceVector{Int32,1})' --target spirv 2>&1 | %filecheck %s --check-prefix=VERSION
# VERSION: refused.jl:[[#]]:{{.*}}operations of a warp need SPIR-V 1.3, and the job is for an older version
# RUN: %status 1 %kiln compile %s 'turn(CuDeviceVector{Int32,1})' --target spirv --spirv-version 1.3 --spirv-features subgroups,subgroups16,shuffle,ballot,spirv13 2>&1 | %filecheck %s --check-prefix=SIZE
# SIZE: the kernel needs SubgroupDispatch (sub-groups of 32 threads), which the device does not have
# RUN: %status 1 %kiln compile %s 'turn(CuDeviceVector{Int32,1})' --target spirv --spirv-version 1.3 --spirv-features subgroups,subgroups32,spirv13 2>&1 | %filecheck %s --check-prefix=SHUFFLE
# SHUFFLE: the kernel needs GroupNonUniformShuffle
# RUN: %kiln compile %s 'turn(CuDeviceVector{Int32,1})' --target spirv --spirv-version 1.3 | %filecheck %s --check-prefix=TURN
# TURN: OpExecutionMode {{.*}} SubgroupSize 32
# TURN: OpGroupNonUniformShuffle
# A kernel that asks for the size takes any.
# RUN: %kiln compile %s 'any_size(CuDeviceVector{Int32,1})' --target spirv --spirv-version 1.3 --spirv-features subgroups,subgroups16,shuffle,ballot,spirv13 | %filecheck %s --check-prefix=ANY --implicit-check-not=SubgroupSize --implicit-check-not=GlobalOffset
# ANY: OpEntryPoint
#
# RUN: %status 1 %kiln compile %s 'timed(CuDeviceVector{UInt64,1})' --target spirv 2>&1 | %filecheck %s --check-prefix=CLOCK
# CLOCK: OpenCL has no clock that kernels can read
# RUN: %status 1 %kiln compile %s 'recursive(CuDeviceVector{Int64,1}, Int64)' --target spirv 2>&1 | %filecheck %s --check-prefix=RECURSIVE
# RECURSIVE: KernelError{{.*}}the recursive function `{{.*}}` may throw; the spirv target cannot run that
# RECURSIVE: hint: make it a loop
using CUDA

double(y) = (@inbounds y[1] = y[1] * 3.0; return)
half(y) = (@inbounds y[1] = y[1] * Float16(3); return)
count(y) = (CUDA.atomic_add!(pointer(y), one(eltype(y))); return)
turn(y) = (i = threadIdx().x; @inbounds y[i] = shfl_xor_sync(0xffffffff, y[i], 1); return)
any_size(y) = (i = threadIdx().x; @inbounds y[i] = shfl_down_sync(0xffffffff, y[i], warpsize() ÷ 2); return)
timed(y) = (@inbounds y[1] = clock(UInt64); return)
@noinline depth(n) = n > 100 ? throw(DomainError(n)) : n <= 0 ? 0 : depth(n - 1) + depth(n - 2)
recursive(y, n) = (@inbounds y[1] = depth(n); return)
