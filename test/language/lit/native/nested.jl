# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A kernel inside a host function, with what it captures given on the command line.
#
# RUN: %kiln run %s host/kernel --capture 'factor=3f0' --arg 'fill(2f0, 3)' --threads 3 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: dtype <f4 shape (3,) values 6.0 6.0 6.0
# RUN: %kiln compile %s 'host/kernel(CuDeviceVector{Float32,1})' --capture 'factor=3f0' --target ptx | %filecheck %s --check-prefix=PTX
# PTX: mul{{.*}}.f32
#
# A method that the file adds to another module's function, of types that it does not know, is a host as well.
# RUN: %kiln run %s Base.places/kernel --arg 'zeros(Int64, 3)' --threads 3 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=PLACES
# PLACES: dtype <i8 shape (3,) values 1 2 3
# RUN: %kiln run %s places/kernel --arg 'zeros(Int32, 2)' --threads 2 --out 1=%t.npy

using CUDA

function host(n, factor)
    function kernel(y)
        y[threadIdx().x] *= factor
        return
    end
    y = CUDA.ones(Float32, n)
    @cuda threads=n kernel(y)
    return y
end

function Base.places(xs::HostArray{Bool})
    function kernel(y)
        i = threadIdx().x
        y[i] = CartesianIndices(y)[i]
        return
    end
    launch(kernel, xs)
end
