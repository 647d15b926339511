# RUN: %kiln script --device cpu %s | %filecheck %s
# cuBLAS.jl's functions by name, diff. Expected values by hand.
using CUDA, LinearAlgebra

x = CuArray([1.0, 2.0, 3.0])
y = CuArray([10.0, 20.0, 30.0])
CUBLAS.axpy!(3, 2.0, x, y)
println(Array(y), " ", CUBLAS.dot(3, x, y), " ", CUBLAS.nrm2(2, CuArray([3.0, 4.0, 100.0])), " ", CUBLAS.asum(3, CuArray([1.0, -2.0, 3.0])))
# CHECK: [12.0, 24.0, 36.0] 168.0 5.0 6.0
CUBLAS.axpy!(2, -1.0, x, y)
CUBLAS.scal!(1, 2.0, x)
println(Array(y), " ", Array(x), " ", CUBLAS.iamax(3, CuArray([1.0, -7.0, 3.0])))
# CHECK-NEXT: [11.0, 22.0, 36.0] [2.0, 2.0, 3.0] 2
A = CuArray([1.0 2.0; 3.0 4.0])
B = CuArray([0.0 1.0; 1.0 0.0])
C = CUDA.ones(Float64, 2, 2)
CUBLAS.gemm!('N', 'T', 2.0, A, B, 1.0, C)
println(Array(C), " ", Array(CUBLAS.gemm('T', 'N', A, B)), " ", Array(CUBLAS.gemv('T', 1.0, A, CuArray([1.0, 1.0]))))
# CHECK-NEXT: [5.0 3.0; 9.0 7.0] [3.0 1.0; 4.0 2.0] [4.0, 6.0]
CUBLAS.swap!(2, x, y)
println(Array(x), " ", Array(y))
# CHECK-NEXT: [11.0, 22.0, 3.0] [2.0, 2.0, 36.0]
M = CuArray([1.0 2 4; 7 11 16])
println(Array(diff(M, dims=1)), " ", Array(diff(M; dims=2)), " ", Array(diff(CuArray([1, 4, 9]))))
# CHECK-NEXT: [6.0 9.0 12.0] [1.0 2.0; 4.0 5.0] [3, 5]
try
    CUBLAS.gemm('X', 'N', A, B)
catch e
    println(typeof(e))
end
# CHECK-NEXT: ArgumentError
r = CuRef(5.0)
r[] = r[] + 1
println(r[], " ", r, " ", eltype(r), " ", CuRef{Int64}(3))
# CHECK-NEXT: 6.0 CuRefValue{Float64}(6.0) Float64 CuRefValue{Int64}(3)

# Views of views, as @views makes them.
a = CuArray([1 2 3; 4 5 6; 7 8 9])
v = view(a, 2:3, :)
w = view(v, 1:1, 2:3)
println(Array(w), " ", Array(w .+ 1), " ", Array(view(v, 2, :)), " ", Array(view(view(a, 3:-2:1, 2), 2:2)), " ", Array(diff(v, dims=2)))
# CHECK-NEXT: [5 6] [6 7] [7, 8, 9] [2] [1 1; 1 1]
w .= 0
println(Array(a), " ", parent(w) === a)
# CHECK-NEXT: [1 2 3; 4 0 0; 7 8 9] true
try
    view(v, 3:3, :)
catch e
    println(typeof(e))
end
# CHECK-NEXT: BoundsError
