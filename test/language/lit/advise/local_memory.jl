# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln advise: registers have no addresses, so a tuple that a variable indexes lies in local memory; of bytes
# that count: 8 Float32 are 32 bytes, 5 Float64 are 40.
# RUN: %kiln advise %s 'picked(CuDeviceVector{Float32,1}, CuDeviceVector{Int32,1})' | %filecheck %s --check-prefix=PICKED --implicit-check-not=advice
# PICKED: local_memory.jl:[[#@LINE+12]]:22: advice: the index is a variable, so what it picks from lies in local memory, 32 bytes of device memory a thread, instead of registers; index by constants
# RUN: %kiln advise %s 'table(CuDeviceVector{Float64,1}, CuDeviceVector{Int32,1})' | %filecheck %s --check-prefix=TABLE --implicit-check-not=advice
# TABLE: local_memory.jl:[[#@LINE+18]]:22: advice: {{.*}}local memory, 40 bytes
# Against: constant indices; a loop over them that is unrolled; four values, which become choices; shared memory.
# RUN: %kiln advise %s 'constants(CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'unrolled(CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'shared(CuDeviceVector{Float32,1}, CuDeviceVector{Int32,1})' | %empty
using CUDA

function picked(y, x)
    i = threadIdx().x
    @inbounds t = ntuple(k -> y[k], Val(8))
    @inbounds y[i] = t[x[i]]
    return
end

function table(y, x)
    i = threadIdx().x
    t = (1.0, 3.0, 4.0, 7.0, 11.0)
    k = x[i]
    @inbounds y[i] = t[k]
    return
end

function constants(y)
    i = threadIdx().x
    @inbounds t = ntuple(k -> y[k], Val(8))
    @inbounds y[i] = t[1] + t[3] * t[8]
    return
end

function unrolled(y)
    i = threadIdx().x
    @inbounds t = ntuple(k -> y[k], Val(8))
    @inbounds y[i] = sum(ntuple(k -> t[k] * t[9 - k], Val(8)))
    return
end

function shared(y, x)
    i = threadIdx().x
    t = CuStaticSharedArray(Float32, 32)
    @inbounds t[i] = y[i]
    sync_threads()
    @inbounds y[i] = t[x[i]]
    return
end
