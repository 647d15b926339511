# RUN: %kiln script %s | %filecheck %s
# Reductions along dimensions with a first value and into arrays, copies between parts, norms, statistics: the values are
# NumPy's (np.sum, np.linalg.norm, np.cov, np.corrcoef), or by hand.
using LinearAlgebra, Statistics, Test
f(x; keywords...) = sin(x; keywords...)
println(f(0.0))
# CHECK: 0.0
A = [1 2; 3 4]
println(mapreduce(x -> 2x, +, A; dims=[1], init=10), " ", reduce(*, A; dims=2, init=1), " ", sum(A; dims=1, init=100))
# CHECK-NEXT: [18 22] [2; 12;;] [104 106]
println(sum!([7, 7], A), " ", prod!([7 7], A), " ", maximum!([0; 0], A), " ", Base.mapreducedim!(abs2, +, [1 1], A))
# CHECK-NEXT: [3, 7] [3 8] [2, 4] [11 21]
println(findmax([3 1; 4 9]; dims=2), " ", findmin(abs, [3 -1; 4 -9]; dims=1)[1], " ", argmin([3 1; 4 9]; dims=1))
# CHECK-NEXT: ([3; 9;;], CartesianIndex{2}[CartesianIndex(1, 1); CartesianIndex(2, 2);;]) [3 1] CartesianIndex{2}[CartesianIndex(1, 1) CartesianIndex(1, 2)]
B = zeros(Int, 3, 3)
copyto!(B, CartesianIndices((2:3, 1:2)), A, CartesianIndices((1:2, 1:2)))
println(B, " ", copyto!(zeros(Int, 3), 2:3, [5, 6, 7], 1:2), " ", copy!([1], [4, 5]))
# CHECK-NEXT: [0 0 0; 1 2 0; 3 4 0] [0, 5, 6] [4, 5]
println(permutedims(reshape(1:6, 2, 3), (2, 1)), " ", circshift(A, (1, 0)), " ", view([10, 20, 30], [3, 1]), " ", A'[:, 1])
# CHECK-NEXT: [1 2; 3 4; 5 6] [3 4; 1 2] [30, 10] [1, 2]
println(transpose!(zeros(Int, 2, 2), A), " ", copytrito!(zeros(Int, 2, 2), A, 'L'), " ", clamp!([-3, 0, 9], -1, 5), " ", istriu([1 2; 0 3], 1))
# CHECK-NEXT: [1 3; 2 4] [1 0; 3 4] [-1, 0, 5] false
println(reinterpret(Float32, [1.0f0 + 2im, 3.0f0]), " ", reinterpret(Int32, [4294967297]))
# CHECK-NEXT: Float32[1.0, 2.0, 3.0, 0.0] Int32[1, 1]
println(norm([3.0, 4.0]), " ", norm([1, 2, 3], 0.5), " ", norm([0, 5, -7], 0), " ", norm([1 -9], -Inf), " ", norm([3e200, 4e200]) / 1e200)
# CHECK-NEXT: 5.0 17.191508225450303 2.0 1.0 5.0
println(opnorm([1 -2; 3 4.0], 1), " ", opnorm([1 -2; 3 4.0], Inf), " ", typeof(norm(Float16[1, 2])))
# CHECK-NEXT: 6.0 7.0 Float16
C = cov([1.0 2.0; 3.0 5.0; 4.0 1.0])
println(round.(C; digits=6), " ", round(cor([1.0 2.0; 3.0 5.0; 4.0 1.0])[1, 2]; digits=6), " ", var([1.0 2.0; 3.0 6.0]; dims=1), " ", mean(abs2, [1 2; 3 4]; dims=2))
# CHECK-NEXT: [2.333333 -0.166667; -0.166667 4.333333] -0.052414 [2.0 8.0] [2.5; 12.5;;]
println(Int16[300 2; 3 4] * Int16[300, 1])
# CHECK-NEXT: Int16[24466, 904]
println([1, 2] ≈ [1, 2], " ", [1, 1000000000] ≈ [1, 1000000001], " ", isapprox([NaN, 1.0], [NaN, 1.0]; nans=true), " ", [Inf] ≈ [Inf])
# CHECK-NEXT: true false true true
println(try copyto!(zeros(2), 1:2, [1.0], 1:1) catch e; e isa ArgumentError end, " ", try copyto!(zeros(2), 2:3, [1.0, 2.0], 1:2) catch e; e isa BoundsError end)
# CHECK-NEXT: true true
@testset "all" begin
    @testset "rounds $i" for i in 1:4
        isodd(i) && continue
        @test iseven(i)
    end
end
# CHECK: all | 2 2
