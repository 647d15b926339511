# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A kernel takes its parameters in one structure, and local memory. Nothing may be fused unless the program says so.
#
# RUN: %kiln compile %examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target spirv --name saxpy | %filecheck %s
# CHECK: OpCapability Kernel
# CHECK-NOT: OpCapability Float64
# CHECK: OpEntryPoint Kernel [[ENTRY:%[0-9]+]] "saxpy"
# CHECK: OpExecutionMode [[ENTRY]] ContractionOff
# CHECK: OpDecorate [[BLOCK:%[0-9]+]] FuncParamAttr ByVal
# CHECK: [[ENTRY]] = OpFunction
# CHECK-NEXT: [[BLOCK]] = OpFunctionParameter
# CHECK-NEXT: OpFunctionParameter
# CHECK: OpFMul
# CHECK: OpFAdd
#
# RUN: %kiln compile %examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target spirv --contract=on | %filecheck %s --check-prefix=FUSED --implicit-check-not=ContractionOff
# FUSED: OpEntryPoint Kernel
#
# The header of a binary has the version: 1.2 by default.
# RUN: %kiln compile %examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target spirv --emit obj -o %t.12
# RUN: %kiln compile %examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target spirv --emit obj --spirv-version 1.4 -o %t.14
# RUN: od -A n -t x4 -N 8 %t.12 | %filecheck %s --check-prefix=V12
# RUN: od -A n -t x4 -N 8 %t.14 | %filecheck %s --check-prefix=V14
# V12: 07230203 00010200
# V14: 07230203 00010400
# RUN: %status 2 %kiln compile %examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target spirv --spirv-version 1.7 2>&1 | %filecheck %s --check-prefix=VERSION
# VERSION: SPIR-V 1.7: the versions are 1.2, 1.3 and 1.4
# RUN: %status 2 %kiln compile %examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target spirv --spirv-features fp64,fp99 2>&1 | %filecheck %s --check-prefix=FEATURE
# FEATURE: no feature of an OpenCL device is named `fp99`: take some of fp16, fp64
#
# A plain function is exported.
# RUN: %kiln compile %s 'twice(Float32)' --target spirv --no-kernel | %filecheck %s --check-prefix=PLAIN
# PLAIN: LinkageAttributes "twice" Export
# PLAIN-NOT: OpEntryPoint
twice(x) = x + x
