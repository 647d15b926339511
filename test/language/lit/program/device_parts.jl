# RUN: %kiln script --device cpu %s | %filecheck %s
# Parts of arrays of the device: views, wrapped arrays, copies between parts, reductions into arrays, triangles; by hand.
using CUDA, LinearAlgebra, Statistics
A = reshape(collect(1:12), 3, 4)
d = CuArray(A)
println(view(d, 1:3, 2:3) isa CuArray, " ", view(d, 2:2, 1:1) isa CuArray, " ", view(d, 1:2, 1:2) isa SubArray, " ", Array(view(d, 1:3, 2:2)))
# CHECK: true true true [4; 5; 6;;]
println(Array(d'[2:3, 1]), " ", Array(d[[3 1; 2 2], 1]), " ", Array(d[[], 1]), " ", CUDA.@allowscalar(d'[2, 3]))
# CHECK-NEXT: [4, 7] [3 1; 2 2] Int64[] 6
w = CuArray(zeros(Int, 3, 3))'
w[1:2, 2:3] = [1 2; 3 4]
println(Array(parent(w)))
# CHECK-NEXT: [0 0 0; 1 3 0; 2 4 0]
B = CuArray(zeros(Int, 4, 4))
copyto!(B, CartesianIndices((2:3, 1:2)), d, CartesianIndices((1:2, 3:4)))
println(Array(B)[2:3, 1:2], " ", Array(copyto!(CuArray([0, 0, 0]), 2:3, [8, 9, 7], 1:2)))
# CHECK-NEXT: [7 10; 8 11] [0, 8, 9]
println(Array(Base.mapreducedim!(abs2, +, CuArray([1, 1, 1]), d)), " ", Array(sum!(CuArray([9 9 9 9]), d)), " ", Array(extrema(d; dims=1)))
# CHECK-NEXT: [167, 215, 271] [6 15 24 33] [(1, 3) (4, 6) (7, 9) (10, 12)]
println(Array(triu(d)), " ", Array(tril(d, 1)), " ", istril(d), " ", istriu(triu(d)))
# CHECK-NEXT: [1 4 7 10; 0 5 8 11; 0 0 9 12] [1 4 0 0; 2 5 8 0; 3 6 9 12] false true
println(Array(transpose!(CuArray(zeros(Int, 4, 3)), d))[:, 1], " ", Array(diagm(1 => CuArray([1, 2]))), " ", Array(kron(CuArray([1, 2]), CuArray([1, 10]))))
# CHECK-NEXT: [1, 4, 7, 10] [0 1 0; 0 0 2; 0 0 0] [1, 10, 2, 20]
println(issorted(CuArray([1, 2, 2])), " ", issorted(CuArray([3, 2, 1]); rev=true), " ", issorted(CuArray([-1, -3, -2]); by=abs), " ", Array(circshift(d, (1, 0)))[:, 1])
# CHECK-NEXT: true true false [3, 1, 2]
println(norm(CuArray([3.0f0, 4.0f0])), " ", norm(CuArray([2.0f38, 2.0f38])) < 3.0f38, " ", Array(var(CuArray([1.0 2; 3 6]); dims=1)), " ", any(isnan, Array(rmul!(CuArray([NaN, 1.0]), false))))
# CHECK-NEXT: 5.0 true [2.0 8.0] false
CUDA.@allowscalar kept = d[2]
println(kept, " ", typeof(similar(CuArray{Int32}, (2, 3))), " ", typeof(CuArray{Float32}(I, 2, 3)), " ", Array(CuArray{Float32,2}(I, 2, 3)))
# CHECK-NEXT: 2 CuArray{Int32, 2, CUDA.DeviceMemory} CuArray{Float32, 2, CUDA.DeviceMemory} Float32[1.0 0.0 0.0; 0.0 1.0 0.0]
println(try CuArray{Int,2}(undef, 3) catch e; e isa MethodError end, " ", try Array{Int,1}([1 2]) catch e; e isa MethodError end, " ", isequal(1.0 + 2im, 1.0 + 2im), isequal(Complex(0.0, 1.0), Complex(-0.0, 1.0)))
# CHECK-NEXT: true true truefalse
