# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Programs that nest deeply, where the stack is small (ulimit -s): what is below a limit compiles, what is above ends in a diagnostic with a
# place. The limits are those of any stack. test/unit/session/stack_test.cpp has the same of an embedder's threads.
#
# DEFINE: %{stack} = 1024
# DEFINE: %{what} = calls
# DEFINE: %{depth} = 1
# DEFINE: %{fits} = %nest %{what} %{depth} %t.jl && %stack %{stack} %kiln compile %t.jl 'k(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx && %stack %{stack} %kiln run %t.jl k --arg 'ones(Float32, 1)' --out 1=%t.npy
# DEFINE: %{refused} = %nest %{what} %{depth} %t.jl && %status 1 %stack %{stack} %kiln run %t.jl k --arg 'ones(Float32, 1)'
#
# REDEFINE: %{depth} = 290
# RUN: %{fits}
# REDEFINE: %{stack} = 512
# RUN: %{fits}
# REDEFINE: %{what} = arguments
# RUN: %{fits}
# REDEFINE: %{what} = parentheses
# REDEFINE: %{depth} = 900
# RUN: %{fits}
# REDEFINE: %{what} = blocks
# REDEFINE: %{depth} = 400
# RUN: %{fits}
# REDEFINE: %{what} = evaluation
# REDEFINE: %{depth} = 1900
# RUN: %{fits}
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=VALUE
# VALUE: values 1900
#
# REDEFINE: %{depth} = 3000
# RUN: %{refused} 2>&1 | %filecheck %s --check-prefix=EVALUATION
# A stack that is large enough for compiling, and too small for 2,000 calls.
# REDEFINE: %{stack} = 8192
# RUN: %{refused} 2>&1 | %filecheck %s --check-prefix=EVALUATION
# RUN: %status 1 %stack 8192 %kiln run %s k --arg 'ones(Float32, 1)' --arg '(r(x) = r(x); r(1))' 2>&1 | %filecheck %s --check-prefix=ARGUMENT
# ARGUMENT: --arg 2:1:{{[0-9]+}}: StackOverflowError[117]: evaluation nests more than 2000 calls deep
# REDEFINE: %{depth} = 1900
# RUN: %{fits}
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=VALUE
# REDEFINE: %{depth} = 3000
# REDEFINE: %{stack} = 1024
# RUN: %{refused} 2>&1 | %filecheck %s --check-prefix=EVALUATION
# EVALUATION: {{.*}}:{{[0-9]+}}:{{[0-9]+}}: StackOverflowError[117]: evaluation nests more than 2000 calls deep
# REDEFINE: %{what} = calls
# REDEFINE: %{depth} = 400
# RUN: %{refused} 2>&1 | %filecheck %s --check-prefix=CALLS
# REDEFINE: %{stack} = 512
# RUN: %{refused} 2>&1 | %filecheck %s --check-prefix=CALLS
# CALLS: small_stack.jl.tmp.jl:{{[0-9]+}}:1: {{.*}}calls nest more than 300 deep
# REDEFINE: %{what} = parentheses
# REDEFINE: %{depth} = 30000
# RUN: %{refused} 2>&1 | %filecheck %s --check-prefix=SYNTAX
# REDEFINE: %{what} = arguments
# RUN: %{refused} 2>&1 | %filecheck %s --check-prefix=SYNTAX
# REDEFINE: %{what} = blocks
# RUN: %{refused} 2>&1 | %filecheck %s --check-prefix=SYNTAX
# SYNTAX: small_stack.jl.tmp.jl:{{[0-9]+}}:{{[0-9]+}}: syntax error[101]: nested too deeply: more than 1000 levels

function k(y, x)
    y[1] = x
    return
end
