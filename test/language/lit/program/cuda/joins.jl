# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arrays of the device joined, repeated, counted, solved, drawn.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA, LinearAlgebra, Random
x = CuArray([1, 2])
# CHECK: [1, 2, 5, 6] CuArray{Int64, 1, CUDA.DeviceMemory} [5, 6, 1, 2] Vector{Int64} [1 3; 2 4]
println(vcat(x, [5, 6]), " ", typeof([x; [5, 6]]), " ", vcat([5, 6], x), " ", typeof([[5, 6]; x]), " ", hcat(x, [3, 4]))
# CHECK-NEXT: [1, 1, 2, 2] [1, 2, 1, 2] [1 2 1 2; 3 4 3 4] 2
println(repeat(x; inner=2), " ", repeat(x, 2), " ", repeat(CuArray([1 2; 3 4]), 1, 2), " ", count(CuArray([true, false, true])))
# CHECK-NEXT: [2, 3, 1] [1, 3, 2] [3, 2, 1]
y = CuArray([3, 1, 2])
println(sortperm(y), " ", sortperm(y; rev=true), " ", sort(y; by=-))
# CHECK-NEXT: Float32[1.0, 0.5] Float32[0.5 -0.5; -0.5 1.0] 4.0 Float32[5.0 2.0; 2.0 3.0] CuArray{Float32, 2, CUDA.DeviceMemory}
A = CuArray([4.0f0 2; 2 2])
println(A \ CuArray([5.0f0, 3]), " ", inv(A), " ", det(A), " ", A + I, " ", typeof(inv(A)))
# CHECK-NEXT: true Float32 (2, 3) [1.2, 5.7]
Random.seed!(CUDA.default_rng(), 3)
a = Array(CUDA.rand(4))
CUDA.seed!(3)
println(a == Array(CUDA.rand(4)), " ", eltype(CUDA.randn(2)), " ", size(CUDA.randn(2, 3)), " ", round.(CuArray([1.234, 5.678]); digits=1))
