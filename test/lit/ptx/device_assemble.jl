# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# NVIDIA's assembler takes what the device library emits.
#
# REQUIRES: ptxas
# RUN: %kiln compile %S/atomics.jl 'native(CuDeviceVector{Int32,1}, CuDeviceVector{UInt64,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/atomics.jl 'add(CuDeviceVector{BFloat16,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/atomics.jl 'twice(CuDeviceVector{Float16,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/atomics.jl 'twice(CuDeviceVector{UInt8,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/warp.jl 'shuffles(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/warp.jl 'parts(CuDeviceVector{Int128,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/warp.jl 'votes(CuDeviceVector{UInt32,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/warp.jl 'barriers(CuDeviceVector{Int32,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/groups.jl 'all_blocks(CuDeviceVector{Int32,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/groups.jl 'copies(CuDeviceVector{Float64,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/print.jl 'print(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
