# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What exceptions say, and what a program that fails says and ends with.
#
# RUN: %status 1 %kiln script %s > %t.out 2> %t.err
# RUN: %filecheck %s --input-file %t.out --match-full-lines
# RUN: %filecheck %s --input-file %t.err --check-prefix=FAILS
says(f) =
    try
        f()
    catch e
        println(sprint(showerror, e))
    end
#      CHECK: BoundsError: attempt to access 3-element Vector{Int64} at index [5]
says(() -> [1, 2, 3][5])
# CHECK-NEXT: BoundsError: attempt to access 2×2 Matrix{Float64} at index [3, 1]
says(() -> [1.0 2.0; 3.0 4.0][3, 1])
# CHECK-NEXT: UndefVarError: `nowhere` not defined
says(() -> nowhere + 1)
# CHECK-NEXT: DivideError: integer division error
says(() -> div(1, 0))
# CHECK-NEXT: KeyError: key "b" not found
says(() -> Dict("a" => 1)["b"])
# CHECK-NEXT: MethodError: no method matching sqrt(::String)
says(() -> sqrt("a"))
# CHECK-NEXT: DimensionMismatch: tried to assign 3 elements to 2 destinations
says(() -> (v = [1, 2]; v[1:2] = [1, 2, 3]))
# CHECK-NEXT: boom 1
says(() -> error("boom ", 1))
# CHECK-NEXT: AssertionError: 1 == 2
says(() -> @assert 1 == 2)
# CHECK: TypeError(:typeassert, "", Float64, 3) Float64 3
try
    (1 + 2)::Float64
catch e
    println(e, " ", e.expected, " ", e.got)
end
# CHECK-NEXT: TypeError: in typeassert, expected Float64, got a value of type Int64
says(() -> 3::Float64)
# FAILS: ERROR: LoadError: the last one
# FAILS-NEXT: errors.jl:[[@LINE+5]]:11:
# FAILS-NEXT:  [[@LINE+4]] | fails() = error("the last one")
# FAILS-NEXT: {{^}}     |           ^~~~~
# FAILS-NEXT: Stacktrace:
# FAILS-NEXT: [1] fails @ {{.*}}errors.jl:[[@LINE+1]]
fails() = error("the last one")
fails()
println("never")
