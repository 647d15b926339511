# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# include(f, path), include(f, M, path): each statement of the file is what f makes of its Expr, as Julia's manual has it.
#
# RUN: %kiln script %s | %filecheck %s
# RUN: %status 1 %kiln script %s bad 2>&1 | %filecheck %s --check-prefix=BAD

const seen = Any[]
function twice(ex)
    push!(seen, ex)
    return ex isa Expr && ex.head === :(=) && ex.args[1] isa Symbol ? Expr(:(=), ex.args[1], :(2 * $(ex.args[2]))) : ex
end
module Inner end
const folder = joinpath(@__DIR__, "inputs")

if ARGS == ["bad"]
    include(x -> error("not this one: ", x.head), joinpath(folder, "mapped.jl"))
end
# BAD: not this one:

include(twice, joinpath(folder, "mapped.jl"))
println(aa, " ", plain(3), " ", length(filter(x -> x isa Expr, seen)))
# CHECK: 42 4 3
include(twice, Inner, joinpath(folder, "mapped.jl"))
println(Inner.aa, " ", isdefined(Inner, :bb))
# CHECK-NEXT: 42 true
include(Inner, joinpath(folder, "mapped.jl"))
println(Inner.aa)
# CHECK-NEXT: 21
module Own
include(ex -> ex isa Expr && ex.head === :(=) && ex.args[1] === :aa ? :(aa = 7) : ex, joinpath(@__DIR__, "inputs", "mapped.jl"))
end
println(Own.aa, " ", Own.plain(1))
# CHECK-NEXT: 7 2

# A macro's call holds its place as its second argument; a LineNumberNode is a value like another.
call = :(@show x)
println(call.args[2] isa LineNumberNode, " ", call.args[2].line, " ", basename(string(call.args[2].file)))
# CHECK-NEXT: true [[@LINE-2]] include_mapped.jl
node = LineNumberNode(3, :somewhere)
println(node.line, " ", node.file, " ", node === LineNumberNode(3, :somewhere), " ", LineNumberNode(1).file)
# CHECK-NEXT: 3 somewhere true nothing
macro place()
    return string(__source__ isa LineNumberNode, " ", __source__.line)
end
println(@place)
# CHECK-NEXT: true [[@LINE-1]]
call.args[2] = LineNumberNode(9, :other)
x = 5
eval(call)
# CHECK-NEXT: x = 5
eval(Expr(:block, LineNumberNode(1), :(println("in a block")), LineNumberNode(2)))
# CHECK-NEXT: in a block
