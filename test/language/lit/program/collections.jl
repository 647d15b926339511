# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Joins, copies, parts and comprehensions of host arrays of every shape: as Julia 1.10 gives them.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
#      CHECK:[1 2; 3 4] [1, 2, 3, 4] [1, 2, 3, 4] [1.0, 2.5]
println(vcat([1 2], [3 4]), " ", vcat([1, 2], 3:4), " ", [[1, 2]; 3:4], " ", vcat([1], [2.5]))
# CHECK-NEXT:true true missing true false true
println(1.0 in [1, 2], " ", 1 in [1.0], " ", missing in [1], " ", "a" in ["a"], " ", NaN in [NaN], " ", 3 ∉ [1, 2])
# CHECK-NEXT:[1 2; 3 4] [1 2; 3 4] [4, 6]
println(copy([1 2; 3 4]), " ", map((a, b) -> a, [1 2; 3 4], [5 6; 7 8]), " ", map(+, [1, 2], [3, 4]))
# CHECK-NEXT:[1, 9, 9] [100, 9, 9] [100, 10, 10] Bool[1, 1] Bool[0]
a = [1, 2, 3]
a[2:3] .= 9
print(a, " ")
b = view(a, 1:2)
b[1] = 100
print(a, " ")
c = @view a[2:end]
c .+= 1
println(a, " ", trues(2), " ", falses(1))
# CHECK-NEXT:1324
foreach((x, y) -> print(x, y), [1, 2], [3, 4])
println()
# CHECK-NEXT:[3, 4, 6, 8] [(1, 2)] [2, 3, 4, 4, 5, 6] 36 [1, 2, 2, 3, 3, 3] [1.0, 1.0, 2.0]
products(a, b) = [x * y for x in a for y in b]
pairs_below(a, b) = [(x, y) for x in a for y in b if x < y]
triangle(n) = [i + j for i in 1:n for j in 1:i]
total(n) = sum(i * j for i in 1:n for j in 1:n)
println(products([1, 2], [3, 4]), " ", pairs_below([1, 2], [1, 2]), " ", triangle(3), " ", total(3), " ", [i for i in 1:3 for j in 1:i], " ", Float64[i for i in 1:2 for j in 1:3-i] |> sort)
# CHECK-NEXT:[1, 2, 1, 2] [1, 1, 2, 2] [1, 1, 2, 2, 1, 1, 2, 2] [1 2 1 2; 3 4 3 4] [1 1; 2 2]
println(repeat([1, 2], 2), " ", repeat([1, 2]; inner=2), " ", repeat([1, 2]; inner=2, outer=2), " ", repeat([1 2; 3 4], 1, 2), " ", repeat([1, 2], 1, 2))
# CHECK-NEXT:[1.2, 5.7] Bool[1, 0] [1, 4] ["005", "012"]
println(round.([1.234, 5.678]; digits=1), " ", isapprox.([1.0, 2.0], 1.05; atol=0.1), " ", round.(Int, [1.2, 3.7]), " ", string.([5, 12], pad=3))
