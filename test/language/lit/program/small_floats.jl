# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# BFloat16 and Float16 in host code, pointers as addresses, tuples as numbers, C's names of types.
#
# RUN: %kiln script %s | %filecheck %s
using BFloat16s: BFloat16
# To the nearest of 8 bits, ties to even: 1/3 is 0x3eab, pi 0x4049, 1 + 2^-8 is 1 and 1 + 3 * 2^-8 is 1 + 2^-6.
# CHECK: (0x3eab, 0x4049, 0x3f80, 0x3f82)
println(map(x -> reinterpret(UInt16, BFloat16(x)), (1 / 3, Float32(pi), 1 + 2.0^-8, 1 + 3 * 2.0^-8)))
# A double between two floats is rounded once: 1 + 2^-8 + 2^-40 is above the tie.
# CHECK-NEXT: 0x3f81
println(repr(reinterpret(UInt16, BFloat16(1 + 2.0^-8 + 2.0^-40))))
# CHECK-NEXT: (3.0f0, 0.5, true, 7.0f0, -2)
println((Float32(BFloat16(1) + BFloat16(2)), Float64(BFloat16(1) / BFloat16(2)), BFloat16(1) < BFloat16(2), Float32(fma(BFloat16(2), BFloat16(3), BFloat16(1))), Int(BFloat16(-2.5) |> trunc)))
# CHECK-NEXT: true
println(isapprox(BFloat16(1), BFloat16(1.004); rtol=0.01))
# fma(0.1, 0.2, 0.3) and fma(1/3, 3, -1) of halves, from exact products: 0.31995 and -2^-12.
# CHECK-NEXT: (Float16(0.32), Float16(-0.0002441))
println((fma(Float16(0.1), Float16(0.2), Float16(0.3)), fma(Float16(1 / 3), Float16(3), Float16(-1))))
# CHECK-NEXT: (true, 0x0000000000000010, true, 8)
println((C_NULL == Ptr{Nothing}(0), UInt64(Ptr{Int}(8) + 8), Ptr{Int}(8) < Ptr{Int}(9), Ptr{Int}(24) - Ptr{Int}(16)))
# CHECK-NEXT: (67305985, (0x0201, 0x0403), Int8)
println((reinterpret(Int32, (0x01, 0x02, 0x03, 0x04)), reinterpret(NTuple{2,UInt16}, 0x04030201), Cchar))
# CHECK-NEXT: ArgumentError
println(sprint(showerror, try reinterpret(Int64, (0x01, 0x02)) catch e; e end)[1:13])
# CHECK-NEXT: (3.1415927f0, 0.0, 3.141592653589793, -0.7853981633974483)
println((angle(-1.0f0), angle(2), angle(-0.0), angle(1.0 - 1.0im)))
# CHECK-NEXT: ([1, 3, 6, 10], [11, 13, 16], [1 6; 4 10])
println((accumulate(+, [1, 2, 3, 4]), accumulate(+, [1, 2, 3]; init=10), accumulate(+, [1 2; 3 4])))
# CHECK-NEXT: (true, false, true)
println((issorted([1, 2, 2]), issorted([1, 2, 0]; by=abs), issorted([3, 2, 1]; rev=true)))
# CHECK-NEXT: ([5, 2, 3, 4, 1], [1, 4, 3, 2, 5], [2, 3, 1])
p = [0, 0, 0]
println((reverse([1, 4, 3, 2, 5], 1, 5), reverse!([1, 2, 3, 4, 5], 2, 4), sortperm!(p, [9, 1, 5])))
# CHECK-NEXT: ([2 3; 1 4], true, (), true)
x = rand(BFloat16, 4)
println((sortperm([4 3; 1 9]; dims=1), all(v -> 0 <= v < 1, x), size(2.5), Colon() === (:)))
