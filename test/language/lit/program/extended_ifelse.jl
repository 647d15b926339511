# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A program may extend Base.ifelse, and other calls of it go on.
#
# RUN: %kiln script %s | %filecheck %s

using CUDA

module Lanes
struct Pair2
    a::Int
    b::Int
end
Base.ifelse(mask::Tuple{Bool,Bool}, x::Pair2, y::Pair2) = Pair2(ifelse(mask[1], x.a, y.a), ifelse(mask[2], x.b, y.b))
end

println(ifelse(true, 1, 2), " ", ifelse(false, "a", "b"), " ", ifelse.([true, false], 3, 4))
# CHECK: 1 b [3, 4]
println(ifelse((true, false), Lanes.Pair2(1, 2), Lanes.Pair2(3, 4)))
# CHECK: Pair2(1, 4)
println(1:3, " ", max(1.5, 2.5), " ", mod2pi(7.0) < 1)
# CHECK: 1:3 2.5 true
println(try ifelse(1, 2, 3) catch e; typeof(e) end)
# CHECK: MethodError

function kernel(o, x)
    i = threadIdx().x
    o[i] = ifelse(x[i] > 2, x[i], 0f0)
    return
end
x = CuArray(Float32[1, 2, 3, 4]); o = similar(x)
@cuda threads=4 kernel(o, x)
println(Array(o))
# CHECK: [0.0, 0.0, 3.0, 4.0]
