# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The update of the Adam optimiser, fused: reads and writes the gradient and two moments once, 24 bytes an element.
# The step that the parameters take is left in the gradient's place. b1 and b2 are the decay rates of this step's
# moments, so their running products are the caller's to keep.
#
#   kiln compile adam.jl 'adam(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32, Float32, Float32, Float32)' --target ptx
#   kiln run adam.jl adam --arg 'rand(Float32, 4096)' --arg 'zeros(Float32, 4096)' --arg 'zeros(Float32, 4096)' --arg 0.9f0 --arg 0.999f0 --arg 1f-3 --arg 1f-8 --threads 256 --blocks 16 --out 1=step.npy
#   kiln bench adam.jl adam --arg 'rand(Float32, 1 << 24)' --arg 'zeros(Float32, 1 << 24)' --arg 'zeros(Float32, 1 << 24)' --arg 0.9f0 --arg 0.999f0 --arg 1f-3 --arg 1f-8 --threads 256 --blocks 65536 --bytes 402653184

using CUDA

function adam(gradient, first_moment, second_moment, b1, b2, eta, eps)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(gradient)
        @inbounds begin
            g = gradient[i]
            m = b1 * first_moment[i] + (1 - b1) * g
            v = b2 * second_moment[i] + (1 - b2) * g^2
            first_moment[i] = m
            second_moment[i] = v
            gradient[i] = m / (1 - b1) / (sqrt(v / (1 - b2)) + eps) * eta
        end
    end
    return
end
