# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Half precision: each operation is rounded once.

function halves(o, x, y, z)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    a, b, c = x[i], y[i], z[i]
    o[i, 1] = a + b
    o[i, 2] = a - b
    o[i, 3] = a * b
    o[i, 4] = a / b
    o[i, 5] = sqrt(abs(a))
    o[i, 6] = fma(a, b, c)
    o[i, 7] = a * b + c
    o[i, 8] = Float16(Float32(a) + 0.1f0)
    o[i, 9] = Float16(Float64(a) * 1.0009765625)
    o[i, 10] = min(a, b) + abs(c)
    o[i, 11] = rem(a, b)
    o[i, 12] = round(a)
    return
end

function half_integers(o, n)
    i = threadIdx().x
    o[i, 1] = Float16(n[i])
    o[i, 2] = Float16(Int64(n[i]) * 3)
    o[i, 3] = Float16(n[i] % UInt16)
    return
end
