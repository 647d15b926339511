# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# cholesky without a check, division by its result, and generalized eigenvalues. Expected values by hand.
using LinearAlgebra
A = [4.0 2; 2 5]
# CHECK: true false false PosDefException
println(issuccess(cholesky(A)), " ", issuccess(cholesky([1.0 2; 2 1]; check=false)), " ", issuccess(cholesky([1.0 2; 0 1]; check=false)), " ",
        try cholesky([1.0 2; 2 1]) catch e nameof(typeof(e)) end)
# CHECK-NEXT: true true
println([8.0 9; 4 2] / cholesky(A) ≈ [8.0 9; 4 2] / A, " ", [1.0 1im] / cholesky([2 1im; -1im 2]) ≈ [1.0 1im] / [2 1im; -1im 2])
# det([6 - 2v 1 - v; 1 - v 6 - 2v]) == 0 for v == 5 and v == 7 / 3; the second pair has v == 3 and v == -1 / 2.
# CHECK-NEXT: true true
println(eigvals([6.0 1; 1 6], [2.0 1; 1 2]) ≈ [7 / 3, 5], " ", eigvals([3.0 0; 1 1], [1.0 0; 0 -2]) ≈ [-1 / 2, 3])
# CHECK-NEXT: true
println(Matrix(eigen([2.0 1; 3 4])) ≈ [2 1; 3 4])
# CHECK-NEXT: -1.5 1.5 -1.0
println(Float64(copysign(big(1.5), big(-2.0))), " ", Float64(copysign(big(-1.5), big(2.0))), " ", copysign(1.0, big(-2.0)))
# A reference to bits is written and read as its bytes.
io = IOBuffer()
# CHECK-NEXT: 8 UInt8[0x01, 0x02, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff]
println(write(io, Ref((0x01, 0x02, Int32(-1)))), " ", take!(copy(io)))
r = Ref((0x00, 0x00, Int32(0)))
# CHECK-NEXT: (0x01, 0x02, -1)
println(read!(seekstart(io), r)[])
