# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# y = a*x + y with one element per thread; threads past the end do nothing.
#
#   kiln compile saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target ptx --arch sm_90
#   kiln run saxpy.jl saxpy --arg 'zeros(Float32, 1000)' --arg 'rand(Float32, 1000)' --arg 2f0 --threads 256 --blocks 4 --out 1=y.npy
#   kiln bench saxpy.jl saxpy --arg 'zeros(Float32, 1 << 24)' --arg 'rand(Float32, 1 << 24)' --arg 2f0 --threads 256 --blocks 65536 --bytes 201326592

using CUDA

function saxpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
    end
    return
end
