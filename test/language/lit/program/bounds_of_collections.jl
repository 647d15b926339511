# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A BoundsError of the host names the collection and the index, as Base's showerror does; interpreted, and in loops that are compiled.
#
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
using StaticArrays
message(f) =
    try
        string(f())
    catch e
        sprint(showerror, e)
    end
v = [1, 2, 3]
println(message(() -> v[4]))
#      CHECK: BoundsError: attempt to access 3-element Vector{Int64} at index [4]
println(message(() -> v[0]), "; ", message(() -> v[2:5]), "; ", message(() -> v[[1, 7]]), "; ", message(() -> (v[4] = 1)))
# CHECK-NEXT: BoundsError: attempt to access 3-element Vector{Int64} at index [0]; BoundsError: attempt to access 3-element Vector{Int64} at index [2:5]; BoundsError: attempt to access 3-element Vector{Int64} at index {{[[][[]}}1, 7]]; BoundsError: attempt to access 3-element Vector{Int64} at index [4]
M = [1.0 2; 3 4]
println(message(() -> M[3, 1]), "; ", message(() -> M[5]), "; ", message(() -> M[:, 3]), "; ", message(() -> zeros(Float32, 2, 3, 4)[1, 4, 1]))
# CHECK-NEXT: BoundsError: attempt to access 2×2 Matrix{Float64} at index [3, 1]; BoundsError: attempt to access 2×2 Matrix{Float64} at index [5]; BoundsError: attempt to access 2×2 Matrix{Float64} at index [1:2, 3]; BoundsError: attempt to access 2×3×4 Array{Float32, 3} at index [1, 4, 1]
println(message(() -> (1, 2)[3]), "; ", message(() -> getfield((1, "a"), 3)), "; ", message(() -> ((a, b) = (1,); b)))
# CHECK-NEXT: BoundsError: attempt to access Tuple{Int64, Int64} at index [3]; BoundsError: attempt to access Tuple{Int64, String} at index [3]; BoundsError: attempt to access Tuple{Int64} at index [2]
println(message(() -> ((a, b) = [1]; b)), "; ", message(() -> "abc"[4]), "; ", message(() -> ""[1]), "; ", message(() -> codeunit("abc", 7)))
# CHECK-NEXT: BoundsError: attempt to access 1-element Vector{Int64} at index [2]; BoundsError: attempt to access 3-codeunit String at index [4]; BoundsError: attempt to access empty String at index [1]; BoundsError: attempt to access 3-codeunit String at index [7]
println(message(() -> (1:3)[4]), "; ", message(() -> (1:2:5)[0]), "; ", message(() -> Base.OneTo(3)[4]), "; ", message(() -> (0.0:0.5:1.0)[4]))
# CHECK-NEXT: BoundsError: attempt to access 3-element UnitRange{Int64} at index [4]; BoundsError: attempt to access 3-element StepRange{Int64, Int64} at index [0]; BoundsError: attempt to access 3-element Base.OneTo{Int64} at index [4]; BoundsError: attempt to access 3-element StepRangeLen{Float64, {{.*}}} at index [4]
println(message(() -> view(v, 2:3)[3]), "; ", message(() -> SVector(1, 2)[3]), "; ", message(() -> checkbounds(v, 4)))
# CHECK-NEXT: BoundsError: attempt to access 2-element view(::Vector{Int64}, 2:3) with eltype Int64 at index [3]; BoundsError: attempt to access 2-element SVector{2, Int64} at index [3]; BoundsError: attempt to access 3-element Vector{Int64} at index [4]
println(message(() -> Int[][1]), "; ", message(() -> size(v, 0)), "; ", message(() -> 5[2]), "; ", message(() -> deleteat!([1, 2], 3)))
# CHECK-NEXT: BoundsError: attempt to access 0-element Vector{Int64} at index [1]; {{.*}}; BoundsError: attempt to access Int64 at index [2]; BoundsError: attempt to access 2-element Vector{Int64} at index [3]
function fill_past(x, n)
    for i in 1:n
        x[i] = i
    end
    return x
end
println(message(() -> fill_past(zeros(Int, 1000), 1001)))
# CHECK-NEXT: BoundsError: attempt to access 1000-element Vector{Int64} at index [1001]
e = try v[4] catch x x end
println(e isa BoundsError, " ", e.a === v)
# CHECK-NEXT: true true
