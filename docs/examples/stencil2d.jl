# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One Jacobi step of the heat equation in the interior of a grid: the mean of the four neighbours, weighted with the
# centre. The border keeps its values.
#
#   kiln compile stencil2d.jl 'stencil2d(CuDeviceMatrix{Float32,1}, Const{Float32,2,1}, Float32)' --target ptx
#   kiln run stencil2d.jl stencil2d --arg 'zeros(Float32, 128, 128)' --arg 'Const(rand(Float32, 128, 128))' --arg 0.2f0 --threads 32,8 --blocks 4,16 --out 1=u.npy
#   kiln bench stencil2d.jl stencil2d --arg 'zeros(Float32, 8192, 8192)' --arg 'Const(rand(Float32, 8192, 8192))' --arg 0.2f0 --threads 32,8 --blocks 256,1024 --bytes 536870912

using CUDA

function stencil2d(new, old, weight)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    j = (blockIdx().y - 1i32) * blockDim().y + threadIdx().y
    (rows, cols) = size(new)
    if 1 < i < rows && 1 < j < cols
        @inbounds begin
            centre = old[i, j]
            around = old[i-1, j] + old[i+1, j] + old[i, j-1] + old[i, j+1]
            new[i, j] = centre + weight * (around - 4 * centre)
        end
    end
    return
end
