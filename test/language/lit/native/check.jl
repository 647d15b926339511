# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln run --check: each planted fault with its line and its threads, and nothing in the same kernels done right.
#
# RUN: %status 1 %kiln run %s past_end --arg "zeros(Float32, 100)" --threads 64 --blocks 2 --check 2>&1 | %filecheck %s --check-prefix=PAST
# PAST: {{.*}}check.jl:[[@LINE+49]]:{{[0-9]+}}: OutOfBoundsAccess[134]: thread (37, 1, 1) of block (2, 1, 1) writes 4 bytes right behind the end of argument 1, an array of 400 bytes; 27 more such accesses here
# NOTHING-NOT: {{.}}
# RUN: %kiln run %s past_end --arg "zeros(Float32, 128)" --threads 64 --blocks 2 --check 2>&1 | %filecheck %s --allow-empty --check-prefix=NOTHING
#
# RUN: %status 1 %kiln run %s before --arg "zeros(Int64, 4)" --check 2>&1 | %filecheck %s --check-prefix=BEFORE
# BEFORE: check.jl:[[@LINE+49]]:{{[0-9]+}}: OutOfBoundsAccess[134]: thread (1, 1, 1) of block (1, 1, 1) reads 8 bytes 16 bytes before argument 1, an array of 32 bytes
#
# RUN: %status 1 %kiln run %s swapped --arg "zeros(Float32, 64)" --arg false --threads 64 --check 2>&1 | %filecheck %s --check-prefix=RACE
# RACE: check.jl:[[@LINE+55]]:{{[0-9]+}}: SharedMemoryRace[137]: thread (33, 1, 1) of block (1, 1, 1) writes 4 bytes of shared memory, at offset 128, with no barrier since thread (32, 1, 1) read it; 31 more
# RACE: check.jl:[[@LINE+58]]:{{[0-9]+}}: note: thread (32, 1, 1) reads it here
# RUN: %kiln run %s swapped --arg "zeros(Float32, 64)" --arg true --threads 64 --blocks 3 --check 2>&1 | %filecheck %s --allow-empty --check-prefix=NOTHING
#
# RUN: %status 1 %kiln run %s histogram --arg "zeros(Int32, 4)" --arg false --threads 40 --check 2>&1 | %filecheck %s --check-prefix=ATOMIC
# ATOMIC: check.jl:[[@LINE+69]]:{{[0-9]+}}: SharedMemoryRace[137]: thread (5, 1, 1) of block (1, 1, 1) changes atomically 4 bytes of shared memory, at offset 0, with no barrier since thread (1, 1, 1) wrote it
# RUN: %kiln run %s histogram --arg "zeros(Int32, 4)" --arg true --threads 40 --check 2>&1 | %filecheck %s --allow-empty --check-prefix=NOTHING
#
# RUN: %status 1 %kiln run %s warp_sum --arg "zeros(Int32, 2)" --arg false --threads 64 --check 2>&1 | %filecheck %s --check-prefix=WARP
# WARP: SharedMemoryRace
# RUN: %kiln run %s warp_sum --arg "zeros(Int32, 2)" --arg true --threads 64 --check 2>&1 | %filecheck %s --allow-empty --check-prefix=NOTHING
#
# RUN: %status 1 %kiln run %s unset --arg "zeros(Float32, 64)" --threads 64 --blocks 3 --check 2>&1 | %filecheck %s --check-prefix=UNSET
# UNSET: check.jl:[[@LINE+99]]:{{[0-9]+}}: UninitializedShared[136]: thread (1, 1, 1) of block (1, 1, 1) reads 4 bytes of shared memory, at offset 0, that no thread of the block has written; 2 more such accesses here
#
# RUN: %status 1 %kiln run %s misaligned --arg "zeros(Float32, 4)" --check 2>&1 | %filecheck %s --check-prefix=ALIGN
# ALIGN: check.jl:[[@LINE+102]]:{{[0-9]+}}: MisalignedAccess[135]: thread (1, 1, 1) of block (1, 1, 1) writes 4 bytes at an address that is no multiple of 4
#
# RUN: %status 1 %kiln run %s dynamic --arg "zeros(Float32, 64)" --threads 64 --shmem 128 --check 2>&1 | %filecheck %s --check-prefix=SHARED
# SHARED: check.jl:[[@LINE+106]]:{{[0-9]+}}: OutOfBoundsAccess[134]: thread (33, 1, 1) of block (1, 1, 1) writes 4 bytes right behind the end of the block's shared memory, which has 128 bytes; 31 more such accesses here
# RUN: %kiln run %s dynamic --arg "zeros(Float32, 64)" --threads 64 --shmem 256 --check 2>&1 | %filecheck %s --allow-empty --check-prefix=NOTHING
#
# Variables of a thread's own, also behind a pointer, are none of its business.
# RUN: %kiln run %s locals --arg "zeros(Int64, 8)" --threads 8 --check --out 1=%t.npy
#
# Without it, nothing of it is in the code.
# RUN: %kiln compile %s "swapped(CuDeviceVector{Float32,1}, Bool)" --emit asm | %filecheck %s --check-prefix=OFF
# OFF-NOT: kiln_native_access
# RUN: %status 2 %kiln bench %s past_end --arg "zeros(Float32, 100)" --check 2>&1
# RUN: %status 2 %kiln run %s plain --no-kernel --check 2>&1 | %filecheck %s --check-prefix=PLAIN
# PLAIN: usage error[200]: checking accesses is for kernels on the native target
using CUDA

index() = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
plain() = 1

function past_end(y)
    i = index()
    # no comparison with length(y)
    #
    #
    @inbounds y[i] = 1f0
    return
end

function before(y)
    @inbounds y[1] = y[-1]
    return
end

function swapped(y, right)
    s = CuStaticSharedArray(Float32, 64)
    i = threadIdx().x
    #
    #
    s[i] = Float32(i)
    if right
        sync_threads()
    end
    y[i] = s[65 - i]
    return
end

function histogram(counts, right)
    s = CuStaticSharedArray(Int32, 4)
    i = threadIdx().x
    if i <= 4
        s[i] = 0
    end
    if right
        sync_threads()
    end
    bin = (i - 1) % 4 + 1
    #
    CUDA.@atomic s[bin] += Int32(1)
    sync_threads()
    if i <= 4
        counts[i] = s[i]
    end
    return
end

function warp_sum(y, right)
    s = CuStaticSharedArray(Int32, 64)
    i = threadIdx().x
    lane = (i - 1) % 32
    s[i] = i
    step = 16
    while step > 0
        if right
            sync_warp()
        end
        mine = lane < step ? s[i] + s[i + step] : Int32(0)
        if right
            sync_warp()
        end
        if lane < step
            s[i] = mine
        end
        step >>= 1
    end
    lane == 0 && (y[(i - 1) ÷ 32 + 1] = s[i])
    return
end

function unset(y)
    s = CuStaticSharedArray(Float32, 64)
    i = threadIdx().x
    if i > 1
        s[i] = 1f0
    end
    sync_threads()
    y[i] = s[i]
    return
end

function misaligned(y)
    bytes = reinterpret(Core.LLVMPtr{UInt8,1}, pointer(y)) + 2
    unsafe_store!(reinterpret(Core.LLVMPtr{Float32,1}, bytes), 1f0, 1)
    return
end

function dynamic(y)
    s = @inbounds CuDynamicSharedArray(Float32, 64)
    i = threadIdx().x
    @inbounds s[i] = 1f0
    sync_threads()
    @inbounds y[i] = s[i]
    return
end

@noinline function shift!(r, i)
    r[] = r[] + i
    return
end
function locals(y)
    r = Ref(1)
    t = (1, 2, 3, 4, 5, 6, 7, 8)
    i = threadIdx().x
    shift!(r, t[i])
    y[i] = r[]
    return
end
