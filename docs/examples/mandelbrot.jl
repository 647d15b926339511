# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Counts the steps of z^2 + c until each point of a rectangle leaves the circle of radius two.
#
#   kiln compile mandelbrot.jl 'mandelbrot(CuDeviceMatrix{Int32,1}, ComplexF32, ComplexF32, Int32)' --target ptx
#   kiln run mandelbrot.jl mandelbrot --arg 'zeros(Int32, 512, 384)' --arg 'ComplexF32(-2.2f0, -1.2f0)' --arg 'ComplexF32(1f0, 1.2f0)' --arg 'Int32(256)' --threads 16,16 --blocks 32,24 --out 1=steps.npy
#   kiln bench mandelbrot.jl mandelbrot --arg 'zeros(Int32, 4096, 3072)' --arg 'ComplexF32(-2.2f0, -1.2f0)' --arg 'ComplexF32(1f0, 1.2f0)' --arg 'Int32(256)' --threads 16,16 --blocks 256,192

using CUDA

function steps_to_leave(c, limit)
    z = zero(c)
    n = zero(limit)
    while n < limit && abs2(z) <= 4
        z = z^2 + c
        n += one(n)
    end
    return n
end

function mandelbrot(image, lower, upper, limit)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    j = (blockIdx().y - 1i32) * blockDim().y + threadIdx().y
    (width, height) = size(image)
    if i <= width && j <= height
        re = real(lower) + (i - 0.5f0) / width * (real(upper) - real(lower))
        im = imag(lower) + (j - 0.5f0) / height * (imag(upper) - imag(lower))
        @inbounds image[i, j] = steps_to_leave(Complex(re, im), limit)
    end
    return
end
