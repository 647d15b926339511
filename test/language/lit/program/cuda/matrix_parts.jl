# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Device matrices with triangles, diagonals, multiples of the identity and wrapped arrays.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA, LinearAlgebra, GPUArrays, Random
A = CuArray([1.0 2.0; 3.0 4.0])
B = CUDA.zeros(Float64, 2, 2)
# CHECK: [1.0 2.0; 0.0 4.0] [1.0 0.0; 3.0 1.0] CuArray{Float64, 2, CUDA.DeviceMemory}
println(Array(copyto!(B, UpperTriangular(A))), " ", Array(copyto!(B, UnitLowerTriangular(A))), " ", typeof(CuArray(UpperTriangular(A))))
# CHECK-NEXT: [3.0 0.0; 0.0 3.0] [6.0 4.0; 6.0 12.0] [2.0 4.0; 6.0 8.0] [2.0 4.0; 6.0 8.0]
println(Array(mul!(B, 3, I)), " ", Array(mul!(copy(A), 2, UniformScaling(2.0), 1, 2)), " ", Array(mul!(B, UniformScaling(2.0), A)), " ", Array(mul!(B, A, UniformScaling(2.0))))
host = [1.0 2.0; 3.0 4.0]
# CHECK-NEXT: [6.0 4.0; 6.0 12.0] [2.0 4.0; 6.0 8.0]
println(mul!(copy(host), UniformScaling(2.0), 2, 1, 2), " ", mul!(view(zeros(2, 2), 1:2, 1:2), 2I, host))
D = Diagonal(CuArray([1.0, 2.0]))
E = Diagonal(CuArray([3.0, 5.0]))
# CHECK-NEXT: true [3.0, 5.0, 6.0, 10.0] [1.0 2.0 0.0 0.0; 3.0 4.0 0.0 0.0; 0.0 0.0 2.0 4.0; 0.0 0.0 6.0 8.0]
println(kron(D, E) isa Diagonal, " ", Array(kron(D, E).diag), " ", Array(kron(D, A)))
# CHECK-NEXT: [3.0, 5.0, 6.0, 10.0] [3.0 0.0 6.0 0.0; 0.0 5.0 0.0 10.0; 9.0 0.0 12.0 0.0; 0.0 15.0 0.0 20.0]
println(Array(kron!(Diagonal(CUDA.zeros(Float64, 4)), D, E).diag), " ", Array(kron!(CUDA.zeros(Float64, 4, 4), A, E)))
M = [-1 2 3; 4 -5 6]
# CHECK-NEXT: (9.0, 15.0, 9.0, 15.0, 0.0f0)
println((opnorm(M, 1), opnorm(M, Inf), opnorm(CuArray(M), 1), opnorm(CuArray(M), Inf), opnorm(zeros(Float32, 2, 0), 1)))
x = CuArray([1, 2])
y = CuArray([3, 4])
# CHECK-NEXT: ([-2, -2], [4, 6]) ([-2, -2], [-4, -6])
println(map(Array, invoke(rotate!, Tuple{AbstractGPUArray,AbstractGPUArray,Number,Number}, copy(x), copy(y), 1, -1)), " ", map(Array, reflect!(copy(x), copy(y), 1, -1)))
# CHECK-NEXT: [7.0 10.0; 15.0 22.0]
println(Array(GPUArrays.generic_matmatmul!(B, A, A, true, false)))
# CHECK-NEXT: [9.0 9.0; 1.0 2.0; 3.0 4.0] [9.0 9.0; 1.0 2.0; 3.0 4.0] CuArray{Float64, 2, CUDA.DeviceMemory} [1, 2, 7] [7 1]
println(vcat(9.0, host), " ", Array(vcat(9.0, A)), " ", typeof(vcat(9.0, A)), " ", Array(vcat(x, 7)), " ", Array(hcat(7, x[1:1])))
V = view(A, [2 1; 1 2], 1)
# CHECK-NEXT: [3.0 1.0; 1.0 3.0] [1.0 3.0; 2.0 4.0]
println(Array(permutedims(V)), " ", Array(permutedims(view(A, [1, 2], :), (2, 1))))
P = CUDA.ones(Int, 3, 3)
view(P, 1:2:3, :)[:] = [1, 2, 3, 4, 5, 6]
reshape(PermutedDimsArray(P, (2, 1)), :)[4:5] = [8, 9]
# CHECK-NEXT: [1 3 5; 8 9 1; 2 4 6]
println(Array(P))
# CHECK-NEXT: missing false true true
println(CuArray([missing]) == CuArray([missing]), " ", CuArray([missing]) == CuArray([missing, missing]), " ", isequal(CuArray([missing]), CuArray([missing])), " ", x == copy(x))
function tuple_type(T)
    return (Tuple{<:T}, (1,) isa Tuple{<:T}, ("a", 2) isa Tuple{<:T,<:T})
end
# CHECK-NEXT: true true false
println(tuple_type(Int)[1] == Tuple{Int}, " ", tuple_type(Real)[2], " ", tuple_type(Real)[3])
struct Pixel
    r::Float32
    g::Float32
end
Random.rand(rng::AbstractRNG, ::Random.SamplerType{Pixel}) = Pixel(rand(rng, Float32), rand(rng, Float32))
pixels = Array(rand!(GPUArrays.RNG{CuArray}(), CuArray{Pixel}(undef, 100)))
# CHECK-NEXT: true true
println(all(p -> 0 <= p.r < 1 && 0 <= p.g < 1, pixels), " ", length(unique(p.r for p in pixels)) > 50)
