# RUN: %kiln script --device cpu %s | %filecheck %s
# Long arrays of machine numbers are sorted by their digits: a permutation of 1:10006, since 10007 is a prime.
numbers = [(7919i) % 10007 for i in 1:10006]
println(sort(numbers) == 1:10006, " ", sort(numbers; rev=true) == 10006:-1:1, " ", numbers[1])
# CHECK: true true 7919
for T in (Int32, UInt32, UInt64, Float32, Float64)
    v = T.(numbers)
    println(T, " ", sort(v) == T.(1:10006), " ", typeof(sort(v)) == Vector{T})
end
# CHECK-NEXT: Int32 true true
# CHECK-NEXT: UInt32 true true
# CHECK-NEXT: UInt64 true true
# CHECK-NEXT: Float32 true true
# CHECK-NEXT: Float64 true true
println(sort(numbers .- 5000) == -4999:5006, " ", sort(numbers ./ 2 .- 2500.0) == [k / 2 - 2500.0 for k in 1:10006])
# CHECK-NEXT: true true
println(sort(Int64[typemin(Int64), 0, typemax(Int64), -1]) == [typemin(Int64), -1, 0, typemax(Int64)])
# CHECK-NEXT: true
# isless: -0.0 comes before 0.0, and NaN last, whatever its sign.
special = [0.0, NaN, -0.0, Inf, -1.5, -Inf, -NaN, 2.5]
println(sort(special))
# CHECK-NEXT: [-Inf, -1.5, -0.0, 0.0, 2.5, Inf, NaN, NaN]
println(sort(special; rev=true))
# CHECK-NEXT: [NaN, NaN, Inf, 2.5, 0.0, -0.0, -1.5, -Inf]
long = repeat(special, 400)
println(sort(long)[[1, 400, 401, 800, 801, 1200, 1201, 1600, 2400, 2401, 3200]])
# CHECK-NEXT: [-Inf, -Inf, -1.5, -1.5, -0.0, -0.0, 0.0, 0.0, Inf, NaN, NaN]
# In place, also for arrays that share the memory; other orders and elements go their own ways.
v = copy(numbers)
M = reshape(v, 2, 5003)
println(sort!(v) === v, " ", M[1, 1], " ", M[2, 5003])
# CHECK-NEXT: true 1 10006
println(sort(numbers; by=x -> -x)[1], " ", sort(numbers; lt=(a, b) -> a > b)[2], " ", sort(["b", "a"]), " ", sort(Int[]), " ", sort([true, false]))
# CHECK-NEXT: 10006 10005 ["a", "b"] Int64[] Bool[0, 1]
