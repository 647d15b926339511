# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# C = A * B with one element of C per thread. Arrays are column-major: C[row, col].
#
#   kiln compile matmul.jl 'matmul(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1})' --target ptx
#   kiln run matmul.jl matmul --arg 'zeros(Float32, 64, 64)' --arg 'rand(Float32, 64, 64)' --arg 'rand(Float32, 64, 64)' --threads 16,16 --blocks 4,4 --out 1=c.npy
#   kiln bench matmul.jl matmul --arg 'zeros(Float32, 1024, 1024)' --arg 'rand(Float32, 1024, 1024)' --arg 'rand(Float32, 1024, 1024)' --threads 16,16 --blocks 64,64 --flops 2147483648

using CUDA

function matmul(C, A, B)
    row = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    col = (blockIdx().y - 1) * blockDim().y + threadIdx().y
    if row <= size(C, 1) && col <= size(C, 2)
        sum = zero(eltype(C))
        for k in 1:size(A, 2)
            @inbounds sum += A[row, k] * B[k, col]
        end
        @inbounds C[row, col] = sum
    end
    return
end
