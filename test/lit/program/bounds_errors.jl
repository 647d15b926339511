# RUN: %kiln script --device cpu %s | %filecheck %s
# BoundsErrors of the host name the array and the indices, in Julia's words.
t(f) = try println(f()) catch e; println(sprint(showerror, e)) end
v = [1, 2, 3]; M = [1 2; 3 4]; T = reshape(collect(1:24), 2, 3, 4)
#      CHECK: BoundsError: attempt to access 3-element Vector{Int64} at index [4]
t(() -> v[4])
# CHECK-NEXT: BoundsError: attempt to access 3-element Vector{Int64} at index [0]
t(() -> (v[0] = 1))
# CHECK-NEXT: BoundsError: attempt to access 3-element Vector{Int64} at index {{\[\[}}4]]
t(() -> v[[4]])
# CHECK-NEXT: BoundsError: attempt to access 3-element Vector{Int64} at index [2:4]
t(() -> v[2:4])
# CHECK-NEXT: BoundsError: attempt to access 3-element Vector{Int64} at index [Bool[1, 0]]
t(() -> v[[true, false]])
# CHECK-NEXT: BoundsError: attempt to access 2×2 Matrix{Int64} at index [3, 1]
t(() -> M[3, 1])
# CHECK-NEXT: BoundsError: attempt to access 2×2 Matrix{Int64} at index [1:2, 3]
t(() -> M[:, 3])
# CHECK-NEXT: BoundsError: attempt to access 2×2 Matrix{Int64} at index [1:3, [1]]
t(() -> M[1:3, [1]])
# CHECK-NEXT: BoundsError: attempt to access 2×2 Matrix{Int64} at index [CartesianIndex{2}[CartesianIndex(3, 3)]]
t(() -> M[[CartesianIndex(3, 3)]])
# CHECK-NEXT: BoundsError: attempt to access 2×2 Matrix{Int64} at index [Bool[1 1]]
t(() -> M[[true true]])
# CHECK-NEXT: BoundsError: attempt to access 3-element Vector{Int64} at index {{\[\[}}5]]
t(() -> view(v, [5]))
# CHECK-NEXT: BoundsError: attempt to access 3-element Vector{Int64} at index [2:4]
t(() -> view(v, 2:4))
# CHECK-NEXT: BoundsError: attempt to access 2×2 Matrix{Int64} at index [CartesianIndex{2}[CartesianIndex(1, 3)]]
t(() -> view(M, [CartesianIndex(1, 3)]))
# CHECK-NEXT: BoundsError: attempt to access 2-element view(::Vector{Int64}, 2:3) with eltype Int64 at index [3]
t(() -> view(v, 2:3)[3])
# CHECK-NEXT: BoundsError: attempt to access 2-element view(::Vector{Int64}, [3, 1]) with eltype Int64 at index [3]
t(() -> (view(v, [3, 1])[3] = 0))
# CHECK-NEXT: BoundsError: attempt to access Tuple{Int64, Int64} at index [3]
t(() -> (1, 2)[3])
# CHECK-NEXT: BoundsError: attempt to access 1-element Vector{Int64} at index [2]
t(() -> ((a, b) = [1]; b))
# CHECK-NEXT: BoundsError: attempt to access 3-element UnitRange{Int64} at index [5]
t(() -> (1:3)[5])
# CHECK-NEXT: BoundsError: attempt to access 2×2 adjoint(::Matrix{Int64}) with eltype Int64 at index [3, 1]
t(() -> M'[3, 1])
println(v, M)
# CHECK-NEXT: [1, 2, 3][1 2; 3 4]
# The exception's fields, and how it shows.
t(() -> try v[4] catch e; (e.a === v, e.i, e) end)
# CHECK-NEXT: (true, (4,), BoundsError([1, 2, 3], (4,)))
# Lists of Cartesian indices, and masks, among other indices.
println(M[[CartesianIndex(2, 1), CartesianIndex(1, 2)]], " ", T[[CartesianIndex(2, 3), CartesianIndex(1, 1)], [1, 4]], " ", T[1, [CartesianIndex(3, 4)]], " ", T[[true false true; false true false], 2], " ", view(T, 2, [CartesianIndex(3, 4), CartesianIndex(1, 1)]))
# CHECK-NEXT: [3, 2] [6 24; 1 19] [23] [7, 10, 11] [24, 2]
W = copy(M); W[[CartesianIndex(2, 1), CartesianIndex(1, 2)]] = [7, 8]; println(W)
# CHECK-NEXT: [1 8; 7 4]
