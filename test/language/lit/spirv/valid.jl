# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The validator of SPIRV-Tools accepts the modules.
# REQUIRES: spirv_val
using CUDA

# Exceptions, shared memory, a barrier, dynamic shared memory.
# RUN: %kiln compile %s 'blocks(CuDeviceVector{Float32,1}, Int64)' --target spirv --kernel --emit obj -g2 -o %t.blocks && spirv-val --target-env opencl2.2 %t.blocks
# RUN: %kiln compile %s 'blocks(CuDeviceVector{Float32,1}, Int64)' --target spirv --kernel --emit obj -O0 -o %t.blocks0 && spirv-val --target-env opencl2.2 %t.blocks0
function blocks(o, n)
    s = CuStaticSharedArray(Float32, 64)
    d = CuDynamicSharedArray(Float32, 64)
    i = threadIdx().x
    s[i] = d[i] = i
    sync_threads()
    o[i] = s[65-i] / d[n]
    return
end

# Integers of 128 bits and of other widths, Float16 (of an extension of OpenCL), mathematics in doubles.
# RUN: %kiln compile %s 'numbers(CuDeviceVector{Int128,1}, CuDeviceVector{Float16,1}, Float32)' --target spirv --spirv-features fp16,fp64,int64_atomics,generic --kernel --emit obj -o %t.numbers && spirv-val --target-env spv1.2 %t.numbers
function numbers(o, h, x)
    i = threadIdx().x
    @inbounds o[i] = o[i] * 3 ÷ (i + 7)
    @inbounds h[i] = Float16(sin(x)) * h[i]
    @inbounds o[i+1] = count_ones(o[i]) + bitreverse(i % UInt16)
    return
end

# Atomic operations, printing.
# RUN: %kiln compile %s 'shared_counts(CuDeviceVector{Int32,1}, CuDeviceVector{Float32,1})' --target spirv --kernel --emit obj -o %t.counts && spirv-val --target-env opencl2.2 %t.counts
function shared_counts(c, f)
    CUDA.atomic_add!(pointer(c), Int32(1))
    CUDA.@atomic f[1] = max(f[1], 2f0)
    threadIdx().x == 1 && @cuprintf("%d\n", c[1])
    return
end

# Warps, in SPIR-V 1.3.
# RUN: %kiln compile %s 'turned(CuDeviceVector{Int32,1})' --target spirv --spirv-version 1.3 --kernel --emit obj -o %t.turned && spirv-val --target-env spv1.3 %t.turned
turned(y) = (i = threadIdx().x; @inbounds y[i] = shfl_down_sync(0xffffffff, y[i], 1); return)
