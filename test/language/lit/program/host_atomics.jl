# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Atomix on arrays of the host, and what its @atomic gives: the new value, where CUDA's gives the old one.
#
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
using CUDA, Atomix, KernelAbstractions
a = [1, 2, 3]
# CHECK: 7 [1, 7, 3]
println(Atomix.@atomic(a[2] += 5), " ", a)
# CHECK-NEXT: 1 [9, 7, 3]
println((Atomix.@atomicswap a[1] = 9), " ", a)
# CHECK-NEXT: (old = 3, success = true) (old = 4, success = false) [9, 7, 4]
println((Atomix.@atomicreplace a[3] 3 => 4), " ", (Atomix.@atomicreplace a[3] 3 => 4), " ", a)
# CHECK-NEXT: 9 7 7 => 10 [10, 7, 4]
println(Atomix.@atomic(a[1]), " ", Atomix.@atomic(a[1] = 7), " ", Atomix.@atomic(max(a[1], 10)), " ", a)
# CHECK-NEXT: BoundsError
try
    Atomix.@atomic a[9] += 1
catch e
    println(typeof(e))
end
@kernel function count!(c, o)
    o[1] = @atomic c[1] += 10
    o[2] = Atomix.@atomic c[2] -= 1.5
    o[3] = @atomic c[1] *= 3 # by compare and swap
end
function old!(c, o)
    o[4] = @atomic c[1] += 10
    return
end
c = CuArray([1.0, 2.0])
o = CUDA.zeros(Float64, 4)
count!(CUDABackend(), 1)(c, o; ndrange=1)
@cuda old!(c, o)
# CHECK-NEXT: [11.0, 0.5, 33.0, 33.0] [43.0, 0.5]
println(o, " ", c)
