# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# Iterators.flatten has a length if the type of its parts gives one, as in Julia; iteration needs none.
flatten = Iterators.flatten
v = [[1, 2], [3], Int[]]
# CHECK: 6 4 2 0
println(length(flatten([(1, 2), (3, 4), (5, 6)])), " ", length(flatten(((1, 2), (3.0, 4)))), " ", length(flatten([1, 2])), " ", length(flatten(())))
# CHECK-NEXT: ArgumentError: Iterates of the argument to Flatten are not known to have constant length
# CHECK-NEXT: ArgumentError: Iterates of the argument to Flatten are not known to have constant length
# CHECK-NEXT: ArgumentError: Iterates of the argument to Flatten are not known to have constant length
# CHECK-NEXT: ArgumentError: Iterates of the argument to Flatten are not known to have constant length
for f in (flatten(v), flatten((1:2, 3:5)), flatten(((1, 2), 3:4)), (x for a in 1:2 for x in 1:a))
    try length(f) catch e println(sprint(showerror, e)) end
end
# CHECK-NEXT: true true true true
println(Base.IteratorSize(flatten(v)) isa Base.SizeUnknown, " ", Base.IteratorSize(flatten([(1, 2)])) isa Base.HasLength, " ", Base.IteratorSize(flatten((1:2, 3:5))) isa Base.SizeUnknown, " ",
        flatten(v).it === v)
# CHECK-NEXT: [1, 2, 3] 6 3 3 false true 2
println(collect(flatten(v)), " ", sum(flatten(v)), " ", maximum(flatten(v)), " ", count(>(0), flatten(v)), " ", isempty(flatten(v)), " ", 3 in flatten(v), " ", first(Iterators.drop(flatten(v), 1)))
# CHECK-NEXT: [(1, 4), (2, 5), (3, 6)] [(1, 1), (2, 2), (3, 3)] [1, 2] [2, 3] [1, 2]
println(collect(zip(flatten(v), 4:6)), " ", collect(enumerate(flatten(v))), " ", collect(Iterators.take(flatten(v), 2)), " ", collect(Iterators.drop(flatten(v), 1)), " ", first(flatten(v), 2))
# CHECK-NEXT: [1, 2, 3, 4] [1, 2, 3] [1, 2, 3] (1, 2, 3) 1-2-3
println(vcat(flatten(v)..., 4), " ", append!(Int[], flatten(v)), " ", sort(collect(Set(flatten(v)))), " ", Tuple(flatten(v)), " ", join(flatten(v), "-"))
# CHECK-NEXT: [1, 3, 6] [2, 4, 6] [1, 2, 3, 1, 2, 3, 1]
println(collect(Iterators.accumulate(+, flatten(v))), " ", [2x for x in flatten(v)], " ", collect(Iterators.take(Iterators.cycle(flatten(v)), 7)))
# CHECK-NEXT: [1, 2, 1, 2] [1, 2, 3, 4, 1] [2, 4, 6] 1
println(collect(Iterators.cycle([1, 2], 2)), " ", [x for p in ([1, 2], (3, 4), 1) for x in p], " ", map(x -> 2x, flatten(v)), " ", reduce(min, flatten(v)))
