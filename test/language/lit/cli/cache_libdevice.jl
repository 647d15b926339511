# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The device library is part of what its callers are made of: another one is another entry for them, and for nobody else.
# REQUIRES: libdevice
#
# RUN: rm -rf %t && mkdir -p %t/home/nvvm/libdevice
# RUN: %llvm_as %S/inputs/libdevice.ll -o %t/home/nvvm/libdevice/libdevice.10.bc
# RUN: %kiln compile %s 'calls(CuDeviceVector{Float32,1})' --target ptx -g0 --cache %t/cache -o %t/real
# RUN: %kiln compile %s 'plain(CuDeviceVector{Float32,1})' --target ptx -g0 --cache %t/cache -o %t/plain
# RUN: env KILN_CUDA_HOME=%t/home %kiln compile %s 'calls(CuDeviceVector{Float32,1})' --target ptx -g0 --cache %t/cache -o %t/other
# RUN: not cmp %t/real %t/other
# RUN: env KILN_CUDA_HOME=%t/home %kiln compile %s 'plain(CuDeviceVector{Float32,1})' --target ptx -g0 --cache %t/cache -o %t/same --timings=json 2>&1 | %filecheck %s
# CHECK-NOT: "LLVM back-end"
# RUN: cmp %t/plain %t/same
# RUN: %kiln compile %s 'calls(CuDeviceVector{Float32,1})' --target ptx -g0 --cache %t/cache -o %t/again
# RUN: cmp %t/real %t/again

using CUDA

function calls(y)
    @inbounds y[1] = cbrt(y[1])
    return
end

function plain(y)
    @inbounds y[1] += 1f0
    return
end
