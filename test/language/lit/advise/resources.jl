# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln advise: what the assembler says: spills, and what holds few warps on a multiprocessor.
# REQUIRES: nvjitlink
# 64 Float32 that are alive at once do not fit into 24 registers.
# RUN: %kiln advise %s 'many(CuDeviceVector{Float32,1})' --maxregs 24 | %filecheck %s --check-prefix=SPILLS --implicit-check-not=advice
# SPILLS: resources.jl:[[#@LINE+25]]:1: advice: 24 registers do not hold the kernel's values: each thread stores {{[1-9][0-9]*}} bytes to local memory and loads {{[1-9][0-9]*}}; allow more registers
# sm_90 has 228 KiB, of which a block takes its own and 1 KiB: 4 blocks of 48000 bytes, so 4 times 4 of 64 warps. 5 blocks are
# 46694 bytes each, in steps of 128: 46592 less 1024.
# RUN: %kiln advise %s 'large(CuDeviceVector{Float32,1})' --maxthreads 128 | %filecheck %s --check-prefix=SHARED --implicit-check-not=advice
# SHARED: resources.jl:[[#@LINE+25]]:1: advice: a multiprocessor of sm_90 holds 16 of its 64 warps (25 %), because a block takes 48000 bytes of static shared memory; from 45568 bytes on more blocks fit
# 16 blocks of one warp are 16 of sm_86's 48 warps; of two warps 32.
# RUN: %kiln advise %s 'small(CuDeviceVector{Float32,1})' --arch sm_86 --maxthreads 32 | %filecheck %s --check-prefix=BLOCKS --implicit-check-not=advice
# BLOCKS: resources.jl:[[#@LINE+31]]:1: advice: a multiprocessor of sm_86 holds 16 of its 48 warps (33 %), because a block has 32 threads only; from 64 threads a block on more warps fit
# More than 128 registers: at most 12 of 64 warps, whatever the block.
# RUN: %kiln advise %s 'more(CuDeviceVector{Float32,1})' | %filecheck %s --check-prefix=REGISTERS --implicit-check-not=advice
# REGISTERS: resources.jl:[[#@LINE+34]]:1: advice: a multiprocessor of sm_90 holds at most {{4|8|12}} of its 64 warps ({{6|12|18}} %), because a thread takes {{1[3-9][0-9]|2[0-9][0-9]}} registers; from {{[0-9]+}} registers on more warps fit
# Against: none of it; shared memory in a block of 1024.
# RUN: %kiln advise %s 'few(CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'small(CuDeviceVector{Float32,1})' --maxthreads 256 | %empty
# RUN: %kiln advise %s 'large(CuDeviceVector{Float32,1})' --maxthreads 1024 | %empty
using CUDA

@inline function mixed(y, ::Val{N}) where {N}
    i = threadIdx().x
    @inbounds t = ntuple(k -> y[i + 1024k], Val(N))
    sync_threads()
    @inbounds ntuple(k -> (y[i + 1024k] = t[N+1-k] * t[1]; nothing), Val(N))
    return
end

function many(y)
    mixed(y, Val(64))
end

function large(y)
    part = CuStaticSharedArray(Float32, 12000)
    i = threadIdx().x
    @inbounds part[i] = y[i]
    sync_threads()
    @inbounds y[i] = part[blockDim().x + 1 - i]
    return
end

function small(y)
    i = threadIdx().x
    @inbounds y[i] += 1f0
    return
end

function more(y)
    mixed(y, Val(150))
end

function few(y)
    mixed(y, Val(8))
end
