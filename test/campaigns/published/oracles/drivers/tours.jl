# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Includes a published heuristic for the travelling salesman, the first argument, and prints what it draws: its cities,
# and the line through them.

cities = []
drawn = []

scatter!(x, y; options...) = (append!(empty!(cities), collect(zip(x, y))); nothing)

function plot!(x, y; options...)
    append!(empty!(drawn), collect(zip(x, y)))
    nothing
end
plot!(lines...; options...) = nothing

include(ARGS[1])

foreach(city -> println("> city: ", city), cities)
println("> tour: ", [findfirst(==(city), cities) for city in drawn])
