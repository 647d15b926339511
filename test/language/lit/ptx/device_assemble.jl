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
# RUN: %kiln compile %S/wmma.jl 'product(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float32,1}, Val{(16,16,16)})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/wmma.jl 'product(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{BFloat16,1}, CuDeviceMatrix{BFloat16,1}, CuDeviceMatrix{Float32,1}, Val{(8,32,16)})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/wmma.jl 'product(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, Val{(16,16,8)})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/wmma.jl 'product(CuDeviceMatrix{Float64,1}, CuDeviceMatrix{Float64,1}, CuDeviceMatrix{Float64,1}, CuDeviceMatrix{Float64,1}, Val{(8,8,4)})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/wmma.jl 'product(CuDeviceMatrix{Int32,1}, CuDeviceMatrix{Int8,1}, CuDeviceMatrix{Int8,1}, CuDeviceMatrix{Int32,1}, Val{(16,16,16)})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/ordered_atomics.jl 'words(CuDeviceVector{UInt64,3})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/ordered_atomics.jl 'sums(CuDeviceVector{BFloat16,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/ordered_atomics.jl 'sums(CuDeviceVector{UInt8,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/ordered_atomics.jl 'sums(CuDeviceVector{UInt128,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/integers.jl 'integers(CuDeviceVector{UInt32,1}, Int32, UInt32, Int32)' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/wmma.jl 'registers(CuDeviceVector{Float32,1}, CuDeviceVector{Float16,1})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
# RUN: %kiln compile %S/copies.jl 'staged(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Type{NTuple{4,VecElement{Float32}}})' --target ptx -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
