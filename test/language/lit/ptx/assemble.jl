# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: ptxas
# RUN: %kiln compile %examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target ptx --arch sm_90 -o %t.ptx
# RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
