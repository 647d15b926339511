# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln advise: shared memory has 32 banks of 4 bytes. Threads 32 words apart all want one of them; 2 words apart, two
# threads want each of 16; 33 words apart, each wants another.
# RUN: %kiln advise %s 'transposed(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, Val{32})' | %filecheck %s --check-prefix=TILE --implicit-check-not=advice
# TILE: bank_conflicts.jl:[[#@LINE+24]]:25: advice: threads side by side in threadIdx().x access shared memory 128 bytes apart: up to 32 of a warp want the same bank and wait for one another; make the array one element longer in its first dimension, as (33, 32) for (32, 32)
# RUN: %kiln advise %s 'transposed(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, Val{32})' --maxthreads 32,8 | %filecheck %s --check-prefix=BLOCK --implicit-check-not=advice
# BLOCK: bank_conflicts.jl:[[#@LINE+22]]:25: advice: {{.*}}128 bytes apart: 32 of a warp want
# RUN: %kiln advise %s 'pairs(CuDeviceVector{Float32,1}, Val{2})' | %filecheck %s --check-prefix=PAIRS --implicit-check-not=advice
# PAIRS: bank_conflicts.jl:[[#@LINE+29]]:22: advice: {{.*}} 8 bytes apart: up to 2 of a warp want {{.*}}; let neighbouring threads access neighbouring elements, or elements an odd number apart, 3 in place of 2{{$}}
# A warp has four rows of a block 8 wide. Rows of the tile are 128 bytes apart, so all begin in bank 0: 4 want one bank. Across, 8
# threads of a row want one bank, and other rows others.
# RUN: %kiln advise %s 'transposed(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, Val{32})' --maxthreads 8,8 | %filecheck %s --check-prefix=NARROW --implicit-check-not=advice
# NARROW: bank_conflicts.jl:[[#@LINE+14]]:15: advice: {{.*}}4 bytes apart, and rows of 8 threads 128 bytes: 4 of a warp want
# NARROW: bank_conflicts.jl:[[#@LINE+15]]:25: advice: {{.*}}128 bytes apart, and rows of 8 threads 4 bytes: 8 of a warp want
# Against: a tile for a block 8 wide, whose width is not known: 20 words apart 8 threads want banks 0, 20, 8, 28, 16, 4, 24, 12, and
# the next rows those behind them, though 32 threads in a row would want each four times; a padded tile; neighbouring words; an odd stride; Float64 side by side, which are served by half warps.
# RUN: %kiln advise %s 'transposed(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1}, Val{33})' | %empty
# RUN: %kiln advise %s 'small(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float32,1})' | %empty
# RUN: %kiln advise %s 'pairs(CuDeviceVector{Float32,1}, Val{1})' | %empty
# RUN: %kiln advise %s 'pairs(CuDeviceVector{Float32,1}, Val{3})' | %empty
# RUN: %kiln advise %s 'pairs(CuDeviceVector{Float64,1}, Val{1})' | %empty
using CUDA

function transposed(B, A, ::Val{N}) where {N}
    tile = CuStaticSharedArray(Float32, (N, 32))
    i, j = threadIdx().x, threadIdx().y
    @inbounds tile[i, j] = A[i, j]
    sync_threads()
    @inbounds B[i, j] = tile[j, i]
    return
end

function pairs(y, ::Val{N}) where {N}
    part = CuStaticSharedArray(eltype(y), 1024)
    i = threadIdx().x
    @inbounds part[i] = y[i]
    sync_threads()
    @inbounds y[i] = part[(i - 1) * N + 1]
    return
end

function small(B, A)
    tile = CuStaticSharedArray(Float32, (20, 8))
    i, j = threadIdx().x, threadIdx().y
    @inbounds tile[i, j] = A[i, j]
    sync_threads()
    @inbounds B[i, j] = tile[j, i]
    return
end

# Two words side by side that a thread reads become one access of 8 bytes, which half warps are served by: no conflict. Two that
# lie 128 bytes apart stay two.
# RUN: %kiln advise %s 'couples(CuDeviceVector{Float32,1}, Val{1})' | %empty
# RUN: %kiln advise %s 'couples(CuDeviceVector{Float32,1}, Val{32})' | %filecheck %s --check-prefix=COUPLES
# COUPLES: advice: {{.*}} 8 bytes apart: up to 2 of a warp want
function couples(y, ::Val{N}) where {N}
    part = CuStaticSharedArray(Float32, 1024)
    i = threadIdx().x
    @inbounds part[i] = y[i]
    sync_threads()
    @inbounds y[i] = part[2 * (i - 1) + 1] + part[2 * (i - 1) + 1 + N]
    return
end
