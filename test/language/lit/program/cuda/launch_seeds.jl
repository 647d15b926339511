# RUN: %kiln script --device cpu %s | %filecheck %s
# A kernel that does not seed draws other numbers at each launch (as CUDA.jl documents); after CUDA.seed! the launches draw what they drew before.
# Moments: of 4,096 uniform numbers the mean is 1/2 within 5 standard deviations of 1/sqrt(12 * 4096).
using CUDA, Random

function draw(a)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(a)
        @inbounds a[i] = rand(eltype(a))
    end
    return
end
function draw_seeded(a, seed)
    Random.seed!(seed)
    a[threadIdx().x] = rand(Float32)
    return
end
fresh(n) = (a = CUDA.zeros(n); @cuda(threads=256, blocks=cld(n, 256), draw(a)); Array(a))
a = fresh(4096)
b = fresh(4096)
println(a == b, " ", length(unique(vcat(a, b))) > 8000, " ", abs(sum(a) / 4096 - 0.5) < 5 / sqrt(12 * 4096))
# CHECK: false true true
CUDA.seed!(7)
c = (fresh(64), fresh(64))
CUDA.seed!(7)
d = (fresh(64), fresh(64))
println(c == d, " ", c[1] == c[2])
# CHECK-NEXT: true false
CUDA.seed!(8)
println(fresh(64) == c[1])
# CHECK-NEXT: false

# A kernel object, and one launched into another stream.
x = CUDA.zeros(64)
k = @cuda launch=false draw(x)
k(x; threads=64)
first_launch = Array(x)
k(x; threads=64, stream=CuStream())
CUDA.device_synchronize()
println(Array(x) == first_launch)
# CHECK-NEXT: false

# A seed of the kernel's own counts alone.
y = CUDA.zeros(64)
z = CUDA.zeros(64)
@cuda threads=64 draw_seeded(y, 42)
@cuda threads=64 draw_seeded(z, 42)
println(Array(y) == Array(z), " ", Array(y) == first_launch)
# CHECK-NEXT: true false

# Captured values and functions as arguments come behind the seed.
function captures(z, scale, shift)
    kernel = (out, f) -> (out[threadIdx().x] = f(rand(Float32)) * scale + shift[1]; return)
    @cuda threads=64 kernel(z, u -> u / 2)
end
captures(z, 2.0f0, CuArray(Float32[10, 20]))
println(all(10 .<= Array(z) .< 11), " ", length(unique(Array(z))) > 60)
# CHECK-NEXT: true true

# Dotted calls of functions that draw.
noise(x) = x + rand(Float32)
p = Array(noise.(CUDA.zeros(64)))
q = Array(noise.(CUDA.zeros(64)))
println(p == q, " ", length(unique(p)) > 60)
# CHECK-NEXT: false true
# A kernel that returns something is an error with its own words, also if it draws.
function returns(a)
    a[1] = rand(Float32)
    return a[1]
end
try
    @cuda returns(z)
catch e
    println(split(sprint(showerror, e), "\n")[1])
end
# CHECK-NEXT: {{.*}}returns{{.*}}
