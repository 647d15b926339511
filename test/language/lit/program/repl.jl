# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The prompt on a pipe: values are shown, `;` keeps quiet, text goes on over lines, loops assign to globals, and an
# error ends its statement alone.
#
# RUN: %kiln repl < %s 2> %t.err | %filecheck %s --match-full-lines
# RUN: %filecheck %s --input-file %t.err --check-prefix=ERR
1 + 1
# CHECK: 2
x = 3;
for i in 1:2
    x += i
end
x
# CHECK-NEXT: 6
[1, 2]
# CHECK-NEXT: 2-element Vector{Int64}:
# CHECK-NEXT: {{^}} 1
# CHECK-NEXT: {{^}} 2
"text"
# CHECK-NEXT: "text"
missing_name
# ERR: ERROR: UndefVarError: `missing_name` not defined
nothing
f(x) = 2x
# CHECK: f (generic function with 1 method)
f(4)
# CHECK-NEXT: 8
f(x, y) = x + y
# CHECK-NEXT: f (generic function with 2 methods)
macro twice(x) :($x; $x) end
# CHECK-NEXT: @twice (macro with 1 method)
module Inner end
# CHECK-NEXT: Main.Inner
struct Point x::Int end
Point(3)
# CHECK-NEXT: Point(3)
quiet(x) = x;
using CUDA
@cuda launch=false (a -> (a[1] = 1; nothing))(CUDA.zeros(2))
# CHECK-NEXT: CUDA.HostKernel for #{{[0-9]+}}(CuDeviceArray{Float32, 1, 1})
6 * 7
# CHECK-NEXT: 42
nothing
also_missing_name
ans + 1
# CHECK-NEXT: 43
"Doubles a number." doubled(x) = 2x;
?doubled
# CHECK-NEXT: Doubles a number.
# CHECK-EMPTY:
# CHECK-NEXT: # 1 method for generic function "doubled" from Main:
# CHECK-NEXT: {{^}} [1] doubled(x)
# CHECK-NEXT: {{^}}     @ REPL[{{[0-9]+}}]:1
;ls
# ERR: error[100]: the prompt has no shell mode
# ERR-NEXT: hint: run the command in another terminal
]add Example
# ERR: error[100]: the prompt has no package mode
@code_llvm doubled(1.5)
# CHECK: define double @doubled(double %x){{.*}}
@code_llvm doubled
# ERR: ERROR: ArgumentError: @code_llvm takes a call: @code_llvm f(x)
@code_ptx doubled(1)
# ERR: ERROR: ArgumentError: @code_ptx: the host has no PTX. Write @device_code_ptx @cuda f(x)
