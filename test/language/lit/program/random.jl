# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random numbers of ranges, collections and generators: their types, bounds and repeatability as in Julia 1.10; the
# values are Kiln's own.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
using Random
#      CHECK:Vector{Int64} true Matrix{Int32} Vector{Float64} Char Char
x = rand(1:128, 500)
println(typeof(x), " ", extrema(x)[1] >= 1 && extrema(x)[2] <= 128, " ", typeof(rand(Int32(1):Int32(9), 5, 2)), " ", typeof(rand([1.5, 2.5], 3)), " ", typeof(rand(('a', 'b'))), " ", typeof(rand("abc")))
# CHECK-NEXT:[1, 1, 1] [7 7; 7 7] 5 [3.0, 3.0] ['x', 'x'] 9223372036854775807
println(rand(1:1, 3), " ", rand([7], 2, 2), " ", rand(5:5), " ", rand(3.0:3.0, 2), " ", rand(('x',), 2), " ", rand(typemax(Int):typemax(Int)))
# CHECK-NEXT:[1, 2, 3, 4, 5, 6]
println(sort(unique(rand(1:6, 1000))))
# CHECK-NEXT:Vector{ComplexF32} Matrix{UInt8} Float64[] Vector{ComplexF64} Float32
println(typeof(rand(ComplexF32, 3)), " ", typeof(rand(UInt8, 2, 2)), " ", randn(0), " ", typeof(randn(ComplexF64, 2)), " ", typeof(randn(Float32)))
# CHECK-NEXT:Int64 Pair{Int64, Float64} 2
println(typeof(rand(Set([1, 2]))), " ", typeof(rand(Dict(1 => 2.0))), " ", rand(Dict(1 => 2.0)).second |> Int)
# CHECK-NEXT:true true false
a = rand(Xoshiro(1), 3)
println(a == rand(Xoshiro(1), 3), " ", shuffle(MersenneTwister(2), 1:9) == shuffle(MersenneTwister(2), 1:9), " ", a == rand(Xoshiro(2), 3))
# CHECK-NEXT:true true
Random.seed!(3)
b = (rand(), randn(Float32, 2), rand(1:100), randperm(5))
Random.seed!(3)
println(b == (rand(), randn(Float32, 2), rand(1:100), randperm(5)), " ", rand(Random.default_rng(), 2) != rand(2))
# CHECK-NEXT:[1, 2, 3, 4, 5] [1, 2, 3, 4] 10 8 ab
println(sort(shuffle(1:5)), " ", sort(randperm(4)), " ", sum(shuffle([1 2; 3 4])), " ", length(randstring()), " ", join(sort(unique(randstring("ab", 99) |> collect))))
# CHECK-NEXT:true (1, 3) [2.0]
y = zeros(Int, 200)
z = zeros(3)
println(all(0 .<= rand!(z) .< 1), " ", extrema(rand!(y, 1:3)), " ", rand!(Xoshiro(1), zeros(1), [2]))
# The mean of 10^5 normal numbers and their variance, five standard deviations wide.
# CHECK-NEXT:true true true
n = randn(100_000)
println(abs(sum(n) / 1e5) < 0.016, " ", abs(sum(n .^ 2) / 1e5 - 1) < 0.023, " ", abs(sum(abs2, randn(ComplexF64, 100_000)) / 1e5 - 1) < 0.016)
for draw in (() -> rand(1:0, 3), () -> rand(Int[]), () -> rand(1.5))
    try
        draw()
    catch e
        println(sprint(showerror, e))
    end
end
# CHECK-NEXT:ArgumentError: collection must be non-empty
# CHECK-NEXT:ArgumentError: collection must be non-empty
# CHECK-NEXT:ArgumentError: Sampler for this object is not defined
