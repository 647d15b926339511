# RUN: %kiln script --device cpu %s | %filecheck %s
# Vectors of the device that grow and shrink. Expected values: what the same calls leave in a Vector of Julia; capacities follow CUDA.jl's rule
# (twice the length, or what is asked for; kept until it is more than four times too large).
using CUDA

a = CuArray([1, 2, 3])
b = a
println(a.maxsize, " ", resize!(a, 4) === a, " ", length(a), " ", Array(a)[1:3] == [1, 2, 3], " ", a.maxsize)
# CHECK: 24 true 4 true 48
resize!(a, 5)
println(length(a), " ", a.maxsize, " ", length(b), " ", b === a)
# CHECK-NEXT: 5 48 5 true
CUDA.resize!(a, 1000)
println(Array(a)[1:3] == [1, 2, 3], " ", a.maxsize == sizeof(a))
# CHECK-NEXT: true true
resize!(a, 999)
println(a.maxsize)
# CHECK-NEXT: 8000
resize!(a, 10)
println(Array(a)[1:3] == [1, 2, 3], " ", a.maxsize == sizeof(a))
# CHECK-NEXT: true true
resize!(a, 3)
println(Array(a) == [1, 2, 3], " ", size(a), " ", sum(a))
# CHECK-NEXT: true (3,) 6

# What shared the memory before keeps it.
v = view(a, 2:3)
resize!(a, 500)
v .= 0
println(Array(a)[1:3] == [1, 2, 3], " ", Array(v) == [0, 0])
# CHECK-NEXT: true true

# Growth in use: kernels and dotted calls see the new length.
c = CuArray(Float32[1, 2])
append!(c, Float32[3, 4])
append!(c, CuArray([5, 6]))
append!(c, [7.0])
append!(c, (8, 9))
append!(c, x for x in 10:11)
println(Array(c) == Float32.(1:11), " ", Array(c .+ 1) == Float32.(2:12), " ", typeof(c) == CuArray{Float32,1,CUDA.DeviceMemory})
# CHECK-NEXT: true true true
append!(c, c)
println(length(c), " ", sum(c))
# CHECK-NEXT: 22 132.0
resize!(c, 2)
push!(c, 3)
push!(c, 4.0, 5.0f0)
println(Array(c), " ", pop!(c), " ", popfirst!(c), " ", Array(c))
# CHECK-NEXT: Float32[1.0, 2.0, 3.0, 4.0, 5.0] 5.0 1.0 Float32[2.0, 3.0, 4.0]
pushfirst!(c, 0, 1)
prepend!(c, [-2, -1])
insert!(c, 3, 100)
println(Array(c))
# CHECK-NEXT: Float32[-2.0, -1.0, 100.0, 0.0, 1.0, 2.0, 3.0, 4.0]
deleteat!(c, 3)
deleteat!(c, 1:2)
println(Array(c), " ", Array(filter!(iseven, CuArray([1, 2, 3, 4]))))
# CHECK-NEXT: Float32[0.0, 1.0, 2.0, 3.0, 4.0] [2, 4]
empty!(c)
println(length(c), " ", length(append!(c, Float32[])), " ", Array(push!(c, 6)))
# CHECK-NEXT: 0 0 Float32[6.0]
d = CuArray{Int32}(undef, 0)
for k in 1:100
    push!(d, k)
end
println(length(d), " ", sum(d), " ", d.maxsize)
# CHECK-NEXT: 100 5050 512
copy!(d, CuArray(Int32[1, 2]))
println(Array(d))
# CHECK-NEXT: Int32[1, 2]

# Memory that is not needed any more goes back.
CUDA.synchronize()
before = CUDA.used_memory()
big = CUDA.zeros(Float32, 1 << 20)
grown = CUDA.used_memory() - before
resize!(big, 16)
CUDA.synchronize()
println(grown, " ", CUDA.used_memory() - before)
# CHECK-NEXT: 4194304 64
println(CUDA.@allocated(CUDA.zeros(Float32, 100)), " ", CUDA.@allocated(big .+= 1), " ", CUDA.@allocated(resize!(big, 17)), " ", CUDA.@allocated(1 + 1))
# CHECK-NEXT: 400 0 128 0
t = CUDA.@timed CuArray([1.0, 2.0])
println(t.gpu_bytes, " ", Array(t.value), " ", t.gpu_memstats.alloc_count)
# CHECK-NEXT: 16 [1.0, 2.0] 1
CUDA.@time CUDA.zeros(Float32, 512)
# CHECK-NEXT: {{^ +[0-9]+\.[0-9]{6} seconds \(1 GPU allocation: 2.000 KiB\)$}}

function message(f)
    try
        f()
    catch e
        return e isa ArgumentError ? string("ArgumentError: ", e.msg) : string(typeof(e))
    end
    return "none"
end
println(message(() -> resize!(a, -1)))
# CHECK-NEXT: ArgumentError: new length must be ≥ 0
println(message(() -> pop!(CuArray(Int[]))), " ", message(() -> deleteat!(CuArray([1]), 2)), " ", message(() -> insert!(CuArray([1]), 3, 1)))
# CHECK-NEXT: ArgumentError: array must be non-empty BoundsError BoundsError
println(message(() -> resize!(CuArray([1 2; 3 4]), 3)), " ", message(() -> push!(CuArray([1]), 1.5)))
# CHECK-NEXT: MethodError InexactError

# Identity is that of Julia's mutable structs.
x = CuArray([1])
y = CuArray([1])
println(x === x, " ", x === y, " ", reshape(x, 1) === x, " ", x == y)
# CHECK-NEXT: true false true true
