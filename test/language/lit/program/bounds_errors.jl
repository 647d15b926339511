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
# CHECK-NEXT: BoundsError: attempt to access 2×2 Matrix{Int64} at index [1, 3]
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
# Loops that run compiled: the exception has its fields, after a long time too.
function add_beyond(v)
  s = 0
  for i in 1:length(v)+1
    s += v[i]
  end
  return s
end
# CHECK-NEXT: BoundsError: attempt to access 100-element Vector{Int64} at index [101]
t(() -> add_beyond(collect(1:100)))
# CHECK-NEXT: BoundsError: attempt to access 9000000-element Vector{Int64} at index [9000001]
t(() -> add_beyond(collect(1:9_000_000)))
function fill_beyond!(A, B)
  for k in 1:3, j in 1:size(A, 2)+1, i in 1:size(A, 1)
    A[i, j] = B[i] + k
  end
  return A
end
# CHECK-NEXT: BoundsError: attempt to access 3000×1000 Matrix{Float64} at index [1, 1001]
t(() -> fill_beyond!(zeros(3000, 1000), ones(3000)))
# Tuples, what is taken apart, lazy arrays.
# CHECK-NEXT: BoundsError: attempt to access Tuple{Int64, Int64} at index [3]
t(() -> ((a, b, c) = (1, 2); c))
# CHECK-NEXT: BoundsError: attempt to access 1-element UnitRange{Int64} at index [2]
t(() -> ((a, b) = 5:5; b))
# CHECK-NEXT: BoundsError: attempt to access {{.*}}a{{.*}}Int64{{.*}} at index [2]
t(() -> (a=1,)[2])
# CHECK-NEXT: BoundsError: attempt to access 2×2 CartesianIndices{{.*}} at index [5]
t(() -> CartesianIndices((2, 2))[5])
# CHECK-NEXT: BoundsError: attempt to access 2-element Vector{Int64} at index [3]
t(() -> checkbounds([1, 2], 3))
