# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Machine code of a very large function is made as at -O0 for the CPU, and said so once; PTX is the assembler's to optimise.
#
# RUN: %kiln compile %s 'large(CuDeviceVector{Int64,1})' -O2 -o %t.s 2>&1 | %filecheck %s --match-full-lines
#      CHECK: kiln: warning: {{.*}}large_function.jl:[[@LINE+10]]:10: `large` has {{[0-9]+}} instructions in {{[0-9]+}} blocks: machine code of this size is made as at -O0, because optimising it would take minutes
#      CHECK: hint: write loops in place of unrolled text, or move parts into functions marked @noinline; -O3 has no such limit
#  CHECK-NOT: warning
# RUN: %kiln compile %s 'large(CuDeviceVector{Int64,1})' -O0 -o %t.s 2>&1 | %empty
# RUN: %kiln compile %s 'large(CuDeviceVector{Int64,1})' --target ptx -O0 -o %t.ptx 2>&1 | %empty
# RUN: %kiln compile %s 'small(CuDeviceVector{Int64,1})' -O2 -o %t.s 2>&1 | %empty

using CUDA

# 22,000 instructions
function large(y)
    x = y[1]
    Base.Cartesian.@nexprs 11000 i -> x = x * x + 1
    y[1] = x
    return
end

function small(y)
    x = y[1]
    Base.Cartesian.@nexprs 1000 i -> x = x * x + 1
    y[1] = x
    return
end
