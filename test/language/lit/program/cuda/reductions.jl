# RUN: %kiln script --device cpu %s | %filecheck %s
# Reductions, running sums, searching and sorting. Expected values by hand, and by closed forms.
using CUDA, LinearAlgebra

n = 100_000
a = CuArray(collect(1:n))
println(sum(a), " ", maximum(a), " ", minimum(a), " ", extrema(a))
# CHECK: 5000050000 100000 1 (1, 100000)
println(sum(x -> x % 7, a), " ", count(iseven, a), " ", any(x -> x == 77, a), " ", all(a .> 0), " ", mapreduce(x -> 2x, +, a))
# CHECK-NEXT: 300000 50000 true true 10000100000
println(typeof(sum(CuArray(Int8[100, 100]))), " ", sum(CuArray(Int8[100, 100])), " ", sum(CuArray([true, false, true])))
# CHECK-NEXT: Int64 200 2
m = reshape(CuArray(collect(1:6)), 2, 3)
println(Array(sum(m, dims=1)) == [3 7 11], " ", Array(sum(m, dims=2)) == reshape([9, 12], 2, 1), " ", Array(maximum(m, dims=2)) == reshape([5, 6], 2, 1), " ", sum(m, dims=(1, 2)) |> Array |> first)
# CHECK-NEXT: true true true 21
println(prod(m), " ", reduce(max, m), " ", sum(CuArray{Float32}(undef, 0)), " ", reduce(+, m; init=100))
# CHECK-NEXT: 720 6 0.0 121
println(Array(cumsum(a))[n], " ", Array(cumsum(CuArray([1, 2, 3, 4]))) == [1, 3, 6, 10], " ", Array(cumsum(m, dims=2)) == [1 4 9; 2 6 12], " ", Array(accumulate(max, CuArray([3, 1, 4, 1, 5]))) == [3, 3, 4, 4, 5])
# CHECK-NEXT: 5000050000 true true true
println(Array(findall(iseven, CuArray([1, 2, 3, 4]))) == [2, 4], " ", findfirst(x -> x > 500, a), " ", findmax(CuArray([3, 9, 2, 9])), " ", argmin(CuArray([3, 9, 2, 9])))
# CHECK-NEXT: true 501 (9, 2) 3
k = 1000
h = [(i * 7919) % 1009 for i in 1:k]
println(Array(sort(CuArray(h))) == sort(h), " ", Array(sort(CuArray(h); rev=true)) == sort(h; rev=true), " ", Array(sort(CuArray([3, 1, 2]))) == [1, 2, 3])
# CHECK-NEXT: true true true

x = CuArray(Float32[3, 4])
println(norm(x), " ", dot(x, x))
# CHECK-NEXT: 5.0 25.0
A = CuArray(Float32[1 2; 3 4])
B = CuArray(Float32[5 6; 7 8])
println(Array(A * B) == Float32[19 22; 43 50], " ", Array(A * x) == Float32[11, 25], " ", Array(A' * B) == Float32[26 30; 38 44])
# CHECK-NEXT: true true true
C = CUDA.zeros(2, 2)
mul!(C, A, B)
println(Array(C) == Float32[19 22; 43 50], " ", Array(permutedims(A)) == Float32[1 3; 2 4])
# CHECK-NEXT: true true
