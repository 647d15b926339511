# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# Inference knows the result of functions that only the host has, and of mutable structs. So empty arrays have Julia's
# element types.
mutable struct Counter
    n::Int
end
# CHECK: String String BigInt Bool
println(Core.Compiler.return_type(join, Tuple{String,String,String}), " ", Core.Compiler.return_type(repr, Tuple{Int}), " ", Core.Compiler.return_type(x -> x + 1, Tuple{BigInt}), " ",
        Core.Compiler.return_type(<, Tuple{BigFloat,BigFloat}))
# CHECK-NEXT: Vector{String} Vector{String} Vector{Int64}
println(typeof(broadcast(join, Vector{String}[], ", ")), " ", typeof([sprint(print, x) for x in Int[]]), " ", typeof([c.n for c in Counter[]]))
# CHECK-NEXT: [1, 2] [2, 3] [1] ArgumentError
println(first(Iterators.map(x -> x, 1:3), 2), " ", last((x for x in 1:3), 2), " ", first(view([1, 2], 1:1), 5), " ", try first([1], -1) catch e nameof(typeof(e)) end)
