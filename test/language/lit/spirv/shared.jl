# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Shared memory is the storage class Workgroup: variables, or the entry's second parameter. A barrier is one for the block, and orders
# shared and global memory (semantics 776). An exception returns from the kernel. Atomics that OpenCL lacks are loops.
#
# RUN: %kiln compile %s 'reversed(CuDeviceVector{Int32,1})' --target spirv -g0 | %filecheck %s --check-prefix=STATIC
# STATIC: OpVariable %{{[0-9]+}} Workgroup
# STATIC: OpControlBarrier [[SCOPE:%[0-9]+]] [[SCOPE]]
# STATIC: OpReturn
#
# RUN: %kiln compile %s 'dynamic(CuDeviceVector{Int32,1})' --target spirv -g0 | %filecheck %s --check-prefix=DYNAMIC --implicit-check-not='OpVariable %{{[0-9]+}} Workgroup'
# DYNAMIC: OpFunctionParameter
# DYNAMIC: OpControlBarrier
#
# RUN: %kiln compile %s 'checked(CuDeviceVector{Int32,1}, Int64)' --target spirv | %filecheck %s --check-prefix=CHECKED --implicit-check-not=OpUnreachable
# CHECKED: OpName [[REPORT:%[0-9]+]] "kiln_report_exception"
# CHECKED: OpFunctionCall {{.*}} [[REPORT]]
#
# RUN: %kiln compile %s 'sums(CuDeviceVector{Float32,1}, CuDeviceVector{Int16,1})' --target spirv -g0 | %filecheck %s --check-prefix=ATOMIC
# ATOMIC: OpAtomicLoad
# ATOMIC: OpFAdd
# ATOMIC: OpAtomicCompareExchange
# ATOMIC: OpAtomicCompareExchange
using CUDA

function reversed(y)
    s = CuStaticSharedArray(Int32, 64)
    i = threadIdx().x
    @inbounds s[i] = y[i]
    sync_threads()
    @inbounds y[i] = s[65 - i]
    return
end
function dynamic(y)
    s = CuDynamicSharedArray(Int32, 64)
    i = threadIdx().x
    @inbounds s[i] = y[i]
    sync_threads()
    @inbounds y[i] = s[65 - i]
    return
end
checked(y, i) = (y[i] = Int32(1); return)
function sums(x, n)
    CUDA.atomic_add!(pointer(x), 1f0)
    CUDA.@atomic n[1] += Int16(1)
    return
end
