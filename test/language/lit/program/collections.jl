# RUN: %kiln script --device cpu %s | %filecheck %s
# Functions of collections. The values follow from Julia's manual.
# CHECK: [1, 2, 3] (3, 1)
A = reshape([1, 2, 3], 1, 3)
println(dropdims(A; dims=1), " ", size(dropdims(reshape(1:3, 1, 3, 1); dims=1)))
# CHECK-NEXT: [1 3; 2 4] [1 2; 3 4] (2, 2, 3)
println(stack([[1, 2], [3, 4]]), " ", stack([[1, 2], [3, 4]]; dims=1), " ", size(stack(fill(ones(2, 2), 3))))
# CHECK-NEXT: [1.0 3.0; 2.0 4.0]
println(stack(((1, 2), (3.0, 4.0))))
# CHECK-NEXT: {{\[\[1, 3\], \[2, 4\]\] \[\[1, 2\], \[3, 4\]\]}}
B = [1 2; 3 4]
println(map(collect, eachslice(B; dims=2)), " ", map(collect, eachslice(B; dims=1)))
# CHECK-NEXT: [2, 3, 1] (2, 3, 1) [30, 10, 20]
println(invperm([3, 1, 2]), " ", invperm((3, 1, 2)), " ", permute!([10, 20, 30], [3, 1, 2]))
# CHECK-NEXT: [20, 30, 10]
println(invpermute!([10, 20, 30], [3, 1, 2]))
# CHECK-NEXT: [1, 6, 2, 5] [1, 2, 3] [3, 4, 6, 5]
v = [1, 6, 6, 2, 5, 5]
println(unique!(v), " ", unique!(abs, [1, -1, 2, 3]), " ", unique!(x -> x % 4, [3, 4, 6, 5, 8]))
# CHECK-NEXT: [1, 5, 3, 1] [2, 2, 3]
println(replace!([1, 2, 3, 1], 2 => 5), " ", replace!(x -> x == 1 ? 2 : x, [1, 2, 3]))
# CHECK-NEXT: 5 [6, 1, 2] [4, 4, 6, 1, 2]
w = [6, 5, 1, 2]
print(splice!(w, 2), " ", w, " ")
splice!(w, 1:0, [4, 4])
println(w)
# CHECK-NEXT: [2, 3] [1, 4] 9
w = [1, 2, 3, 4]
println(splice!(w, 2:3, 9), " ", w, " ", popat!(w, 2))
# CHECK-NEXT: Union{Nothing, Int64}[6, 4, nothing]
println(indexin(['a', 'b', 'z'], ['c', 'd', 'e', 'b', 'f', 'a']))
# CHECK-NEXT: [1, 2, 3, 4] [1, 2, 4] true false true
println(union!([1, 2, 3], [2, 4]), " ", symdiff!([1, 2, 3], [3, 4]), " ", issetequal([1, 2], [2, 1]), " ", [1, 2] ⊊ [1, 2], " ", [1] ⊊ [1, 2])
# CHECK-NEXT: [3, 2, 1] [1, 2, 3] [2, 1, 3] 2:2
println(sort([2, 1, 3]; order=Base.Order.Reverse), " ", sort([2, 1, 3]; order=Base.Order.Forward), " ", sortperm([2, 3, 1]; order=Base.Order.Reverse), " ", searchsorted([3, 2, 1], 2; order=Base.Order.Reverse))
# CHECK-NEXT: [-1, 2, -3] true
println(sort([-3, 2, -1]; order=Base.Order.By(abs)), " ", issorted([3, 2]; order=Base.Order.Reverse))
# CHECK-NEXT: [1 2; 3 4] 4 Int64[] Dict{Int64, Int64}()
println(sortslices([3 4; 1 2]; dims=1), " ", nextprod((2, 3), 4), " ", empty([1, 2]), " ", empty(Dict(1 => 2)))
# CHECK-NEXT: [1, 2] [1 2; 3 4] [2 1]
println(keepat!([5, 1, 2], [2, 3]), " ", hvncat((2, 2), true, 1, 2, 3, 4), " ", count!([0 0], Bool[1 0; 1 1]))
using CUDA
# CHECK-NEXT: Float32[1.0, 2.0] (2, 2) [1.0, 3.0] true
d = CuArray(Float32[1 2; 3 4])
println(Array(dropdims(d[1:1, :]; dims=1)), " ", size(stack([CuArray([1, 2]), CuArray([3, 4])])), " ", Array(permute!(CuArray([3.0, 1.0]), [2, 1])), " ", stack([CuArray([1, 2])]) isa CuArray)
# CHECK-NEXT: ArgumentError: dropped dims must all be size 1
try
    dropdims(B; dims=1)
catch e
    println(sprint(showerror, e))
end
