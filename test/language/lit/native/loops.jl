# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels are vectorised across threads, also where a thread's work is a loop: with the same number of rounds for all
# (n-body) or with one that differs (Mandelbrot).
#
# RUN: %kiln compile %examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --kernel --contract=on --arch x86-64-v3 | %filecheck %s --check-prefix=SAXPY
# SAXPY: vfmadd213ps {{.*}}%ymm
#
# RUN: %kiln compile %examples/stencil2d.jl 'stencil2d(CuDeviceMatrix{Float32,1}, Const{Float32,2,1}, Float32)' --kernel --contract=on --arch x86-64-v3 | %filecheck %s --check-prefix=STENCIL
# STENCIL: vaddps {{.*}}%ymm
# STENCIL: vfmadd213ps {{.*}}%ymm
#
# RUN: %kiln compile %examples/nbody.jl 'nbody(CuDeviceVector{Body,1}, CuDeviceVector{Velocity,1}, CuDeviceVector{Body,1}, Float32)' --kernel --arch x86-64-v3 | %filecheck %s --check-prefix=NBODY
# NBODY: vsqrtps {{.*}}%ymm
# NBODY: vdivps {{.*}}%ymm
#
# RUN: %kiln compile %examples/mandelbrot.jl 'mandelbrot(CuDeviceMatrix{Int32,1}, ComplexF32, ComplexF32, Int32)' --kernel --arch x86-64-v3 | %filecheck %s --check-prefix=MANDELBROT
# MANDELBROT: v{{mul|fm.*}}ps {{.*}}%ymm
# MANDELBROT: vcmp{{.*}}ps {{.*}}%ymm
#
# What LLVM has no vectors for, or reaches across memory, stays one thread after another.
# RUN: %kiln compile %s 'sines(CuDeviceVector{Float32,1}, Int64)' --kernel --arch x86-64-v3 --emit llvm-opt --strip | %filecheck %s --check-prefix=ALONE
# RUN: %kiln compile %s 'rows(CuDeviceVector{Float32,1}, CuDeviceMatrix{Float32,1})' --kernel --arch x86-64-v3 --emit llvm-opt --strip | %filecheck %s --check-prefix=ALONE
# ALONE-NOT: call{{.*}}kiln_native_frames

using CUDA

function sines(o, n)
    v = Float32(threadIdx().x)
    for k in 1:n
        v = sin(v)
    end
    @inbounds o[threadIdx().x] = v
    return
end

function rows(o, x)
    sum = 0f0
    for k in 1:size(x, 1)
        @inbounds sum += x[k, threadIdx().x]
    end
    @inbounds o[threadIdx().x] = sum
    return
end
