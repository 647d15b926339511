# RUN: %kiln script --device cpu %s | %filecheck %s
# Random arrays of the device: types, sizes, seeds, and moments (means within 6 standard errors of the distribution's own; Poisson and log-normal by
# their closed forms). The numbers themselves are not cuRAND's.
using CUDA, Random

println(typeof(CUDA.rand(3, 2)), " ", typeof(CUDA.rand(Float64, 4)), " ", typeof(CUDA.randn(Float32, 2, 2)))
# CHECK: CuArray{Float32, 2, CUDA.DeviceMemory} CuArray{Float64, 1, CUDA.DeviceMemory} CuArray{Float32, 2, CUDA.DeviceMemory}
println(typeof(CUDA.randn(ComplexF32, 3)), " ", typeof(CUDA.rand(Int32, (2, 3))), " ", typeof(CUDA.rand(Bool, 4)), " ", typeof(CUDA.rand_poisson(3)))
# CHECK-NEXT: CuArray{ComplexF32, 1, CUDA.DeviceMemory} CuArray{Int32, 2, CUDA.DeviceMemory} CuArray{Bool, 1, CUDA.DeviceMemory} CuArray{UInt32, 1, CUDA.DeviceMemory}
println(typeof(CUDA.rand()), " ", typeof(CUDA.rand(Int64)), " ", typeof(CUDA.randn(Float64)), " ", size(CUDA.randn((2, 1, 2))))
# CHECK-NEXT: Float32 Int64 Float64 (2, 1, 2)

n = 10000
mean_of(a) = sum(Float64.(Array(a))) / length(a)
spread_of(a) = (b = Float64.(Array(a)); m = sum(b) / n; sqrt(sum((b .- m) .^ 2) / n))
near(x, y, s) = abs(x - y) < 6 * s / sqrt(n)
u = CUDA.rand(n)
println(near(mean_of(u), 0.5, 0.289), " ", abs(spread_of(u) - 0.2887) < 0.01, " ", all(0 .<= Array(u) .< 1), " ", length(unique(Array(u))) > 9900)
# CHECK-NEXT: true true true true
z = CUDA.randn(Float64, n; mean=3, stddev=2)
println(near(mean_of(z), 3, 2), " ", abs(spread_of(z) - 2) < 0.1)
# CHECK-NEXT: true true
l = CUDA.rand_logn(Float32, n; mean=0, stddev=0.5)
println(near(mean_of(l), exp(0.125), 0.6039), " ", minimum(l) > 0)
# CHECK-NEXT: true true
p = CUDA.rand_poisson(UInt32, n; lambda=4)
println(near(mean_of(p), 4, 2), " ", abs(spread_of(p) - 2) < 0.1, " ", near(mean_of(CUDA.rand_poisson(UInt32, n; lambda=100)), 100, 10))
# CHECK-NEXT: true true true
e = CUDA.zeros(Float64, n)
randexp!(e)
println(near(mean_of(e), 1, 1), " ", minimum(e) >= 0)
# CHECK-NEXT: true true

# Arrays that are there, whole and in part, of the library's generators and of the host's.
a = CUDA.zeros(4, 3)
rand!(view(a, :, 2))
println(Array(a)[:, 1] == zeros(4), " ", all(x -> 0 <= x < 1, Array(a)[:, 2]), " ", length(unique(Array(a)[:, 2])), " ", Array(a)[:, 3] == zeros(4))
# CHECK-NEXT: true true 4 true
Random.randn!(view(a, 2, :))
println(length(unique(Array(a)[2, :])), " ", Array(a)[1, 1])
# CHECK-NEXT: 3 0.0
rand!(transpose(a))
println(length(unique(Array(a))))
# CHECK-NEXT: 12
d = CUDA.zeros(Int, n)
rand!(d, 1:6)
println(near(mean_of(d), 3.5, 1.708), " ", extrema(Array(d)), " ", length(unique(Array(rand!(d, [2, 3, 5])))), " ", extrema(Array(rand!(d, (7, 8)))))
# CHECK-NEXT: true (1, 6) 3 (7, 8)
rng = CUDA.RNG(1)
x = Array(rand(rng, Float32, 5))
y = Array(randn(rng, 5))
Random.seed!(rng, 1)
println(x == Array(rand(rng, Float32, 5)), " ", y == Array(randn(rng, Float32, 5)), " ", x == Array(rand!(rng, CUDA.zeros(5))))
# CHECK-NEXT: true true false
CUDA.seed!(5)
v = Array(CUDA.rand(4))
Random.seed!(CUDA.default_rng(), 5)
println(v == Array(CUDA.rand!(CUDA.zeros(4))), " ", v == Array(CURAND.rand(Float32, 4)))
# CHECK-NEXT: true false
h = Xoshiro(3)
b = Array(rand!(h, CUDA.zeros(4)))
println(b == rand!(Xoshiro(3), zeros(Float32, 4)))
# CHECK-NEXT: true
try
    randn!(CUDA.zeros(Int, 2))
catch e
    println(typeof(e))
end
# CHECK-NEXT: MethodError
try
    rand!(CUDA.zeros(2), Float32[])
catch e
    println(e.msg)
end
# CHECK-NEXT: collection must be non-empty
