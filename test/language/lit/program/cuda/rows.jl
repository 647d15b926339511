# RUN: %kiln script --device cpu %s | %filecheck %s
# Rows, columns and matrices of the device: products of each with each, and into arrays.
using CUDA, LinearAlgebra
w = CuArray([1, 2]); M = CuArray([1 2; 3 4]); z = CuArray([1 + 2im, 3im])
#      CHECK: [7 10] [1 2; 2 4] [7 10] [1 2; 2 4] [1 2; 2 4] 5 5 [7 10; 15 22] [5 11]
println(Array(w' * M), " ", Array(w * w'), " ", Array(transpose(w) * M), " ", Array(w * transpose(w)), " ", Array(mul!(CUDA.zeros(Int, 2, 2), w, w')), " ", w' * w, " ", transpose(w) * w, " ", Array(M * M), " ", Array(w' * CuArray([1 3; 2 4])))
# Conjugates: adjoint(z) * Z and transpose(z) * Z differ, z * z' has conjugated columns.
# CHECK-NEXT: true true true true
D = CuArray([1 0; 0 2])
println(Array(z' * D) == [1-2im -6im], " ", Array(transpose(z) * D) == [1+2im 6im], " ", Array(z * z') == [5 6-3im; 6+3im 9], " ", Array(z * transpose(z)) == [-3+4im -6+3im; -6+3im -9])
# CHECK-NEXT: [7, 10] true [5; 10;;] [11 11; 21 31] Float32[5.0, 5.0] [6 12; 18 24] [5, 10]
println(Array((w' * M)'), " ", w' * M isa Adjoint, " ", Array(reshape(w, 2, 1) * CuArray(reshape([5], 1, 1))), " ", Array(mul!(CuArray([1 1; 2 3]), w, w', 10, 1) .- CuArray([0 10; 1 12])), " ", Array(mul!(CUDA.zeros(2), 5, CUDA.ones(2))), " ", Array(mul!(copy(M), M, 3, 2, 0)), " ", Array(mul!(CuArray([1, 2]), w, 2, 2, 1)))
# CHECK-NEXT: DimensionMismatch DimensionMismatch
println(nameof(typeof(try w' * CuArray([1 2 3; 4 5 6; 7 8 9]) catch e; e end)), " ", nameof(typeof(try mul!(CUDA.zeros(Int, 3, 2), w, w') catch e; e end)))
# Functions that are types: sums, maps.
# CHECK-NEXT: 3.0 Float64 [1.0, 2.0] [1.0 2.0] 3.0
x = CuArray(Float32[1, 2])
println(sum(Float64, x), " ", typeof(sum(Float64, x)), " ", Array(map(Float64, x)), " ", Array(map(Float64, transpose(x))), " ", mapreduce(Float64, +, x; init=0.0))
# Views of views once a matrix of LinearAlgebra was named.
# CHECK-NEXT: [2, 1] [2.0 0.0; 0.0 3.0]
println(Array(view(w, [2, 1])[1:2]), " ", Array(Diagonal(CuArray([2.0, 3.0])) * CuArray([1.0 0.0; 0.0 1.0])))
