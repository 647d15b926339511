# RUN: %kiln script --device cpu %s | %filecheck %s
# Generators and comprehensions with several `for`: the last runs fastest, and may depend on those before.
println([(i, j) for i in 1:3 for j in 1:i])
# CHECK: [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)]
println([i * j for i in 1:4 if isodd(i) for j in 1:3 if j != 2])
# CHECK-NEXT: [1, 3, 3, 9]
println(sum(i * j for i in 1:30 for j in i:30))
# CHECK-NEXT: 112840
println(sum(gcd(i, j) for i in 1:200 for j in 1:200))
# CHECK-NEXT: 139848
println(length([c for word in ["ab", "cde"] for c in word]), " ", String([c for word in ["ab", "cde"] for c in word]))
# CHECK-NEXT: 5 abcde
println(Int[k for a in (1:2, 5:6) for k in a], " ", [i + j + k for i in 1:2 for j in 1:2 for k in 1:2])
# CHECK-NEXT: [1, 2, 5, 6] [3, 4, 4, 5, 4, 5, 5, 6]
println(count(true for i in 1:100 for j in 1:100 if i^2 + j^2 <= 100^2), " ", trues(2, 2) == fill(true, 2, 2), " ", any(falses(3)))
# CHECK-NEXT: 7754 true false
