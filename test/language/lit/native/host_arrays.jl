# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arguments computed from arrays: dotted calls, literals of two dimensions, arrays without dimensions, lazy ranges.
#
# RUN: %kiln run %s twice --arg 'zeros(Int32, 3) .+ 1' --threads 3 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=SUM
# SUM: dtype <i8 shape (3,) values 2 2 2
# RUN: %kiln run %s twice --arg '[1 2; 3 4] .* Float32[10, 20]' --threads 4 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=MATRIX
# MATRIX: dtype <f4 shape (2, 2) values 20.0 40.0 120.0 160.0
# RUN: %kiln run %s twice --arg 'fill(7)' --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=POINT
# POINT: dtype <i8 shape () values 14
# RUN: %kiln run %s twice --arg 'zeros(Int32)' --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=ZERO
# ZERO: dtype <i4 shape () values 0
# RUN: %kiln run %s twice --arg 'sqrt.((1:3) .^ 2 .+ zeros(3))' --threads 3 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=ROOTS
# ROOTS: dtype <f8 shape (3,) values 2.0 4.0 6.0
# RUN: %kiln run %s copied --arg 'zeros(Float32, 3)' --arg 'Float32.((1:3) .^ 2)' --threads 3 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=LAZY
# LAZY: dtype <f4 shape (3,) values 1.0 4.0 9.0
# RUN: %status 1 %kiln run %s twice --arg '[1, 2] .+ [1, 2, 3]' 2>&1 | %filecheck %s --check-prefix=SIZES
# SIZES: DimensionMismatch

function twice(A)
    i = threadIdx().x
    A[i] = 2A[i]
    return
end

function copied(A, r)
    i = threadIdx().x
    A[i] = r[i]
    return
end
