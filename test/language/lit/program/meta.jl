# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Expressions as values, include in a function, host objects in structs, packages that draw: as Julia 1.10 prints them.
#
# RUN: rm -rf %t && mkdir %t && cp %s %t/main.jl && printf 'h(x) = x + 1\nh(1)\n' > %t/part.jl
# RUN: %kiln script %t/main.jl 2>%t/err | %filecheck %s --match-full-lines
# RUN: %filecheck %s --check-prefix=TOLD --input-file %t/err
# CHECK: a + b :(a + b) call 3
ex = :(a + b)
println(ex, " ", repr(ex), " ", ex.head, " ", eval(:(1 + 2)))
# CHECK-NEXT: 2 11
load() = include("part.jl")
println(load(), " ", h(10))
# CHECK-NEXT: W(Dict(1 => 2)) 1 Set([1]) [3, 2, 1] [1, 1] [-3, -2, -1]
struct W
    d::Dict{Int,Int}
end
w = W(Dict(1 => 2))
println(w, " ", length(w.d), " ", Set([1]), " ", digits(123), " ", digits(3; base=2), " ", digits(-123))
# CHECK-NEXT: a=1
struct Log
    io::IOBuffer
end
l = Log(IOBuffer())
print(l.io, "a=", 1)
println(String(take!(l.io)))
# CHECK-NEXT: drawn 3
using Plots
plot([1, 2]; label="x")
savefig("a.png")
n = Ref(0)
@animate for i in 1:3
    n[] += 1
    plot!([i])
end
println("drawn ", n[])
# TOLD: Plots: Kiln draws nothing
# TOLD-NOT: Kiln draws nothing
