# RUN: %kiln script --device cpu %s | %filecheck %s
# Dotted calls of what iterates over arrays of the device, and of iterators beside them.
using CUDA
M = CuArray([1 2; 3 4; 5 6])
#      CHECK: [9, 12] [3, 7, 11] [(9, 3), (12, 3)] [5, 6] [10, 21, 12]
println(sum.(eachcol(M)), " ", sum.(eachrow(M)), " ", (c -> (sum(c), length(c))).(eachcol(M)), " ", maximum.(eachcol(M)), " ", (p -> p[1] + p[2]).(zip(sum.(eachcol(CuArray([1 2 3; 4 5 6]))), [5, 14, 3])))
# CHECK-NEXT: {{\[\[}}2, 6, 10], [4, 8, 12]] {{\[\[}}1, 2], [3, 4], [5, 6]]
println(map(Array, (c -> 2 .* c).(eachcol(M))), " ", Array.(eachrow(M)))
# CHECK-NEXT: ArgumentError: broadcasting over dictionaries and `NamedTuple`s is reserved
println(try M .+ Dict(1 => 2) catch e; sprint(showerror, e) end)
# CHECK-NEXT: [2 3; 4 5; 6 7] [2 3; 4 5; 6 7]
println(Array(M .+ Ref(1)), " ", Array(M .+ (1,)))
