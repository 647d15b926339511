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
