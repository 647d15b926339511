# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# Medians along dimensions and of arrays with NaN or missing, as Julia's help describes them.
using Statistics
# CHECK: [2.0 3.0] [1.5; 2.5; 4.0;;] 2.5
println(median([1 2; 2 3; 3 5]; dims=1), " ", median([1 2; 2 3; 3 5]; dims=2), " ", median([1, 2, 3, 4]))
# CHECK-NEXT: NaN missing 2.0 Float32
println(median([1, NaN, 3]), " ", median([1, missing, 3]), " ", median(1:3), " ", typeof(median(Float32[1, 2])))
# An array type whose median is defined by median!, as StaticArrays does
struct Row <: AbstractVector{Int}
    n::Int
end
Base.size(r::Row) = (r.n,)
Base.getindex(r::Row, i::Int) = i
Statistics.median(r::Row) = median!(Base.copymutable(r)) + median!(r)
# CHECK-NEXT: 6.0 2.0
println(median(Row(5)), " ", median!([3, 1, 2]))
