# RUN: %kiln script --device cpu %s | %filecheck %s
# Functions that a comprehension, map or a dotted call applies may have effects. Each happens once for each element, also
# if a call fails.
v = [mod(7i, 13) + 1 for i in 1:500]
seen = fill(false, 20)
println([x for x in v if (known = seen[x]; seen[x] = true; !known)])
# CHECK: {{^}}[8, 2, 9, 3, 10, 4, 11, 5, 12, 6, 13, 7, 1]
counts = Dict{Int,Int}()
println(filter(x -> (n = get(counts, x, 0); counts[x] = n + 1; n == 0), v), " ", sum(values(counts)))
# CHECK-NEXT: [8, 2, 9, 3, 10, 4, 11, 5, 12, 6, 13, 7, 1] 500
calls = Ref(0)
println(length([x for x in 1:1000 if (calls[] += 1; isodd(x))]), " ", calls[])
# CHECK-NEXT: 500 1000
println(sum(x for x in v if x > 12), " ", [(x, y) for x in 1:40 for y in 1:40 if x * y == 36])
# CHECK-NEXT: 494 [(1, 36), (2, 18), (3, 12), (4, 9), (6, 6), (9, 4), (12, 3), (18, 2), (36, 1)]

counting(visits) = x -> (visits[x] += 1; x > 900 ? error("too many") : x)
function tries(apply)
    visits = fill(0, 1000)
    try
        apply(counting(visits))
    catch e
        print(e.msg, ": ")
    end
    println(visits[1], visits[900], visits[901], visits[902])
end
tries(f -> map(f, collect(1:1000)))
tries(f -> [f(x) for x in 1:1000])
tries(f -> [x for x in 1:1000 if f(x) > 0])
tries(f -> f.(1:1000))
# CHECK-NEXT: too many: 1110
# CHECK-NEXT: too many: 1110
# CHECK-NEXT: too many: 1110
# CHECK-NEXT: too many: 1110
A = [k == 900 ? -1.0 : 16.0 for k in 1:1000]
try
    A .= sqrt.(A)
catch e
    println(typeof(e), " ", A[[1, 899, 900, 901]])
end
# CHECK-NEXT: DomainError [4.0, 4.0, -1.0, 16.0]

# A count begins at `init`, also for a function without a known result.
counter = 0
println(count(x -> (global counter += 1; x > 2), Int[]), count(isodd, Int[]; init=3), count(isodd, [1, 2, 3]; init=5), count([true, false, true]), counter)
# CHECK-NEXT: 03720
try
    count(x -> x, [1, 2])
catch e
    println(e)
end
# CHECK-NEXT: TypeError({{.*}}Bool{{.*}}
