# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Indices of views, as in Julia: `:` is a Base.Slice of the axis, and an index vector is kept, not copied.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA, LinearAlgebra
A = [1 2 3; 4 5 6]
v = view(A, :, 2)
# CHECK: (Base.Slice(Base.OneTo(2)), 2) SubArray{Int64, 1, Matrix{Int64}, Tuple{Base.Slice{Base.OneTo{Int64}}, Int64}, true} [2, 5]
println(parentindices(v), " ", typeof(v), " ", v)
# CHECK-NEXT: 2-element view(::Matrix{Int64}, :, 2) with eltype Int64 2-element view(::Matrix{Int64}, 1:2, 1) with eltype Int64
println(summary(v), " ", summary(view(A, 1:2, 1)))
chosen = [1, 2]
w = view(A, chosen, 1)
chosen[1] = 2
# CHECK-NEXT: [4, 4]
println(w)
u = view(A, :, 1:2)
# CHECK-NEXT: [3, 9] (1, 2) [4, 5] 12
println(u * [1, 1], " ", strides(u), " ", view(u, 2, :), " ", sum(u))
# Kernels take such views.
device = CuArray(Float32[1 2 3; 4 5 6])
row = view(device, 1, :)
scale(x) = (x[threadIdx().x] *= 10f0; return)
@cuda threads=3 scale(row)
# CHECK-NEXT: Float32[10.0 20.0 30.0; 4.0 5.0 6.0] Float32[11.0, 21.0, 31.0]
println(device, " ", row .+ 1)
# The last parameter of a view's type says whether linear indices are at equal distances in the parent: Julia's
# viewindexing rules.
let A = zeros(3, 4), is_fast(v) = typeof(v).parameters[5]
    # CHECK-NEXT: Bool[1, 1, 1, 1, 1, 0, 0, 0]
    println([is_fast(v) for v in (view(A, 1:2, 1), view(A, :, 2), view(A, :, 1:2), view(A, :, :), view(A, 2, :), view(A, 1:2, :), view(A, [1, 2], 1), view(A', :, 1))])
end
