# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: spirv; after: device/ir
# spirv overlay: functions of the device that differ from those of the CPU. The other functions of the library call
# kiln.thread_idx.x, kiln.barrier, kiln.wait.shuffle and others, which the target defines (targets/spirv).

@inline laneid() = add_int(ccall("extern kiln.lane", llvmcall, Int32, ()), trunc_int(Int32, 1))
@inline warpsize() = ccall("extern kiln.warp_size", llvmcall, Int32, ())
@inline threadfence() = memory_fence()
@inline dynamic_smem_size() = rem(ccall("extern kiln.dynamic_bytes", llvmcall, UInt64, ()), UInt32)
@inline clock(::Type{UInt64}) = static_error("OpenCL has no clock that kernels can read")
@inline clock(::Type{UInt32}) = static_error("OpenCL has no clock that kernels can read")
@inline globaltimer() = static_error("OpenCL has no clock that kernels can read")
