# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# @atomic, @atomicswap and @atomicreplace of programs: on fields, and by Atomix on elements of host arrays.
#
# RUN: %kiln script %s | %filecheck %s
mutable struct Counter
    @atomic n::Int
end
c = Counter(1)
# CHECK: 1 1
println((@atomic c.n), " ", (@atomic :monotonic c.n))
@atomic c.n = 5
# CHECK-NEXT: 7 7 => 9 3 => 9
println((@atomic c.n += 2), " ", (@atomic c.n + 2), " ", (@atomicswap c.n = 3) == 9 ? "3 => 9" : "")
# CHECK-NEXT: (old = 3, success = true) (old = 4, success = false) 4
println((@atomicreplace c.n 3 => 4), " ", (@atomicreplace :monotonic :monotonic c.n 3 => 5), " ", c.n)
module Elements
using Atomix: Atomix, @atomic, @atomicreplace, @atomicswap
A = [10, 20, 30]
order = :monotonic
# CHECK-NEXT: 30 10 10
println((@atomic A[end]), " ", (@atomic :monotonic A[begin]), " ", (@atomic order A[1]))
# CHECK-NEXT: 31 31 => 33 33
println((@atomic A[end] += 1), " ", (@atomic A[end] + 2), " ", (@atomicswap A[end] = 7))
# CHECK-NEXT: (old = 20, success = true) [10, 21, 7]
println((@atomicreplace A[end-1] 20 => 21), " ", A)
V = view([11 12; 21 22], 1:2, 1:2)
# CHECK-NEXT: 22 21 12
println((@atomic V[end]), " ", (@atomic V[end, 1]), " ", (@atomic V[1, end]))
r = Atomix.IndexableRef(A, (1,))
# CHECK-NEXT: 10 10 => 11 11 (old = 12, success = true)
println(Atomix.get(r), " ", Atomix.modify!(r, +, 1), " ", Atomix.swap!(r, 12), " ", Atomix.replace!(r, 12, 13))
end
