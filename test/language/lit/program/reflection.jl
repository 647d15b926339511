# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Methods of functions, ranges of characters, folds from the right.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
f(x::Int) = 1
f(x::String, y) = 2
f(xs::T...) where {T<:Real} = 3
#      CHECK:true false true true true
println(hasmethod(f, Tuple{Int}), " ", hasmethod(f, Tuple{Symbol}), " ", applicable(f, 1), " ", applicable(f, "a", 2), " ", applicable(f))
# CHECK-NEXT:# 3 methods for generic function "f" from Main:
# CHECK-NEXT: [1] f(x::Int64)
# CHECK-NEXT:     @ {{.*}}reflection.jl:6
# CHECK-NEXT: [2] f(x::String, y)
# CHECK-NEXT:     @ {{.*}}reflection.jl:7
# CHECK-NEXT: [3] f(xs::T...) where {T<:Real}
# CHECK-NEXT:     @ {{.*}}reflection.jl:8
println(methods(f))
# CHECK-NEXT:3
println(length(methods(f)))
# CHECK-NEXT:abcde 'a':1:'e' true false ['a', 'c', 'e']
println(join('a':'e'), " ", 'a':'e', " ", 'c' in 'a':'e', " ", 'z' in 'a':'e', " ", collect('a':2:'e'))
# CHECK-NEXT:[(1, 'a') (1, 'b'); (2, 'a') (2, 'b')]
println(collect(Iterators.product(1:2, 'a':'b')))
# CHECK-NEXT:-2 -2 3
println(foldr(-, 1:4), " ", mapfoldr(identity, -, [1, 2, 3, 4]), " ", mapfoldr(x -> x + 1, -, [1, 2]; init=4))
# CHECK-NEXT:Any["a" 1; "b" 2]
println(["a" 1; "b" 2])
# A list of methods holds them, and names their function's table (Base.MethodList, Core.MethodTable).
listed(x) = 1
println(methods(listed).mt.name, " ", methods(sin).mt.name, " ", length(methods(listed).ms))
# CHECK-NEXT:listed sin 1
