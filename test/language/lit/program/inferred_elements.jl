# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Element types of empty comprehensions: those that Julia infers. A branch whose type nobody can know makes the element
# type Any; one that always throws leaves it as it is.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines
only_ints(x::Int) = x
#      CHECK: Any Any
println(eltype([x > 0 ? 1 : undefined_function(x) for x in Int[]]), " ", eltype([x > 0 ? 1 : eval(:(1)) for x in Int[]]))
# CHECK-NEXT: Int64 Int64 Float64
println(eltype([x > 0 ? 1 : error("x is ", x) for x in Int[]]), " ", eltype([x > 0 ? 1 : throw(ArgumentError("x is $x")) for x in Int[]]), " ", eltype([x > 0 ? 1.0 : only_ints("a") for x in Int[]]))
# Two types: their promote_typejoin.
# CHECK-NEXT: Real Signed Union{Missing, Int64} Union{Nothing, String}
println(eltype([x > 0 ? 1 : 2.0 for x in Int[]]), " ", eltype([x > 0 ? 1 : big(2) for x in Int[]]), " ", eltype([x > 0 ? 1 : missing for x in Int[]]), " ", eltype([x > 0 ? nothing : string(x) for x in Int[]]))
# Functions of texts, which only the interpreter has.
# CHECK-NEXT: Int64 Real Union{Nothing, Int64}
println(eltype([isempty(s) ? 0 : parse(Int, s) for s in String[]]), " ", eltype([isempty(s) ? 0 : parse(Float64, s) for s in String[]]), " ", eltype([tryparse(Int, s) for s in String[]]))
# CHECK-NEXT: String SubString{String} Vector{SubString{String}} Symbol Bool
println(eltype([uppercase(s) * "!" for s in String[]]), " ", eltype([strip(split(s, ",")[1]) for s in String[]]), " ", eltype([split(s) for s in String[]]), " ", eltype([Symbol(s) for s in String[]]), " ", eltype([occursin("a", s) for s in String[]]))
# CHECK-NEXT: Int64 Dict{String, Int64} Float64
println(eltype([Dict(s => 1)[s] for s in String[]]), " ", eltype([Dict(s => 1) for s in String[]]), " ", eltype([(print(""); 2.0) for s in String[]]))
# CHECK-NEXT: Vector{Symbol} Vector{Any}
println(typeof(map(Symbol, String[])), " ", typeof(map(x -> x > 0 ? 1 : undefined_function(x), Int[])))
# A Dict of pairs without any has the types that its pairs would have, and otherwise those that the pairs state.
# CHECK-NEXT: Dict{Symbol, Int64} Dict{Any, Int64} Dict{Int64, String}
println(typeof(Dict(Symbol(s) => 1 for s in String[])), " ", typeof(Dict(Pair{Any,Int}[1 => 2])), " ", typeof(Dict(zip(Int[], String[]))))
