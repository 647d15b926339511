# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# As in Julia, types are printed without their module if Main sees their names.
#
# RUN: %kiln script %s | %filecheck %s
module Shapes
export Ball, Box
struct Ball end
struct Box{T}
    content::T
end
struct Hidden end
module Inner
export Ball
struct Ball end
end
end
# CHECK: Main.Shapes.Ball() Main.Shapes.Box{Int64}
println(Shapes.Ball(), " ", Shapes.Box{Int})
using .Shapes
# CHECK-NEXT: Ball() Box{Ball}(Ball()) Box{Int64}[Box{Int64}(1)] Main.Shapes.Hidden()
println(Ball(), " ", Box(Ball()), " ", [Box(1)], " ", Shapes.Hidden())
# CHECK-NEXT: Box{Main.Shapes.Inner.Ball} Box{Main.Shapes.Hidden} Vector{Box}
println(Box{Shapes.Inner.Ball}, " ", Box{Shapes.Hidden}, " ", Vector{Box})
# CHECK-NEXT: no method matching +(::Box{Int64}, ::Int64)
try Box(1) + 1 catch e println(sprint(showerror, e)) end
using .Shapes: Hidden
# CHECK-NEXT: Hidden() Box{Symbol}(Symbol("Shapes.Ball"))
println(Hidden(), " ", Box(Symbol("Shapes.Ball")))
# CHECK-NEXT: Box{Base.OneTo{Int64}}(Base.OneTo(3))
println(Box(Base.OneTo(3)))
# CHECK-NEXT: Hidden Hidden Box, Main.Shapes.Inner.Ball
println("$Hidden ", string(Hidden), " ", join([Box, Shapes.Inner.Ball], ", "))
