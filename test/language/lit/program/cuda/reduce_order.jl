# RUN: %kiln script --device cpu %s | %filecheck %s
# Reductions by operators that are associative and do not commute, against foldl over exact integers on the host: affine maps and
# 2x2 matrices modulo a prime, and the first and last element of a part.
using CUDA
affine(a, b) = (mod(a[1] * b[1], 9973), mod(a[2] * b[1] + b[2], 9973))
matrices(a, b) = (mod(a[1] * b[1] + a[2] * b[3], 997), mod(a[1] * b[2] + a[2] * b[4], 997), mod(a[3] * b[1] + a[4] * b[3], 997), mod(a[3] * b[2] + a[4] * b[4], 997))
# (first, last, how many, all neighbours fit)
interval(a, b) = a[3] == 0 ? b : b[3] == 0 ? a : (a[1], b[2], a[3] + b[3], a[4] & b[4] & (a[2] + 1 == b[1]))
maps(n) = [(1 + i % 3, i % 11) for i in 1:n]
quads(n) = [(i % 7, 1, i % 5, i % 3) for i in 1:n]
places(n) = [(i, i, 1, true) for i in 1:n]
for n in (1, 2, 255, 256, 257, 4096, 4097, 5000, 100_003)
    h = maps(n)
    print(reduce(affine, CuArray(h); init=(1, 0)) == foldl(affine, h; init=(1, 0)), " ")
    # A first value that is not neutral counts once, in front.
    print(mapreduce(identity, affine, CuArray(h); init=(5, 7)) == foldl(affine, h; init=(5, 7)), " ")
    q = quads(n)
    print(reduce(matrices, CuArray(q); init=(1, 0, 0, 1)) == foldl(matrices, q; init=(1, 0, 0, 1)), " ")
    println(reduce(interval, CuArray(places(n)); init=(0, 0, 0, true)) == (1, n, n, true))
end
# CHECK-COUNT-9: true true true true
# Along dimensions: lines of the first, the second, both, and dimensions that are apart.
M = reshape(maps(9000 * 3), 9000, 3)
println(Array(reduce(affine, CuArray(M); dims=1, init=(1, 0))) == [foldl(affine, M[:, j]; init=(1, 0)) for i in 1:1, j in 1:3])
# CHECK: true
M = reshape(maps(9000 * 3), 3, 9000)
println(Array(reduce(affine, CuArray(M); dims=2, init=(1, 0))) == [foldl(affine, M[i, :]; init=(1, 0)) for i in 1:3, j in 1:1])
# CHECK-NEXT: true
println(Array(reduce(affine, CuArray(M); dims=(1, 2), init=(1, 0))) == [foldl(affine, vec(M); init=(1, 0)) for i in 1:1, j in 1:1])
# CHECK-NEXT: true
T = reshape(maps(70 * 3 * 90), 70, 3, 90)
println(Array(reduce(affine, CuArray(T); dims=(1, 3), init=(1, 0))) == [foldl(affine, [T[i, j, k] for k in 1:90 for i in 1:70]; init=(1, 0)) for a in 1:1, j in 1:3, b in 1:1])
# CHECK-NEXT: true
println(Array(reduce(affine, CuArray(T); dims=2, init=(1, 0))) == [foldl(affine, T[i, :, k]; init=(1, 0)) for i in 1:70, a in 1:1, k in 1:90])
# CHECK-NEXT: true
# Parts of arrays and dotted calls; elements of another type than the results.
h = maps(20_000)
println(reduce(affine, view(CuArray(h), 3:2:19_999); init=(1, 0)) == foldl(affine, h[3:2:19_999]; init=(1, 0)), " ", reduce(affine, PermutedDimsArray(reshape(CuArray(h), 100, 200), (2, 1)); init=(1, 0)) == foldl(affine, vec(permutedims(reshape(h, 100, 200))); init=(1, 0)))
# CHECK-NEXT: true true
println(mapreduce((a, b) -> (a, b), affine, CuArray(first.(h)), CuArray(last.(h)); init=(1, 0)) == foldl(affine, h; init=(1, 0)))
# CHECK-NEXT: true
step(a::Tuple, k::Integer) = step(a, (k % 3 + 1, k % 11))
step(a::Tuple, b::Tuple) = affine(a, b)
h = Int32[i % 33 for i in 1:9000]
println(reduce(step, CuArray(h); init=(1, 0)) == foldl(affine, [(Int(i) % 3 + 1, Int(i) % 11) for i in h]; init=(1, 0)))
# CHECK-NEXT: true
# Into arrays that are there, and with a neutral element that the program registers.
import GPUArrays
GPUArrays.neutral_element(::typeof(affine), T) = (1, 0)
h = maps(9000)
R = CuArray([(2, 3)])
println(Array(GPUArrays.mapreducedim!(identity, affine, R, CuArray(h))) == [affine((2, 3), foldl(affine, h))], " ", reduce(affine, CuArray(h)) == foldl(affine, h), " ", Array(GPUArrays.mapreducedim!(identity, affine, R, CuArray(h); init=(1, 0))) == [foldl(affine, h)])
# CHECK-NEXT: true true true
# Running results.
println(Array(accumulate(affine, CuArray(h))) == accumulate(affine, h), " ", Array(accumulate(affine, CuArray(h); init=(5, 7))) == accumulate(affine, h; init=(5, 7)), " ", Array(accumulate(affine, CuArray(reshape(h, 90, 100)); dims=2))[7, :] == accumulate(affine, reshape(h, 90, 100)[7, :]))
# CHECK-NEXT: true true true
# Ties: the first of equal values, NaN and signed zeros as isless orders them.
ties = [i % 4 == 3 ? 7 : i % 4 for i in 1:50_000]
println(findmax(CuArray(ties)), " ", findmin(CuArray(ties)), " ", findmax(CuArray([1.0, NaN, 3.0, NaN]))[2], " ", findmin(CuArray([0.0, -0.0, -0.0]))[2], " ", Array(argmax(CuArray([1 5; 5 1; 5 5]); dims=1)) == [CartesianIndex(2, 1) CartesianIndex(1, 2)])
# CHECK-NEXT: (7, 3) (0, 4) 2 2 true
# The launches that a GPU gets: blocks and tiles, several passes, lines that lie apart.
for (sizes, dims) in (((1,), (1,)), ((64,), (1,)), ((65,), (1,)), ((100_003,), (1,)), ((1281, 3), (1,)), ((3, 5000), (2,)), ((40, 500), (2,)), ((2, 700, 3), (2,)), ((2, 30, 5), (2,)))
    A = reshape(maps(prod(sizes)), sizes)
    d = dims[1]
    before, n, behind = prod(sizes[1:d-1]), sizes[d], prod(sizes[d+1:end])
    B = reshape(A, before, n, behind)
    wanted = [foldl(affine, B[i, :, k]; init=(5, 7)) for i in 1:before, k in 1:behind]
    found = CUDA.reduce_as_gpu(affine, CUDA.nest_of(identity, CuArray(A)), dims, (5, 7), CUDA.InOrder())
    total = CUDA.reduce_as_gpu(+, CUDA.nest_of(first, CuArray(A)), dims, 0, CUDA.AnyOrder())
    print(vec(Array(found)) == vec(wanted), " ", vec(Array(total)) == vec([sum(first, B[i, :, k]) for i in 1:before, k in 1:behind]), " ")
end
println()
# CHECK-NEXT: {{^(true ){18}$}}
