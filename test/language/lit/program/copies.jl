# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Equality with missing; deepcopy copies what structs, mutable structs, wrappers and dictionaries hold, and keeps what is shared shared: by Julia's documentation.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
using LinearAlgebra
mutable struct Both
    a
    b
end
struct Holder
    v::Vector{Int}
end
#      CHECK:[1, 2] 3 [10, 2] 4
m = Both([1, 2], 3); n = deepcopy(m); n.a[1] = 10; n.b = 4
println(m.a, " ", m.b, " ", n.a, " ", n.b)
# CHECK-NEXT:[1, 2] [5, 2]
s = Holder([1, 2]); t = deepcopy(s); t.v[1] = 5
println(s.v, " ", t.v)
# CHECK-NEXT:[1] [7]
d = Dict(:a => [1]); e = deepcopy(d); e[:a][1] = 7
println(d[:a], " ", e[:a])
# CHECK-NEXT:[1.0 2.0] [9.0 2.0]
x = transpose([1.0, 2.0]); y = deepcopy(x); y[1] = 9
println(x, " ", y)
# CHECK-NEXT:[1] [4] [1] [3]
r = Ref([1]); q = deepcopy(r); q[][1] = 4; p = (a=[1],); o = deepcopy(p); o.a[1] = 3
println(r[], " ", q[], " ", p.a, " ", o.a)
# CHECK-NEXT:true true false
a = [1]; c = deepcopy(Both(a, a)); circle = Both(1, 2); circle.b = circle; k = deepcopy(circle)
println(c.a === c.b, " ", k.b === k, " ", k === circle)
# CHECK-NEXT:[4, 6] [1, 2] 3
A = [1 2; 3 4]; w = reshape([1, 3], 2, 1)
println(A' * [1, 1], " ", transpose(w)[1, :] .- [0, 1], " ", (w' * [3, 0])[1])
# CHECK-NEXT:[1.0 0.0; 0.0 4.0]
println(Matrix(Diagonal([1.0 2.0; 3.0 4.0])))
# CHECK-NEXT:0.0 [1.0, 8.0, 27.0] true
v = collect(1.0:100.0); u = v .^ 3
v .= v .* v .* v
println(norm(u - v), " ", v[1:3], " ", try; v .= sqrt.(50 .- v); false; catch err; err isa DomainError; end)
# CHECK-NEXT:[7.0, 6.48074069840786, 4.795831523312719, 64.0]
println(v[1:4])
# CHECK-NEXT:missing false missing true true false true
println([missing] == [missing], " ", [1, missing] == [2, missing], " ", [1, missing] == [1, 2], " ", isequal([1, missing], [1, missing]), " ", Any[1, "a"] == Any[1.0, "a"], " ",
        [1, 2] == [1 2], " ", [1 2; 3 4] == [1.0 2.0; 3.0 4.0])
