# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arrays of the device, checked against values known by hand: reductions in order, bounds of lists, iterators, adapt, products.
# Run: kiln script --device cuda test/system/gpu/faults.jl. Each line begins with PASS or FAIL; the last one counts the failures.
using CUDA, Adapt, KernelAbstractions, LinearAlgebra
failures = 0
function check(what, right)
    right === true || (global failures += 1)
    println(right === true ? "PASS " : "FAIL ", what)
end
thrown(f) = try f(); "" catch e; first(split(sprint(showerror, e), "\n")) end
device_array(n) = string("attempt to access ", n, "-element CuArray{Int64, 1, CUDA.DeviceMemory} at index ")

# ---- reductions keep the order of operands: affine maps modulo a prime, against foldl on the host
affine(a, b) = (mod(a[1] * b[1], 9973), mod(a[2] * b[1] + b[2], 9973))
maps(n) = [(1 + i % 3, i % 11) for i in 1:n]
for n in (1, 1279, 1280, 1281, 4096, 4097, 100_003, 3_000_001)
    h = maps(n)
    check("reduce of $n elements", reduce(affine, CuArray(h); init=(5, 7)) == foldl(affine, h; init=(5, 7)))
end
A = reshape(maps(70 * 5000), 70, 5000)
check("reduce along the first dimension", vec(Array(reduce(affine, CuArray(A); dims=1, init=(1, 0)))) == [foldl(affine, A[:, j]) for j in 1:5000])
check("reduce along the second dimension", vec(Array(reduce(affine, CuArray(A); dims=2, init=(1, 0)))) == [foldl(affine, A[i, :]) for i in 1:70])
B = reshape(maps(2 * 90_000), 2, 90_000)
check("reduce of two long lines", vec(Array(reduce(affine, CuArray(B); dims=2, init=(1, 0)))) == [foldl(affine, B[i, :]) for i in 1:2])
check("reduce of a view", reduce(affine, view(CuArray(A), 1:2:69, 2:4999); init=(1, 0)) == foldl(affine, vec(A[1:2:69, 2:4999])))
wide = [ntuple(k -> k == 1 ? 1 + i % 3 : k == 2 ? i % 11 : i, 9) for i in 1:20_000]   # 72 bytes: too wide for tiles
compose(a, b) = (mod(a[1] * b[1], 9973), mod(a[2] * b[1] + b[2], 9973), a[3:9]...)
check("reduce of wide elements", reduce(compose, CuArray(wide); init=wide[1])[1:2] == foldl(compose, wide; init=wide[1])[1:2])
check("accumulate", Array(accumulate(affine, CuArray(maps(100_003)))) == accumulate(affine, maps(100_003)))
check("sum, maximum and count", (sum(CuArray(1:3_000_000 |> collect)), maximum(CuArray([i % 1009 for i in 1:2_000_000])), count(iseven, CuArray(collect(1:2_000_001)))) == (4500001500000, 1008, 1000000))
check("findmax takes the first of equals", findmax(CuArray([i % 1000 for i in 1:2_000_000])) == (999, 999))

# ---- an index outside is a BoundsError, and the context lives on
x = CuArray([1, 2, 3]); M = CuArray([1 2; 3 4])
check("getindex by a list", thrown(() -> x[CuArray([4])]) == "BoundsError: " * device_array(3) * "[[4]]")
check("setindex! by a list", thrown(() -> (x[CuArray([0])] = CuArray([9]))) == "BoundsError: " * device_array(3) * "[[0]]")
check("a broadcast into a view", thrown(() -> (view(x, CuArray([1, 1_000_000_000])) .= 9)) == "BoundsError: " * device_array(3) * "[[1, 1000000000]]")
check("Cartesian indices", startswith(thrown(() -> M[CuArray([CartesianIndex(3, 3)])]), "BoundsError: attempt to access 2×2 CuArray"))
check("a mask of another length", startswith(thrown(() -> x[CuArray([true])]), "BoundsError: "))
check("a list beside a colon", startswith(thrown(() -> M[:, CuArray([3])]), "BoundsError: "))
check("a list of a view of a list", startswith(thrown(() -> view(view(x, CuArray([3, 1])), CuArray([3]))), "BoundsError: "))
check("nothing was written", Array(x) == [1, 2, 3] && Array(M) == [1 2; 3 4])
check("a long list", Array(x[CuArray([i % 3 + 1 for i in 1:100_000])])[[1, 99_999, 100_000]] == [2, 1, 2])
check("a long list with one index outside", startswith(thrown(() -> x[CuArray([i == 77_777 ? 4 : 1 for i in 1:100_000])]), "BoundsError: "))

# ---- iterators
check("sum.(eachcol(M))", sum.(eachcol(CuArray([1 2; 3 4; 5 6]))) == [9, 12])
check("sum.(eachrow(M))", sum.(eachrow(M)) == [3, 7])
check("a Dict is refused", startswith(thrown(() -> M .+ Dict(1 => 2)), "ArgumentError: broadcasting over dictionaries"))

# ---- adapt
struct Pair2{A}; a::A; end
Adapt.@adapt_structure Pair2
check("cu of a struct", cu(Pair2([1.0])).a isa CuArray{Float32,1})
check("cu of a NamedTuple", cu((a=[1.0], b=2)).a isa CuArray{Float32,1})
check("adapt(CUDABackend(), a)", adapt(CUDABackend(), [1.0]) isa CuArray{Float64,1})
check("adapt(CPU(), a)", adapt(CPU(), CUDA.ones(2)) == Float32[1, 1] && adapt(CPU(), CUDA.ones(2)) isa Array)
check("cu of a closure", (f = cu((a -> i -> 2 * a[i])([4.0, 5.0])); y = CUDA.zeros(2); y .= f.(CuArray([1, 2])) ; Array(y) == Float32[8, 10]))

# ---- products, sums, views of views
w = CuArray([1, 2])
check("w' * M", Array(w' * M) == [7 10])
check("transpose(w) * M", Array(transpose(w) * M) == [7 10])
check("w * w'", Array(w * w') == [1 2; 2 4])
check("mul!(W, w, w')", Array(mul!(CUDA.zeros(Int, 2, 2), w, w')) == [1 2; 2 4])
check("mul!(C, number, array)", Array(mul!(CUDA.zeros(2), 5, CUDA.ones(2))) == Float32[5, 5])
check("sum(Float64, x)", sum(Float64, CuArray(Float32[1, 2])) === 3.0)
check("a part of a view of a list", Array(view(w, [2, 1])[1:2]) == [2, 1])
println(failures, " failed")
failures == 0 || exit(1)
