# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Types of static arrays print by their aliases, as in Julia.
#
# RUN: %kiln script %s | %filecheck %s
using StaticArrays
println(SVector{3,Float64}, " ", typeof(SVector(1, 2)), " ", SMatrix{2,3,Float32,6}, " ", MVector{2,Int8})
# CHECK: SVector{3, Float64} SVector{2, Int64} SMatrix{2, 3, Float32, 6} MVector{2, Int8}
println([SVector{2,Vector{Int}}], " ", SArray{Tuple{2,2,2},Int,3,8}, " ", Tuple{SVector{1,Int}})
# CHECK-NEXT: DataType[SVector{2, Vector{Int64}}] SArray{Tuple{2, 2, 2}, Int64, 3, 8} Tuple{SVector{1, Int64}}
