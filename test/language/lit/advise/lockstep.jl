# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln advise: threads of a warp that exchange values through shared memory without a barrier.
# RUN: %kiln advise %s 'neighbour(CuDeviceVector{Float32,1})' | %filecheck %s --check-prefix=NEIGHBOUR --implicit-check-not=advice
# NEIGHBOUR: lockstep.jl:[[#@LINE+23]]:22: advice: each thread reads the element of shared memory that the thread 1 after it writes at line [[#@LINE+22]]: no barrier orders the two accesses; call sync_warp() between the accesses, or sync_threads(): the threads of a warp do not run in lockstep
# The values of a warp's tree: thread t reads s[t + 8], and thread t + 8 overwrites it in the next step.
# RUN: %kiln advise %s 'tail(CuDeviceVector{Float32,1})' | %filecheck %s --check-prefix=TAIL --implicit-check-not=advice
# TAIL: lockstep.jl:[[#@LINE+32]]:{{[0-9]+}}: advice: each thread overwrites the element of shared memory that the thread 8 before it reads at line [[#@LINE+31]]
# RUN: %kiln advise %s 'shifted(CuDeviceVector{Float32,1})' | %filecheck %s --check-prefix=SHIFTED --implicit-check-not=advice
# SHIFTED: lockstep.jl:[[#@LINE+42]]:{{[0-9]+}}: advice: each thread overwrites the element of shared memory that the thread 1 before it reads at line [[#@LINE+41]]
# Against: a barrier of the warp; a step whose readers are not its writers; borders that other threads write; a distance
# that changes in a loop; addresses from memory.
# RUN: %kiln advise %s 'synced(CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'step(CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'halo(CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'halves(CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'scattered(CuDeviceVector{Int32,1})' | %empty
# On the CPU, the checker finds such an exchange when it happens.
# RUN: %status 1 %kiln run --check --device cpu %s neighbour --arg "ones(Float32, 32)" --threads 32 2>&1 | %filecheck %s --check-prefix=CHECK
# CHECK: SharedMemoryRace

using CUDA

function neighbour(y)
    s = CuStaticSharedArray(Float32, 65)
    t = threadIdx().x
    @inbounds s[t] = y[t]
    @inbounds y[t] = s[t + 1]
    return
end

function tail(y)
    s = CuStaticSharedArray(Float32, 64)
    t = threadIdx().x
    @inbounds s[t] = y[t]
    sync_threads()
    if t <= 16
        @inbounds s[t] += s[t + 16]
        @inbounds s[t] += s[t + 8]
        @inbounds s[t] += s[t + 4]
    end
    @inbounds y[t] = s[1]
    return
end

function shifted(y)
    s = CuStaticSharedArray(Float32, 65)
    t = threadIdx().x
    @inbounds s[t] = y[t]
    sync_threads()
    @inbounds left = s[t + 1]
    @inbounds s[t] = 2left
    sync_threads()
    @inbounds y[t] = s[t]
    return
end

function synced(y)
    s = CuStaticSharedArray(Float32, 65)
    t = threadIdx().x
    @inbounds s[t] = y[t]
    sync_warp()
    @inbounds y[t] = s[t + 1]
    return
end

function step(y)
    s = CuStaticSharedArray(Float32, 64)
    t = threadIdx().x
    @inbounds s[t] = y[t]
    sync_threads()
    t <= 16 && (@inbounds s[t] += s[t + 16])
    sync_threads()
    @inbounds y[t] = s[1]
    return
end

function halo(y)
    s = CuStaticSharedArray(Float32, 68)
    t = threadIdx().x
    @inbounds s[t + 2] = y[t]
    t <= 2 && (@inbounds s[t] = y[t])
    t + 2 > blockDim().x && (@inbounds s[t + 4] = y[t])
    sync_threads()
    @inbounds y[t] = s[t] + s[t + 4]
    return
end

function halves(y)
    s = CuStaticSharedArray(Float32, 64)
    t = threadIdx().x
    @inbounds s[t] = y[t]
    d = 32
    while d > 0
        sync_threads()
        t <= d && (@inbounds s[t] += s[t + d])
        d >>= 1
    end
    t == 1 && (@inbounds y[1] = s[1])
    return
end

function scattered(y)
    s = CuStaticSharedArray(Int32, 64)
    t = threadIdx().x
    @inbounds s[y[t]] = t
    @inbounds y[t] = s[t]
    return
end
