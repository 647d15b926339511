# RUN: %kiln script --device cpu %s | %filecheck %s
# Dotted calls. Expected values are Julia's.
using CUDA

x = CuArray(Float32[1, 2, 3, 4])
y = CuArray(Float32[10, 20, 30, 40])
println(Array(x .+ y) == Float32[11, 22, 33, 44], " ", typeof(x .* 2) == CuArray{Float32,1,CUDA.DeviceMemory}, " ", eltype(x .* 2.0))
# CHECK: true true Float64
y .= 2 .* x .+ 1
println(Array(y) == Float32[3, 5, 7, 9])
# CHECK-NEXT: true
@. y = x^2 - x
println(Array(y) == Float32[0, 2, 6, 12])
# CHECK-NEXT: true
y .+= 1
println(Array(y) == Float32[1, 3, 7, 13], " ", eltype(x .> 2), " ", Array(x .> 2) == [false, false, true, true])
# CHECK-NEXT: true Bool true

# Shapes of 1 and missing dimensions stretch.
a = CuArray([1, 2, 3])
b = reshape(CuArray([10, 20]), 1, 2)
println(Array(a .+ b) == [11 21; 12 22; 13 23], " ", Array(a .* (1, 2, 3)) == [1, 4, 9], " ", Array(a .+ (1:3)) == [2, 4, 6])
# CHECK-NEXT: true true true
println(Array(a .+ Ref(5)) == [6, 7, 8], " ", Array(clamp.(a, 2, 3)) == [2, 2, 3])
# CHECK-NEXT: true true
k = 3
println(Array(map(v -> v * k, a)) == [3, 6, 9], " ", Array((v -> v + k).(a)) == [4, 5, 6], " ", Array(Float32.(a)) == Float32[1, 2, 3])
# CHECK-NEXT: true true true
z = CuArray([0, 0, 0])
map!(+, z, a, a)
println(Array(z) == [2, 4, 6], " ", Array(ifelse.(a .> 1, a, 0)) == [0, 2, 3])
# CHECK-NEXT: true true
m = CuArray([1 2; 3 4])
println(Array(m .+ transpose(m)) == [2 5; 5 8], " ", Array(-m) == [-1 -2; -3 -4], " ", Array(m + m) == [2 4; 6 8], " ", Array(2m) == [2 4; 6 8])
# CHECK-NEXT: true true true true

# What overlaps the destination is read first.
s = CuArray([1, 2, 3, 4, 5])
view(s, 2:5) .= view(s, 1:4) .* 10
println(Array(s) == [1, 10, 20, 30, 40])
# CHECK-NEXT: true

# Nothing of nothing; a scalar of scalars.
e = CuArray{Float32}(undef, 0)
println(length(e .+ 1), " ", CuArray(fill(3)) .+ 1)
# CHECK-NEXT: 0 4

function message(f)
    try
        f()
    catch e
        return string(typeof(e), ": ", e.msg)
    end
    return "none"
end
println(message(() -> a .+ x))
# CHECK-NEXT: DimensionMismatch: arrays could not be broadcast to a common size: a has axes Base.OneTo(3) and b has axes Base.OneTo(4)
println(message(() -> (a .= x)))
# CHECK-NEXT: DimensionMismatch: {{.*}}
println(message(() -> string.(a)))
# CHECK-NEXT: ArgumentError: broadcast operation resulting in {{.*}} is not GPU compatible
# CHECK-NEXT: [3.0, 7.0]
println(map(t -> eltype(t)(t[1] + t[2]), CuArray([(1.0, 2.0), (3.0, 4.0)])))
