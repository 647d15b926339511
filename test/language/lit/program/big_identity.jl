# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# Each BigInt and BigFloat is a mutable object, as in Julia: `===` is identity, and keys compare by isequal and hash.
x = big(1)
y = big(0.5)
constant() = 170141183460469231731687303715884105728
# CHECK: true false true true false
println(x === x, " ", x === big(1), " ", x == big(1), " ", isequal(x, big(1)), " ", y === big(0.5))
# CHECK-NEXT: true true false true false true
println(BigInt(x) === x, " ", copy(x) === x, " ", deepcopy(x) === x, " ", (x, 2) === (x, 2), " ", (big(1),) === (big(1),), " ", [x][1] === x)
# CHECK-NEXT: true false true false true
println(constant() === constant(), " ", constant() === 170141183460469231731687303715884105728, " ", +x === x, " ", x + 0 === x, " ", ismutable(x))
# CHECK-NEXT: true false 2 1 missing
let a = big(7), b = big(7)
    d = IdDict(a => 1, b => 2)
    println(objectid(a) == objectid(a), " ", objectid(a) == objectid(b), " ", length(d), " ", d[a], " ", get(d, big(7), missing))
end
# `zeros` repeats one zero, and a comprehension makes one each.
# CHECK-NEXT: true false
println((z = zeros(BigInt, 2); z[1] === z[2]), " ", (z = [big(0) for _ in 1:2]; z[1] === z[2]))
# Equal numbers are one key, whatever their types are.
big_key = big(2)^200
# CHECK-NEXT: 1 1 true true 2 BigInt[1, 2]
println(length(Set([big(1), big(1)])), " ", length(unique([big_key, big(2)^200])), " ", big(3) in Set([big(3)]), " ", big(3) in [big(3)], " ", findfirst(==(big(5)), [big(4), big(5)]), " ",
        unique(BigInt[1, 2, 1]))
d = Dict{Any,Int}(1 => 1, 0.5 => 2, big_key => 3, big"0.1" => 4, 3 // 1 => 5, UInt128(2)^127 => 6, NaN => 7, -0.0 => 8, big(10)^400 => 9, -Inf => 10)
# CHECK-NEXT: [1, 2, 3, 3, 5, 6, 7, 8, 9, 10]
println([d[k] for k in (big(1), big(0.5), BigFloat(2)^200, 2.0^200, big(3), big(2)^127, big(NaN), big(-0.0), BigFloat(big(10)^400; precision=2000), big(-Inf))])
# CHECK-NEXT: false false false false 4
println(haskey(d, 0.1), " ", haskey(d, big(0)), " ", haskey(d, big(0.0)), " ", haskey(d, big_key + 1), " ", d[big"0.1"])
# CHECK-NEXT: true true true false true
println(hash(big(1)) == hash(1), " ", hash(big(0.5)) == hash(0.5), " ", hash(BigFloat(0.5; precision=64)) == hash(BigFloat(0.5)), " ", hash(big_key) == hash(big_key + 1), " ",
        hash(2.0^200) == hash(big_key))
# CHECK-NEXT: 1 2 1
println(Dict(big(2) // big(1) => 1)[2], " ", Dict((big(1), "a") => 2)[(1, "a")], " ", Dict(Complex(big(2)) => 1)[2.0])
# Inference knows the type of results, also of empty arrays.
# CHECK-NEXT: Vector{BigInt} Vector{BigInt} Vector{Bool} Vector{BigFloat}
println(typeof(map(+, BigInt[], BigInt[])), " ", typeof([x + 1 for x in BigInt[]]), " ", typeof(map(<, BigInt[], BigInt[])), " ", typeof(sqrt.(BigFloat[])))
