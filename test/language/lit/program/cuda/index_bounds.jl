# RUN: %kiln script --device cpu %s | %filecheck %s
# Parts by lists of the host and of the device: an index outside throws a BoundsError that names array and indices, before a kernel
# reads or writes. Elements are i + 2(j - 1) + 6(k - 1) in T, so that the expected values are sums.
using CUDA
x = CuArray([1, 2, 3]); M = CuArray([1 2; 3 4]); T = CuArray(reshape(collect(1:24), 2, 3, 4))
t(f) = try println(f()) catch e; println("! ", first(split(sprint(showerror, e), "\n"))) end
# CHECK:      ! BoundsError: attempt to access 3-element CuArray{Int64, 1, CUDA.DeviceMemory} at index {{\[\[}}4]]
t(() -> Array(x[CuArray([4])]))
# CHECK-NEXT: ! BoundsError: attempt to access 3-element CuArray{Int64, 1, CUDA.DeviceMemory} at index {{\[\[}}4]]
t(() -> Array(x[[4]]))
# CHECK-NEXT: ! BoundsError: attempt to access 3-element CuArray{Int64, 1, CUDA.DeviceMemory} at index {{\[\[}}0]]
t(() -> (x[CuArray([0])] = CuArray([9])))
# CHECK-NEXT: ! BoundsError: attempt to access 3-element CuArray{Int64, 1, CUDA.DeviceMemory} at index {{\[\[}}1, 5]]
t(() -> (x[CuArray([1, 5])] .= 9))
# CHECK-NEXT: ! BoundsError: attempt to access 3-element CuArray{Int64, 1, CUDA.DeviceMemory} at index [Int32[-1]]
t(() -> (view(x, CuArray(Int32[-1])) .= 9))
# CHECK-NEXT: ! BoundsError: attempt to access 2×2 CuArray{Int64, 2, CUDA.DeviceMemory} at index [CartesianIndex{2}[CartesianIndex(3, 3)]]
t(() -> Array(M[[CartesianIndex(3, 3)]]))
# CHECK-NEXT: ! BoundsError: attempt to access 2×2 CuArray{Int64, 2, CUDA.DeviceMemory} at index [CartesianIndex{2}[CartesianIndex(2, 1), CartesianIndex(1, 3)]]
t(() -> (M[CuArray([CartesianIndex(2, 1), CartesianIndex(1, 3)])] = CuArray([8, 9])))
# CHECK-NEXT: ! BoundsError: attempt to access 2×2 CuArray{Int64, 2, CUDA.DeviceMemory} at index [1:2, [1, 3]]
t(() -> Array(M[:, CuArray([1, 3])]))
# CHECK-NEXT: ! BoundsError: attempt to access 2×2 CuArray{Int64, 2, CUDA.DeviceMemory} at index {{\[\[}}3, 1], 2]
t(() -> Array(M[CuArray([3, 1]), 2]))
# CHECK-NEXT: ! BoundsError: attempt to access 2×2 CuArray{Int64, 2, CUDA.DeviceMemory} at index {{\[\[}}1], 3]
t(() -> Array(M[CuArray([1]), 3]))
# CHECK-NEXT: ! BoundsError: attempt to access 3-element CuArray{Int64, 1, CUDA.DeviceMemory} at index [Bool[1, 0]]
t(() -> Array(x[CuArray([true, false])]))
# CHECK-NEXT: ! BoundsError: attempt to access 2×2 CuArray{Int64, 2, CUDA.DeviceMemory} at index [Bool[1 1]]
t(() -> Array(M[CuArray([true true])]))
# CHECK-NEXT: ! BoundsError: attempt to access 2×2 CuArray{Int64, 2, CUDA.DeviceMemory} at index [Bool[1, 0, 1], 1]
t(() -> Array(M[[true, false, true], 1]))
# CHECK-NEXT: ! BoundsError: attempt to access 3-element CuArray{Int64, 1, CUDA.DeviceMemory} at index [2:4]
t(() -> Array(x[2:4]))
# CHECK-NEXT: ! BoundsError: attempt to access 2×2 CuArray{Int64, 2, CUDA.DeviceMemory} at index [1:3, 1]
t(() -> (M[1:3, 1] = CuArray([7, 8, 9])))
# CHECK-NEXT: ! BoundsError: attempt to access 3-element CuArray{Int64, 1, CUDA.DeviceMemory} at index [4]
t(() -> CUDA.@allowscalar x[4])
# CHECK-NEXT: ! BoundsError: attempt to access 2×3×4 CuArray{Int64, 3, CUDA.DeviceMemory} at index [CartesianIndex{2}[CartesianIndex(2, 4), CartesianIndex(1, 1)], [1, 4]]
t(() -> Array(T[CuArray([CartesianIndex(2, 4), CartesianIndex(1, 1)]), CuArray([1, 4])]))
# CHECK-NEXT: ! BoundsError: attempt to access 2-element view(::CuArray{Int64, 1, CUDA.DeviceMemory}, [3, 1]) with eltype Int64 at index [2:3]
t(() -> Array(view(x, [3, 1])[2:3]))
# CHECK-NEXT: ! BoundsError: attempt to access 3-element view(::CuArray{Int64, 1, CUDA.DeviceMemory}, [3, 1, 2]) with eltype Int64 at index {{\[\[}}3, 4]]
t(() -> (view(view(x, CuArray([3, 1, 2])), CuArray([3, 4])) .= 0))
# CHECK-NEXT: ! BoundsError: attempt to access 3-element CuArray{Int64, 1, CUDA.DeviceMemory} at index [4]
t(() -> copyto!(x, 2, CuArray([7, 8, 9]), 1, 3))
# CHECK-NEXT: ! BoundsError: attempt to access 2-element Vector{Int64} at index [3]
t(() -> copyto!(x, 1, [7, 8], 1, 3))
# Nothing was written.
# CHECK-NEXT: [1, 2, 3] [1 2; 3 4]
println(Array(x), " ", Array(M))
# Within bounds.
# CHECK-NEXT: [3, 2] [4, 2] [1, 3] [1, 4] [1, 2, 4] [3 4] Int64[] [3, 2] [1 2; 3 1]
println(Array(M[[CartesianIndex(2, 1), CartesianIndex(1, 2)]]), " ", Array(M[CuArray([2, 1]), 2]), " ", Array(x[CuArray([true, false, true])]), " ", Array(M[CuArray([true false; false true])]), " ", Array(M[CuArray([true, false, true, true])]), " ", Array(M[[false, true], :]), " ", Array(x[Int[]]), " ", Array(x[UInt8[3, 2]]), " ", Array(x[CuArray([1 2; 3 1])]))
# CHECK-NEXT: [6 24; 1 19] [23, 1] [7, 10, 11] [1, 11, 23]
println(Array(T[CuArray([CartesianIndex(2, 3), CartesianIndex(1, 1)]), CuArray([1, 4])]), " ", Array(T[1, CuArray([CartesianIndex(3, 4), CartesianIndex(1, 1)])]), " ", Array(T[CuArray([true false true; false true false]), 2]), " ", Array(T[1, [CartesianIndex(1, 1), CartesianIndex(3, 2), CartesianIndex(3, 4)]]))
# Views of views: of lists, of ranges, by linear indices, stored into.
# CHECK-NEXT: [3, 1] [2, 3] [4; 2;;] [3, 2] [4] [2, 3] [3, 2]
println(Array(view(x, [3, 1])[1:2]), " ", Array(view(view(x, CuArray([3, 1, 2])), CuArray([3, 1]))), " ", Array(view(M, CuArray([2, 1]), :)[:, CuArray([2])]), " ", Array(view(M, CuArray([2, 1]), :)[CuArray([1, 4])]), " ", Array(view(M, CuArray([2, 1]), :)[CuArray([CartesianIndex(1, 2)])]), " ", Array(view(view(x, [3, 1, 2]), 3:-2:1) .+ 0), " ", Array(reshape(view(M, CuArray([2, 1]), :), 4)[CuArray([1, 4])]))
# CHECK-NEXT: [1 2; 50 4] [6 2; 5 4]
N = copy(M); v = view(N, CuArray([2, 1]), 1); v[CuArray([1])] = CuArray([50]); print(Array(N), " "); v[1:2] = CuArray([5, 6]); println(Array(N))
