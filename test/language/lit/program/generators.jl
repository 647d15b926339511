# RUN: %kiln script --device cpu %s | %filecheck %s
# A program's own random number generator: floats have the bits of its integers, and a range the high half of a product,
# as in Julia's Random. The values are those of the same generator in Python.
using Random
mutable struct Congruential <: AbstractRNG
    x::UInt64
end
Random.rand(g::Congruential, ::Random.SamplerType{UInt64}) = g.x = g.x * 6364136223846793005 + 1442695040888963407
for T in (Base.BitSigned_types[1:4]..., UInt8, UInt16, UInt32)
    @eval Random.rand(g::Congruential, ::Random.SamplerType{$T}) = rand(g, UInt64) % $T
end
g = Congruential(42)
# CHECK: 10481999410520546993 0.4982049699895823 0.9857539256805292 0.90455604
println(rand(g, UInt64), " ", rand(g), " ", rand(g, Float64), " ", rand(g, Float32))
# CHECK-NEXT: {{\[}}5, 1, 1, 1, 3, 1, 3, 4{{\]}}
println(rand(g, 1:6, 8))
# CHECK-NEXT: {{\[}}0.24628069872731762 0.9361202599448697; 0.41476827326644816 0.013774312492442764{{\]}}
println(rand(g, 2, 2))
# CHECK-NEXT: {{\[}}30 20; 10 30{{\]}}
println(rand(g, [10, 20, 30], (2, 2)))
# CHECK-NEXT: Int32{{\[}}39, -26, 9, 34{{\]}}
println(rand(g, Int32(-50):Int32(49), 4))
# CHECK-NEXT: true (3, 2) Vector{Float32} ComplexF64 (0,)
println(rand(Congruential(42), 6) == [rand(g, Float64) for g in (Congruential(42),) for _ in 1:6], " ", size(randn(g, 3, 2)), " ", typeof(randexp(g, Float32, 3)), " ",
        typeof(randn(g, ComplexF64)), " ", size(rand(g, 0)))
# CHECK-NEXT: true true [1, 2, 3, 4] true
println(all(x -> 0 <= x < 1, rand!(g, zeros(100))), " ", all(in('a':'c'), rand(g, 'a':'c', 20)), " ", sort(shuffle(g, [3, 1, 4, 2])), " ", rand(g, Set([7])) == 7)

# A value's own sampler, with this and with the default generator
struct Coin end
Random.rand(g::AbstractRNG, ::Random.SamplerType{Coin}) = rand(g, Bool) ? :head : :tail
Random.rand(g::Congruential, ::Random.SamplerType{Bool}) = true
# CHECK-NEXT: head true
println(rand(g, Coin), " ", rand(Coin) in (:head, :tail))
# CHECK-NEXT: ArgumentError: Sampler for this object is not defined
# CHECK-NEXT: ArgumentError: collection must be non-empty
for f in (() -> rand(g, String), () -> rand(g, 1:0))
    try f() catch e; println(sprint(showerror, e)) end
end
# CHECK-NEXT: (Int8, Int16, Int32, UInt8, UInt16, UInt32) true
println(Base.BitInteger32_types, " ", Int128 in Base.BitInteger_types && Base.BitInteger64 == Union{Base.BitInteger64_types...})
