# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a product of two Float32 matrices costs a program: products.py runs this with cuBLAS and without.
using CUDA, LinearAlgebra

first_one = time()
A = CUDA.ones(Float32, 16, 16)
Array(A)
println("device ", (time() - first_one) * 1e3)
for n in (64, 128, 161, 256, 512, 1024, 2048, 4096)
    A, B, C = CUDA.ones(Float32, n, n), CUDA.ones(Float32, n, n), CUDA.zeros(Float32, n, n)
    CUDA.synchronize()
    began = time()
    mul!(C, A, B)
    CUDA.synchronize()
    first = (time() - began) * 1e6
    count = n < 1024 ? 200 : 20
    each = [(CUDA.@elapsed for k in 1:count
        mul!(C, A, B)
    end) * 1e6 / count for r in 1:7]
    println(n, " ", round(first; digits=1), " ", round(sort(each)[4]; digits=2), " ", Array(C)[n, 1] == n)
end
