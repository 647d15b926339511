# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# Random values of a program's own types, by the protocol of Julia's package Random: samplers of values and of types.
# Each one draws from integer ranges or floats, so that equal seeds give the numbers of the plain calls.
using Random
struct Die
    sides::Int
end
Random.rand(rng::AbstractRNG, d::Random.SamplerTrivial{Die}) = rand(rng, 1:d[].sides)
Base.eltype(::Type{Die}) = Int
rolls(f) = (Random.seed!(7); f())
# CHECK: true true true Int64
println(rolls(() -> rand(Die(6))) == rolls(() -> rand(1:6)), " ", rolls(() -> rand(Die(6), 5)) == rolls(() -> rand(1:6, 5)), " ",
        rolls(() -> rand(Die(20), 2, 3)) == rolls(() -> rand(1:20, 2, 3)), " ", eltype(rand(Die(6), (2,))))
# CHECK-NEXT: true true true (0,)
println(rand(Xoshiro(1), Die(9)) == rand(Xoshiro(1), 1:9), " ", rand(MersenneTwister(1), Die(9), 4) == rand(MersenneTwister(1), 1:9, 4), " ",
        rand(Random.default_rng(), Die(1)) == 1, " ", size(rand(Die(6), 0)))
# CHECK-NEXT: true true [1.0, 1.0] [1 1; 1 1]
println(rand!(Xoshiro(2), zeros(Int, 3), Die(9)) == rand!(Xoshiro(2), zeros(Int, 3), 1:9), " ", all(in(1:6), rand!(zeros(Int, 50), Die(6))), " ", rand!(zeros(2), Die(1)), " ",
        rand!(view(zeros(Int, 3, 3), 1:2, 1:2), Die(1)))
# A sampler with data, which is made once for an array
struct Weighted
    weights::Vector{Float64}
end
made = 0
Base.eltype(::Type{Weighted}) = Int
function Random.Sampler(::Type{<:AbstractRNG}, w::Weighted, ::Random.Repetition)
    global made += 1
    return Random.SamplerSimple(w, cumsum(w.weights))
end
Random.rand(rng::AbstractRNG, s::Random.SamplerSimple{Weighted}) = (x = rand(rng) * s.data[end]; findfirst(>(x), s.data))
# CHECK-NEXT: 2 [3, 3, 3, 3] 2 3
println(rand(Weighted([0.0, 1.0])), " ", rand(Xoshiro(1), Weighted([0, 0, 2.0]), 4), " ", made, " ", length(Random.Sampler(Xoshiro, Weighted([1.0, 2, 3]), Val(1)).data))
# CHECK-NEXT: true true
let counts = [count(==(k), rand(Xoshiro(3), Weighted([1.0, 3.0]), 4000)) for k in 1:2]
    println(sum(counts) == 4000, " ", 2850 < counts[2] < 3150) # 3000 with a deviation of 27
end
# The default repetition is Inf; a sampler by a type's own method
struct Point
    x::Float64
    y::Float64
end
Random.rand(rng::AbstractRNG, ::Random.SamplerType{Point}) = Point(rand(rng), rand(rng))
struct Even end
Random.Sampler(::Type{<:AbstractRNG}, ::Type{Even}, ::Random.Repetition) = Random.SamplerTag{Even}(2:2:8)
Random.rand(rng::AbstractRNG, s::Random.SamplerTag{Even}) = rand(rng, s.data)
# CHECK-NEXT: true Vector{Point} true
println(rand(Xoshiro(5), Point) == (g = Xoshiro(5); Point(rand(g), rand(g))), " ", typeof(rand(Point, 2)), " ", rand(Even) in 2:2:8)
# A collection of the program needs no sampler; one without a sampler is an error.
struct Squares <: AbstractVector{Int}
    n::Int
end
Base.size(s::Squares) = (s.n,)
Base.getindex(s::Squares, i::Int) = i^2
struct Plain end
# CHECK-NEXT: true true Vector{Int64}
println(rand(Squares(5)) in (1, 4, 9, 16, 25), " ", rand(Xoshiro(1), Squares(9), 3) == rand(Xoshiro(1), 1:9, 3) .^ 2, " ", typeof(rand(Squares(3), 4)))
# CHECK-NEXT: ArgumentError: Sampler for this object is not defined
# CHECK-NEXT: ArgumentError: Sampler for this object is not defined
for f in (() -> rand(Plain()), () -> rand(Xoshiro(1), Plain(), 2))
    try f() catch e println(sprint(showerror, e)) end
end
# Compiled code draws the same numbers.
total(rng, d, n) = (s = 0; for _ in 1:n; s += rand(rng, d); end; s)
# CHECK-NEXT: true
println(total(Xoshiro(8), Die(6), 100_000) == sum(rand(Xoshiro(8), 1:6, 100_000)))
