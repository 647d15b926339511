# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln advise: how far apart threads side by side access memory. A warp of 32 threads reads 32 Float32, 128 bytes,
# in 4 sectors of 32 bytes if they lie side by side; in 8 if they are 8 bytes apart, in 32 from 32 bytes on.
# RUN: %kiln advise %s 'columns(CuDeviceVector{Float32,1}, CuDeviceMatrix{Float32,1})' | %filecheck %s --check-prefix=COLUMNS --implicit-check-not=advice
# COLUMNS: strides.jl:[[#@LINE+23]]:24: advice: threads side by side in threadIdx().x access elements that lie a distance known only at run time apart: a warp moves up to 32 sectors of 32 bytes where 4 would do; let threadIdx().x run along the first index
# RUN: %kiln advise %s 'every_third(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %filecheck %s --check-prefix=THIRD --implicit-check-not=advice
# THIRD: strides.jl:[[#@LINE+29]]:22: advice: threads side by side in threadIdx().x access 4 bytes each, 12 bytes apart: a warp moves 12 sectors of 32 bytes where 4 would do;
# RUN: %kiln advise %s 'first_fields(CuDeviceVector{Float32,1}, CuDeviceVector{Particle,1})' | %filecheck %s --check-prefix=FIELD --implicit-check-not=advice
# FIELD: strides.jl:[[#@LINE+42]]:22: advice: {{.*}} access 4 bytes each, 24 bytes apart: a warp moves 24 sectors of 32 bytes where 4 would do; {{.*}}an array for each field
# RUN: %kiln advise %s 'chunks(CuDeviceVector{Float64,1}, Int64)' | %filecheck %s --check-prefix=CHUNKS --implicit-check-not=advice
# CHUNKS: strides.jl:[[#@LINE+47]]:19: advice: {{.*}}distance known only at run time apart: a warp moves up to 32 sectors of 32 bytes where 8 would do
# RUN: %kiln advise %s 'three(CuDeviceMatrix{Float32,1})' | %filecheck %s --check-prefix=THREE --implicit-check-not=advice
# THREE: strides.jl:[[#@LINE+90]]:15: advice: {{.*}}where 4 would do (and so do 2 more accesses of this array); let
# Against: rows by the first index; backwards; a loop by strides of the grid; one element for all; a whole struct; an
# index that no polynomial of threadIdx().x is.
# RUN: %kiln advise %s 'rows(CuDeviceVector{Float32,1}, CuDeviceMatrix{Float32,1})' | %empty
# RUN: %kiln advise %s 'backwards(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'grid_stride(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'whole(CuDeviceVector{Particle,1}, CuDeviceVector{Particle,1})' | %empty
# RUN: %kiln advise %s 'gathered(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, CuDeviceVector{Int32,1})' | %empty
# RUN: %kiln advise %s 'columns(CuDeviceVector{Float32,1}, CuDeviceMatrix{Float32,1})' --target native | %filecheck %s --check-prefix=CPU --implicit-check-not=advice:
using CUDA

function columns(s, A)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    t = 0f0
    for k in 1:size(A, 1)
        @inbounds t += A[k, i]
    end
    @inbounds s[i] = t
    return
end

function every_third(y, x)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    @inbounds y[i] = x[3i]
    return
end

struct Particle
    x::Float32
    y::Float32
    z::Float32
    u::Float32
    v::Float32
    w::Float32
end

function first_fields(y, p)
    i = threadIdx().x
    @inbounds y[i] = p[i].x
    return
end

function chunks(y, n)
    i = threadIdx().x
    for k in 1:n
        @inbounds y[(i - 1) * n + k] += 1.0
    end
    return
end

function rows(s, A)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    t = 0f0
    for k in 1:size(A, 2)
        @inbounds t += A[i, k]
    end
    @inbounds s[i] = t
    return
end

function backwards(y, x)
    i = threadIdx().x
    @inbounds y[i] = x[blockDim().x + 1 - i] + x[1]
    return
end

function grid_stride(y, x)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    while i <= length(y)
        @inbounds y[i] = x[i]
        i += gridDim().x * blockDim().x
    end
    return
end

function whole(y, x)
    i = threadIdx().x
    @inbounds p = x[i]
    @inbounds y[i] = Particle(p.y, p.x, p.z, p.w, p.v, p.u)
    return
end

function gathered(y, x, index)
    i = threadIdx().x
    @inbounds y[i] = x[index[i]] + x[(i - 1) & 3 + 1] + x[(i - 1) >> 2 + 1]
    return
end

function three(y)
    i = threadIdx().x
    @inbounds y[1, i] = 1f0
    @inbounds y[2, i] = 2f0
    @inbounds y[3, i] = 3f0
    return
end
# CPU: not checked: wide-integer, local-memory, spills, occupancy, stride, bank-conflict, lockstep, serial-products: they are about GPUs, and the target is a CPU
