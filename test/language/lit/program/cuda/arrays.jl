# RUN: %kiln script --device cpu %s | %filecheck %s
# Arrays of the device: made, copied, cut, reshaped. Expected values are Julia's.
using CUDA

a = CuArray([1, 2, 3, 4, 5, 6])
println(a isa CuArray{Int64,1}, " ", size(a), " ", length(a), " ", ndims(a), " ", eltype(a))
# CHECK: true (6,) 6 1 Int64
println(Array(a) == [1, 2, 3, 4, 5, 6])
# CHECK-NEXT: true
b = CuArray{Float32}(undef, 2, 3)
fill!(b, 1.5f0)
println(sum(Array(b)), " ", size(b))
# CHECK-NEXT: 9.0 (2, 3)
println(eltype(CUDA.zeros(3)), " ", Array(CUDA.ones(Int32, 2)) == Int32[1, 1], " ", Array(CUDA.fill(7, 3)) == [7, 7, 7])
# CHECK-NEXT: Float32 true true

# Reshaped and contiguous parts share memory.
m = reshape(a, 2, 3)
v = view(m, :, 2)
println(v isa CuArray, " ", Array(v) == [3, 4])
# CHECK-NEXT: true true
fill!(v, 0)
println(Array(a) == [1, 2, 0, 0, 5, 6])
# CHECK-NEXT: true
w = view(m, 1, :)
println(w isa SubArray, " ", Array(w) == [1, 0, 5])
# CHECK-NEXT: true true
w .= 9
println(Array(a) == [9, 2, 9, 0, 9, 6])
# CHECK-NEXT: true
println(Array(reinterpret(Int32, CuArray([1, 2]))) == Int32[1, 0, 2, 0])
# CHECK-NEXT: true

# A slice is a copy.
c = a[2:4]
c .= 1
println(Array(a) == [9, 2, 9, 0, 9, 6], " ", Array(c) == [1, 1, 1], " ", Array(a[[6, 1]]) == [6, 9], " ", Array(m[2, :]) == [2, 0, 6])
# CHECK-NEXT: true true true true
a[1:2] = [10, 20]
println(Array(a)[1:3] == [10, 20, 9], " ", Array(a[end-1:end]) == [9, 6])
# CHECK-NEXT: true true
println(Array(a[a .> 9]) == [10, 20])
# CHECK-NEXT: true

# Copies.
d = copy(a)
d .= 0
h = zeros(Int64, 6)
copyto!(h, a)
println(h == [10, 20, 9, 0, 9, 6], " ", sum(Array(d)))
# CHECK-NEXT: true 0
copyto!(d, 2, [5, 6], 1, 2)
println(Array(d) == [0, 5, 6, 0, 0, 0], " ", a == copy(a), " ", a == d, " ", CuArray([1.0, 2.0]) ≈ CuArray([1.0, 2.0 + 1e-12]))
# CHECK-NEXT: true true false true
println(typeof(cu([1.0, 2.0])) == CuArray{Float32,1,CUDA.DeviceMemory}, " ", eltype(cu([1, 2])), " ", cu(1:3) isa UnitRange)
# CHECK-NEXT: true Int64 true

# Elements one by one.
println(CUDA.@allowscalar(a[2]))
# CHECK-NEXT: 20
unified = cu([1, 2, 3]; unified=true)              # the host may read such memory
unified[2] += 40
println(unified[2], " ", CuArray{Int,1,CUDA.HostMemory}([5, 6])[end])
# CHECK-NEXT: 42 6
CUDA.allowscalar() do
    a[3] = 77
end
println(Array(a)[3])
# CHECK-NEXT: 77
try
    a[1]
catch e
    println(typeof(e), " ", split(e.msg, "\n")[1])
end
# CHECK-NEXT: ErrorException Scalar indexing is disallowed.
try
    a[1:2] = 0
catch e
    println(typeof(e))
end
# CHECK-NEXT: ArgumentError
try
    a[1:2] = [1, 2, 3]
catch e
    println(e.msg)
end
# CHECK-NEXT: tried to assign 3-element array to 2-element destination
