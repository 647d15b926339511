# RUN: %kiln script --device cpu %s | %filecheck %s
# map and mapreduce over several iterators, and reductions of dotted calls that have not run. Expected values by Julia's manual.
println(map(+, [1, 2], (3, 4)), map(+, (x for x in 1:3), 4:6), map(+, (1, 2), [10, 20]), map((a, b) -> string(a, b), "abc", [1, 2, 3]), map(tuple, 1:2, Dict(1 => 2)))
# CHECK: {{^}}[4, 6][5, 7, 9][11, 22]["a1", "b2", "c3"][(1, 1 => 2)]
println(mapreduce((x, y) -> x * y, +, [1, 2], [3, 4]), " ", mapreduce((x, y, z) -> x * y + z, max, [1, 2], (3, 4), 5:6), " ", mapreduce(*, +, [1 2; 3 4], [1 1; 2 2]; dims=1), mapreduce(*, +, 1:2, 3:4; init=100))
# CHECK-NEXT: 11 14 [7 10]111
b = Base.Broadcast.instantiate(Base.Broadcast.broadcasted(+, reshape(1:6, 2, 3), reshape(10:15, 2, 3)))
println(mapreduce(identity, +, b; init=0), sum(b; dims=2), reduce(max, b; dims=1), maximum(abs, b; dims=(1, 2)), count(isodd, b; dims=1))
# CHECK-NEXT: 96[45; 51;;][13 17 21][21;;][2 2 2]
println(count(isodd, [1 2; 3 5]; dims=1, init=3), count([true false; true true]; init=1, dims=2))
# CHECK-NEXT: [5 4][2; 3;;]
for f in (() -> reduce(+, [1, 2]; start=2), () -> mapreduce(identity, +, 1:3; start=2), () -> sum([1, 2]; start=2))
    try
        println(f())
    catch e
        print(typeof(e), " ")
    end
end
# CHECK-NEXT: MethodError MethodError MethodError
# CUDA.jl's methods for dotted calls leave those of host arrays to the host, with all keywords.
using CUDA
println()
d = Base.Broadcast.instantiate(Base.Broadcast.broadcasted(+, cu([1 2; 3 4]), 1))
println(mapreduce(identity, +, b; init=0, dims=2), sum(b; dims=1), reduce(max, b; dims=1), mapreduce(identity, +, d; dims=2, init=0))
# CHECK-NEXT: [45; 51;;][24 32 40][13 17 21][5; 9;;]
