# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# Logarithms of determinants do not overflow, and triangular matrices need no factors. Expected values by hand.
using LinearAlgebra
# CHECK: true true true
println(logdet([2.0 1; 1 3]) ≈ log(5), " ", logdet(Matrix(1e200I, 3, 3)) ≈ 600 * log(10), " ", logdet(1e-150 * [2.0 0; 1 4]) ≈ log(8) - 300 * log(10))
# CHECK-NEXT: true -1.0 (-Inf, 0.0) true DomainError
println(logabsdet([0 2.0; 3 0])[1] ≈ log(6), " ", logabsdet([0 2.0; 3 0])[2], " ", logabsdet([1 2; 2 4]), " ", logdet([1im 0; 0 2]) ≈ log(2) + im * π / 2, " ",
        try logdet([0 1.0; 1 0]) catch e nameof(typeof(e)) end)
# CHECK-NEXT: 6 6 1.0 true
println(det(UpperTriangular([2 5; 7 3])), " ", det(LowerTriangular([2 5; 7 3])), " ", det(UnitLowerTriangular([2.0 5; 7 3])), " ", diagm() == zeros(Bool, 0, 0))
