# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What print and show write, and what collections and texts do: as Julia 1.10 gives them.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
#      CHECK:[1, 2, 3] [1.5 2.5; 3.5 4.5] Float32[1.0] Any[1, "a"] Bool[1, 0] UInt8[0x01] ["a"] [:a] [(1, 2)]
println([1, 2, 3], " ", [1.5 2.5; 3.5 4.5], " ", [1.0f0], " ", Any[1, "a"], " ", [true, false], " ", UInt8[1], " ", ["a"], " ", [:a], " ", [(1, 2)])
# CHECK-NEXT:1//2 1 + 2im 1.0 1.0e-5 1.0e10 Inf NaN a sym nothing
println(1 // 2, " ", 1 + 2im, " ", 1.0f0, " ", 1e-5, " ", 1e10, " ", Inf, " ", NaN, " ", 'a', " ", :sym, " ", nothing)
# CHECK-NEXT:(1, "a", 'b', :c, 2.0f0) (a = 1, b = "x") (1,) 1:3 1:2:5
println((1, "a", 'b', :c, 2.0f0), " ", (a=1, b="x"), " ", (1,), " ", 1:3, " ", 1:2:5)
# CHECK-NEXT:P(1, 2.0)
struct P
    x::Int
    y::Float64
end
println(P(1, 2.0))
# CHECK-NEXT:2×2 Matrix{Float64}:
# CHECK-NEXT: 1.0  2.5
# CHECK-NEXT: 3.0  4.0
display([1.0 2.5; 3.0 4.0])
# CHECK-NEXT:x[1] + 1 = 2
x = [1]
@show x[1] + 1
# CHECK-NEXT:[1, 2, 3] [3, 2, 1] [2, 3, 1]
println(sort([3, 1, 2]), " ", sort([3, 1, 2]; rev=true), " ", sortperm([3, 1, 2]))
# CHECK-NEXT:a, b xxab 42 true heLLo [1, 2] 2
println(join(["a", "b"], ", "), " ", lpad("ab", 4, 'x'), " ", parse(Int, "42"), " ", occursin("ell", "hello"), " ", replace("hello", "l" => "L"), " ", map(s -> parse(Int, s), split("1,2", ",")), " ", length(Set([1, 2, 2])))
# CHECK-NEXT:[x] SubString{String}["a", "b"] b él 3 5
println("[", strip("  x "), "] ", split("a b"), " ", "abc"[2], " ", "élan"[1:3], " ", findfirst('c', "abc"), " ", length("héllo"))
# CHECK-NEXT:3.142    42 hi
using Printf
@printf("%.3f %5d %s\n", 3.14159, 42, "hi")
# CHECK-NEXT:[3.0, 5.0] [1.0, 4.0] [7 10; 15 22] [4 6]
v = [1.0, 2.0]
A = [1 2; 3 4]
println(2 .* v .+ 1, " ", v .^ 2, " ", A * A, " ", sum(A, dims=1))
# CHECK-NEXT:1 none true
d = Dict("a" => 1)
println(d["a"], " ", get(d, "b", "none"), " ", haskey(d, "a"))
# CHECK-NEXT:StackOverflowError
deep(n) = 1 + deep(n + 1)
try
    deep(1)
catch e
    println(typeof(e))
end
# Methods that a program gives to functions of the host come first.
# CHECK-NEXT:P!3 a1 3 of P [0.0, 0.0]
Base.string(p::P) = "P!$(p.x)"
Base.zeros(::Type{P}, n::Int) = "$n of P"
println(string(P(3, 0.0)), " ", string("a", 1), " ", zeros(P, 3), " ", zeros(2))
