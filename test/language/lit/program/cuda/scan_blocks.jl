# RUN: %kiln script --device cpu %s | %filecheck %s
# Running results and what is found by blocks, as a GPU does it: lines of less than a tile, of a tile, of many, of tiles' tiles, and lines whose
# elements lie apart. Against closed forms; `joined` tells its order.
using CUDA, LinearAlgebra
scanned(op, A, n, stride, lines) = CUDA.scan_by_blocks!(op, CUDA.new_array(eltype(A), size(A)), A, n, stride, lines)
for (n, lines) in ((1, 1), (64, 1), (65, 3), (1279, 1), (1280, 2), (1281, 1), (8000, 3), (70001, 1), (200, 70))
    A = CuArray([i + 1000j for i in 1:n, j in 1:lines])
    print(Array(scanned(+, A, n, 1, lines)) == [i * (i + 1) ÷ 2 + 1000i * j for i in 1:n, j in 1:lines], " ")
end
println()
# CHECK: {{^true true true true true true true true true $}}
A = CuArray([i + 10j for i in 1:6, j in 1:2000])
println(Array(scanned(+, A, 2000, 6, 6)) == [i * j + 5j * (j + 1) for i in 1:6, j in 1:2000])
# CHECK-NEXT: true
joined(a, b) = (a[1], b[2], a[3] + b[3], a[4] & b[4] & (a[2] < b[1]))
A = CuArray([(i, i, 1, true) for i in 1:5000])
println(Array(scanned(joined, A, 5000, 1, 1)) == [(1, i, i, true) for i in 1:5000])
# CHECK-NEXT: true
A = CuArray([Int8(i % 2) for i in 1:9000])
println(Array(CUDA.scan_by_blocks!(+, CUDA.new_array(Int32, (9000,)), A, 9000, 1, 1)) == [Int32((i + 1) ÷ 2) for i in 1:9000])
# CHECK-NEXT: true
println(Array(CUDA.find_by_blocks(CuArray([i % 7 == 1 for i in 1:30000]))) == collect(1:7:30000), " ", length(CUDA.find_by_blocks(CuArray(fill(false, 3000)))), " ", Array(CUDA.find_by_blocks(CuArray(fill(true, 1281)))) == 1:1281)
# CHECK-NEXT: true 0 true
println(Array(CUDA.find_by_blocks(CuArray([i == j for i in 1:90, j in 1:70]))) == [CartesianIndex(i, i) for i in 1:70])
# CHECK-NEXT: true
# The same by what programs call, which takes blocks on a GPU alone.
A = CuArray([i for i in 1:1_000_000])
println(Array(cumsum(A)) == [i * (i + 1) ÷ 2 for i in 1:1_000_000], " ", Array(accumulate(max, A .% 1000))[[1, 5, 999, 1000, 5000]] == [1, 5, 999, 999, 999], " ", Array(findall(x -> x % 1000 == 0, A)) == collect(1000:1000:1_000_000))
# CHECK-NEXT: true true true
M = reshape(A, 1000, 1000)
println(Array(cumsum(M; dims=1)) == [i * (i + 1) ÷ 2 + 1000i * (j - 1) for i in 1:1000, j in 1:1000], " ", Array(cumsum(M; dims=2)) == [i * j + 500j * (j - 1) for i in 1:1000, j in 1:1000], " ", Array(cumsum(reshape(A, 4, 1000, 250); dims=2)) == [j * i + 2j * (j - 1) + 4000j * (k - 1) for i in 1:4, j in 1:1000, k in 1:250])
# CHECK-NEXT: true true true
println(Array(findall(M .== 777)) == [CartesianIndex(777, 1)], " ", length(filter(isodd, A)), " ", length(findall(>(2_000_000), A)))
# CHECK-NEXT: true 500000 0
# Norms: of sums that are not finite, or nothing, too.
println(norm(CuArray([3e300, 4e300])), " ", norm(CuArray([3e-300, 4e-300])), " ", norm(CuArray(Float32[3, 4, 12])), " ", norm([3e200, 4e200]) ≈ 5e200, " ", norm([1.0, -8.0], 3) ≈ 513^(1 / 3), " ", norm([1, -2, 3], 1), " ", norm([0.0, 0.0]), " ", norm([Inf, 1.0]), " ", norm([NaN, 1.0]), " ", norm([2.0, 0.0], -1), " ", norm(CuArray([3.0 + 4im])))
# CHECK-NEXT: 5.0e300 5.0e-300 13.0 true true 6.0 0.0 Inf NaN 0.0 5.0
