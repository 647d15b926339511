# RUN: %kiln script --device cpu %s | %filecheck %s
# Triangular, symmetric and diagonal matrices of the host and of the device: values by hand.
using CUDA, LinearAlgebra
A = [1.0 2 3; 4 5 6; 7 8 10]
v = [1.0, 2, 3]
for f in (identity, CuArray)
    (B, x) = (f(A), f(v))
    println(collect(UpperTriangular(B) * x), " ", collect(UnitLowerTriangular(B) * x), " ", collect(Symmetric(B, :L) * f(ones(3))))
    println(collect(UpperTriangular(B) \ f([14.0, 28, 30])), " ", collect(adjoint(UpperTriangular(B)) * x))
    println(collect(UnitUpperTriangular(B)), " ", collect(Diagonal(x) * B), " ", collect(B * Diagonal(x)))
    println(collect(Hermitian(f([1.0+im 2im; 3 4]), :U)), " ", collect(LowerTriangular(B) + 2I))
    println(collect(Diagonal(x) \ f([2.0, 8, 3])), " ", collect(Diagonal(x) * Diagonal(x)), " ", collect(cholesky(Diagonal(f([4.0, 9]))).U))
    C = f(fill(NaN, 3))
    println(collect(mul!(C, LowerTriangular(B), x, 2, 0)), " ", collect(mul!(C, LowerTriangular(B), x, 1, -1)))
    println(istriu(UpperTriangular(B)), " ", istril(UpperTriangular(B)), " ", istriu(UpperTriangular(B), 1), " ", collect(Symmetric(B)[2, :]))
    println(try Diagonal(f([1.0, 0])) \ f([1.0, 1]) catch e; e isa SingularException && e.info end)
end
# CHECK: [14.0, 28.0, 30.0] [1.0, 6.0, 26.0] [12.0, 17.0, 25.0]
# CHECK-NEXT: [1.0, 2.0, 3.0] [1.0, 12.0, 45.0]
# CHECK-NEXT: [1.0 2.0 3.0; 0.0 1.0 6.0; 0.0 0.0 1.0] [1.0 2.0 3.0; 8.0 10.0 12.0; 21.0 24.0 30.0] [1.0 4.0 9.0; 4.0 10.0 18.0; 7.0 16.0 30.0]
# CHECK-NEXT: ComplexF64[1.0 + 0.0im 0.0 + 2.0im; 0.0 - 2.0im 4.0 + 0.0im] [3.0 0.0 0.0; 4.0 7.0 0.0; 7.0 8.0 12.0]
# CHECK-NEXT: [2.0, 4.0, 1.0] [1.0 0.0 0.0; 0.0 4.0 0.0; 0.0 0.0 9.0] [2.0 0.0; 0.0 3.0]
# CHECK-NEXT: [2.0, 28.0, 106.0] [-1.0, -14.0, -53.0]
# CHECK-NEXT: true false false [2.0, 5.0, 6.0]
# CHECK-NEXT: 2
# CHECK-NEXT: [14.0, 28.0, 30.0] [1.0, 6.0, 26.0] [12.0, 17.0, 25.0]
# CHECK-NEXT: [1.0, 2.0, 3.0] [1.0, 12.0, 45.0]
# CHECK-NEXT: [1.0 2.0 3.0; 0.0 1.0 6.0; 0.0 0.0 1.0] [1.0 2.0 3.0; 8.0 10.0 12.0; 21.0 24.0 30.0] [1.0 4.0 9.0; 4.0 10.0 18.0; 7.0 16.0 30.0]
# CHECK-NEXT: ComplexF64[1.0 + 0.0im 0.0 + 2.0im; 0.0 - 2.0im 4.0 + 0.0im] [3.0 0.0 0.0; 4.0 7.0 0.0; 7.0 8.0 12.0]
# CHECK-NEXT: [2.0, 4.0, 1.0] [1.0 0.0 0.0; 0.0 4.0 0.0; 0.0 0.0 9.0] [2.0 0.0; 0.0 3.0]
# CHECK-NEXT: [2.0, 28.0, 106.0] [-1.0, -14.0, -53.0]
# CHECK-NEXT: true false false [2.0, 5.0, 6.0]
# CHECK-NEXT: 2
