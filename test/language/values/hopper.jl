# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# mbarrier, bulk copies and wgmma: what waits, what is copied, what is multiplied.

using CUDA

# Threads hand values on round by round: everyone writes, waits for all, and reads its neighbour's.
function rounds(out, turns)
    s = CuStaticSharedArray(Int64, 1024)
    b = pointer(CuStaticSharedArray(UInt64, 1))
    i, n = threadIdx().x, blockDim().x
    i == 1 && Hopper.mbarrier_init(b, n)
    sync_threads()
    x = Int64(i)
    for turn in 1:turns
        s[i] = x
        Hopper.mbarrier_wait(b, Hopper.mbarrier_arrive(b))
        x = 3x + s[i%n+1]
        Hopper.mbarrier_wait(b, Hopper.mbarrier_arrive(b))
    end
    out[(blockIdx().x-1)*n+i] = x
    return
end

# The phase's parity and what is missing, seen by one thread.
function phases(out)
    b = pointer(CuStaticSharedArray(UInt64, 1))
    Hopper.mbarrier_init(b, 3)
    Hopper.fence_mbarrier_init()
    out[1] = Hopper.mbarrier_test_wait_parity(b, 0)
    out[2] = Hopper.mbarrier_test_wait_parity(b, 1)
    first = Hopper.mbarrier_arrive(b)
    out[3] = Hopper.mbarrier_pending_count(first)
    out[4] = Hopper.mbarrier_pending_count(Hopper.mbarrier_arrive(b))
    out[5] = Hopper.mbarrier_test_wait(b, first)
    Hopper.mbarrier_expect_tx(b, 96)
    Hopper.mbarrier_arrive(b)
    out[6] = Hopper.mbarrier_test_wait(b, first)
    Hopper.mbarrier_complete_tx(b, 32)
    out[7] = Hopper.mbarrier_test_wait_parity(b, 0)
    Hopper.mbarrier_complete_tx(b, 64)
    out[8] = Hopper.mbarrier_test_wait(b, first)
    out[9] = Hopper.mbarrier_test_wait_parity(b, 0)
    out[10] = Hopper.mbarrier_test_wait_parity(b, 1)
    second = Hopper.mbarrier_arrive(b, 2)
    out[11] = Hopper.mbarrier_pending_count(second)
    out[12] = Hopper.mbarrier_test_wait(b, second)
    Hopper.mbarrier_arrive_expect_tx(b, 16)
    Hopper.mbarrier_complete_tx(b, 16)
    out[13] = Hopper.mbarrier_try_wait(b, second)
    out[14] = Hopper.mbarrier_try_wait_parity(b, 0)
    Hopper.mbarrier_inval(b)
    return
end

# Blocks of 64 numbers come by bulk copies, two at a time, and go back changed.
function doubled(to, from)
    tiles = CuStaticSharedArray(Float32, 128)
    results = CuStaticSharedArray(Float32, 64)
    ready = CuStaticSharedArray(UInt64, 2)
    i = threadIdx().x
    if i == 1
        Hopper.mbarrier_init(pointer(ready, 1), 1)
        Hopper.mbarrier_init(pointer(ready, 2), 1)
        Hopper.fence_mbarrier_init()
    end
    sync_threads()
    count = length(from) ÷ 64
    fetch(t) = begin
        s = (t - 1) & 1
        Hopper.mbarrier_arrive_expect_tx(pointer(ready, s + 1), 256)
        Hopper.bulk_copy(pointer(tiles, 64s + 1), pointer(from, 64t - 63), 256, pointer(ready, s + 1))
    end
    i == 1 && fetch(1)
    for t in 1:count
        s = (t - 1) & 1
        i == 1 && t < count && fetch(t + 1)
        Hopper.mbarrier_wait_parity(pointer(ready, s + 1), ((t - 1) >> 1) & 1)
        i == 1 && Hopper.bulk_wait_read(Val(0))
        sync_threads()
        results[i] = 2 * tiles[64s+i] + t
        Hopper.fence_proxy_async_shared()
        sync_threads()
        if i == 1
            Hopper.bulk_copy(pointer(to, 64t - 63), pointer(results), 256)
            Hopper.bulk_commit()
        end
    end
    i == 1 && Hopper.bulk_wait()
    return
end

# A copy whose bytes are no multiple of 16.
function crooked(to, from, bytes)
    s = pointer(CuStaticSharedArray(Float32, 64))
    b = pointer(CuStaticSharedArray(UInt64, 1))
    Hopper.mbarrier_init(b, 1)
    Hopper.mbarrier_arrive_expect_tx(b, bytes)
    Hopper.bulk_copy(s, pointer(from), bytes, b)
    Hopper.mbarrier_wait_parity(b, 0)
    to[1] = unsafe_load(s)
    return
end

# D = A*B + D by one warpgroup. The tiles' bytes are those of `a` and `b`, laid out by who calls.
function product(d, a, b, ::Type{T}, ::Val{along}, ::Val{swizzle}, strides, ::Val{R}, steps, keep) where {T,along,swizzle,R}
    t = threadIdx().x - 1
    memory = Hopper.align_pointer(pointer(CuDynamicSharedArray(UInt8, 1)), Val(1024))
    to = CuDeviceArray(memory, (length(a) + length(b),))
    for i in threadIdx().x:128:length(a)
        to[i] = a[i]
    end
    for i in threadIdx().x:128:length(b)
        to[length(a)+i] = b[i]
    end
    Hopper.setmaxnreg_dec(Val(160))
    Hopper.fence_proxy_async_shared()
    sync_threads()
    first_a = reinterpret(LLVMPtr{T,3}, memory)
    first_b = reinterpret(LLVMPtr{T,3}, memory + length(a))
    row, column = 16 * (t >> 5) + ((t & 31) >> 2) + 1, 2 * (t & 3) + 1
    place(e) = (row + 8 * ((e >> 1) & 1), column + 8 * (e >> 2) + (e & 1))
    sums = ntuple(e -> d[place(e - 1)...], Val(R))
    Hopper.wgmma_fence()
    for k in 0:steps-1
        of_a = Hopper.shared_matrix(first_a + k * strides[5], Val(along[1]), Val(swizzle); stride=strides[1], lead=strides[2])
        of_b = Hopper.shared_matrix(first_b, Val(along[2]), Val(swizzle); stride=strides[3], lead=strides[4])
        sums = Hopper.wgmma(sums, of_a, Hopper.matrix_from(of_b, k * strides[6]), keep | (k > 0))
    end
    Hopper.wgmma_commit()
    sums = Hopper.wgmma_wait(Val(0), sums)
    ntuple(Val(R)) do e
        d[place(e - 1)...] = sums[e]
    end
    return
end
