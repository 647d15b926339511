# RUN: %kiln script --device cpu %s | %filecheck %s
# Dotted calls of what iterates, as Julia's broadcastable: collected, as it is, or refused.
M = [1 2; 3 4; 5 6]
#      CHECK: [9, 12] [3, 7] [2, 2] [3, 7] [9, 12] [2, 4]
println(sum.(eachcol(M)), " ", sum.(eachrow([1 2; 3 4])), " ", length.(zip([1, 2], [3, 4])), " ", (t -> t[1] + t[2]).(zip([1, 3], [2, 4])), " ", identity.(sum(c) for c in eachcol(M)), " ", (2 .* skipmissing([1, missing, 2])))
# CHECK-NEXT: [11, 22] [(1, "a"), (2, "b")] [1, 4, 9] [2 3; 3 4] [3, 5] [10, 20] [5, 6]
println(((p -> p[1] + p[2]).(enumerate([10, 20]))), " ", identity.(enumerate(["a", "b"])), " ", (i^2 for i in 1:3) .+ 0, " ", (p -> p[1] + p[2]).(Iterators.product(1:2, 1:2)), " ", (x -> x + 1).(Iterators.filter(iseven, 1:5)), " ", 10 .* Iterators.take(1:5, 2), " ", Iterators.drop(5:6, 0) .+ 0)
# CHECK-NEXT: [2, 4, 6] {{\[\[}}1, 3], [2, 4]] Bool[0, 1] [1, 3, 6] [1, 2, 3, 4]
println(sort(2 .* Set([1, 2, 3])), " ", collect.(zip([1, 2], [3, 4])), " ", in.([4, 5], Ref(Set([5]))), " ", Iterators.accumulate(+, 1:3) .+ 0, " ", Iterators.flatten([[1, 2], [3, 4]]) .+ 0)
A = zeros(Int, 3); A .= (i^2 for i in 1:3); print(A, " "); A .+= zip(1:3, 4:6) .|> first; println(A)
# CHECK-NEXT: [1, 4, 9] [2, 6, 12]
d = Dict("a" => 1, "b" => 2)
println(sort(keys(d) .* "!"), " ", sort(values(d) .+ 1), " ", sort(last.(collect(d))))
# CHECK-NEXT: ["a!", "b!"] [2, 3] [1, 2]
# Scalars: strings, symbols, types, functions, nothing, missing, pairs, Ref, regular expressions, Cartesian indices; tuples are not.
println(length.("abc"), " ", string.("ab", [1, 2]), " ", Symbol.(:a, [1, 2]), " ", isa.([1, "a"], Int), " ", map.(sqrt, [[4.0], [9.0]]), " ", isequal.(nothing, [nothing, 1]), " ", [1, 2] .+ missing, " ", first.(1 => 2), " ", [1, 2] .+ Ref(3), " ", occursin.(r"a", ["a", "b"]), " ", [CartesianIndex(1, 1)] .+ CartesianIndex(1, 2), " ", (1, 2) .+ 1, " ", (1, 2) .+ [1, 2])
# CHECK-NEXT: 3 ["ab1", "ab2"] [:a1, :a2] Bool[1, 0] {{\[\[}}2.0], [3.0]] Bool[1, 0] [missing, missing] 1 [4, 5] Bool[1, 0] CartesianIndex{2}[CartesianIndex(2, 3)] (2, 3) [2, 4]
t(f) = try println(f()) catch e; println(sprint(showerror, e)) end
# CHECK-NEXT: ArgumentError: broadcasting over dictionaries and `NamedTuple`s is reserved
t(() -> identity.(Dict(1 => 2)))
# CHECK-NEXT: ArgumentError: broadcasting over dictionaries and `NamedTuple`s is reserved
t(() -> (a=1,) .+ 1)
struct Plain; x::Int; end
struct Counted; n::Int; end
Base.iterate(c::Counted, k=1) = k > c.n ? nothing : (k, k + 1)
Base.length(c::Counted) = c.n
struct Alone; x::Int; end
Base.broadcastable(a::Alone) = Ref(a)
# CHECK-NEXT: MethodError: no method matching length(::Plain)
t(() -> (p -> p.x).(Plain(1)))
# CHECK-NEXT: [10, 20, 30] [3, 4] 5
println(10 .* Counted(3), " ", ((a, k) -> a.x + k).(Alone(2), [1, 2]), " ", (a -> a.x).(Alone(5)))
