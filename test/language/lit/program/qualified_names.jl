# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Names of types and enums are printed with their module, as Julia's show_type_name does: in full from Main on, unless
# the context is compact or its module sees the name.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines
module Shapes
struct T
    x::Int
end
struct P{A}
    y::A
end
@enum Color red green
module Inner
struct U end
end
end
#      CHECK: Main.Shapes.T(1) Main.Shapes.T
println(Shapes.T(1), " ", Shapes.T)
# CHECK-NEXT: Main.Shapes.P{Main.Shapes.T}(Main.Shapes.T(1))
println(Shapes.P(Shapes.T(1)))
# CHECK-NEXT: Main.Shapes.Inner.U()
println(Shapes.Inner.U())
# CHECK-NEXT: Main.Shapes.T[Main.Shapes.T(1)]
println([Shapes.T(1)])
# CHECK-NEXT: Dict{Int64, Main.Shapes.T}(1 => Main.Shapes.T(2))
println(Dict(1 => Shapes.T(2)))
# CHECK-NEXT: T(1) T(1)
println(sprint(show, Shapes.T(1); context=:compact => true), " ", sprint(show, Shapes.T(1); context=:module => Shapes))
# print of an enum is its name alone; show names its module.
# CHECK-NEXT: red Main.Shapes.red
println(Shapes.red, " ", repr(Shapes.red))
# CHECK-NEXT: green::Color = 1
show(stdout, MIME("text/plain"), Shapes.green)
println()
using .Shapes: T, red
# CHECK-NEXT: T(1) red Main.Shapes.P{T}(T(2))
println(T(1), " ", repr(red), " ", Shapes.P(T(2)))
