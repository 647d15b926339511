# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# PTX with local variables is taken by NVIDIA's assembler.
#
# REQUIRES: ptxas
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Int64)' --target ptx -g2 -O0 -o %t.0.ptx
# RUN: %ptxas -arch=sm_90 -g %t.0.ptx -o %t.0.cubin
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Int64)' --target ptx -g2 -o %t.2.ptx
# RUN: %ptxas -arch=sm_90 -g %t.2.ptx -o %t.2.cubin

using CUDA

function kernel(y, n)
    doubled = y[1] * 2f0
    sum = 0f0
    for i in 1:n
        sum += y[i] + doubled
    end
    y[1] = sum
    return
end
