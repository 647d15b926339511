# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels reshape arrays and store into triangular matrices. Their errors have texts that kernels do not build.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA, LinearAlgebra
function fill_parts(a, b)
    U = UpperTriangular(reshape(a, 2, 2))
    U[1, 2] = b[1]
    U[1, 1] = b[2]
    L = UnitLowerTriangular(reshape(a, 2, 2))
    L[2, 1] = b[3]
    a[4] = reshape(view(b, 1:2), 1, :)[1, 2]
    return
end
a = CUDA.zeros(4)
@cuda fill_parts(a, CuArray([5f0, 6f0, 7f0]))
# CHECK: Float32[6.0, 7.0, 5.0, 6.0]
println(Array(a))
