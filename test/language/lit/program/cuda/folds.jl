# RUN: %kiln script --device cpu %s | %filecheck %s
# Reductions of arrays in order, by threads and by blocks, with parts that share a result and without: against sums that are worked out by formula.
using CUDA
total(n) = n * (n + 1) ÷ 2
for (a, b, c) in ((70, 65, 3), (1, 5000, 2), (5000, 1, 2), (33, 7, 300), (2, 3, 70000), (300, 200, 1))
    A = CuArray([i + 10j + 100k for i in 1:a, j in 1:b, k in 1:c])
    print(Array(sum(A; dims=1)) == [total(a) + a * (10j + 100k) for i in 1:1, j in 1:b, k in 1:c], " ")
    print(Array(sum(A; dims=2)) == [10total(b) + b * (i + 100k) for i in 1:a, j in 1:1, k in 1:c], " ")
    print(Array(sum(A; dims=3)) == [100total(c) + c * (i + 10j) for i in 1:a, j in 1:b, k in 1:1], " ")
    print(Array(sum(A; dims=(1, 2))) == [b * total(a) + a * 10total(b) + 100a * b * k for i in 1:1, j in 1:1, k in 1:c], " ")
    print(Array(sum(A; dims=(2, 3))) == [b * c * i + 10c * total(b) + 100b * total(c) for i in 1:a, j in 1:1, k in 1:1], " ")
    print(Array(sum(A; dims=(1, 3))) == [c * total(a) + 10a * c * j + 100a * total(c) for i in 1:1, j in 1:b, k in 1:1], " ")
    print(Array(maximum(A; dims=2)) == [i + 10b + 100k for i in 1:a, j in 1:1, k in 1:c], " ")
    print(sum(A) == b * c * total(a) + 10a * c * total(b) + 100a * b * total(c), " ")
    println(maximum(A) == a + 10b + 100c, " ", minimum(A) == 111, " ", size(sum(A; dims=4)) == (a, b, c))
end
# CHECK-COUNT-6: {{^true true true true true true true true true true true$}}
# A first value counts once.
V = CuArray(collect(1:100000))
println(sum(V; init=7), " ", reduce(+, V; init=7), " ", reduce(max, V; init=200000), " ", mapreduce(abs2, +, CuArray(1:3); init=0.5))
# CHECK-NEXT: 5000050007 5000050007 200000 14.5
M = CuArray([i + j for i in 1:300, j in 1:2])
println(vec(Array(sum(M; dims=1, init=1000))))
# CHECK-NEXT: [46450, 46750]
# Several arrays at once, types of results, elements that are no numbers.
println(mapreduce(*, +, V, V), " ", typeof(sum(CuArray(Int8[1, 2, 3]))), " ", extrema(V), " ", count(isodd, V), " ", any(==(99999), V), " ", all(>(0), V))
# CHECK-NEXT: 333338333350000 Int64 (1, 100000) 50000 true true
println(sum(CuArray(fill(2 + 3im, 1000))), " ", prod(CuArray(fill(1.0, 3000))), " ", sum(CuArray(Float16[1, 2, 3])))
# CHECK-NEXT: 2000 + 3000im 1.0 6.0
