# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Includes a published program with kernels, the first argument, and prints what its kernels stored.

using CUDA

program = basename(ARGS[1])
include(ARGS[1])

out(name, value) = println("> ", name, ": ", value)

if program == "cuda_test1.jl"
    out("result", Array(res_d))
elseif program == "start.jl"
    out("result", (unique(Array(xd)), unique(Array(yd))))
elseif program == "ad1d_bdry_kernels.jl"
    faces, cells = 5, 8
    volume, area = CuArray(collect(2.0:cells+1)), CuArray(collect(1.0:faces) ./ 4)
    bdryface, face2element = CuArray([3, 1, 5, 2, 4]), CuArray([8 6 4 2 1; 0 0 0 0 0])
    centers, facex = CuArray([0.1 0.2 0.3 0.4 0.5]), CUDA.zeros(Float64, 8, 1)
    for t in (0.05, 0.1, 0.3)
        flux, index, vector = CUDA.zeros(Float64, 8), CUDA.zeros(Int, 8), CUDA.ones(Float64, cells)
        @cuda threads = 4 blocks = 2 ad_bc_bi_1_gpu(t, faces, bdryface, face2element, CuArray([1]), volume, area, 1, centers, 1, facex, flux, index, vector)
        out("flux", Array(flux))
        out("index", Array(index))
        out("vector", Array(vector))
    end
    out("facex", Array(facex)[:])
end
