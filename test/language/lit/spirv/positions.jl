# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A function that asks for the thread's position gets it as a parameter: Intel's driver makes a call with equal arguments once
# for several threads. A kernel has one return, whatever its source has: without optimisation, that driver runs one thread of each block
# of a kernel with several.
using CUDA

# RUN: %kiln compile %s 'many(CuDeviceVector{Int64,1}, Int64)' --target spirv --kernel --emit asm -O0 -g0 | %filecheck %s --check-prefix=ASM
# ASM-DAG: OpDecorate [[POSITION:%[0-9]+]] BuiltIn LocalInvocationId
# ASM: OpFunction %{{[0-9]+}} DontInline
# ASM-NOT: OpLoad %{{[0-9]+}} [[POSITION]]
# ASM: OpFunctionEnd
# ASM: OpFunction %{{[0-9]+}} None
# ASM: OpLoad %{{[0-9]+}} [[POSITION]]
# ASM-COUNT-2: OpFunctionCall
# ASM: OpReturn
# ASM-NOT: OpReturn
# ASM: OpFunctionEnd
@noinline function put(o, x)
    @inbounds o[threadIdx().x] = x
    return nothing
end
function many(o, n)
    n == 1 && return
    put(o, n)
    n == 2 && return
    put(o, 2n)
    return
end
