# RUN: %kiln script --device cpu %s | %filecheck %s
# Host arrays follow Julia's rules for shapes, element types, limits and bounds.
A = reshape(collect(1:24), 2, 3, 4)
B = reshape(collect(1:6), 2, 3, 1)
kind(f) = try
    f()
catch e
    typeof(e)
end
println(A[2, 3, 4], " ", A[2, 3, 4, 1], " ", B[2, 3], " ", A[24], " ", B[1:2, 3])
# CHECK: 24 24 6 24 [5, 6]
# Indices leave out dimensions of length 1 alone.
println(kind(() -> A[1, 2]), " ", kind(() -> A[1:2, 1]), " ", kind(() -> A[1, 2, 3, 2]), " ", kind(() -> (A[1, 2] = 0)))
# CHECK-NEXT: BoundsError BoundsError BoundsError BoundsError
A[2, 3, 4, 1] = -1
B[1, 2] = -2
println(A[24], " ", B[3], " ", kind(() -> A[CartesianIndex()]), " ", fill(3)[CartesianIndex()])
# CHECK-NEXT: -1 -2 BoundsError 3
println(size(collect(fill(7))), " ", size(map(x -> x + 1, [1 2; 3 4])), " ", length(collect(Vector{String}(undef, 2))))
# CHECK-NEXT: () (2, 2) 2
println(kind(() -> filter(x -> 1, [1, 2])), " ", kind(() -> push!([1 2; 3 4], 5)), " ", kind(() -> pop!(Int[])))
# CHECK-NEXT: TypeError MethodError ArgumentError
println(kind(() -> Vector{Int8}(undef, 2^50)), " ", kind(() -> Vector{Int8}(undef, -1)), " ", kind(() -> zeros(2^40, 2^40)))
# CHECK-NEXT: OutOfMemoryError ArgumentError ArgumentError
v = [1, 2, 3]
text(f) = try
    f()
catch e
    sprint(showerror, e)
end
println(text(() -> v[1.5]), "; ", text(() -> v[true]), "; ", text(() -> v["a"]), "; ", text(() -> v[[1.5]]), "; ", text(() -> (v[:a] = 1)))
# CHECK-NEXT: ArgumentError: invalid index: 1.5 of type Float64; ArgumentError: invalid index: true of type Bool; ArgumentError: invalid index: "a" of type String; ArgumentError: invalid index: 1.5 of type Float64; ArgumentError: invalid index: :a of type Symbol
println(v[view([true, false, true], 1:3)], " ", kind(() -> v[nothing]))
# CHECK-NEXT: [1, 3] ArgumentError
append!(v, v)
insert!(v, 1, 0.0)
println(v)
# CHECK-NEXT: [0, 1, 2, 3, 1, 2, 3]
println(pop!(v), " ", popfirst!(v), " ", v)
# CHECK-NEXT: 3 0 [1, 2, 3, 1, 2]
deleteat!(v, 2:3)
println(v, " ", kind(() -> insert!(v, 9, 1)), " ", kind(() -> deleteat!(v, 4)))
# CHECK-NEXT: [1, 1, 2] BoundsError BoundsError
println(resize!(v, 2), " ", empty!(v), " ", pushfirst!(v, 4, 5.0))
# CHECK-NEXT: [4, 5] [4, 5] [4, 5]
println(kind(() -> resize!([1, 2], 2^61)), " ", kind(() -> resize!([1, 2], 2^62)), " ", kind(() -> resize!(Any[1], 2^61)))
# CHECK-NEXT: OutOfMemoryError OutOfMemoryError OutOfMemoryError
