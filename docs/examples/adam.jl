# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The fused update of the Adam optimiser: reads and writes the gradient and two moments once, 24 bytes per element.
# The result replaces the gradient: it is the parameters' step. b1 and b2 are this step's decay rates of the moments;
# the caller keeps their running products.
#
# adam4 is the same with four elements per thread, accessed as one.
#
#   kiln compile adam.jl 'adam(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32, Float32, Float32, Float32)' --target ptx
#   kiln run adam.jl adam --arg 'rand(Float32, 4096)' --arg 'zeros(Float32, 4096)' --arg 'zeros(Float32, 4096)' --arg 0.9f0 --arg 0.999f0 --arg 1f-3 --arg 1f-8 --threads 256 --blocks 16 --out 1=step.npy
#   kiln bench adam.jl adam --arg 'rand(Float32, 1 << 24)' --arg 'zeros(Float32, 1 << 24)' --arg 'zeros(Float32, 1 << 24)' --arg 0.9f0 --arg 0.999f0 --arg 1f-3 --arg 1f-8 --threads 256 --blocks 65536 --bytes 402653184
#   kiln run adam.jl adam4 --arg 'rand(Float32, 4099)' --arg 'zeros(Float32, 4099)' --arg 'zeros(Float32, 4099)' --arg 0.9f0 --arg 0.999f0 --arg 1f-3 --arg 1f-8 --threads 256 --blocks 5 --out 1=step.npy
#   kiln bench adam.jl adam4 --arg 'rand(Float32, 1 << 24)' --arg 'zeros(Float32, 1 << 24)' --arg 'zeros(Float32, 1 << 24)' --arg 0.9f0 --arg 0.999f0 --arg 1f-3 --arg 1f-8 --threads 256 --blocks 16384 --bytes 402653184

using CUDA

# Returns the new moments and the step.
@inline function update(g, m, v, b1, b2, eta, eps)
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g^2
    return m, v, m / (1 - b1) / (sqrt(v / (1 - b2)) + eps) * eta
end

function adam(gradient, first_moment, second_moment, b1, b2, eta, eps)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(gradient)
        @inbounds first_moment[i], second_moment[i], gradient[i] = update(gradient[i], first_moment[i], second_moment[i], b1, b2, eta, eps)
    end
    return
end

const Four = NTuple{4,VecElement{Float32}}

# The threads after those with four elements process the remaining elements, one each.
function adam4(gradient, first_moment, second_moment, b1, b2, eta, eps)
    g, m, v = reinterpret(Four, gradient), reinterpret(Four, first_moment), reinterpret(Four, second_moment)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(g)
        @inbounds old = (g[i], m[i], v[i])
        new = ntuple(k -> update(old[1][k].value, old[2][k].value, old[3][k].value, b1, b2, eta, eps), Val(4))
        @inbounds m[i] = ntuple(k -> VecElement(new[k][1]), Val(4))
        @inbounds v[i] = ntuple(k -> VecElement(new[k][2]), Val(4))
        @inbounds g[i] = ntuple(k -> VecElement(new[k][3]), Val(4))
    elseif i + 3 * length(g) <= length(gradient)
        i += 3 * length(g)
        @inbounds first_moment[i], second_moment[i], gradient[i] = update(gradient[i], first_moment[i], second_moment[i], b1, b2, eta, eps)
    end
    return
end
