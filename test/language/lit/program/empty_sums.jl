# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sums and products of empty arrays, of the host and the device: zero and one of the element type, small integers widened as in Julia.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA
println(sum(Float32[]), " ", prod(Float32[]), " ", typeof(sum(Float32[])))
# CHECK: 0.0 1.0 Float32
println(sum(Int16[]), " ", typeof(sum(Int16[])), " ", typeof(prod(UInt8[])), " ", typeof(sum(abs, Int32[])))
# CHECK: 0 Int64 UInt64 Int64
println(sum(abs, ComplexF64[]), " ", sum(x -> x > 0, Int[]), " ", prod(x -> 2x, Float64[]))
# CHECK: 0.0 0 1.0
println(sum(CuArray(Float32[])), " ", prod(CuArray(Int16[])), " ", sum(abs, CuArray(Float64[])))
# CHECK: 0.0 1 0.0
println(sum(CuArray(zeros(0, 3)); dims=1))
# CHECK: [0.0 0.0 0.0]
try
    maximum(Float64[])
catch e
    println(typeof(e))
end
# CHECK: ArgumentError
function rounds(x, n)
    s = 0.0
    for i in 1:n
        s += sum(abs, x) + i
    end
    s
end
println(rounds([1.0, -2.0], 3), " ", rounds(Float64[], 3), " ", rounds([1.0, -2.0], 300000))
# CHECK: 15.0 6.0 4.500105e10
