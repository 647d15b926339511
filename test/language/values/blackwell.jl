# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Instructions of sm_100: small floats, pairs of Float32, wide accesses, cluster launch control, tensor memory and products in it.
#! kernels: e4m3, e5m2, e2m3, e3m2, e2m1, ue8m0_rz, ue8m0_rp, from_e4m3, from_e5m2, from_e2m3, from_e3m2, from_e2m1, from_ue8m0
#! kernels: packed, unfused, wide, stolen, crooked_answer, ungranted, rows, product, faulty, integers, each_block

using CUDA

# Codes of pairs of Float32, which come as bits so that NaN keeps its own.
function codes(out, bits, convert_pair::F) where {F}
    first, step = (blockIdx().x - 1) * blockDim().x + threadIdx().x, gridDim().x * blockDim().x
    for i in first:step:length(out)
        @inbounds out[i] = convert_pair((reinterpret(Float32, bits[2i-1]), reinterpret(Float32, bits[2i])))
    end
    return
end
e4m3(out, bits) = codes(out, bits, Blackwell.to_e4m3x2)
e5m2(out, bits) = codes(out, bits, Blackwell.to_e5m2x2)
e2m3(out, bits) = codes(out, bits, Blackwell.to_e2m3x2)
e3m2(out, bits) = codes(out, bits, Blackwell.to_e3m2x2)
e2m1(out, bits) = codes(out, bits, Blackwell.to_e2m1x2)
ue8m0_rz(out, bits) = codes(out, bits, x -> Blackwell.to_ue8m0x2(x, Val(:rz)))
ue8m0_rp(out, bits) = codes(out, bits, x -> Blackwell.to_ue8m0x2(x, Val(:rp)))

# Values of all pairs of codes, as bits: element 1 in the lower half.
function values(out, from::F, ::Type{C}) where {F,C}
    first, step = (blockIdx().x - 1) * blockDim().x + threadIdx().x, gridDim().x * blockDim().x
    for i in first:step:length(out)
        low, high = from((i - 1) % C)
        @inbounds out[i] = UInt32(reinterpret(UInt16, low)) | UInt32(reinterpret(UInt16, high)) << 16
    end
    return
end
from_e4m3(out) = values(out, Blackwell.from_e4m3x2, UInt16)
from_e5m2(out) = values(out, Blackwell.from_e5m2x2, UInt16)
from_e2m3(out) = values(out, Blackwell.from_e2m3x2, UInt16)
from_e3m2(out) = values(out, Blackwell.from_e3m2x2, UInt16)
from_e2m1(out) = values(out, Blackwell.from_e2m1x2, UInt8)
from_ue8m0(out) = values(out, Blackwell.from_ue8m0x2, UInt16)

# Each operation on pairs; element by element they are those of one float.
function packed(sums, differences, products, fused, a, b, c)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if 2i <= length(a)
        x, y, z = (a[2i-1], a[2i]), (b[2i-1], b[2i]), (c[2i-1], c[2i])
        sums[2i-1], sums[2i] = Blackwell.add_f32x2(x, y)
        differences[2i-1], differences[2i] = Blackwell.sub_f32x2(x, y)
        products[2i-1], products[2i] = Blackwell.mul_f32x2(x, y)
        fused[2i-1], fused[2i] = Blackwell.fma_f32x2(x, y, z)
    end
    return
end
# A sum of a product, which must round twice.
function unfused(out, a, b, c)
    i = threadIdx().x
    x, y, z = (a[2i-1], a[2i]), (b[2i-1], b[2i]), (c[2i-1], c[2i])
    out[2i-1], out[2i] = Blackwell.add_f32x2(Blackwell.mul_f32x2(x, y), z)
    return
end

# Accesses of 32 bytes: each word is changed by its place.
function wide(to, from, ::Type{T}, hint, count) where {T}
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= count
        x = CUDA.hinted_load(reinterpret(LLVMPtr{T,1}, pointer(from)), i, hint)
        CUDA.hinted_store!(reinterpret(LLVMPtr{T,1}, pointer(to)), ntuple(k -> x[k] + k % eltype(T), Val(fieldcount(T))), i, hint)
    end
    return
end

# Blocks that ask for the work of others: what is granted and what is their own makes each number once.
function stolen(out, granted)
    answer = pointer(CuStaticSharedArray(UInt128, 1))
    b = pointer(CuStaticSharedArray(UInt64, 1))
    i = threadIdx().x
    if i == 1
        Hopper.mbarrier_init(b, 1)
        Hopper.fence_mbarrier_init()
    end
    sync_threads()
    block, phase = blockIdx().x, 0
    while true
        if i == 1
            Hopper.mbarrier_arrive_expect_tx(b, 16)
            Blackwell.try_cancel(answer, b)
        end
        CUDA.@atomic out[block] += block * i
        Hopper.mbarrier_wait_parity(b, phase & 1)
        phase += 1
        Blackwell.is_canceled(answer) || return
        block = Blackwell.first_block(answer).x
        i == 1 && CUDA.@atomic granted[1] += 1
        Hopper.fence_proxy_async_shared()
        sync_threads()
    end
end
function crooked_answer(out)
    answer = reinterpret(LLVMPtr{UInt128,3}, pointer(CuStaticSharedArray(UInt64, 4)) + 8)
    b = pointer(CuStaticSharedArray(UInt64, 1))
    Hopper.mbarrier_init(b, 1)
    Blackwell.try_cancel(answer, b)
    out[1] = 1
    return
end
function ungranted(out)
    answer = pointer(CuStaticSharedArray(UInt128, 1))
    b = pointer(CuStaticSharedArray(UInt64, 1))
    Hopper.mbarrier_init(b, 1)
    Hopper.mbarrier_arrive_expect_tx(b, 16)
    Blackwell.try_cancel(answer, b)
    Hopper.mbarrier_wait_parity(b, 0)
    out[1] = Blackwell.first_block(answer).x
    return
end

# Tensor memory: two allocations, each thread's rows stored, read elsewhere by other columns.
function rows(out, ::Type{T}, ::Val{n}) where {T,n}
    place = CuStaticSharedArray(UInt32, 2)
    t = threadIdx().x - 1
    if t < 32
        Blackwell.tcgen05_alloc(pointer(place, 1), Val(32))
        Blackwell.tcgen05_alloc(pointer(place, 2), Val(256))
        Blackwell.tcgen05_relinquish_alloc_permit()
    end
    Blackwell.tcgen05_fence_before_thread_sync()
    sync_threads()
    Blackwell.tcgen05_fence_after_thread_sync()
    lane = UInt32(t & 96) << 16
    first, second = place[1] + lane, place[2] + lane
    Blackwell.tcgen05_st(first + 3, ntuple(k -> T(1000 * blockIdx().x + t), Val(1)))
    Blackwell.tcgen05_st(second + 64, ntuple(k -> T(128 * t + k), Val(n)))
    Blackwell.tcgen05_wait_st()
    x = Blackwell.tcgen05_wait_ld(Blackwell.tcgen05_ld(T, second + 64, Val(n)))
    y = Blackwell.tcgen05_wait_ld(Blackwell.tcgen05_ld(T, second + 64 + n ÷ 2, Val(1)))
    z = Blackwell.tcgen05_wait_ld(Blackwell.tcgen05_ld(T, first + 3, Val(1)))
    at = (n + 2) * ((blockIdx().x - 1) * blockDim().x + t)
    ntuple(k -> (out[at+k] = x[k]; nothing), Val(n))
    out[at+n+1], out[at+n+2] = y[1], z[1]
    sync_threads()
    if t < 32
        Blackwell.tcgen05_dealloc(place[1], Val(32))
        Blackwell.tcgen05_dealloc(place[2], Val(256))
    end
    return
end

# D = A*B + D by one block of 128 threads, D from d on. The tiles' bytes are those of `a` and `b`, laid out by who calls; with
# `in_tensor` A is copied from there into tensor memory first.
function product(d, a, b, ::Type{TA}, ::Type{TB}, ::Val{along}, ::Val{swizzle}, strides, ::Val{n}, steps, keep, ::Val{in_tensor}) where {TA,TB,along,swizzle,n,in_tensor}
    t = threadIdx().x - 1
    place, done = CuStaticSharedArray(UInt32, 1), pointer(CuStaticSharedArray(UInt64, 1))
    memory = Hopper.align_pointer(pointer(CuDynamicSharedArray(UInt8, 1)), Val(1024))
    to = CuDeviceArray(memory, (length(a) + length(b),))
    for i in threadIdx().x:128:length(a)
        to[i] = a[i]
    end
    for i in threadIdx().x:128:length(b)
        to[length(a)+i] = b[i]
    end
    t < 32 && Blackwell.tcgen05_alloc(pointer(place), Val(512))
    if t == 0
        Hopper.mbarrier_init(done, 1)
        Hopper.fence_mbarrier_init()
    end
    Hopper.fence_proxy_async_shared()
    Blackwell.tcgen05_fence_before_thread_sync()
    sync_threads()
    Blackwell.tcgen05_fence_after_thread_sync()
    first, lane = place[1], UInt32(t & 96) << 16
    for j in 0:8:n-1
        Blackwell.tcgen05_st(first + lane + j, ntuple(k -> d[t+1, j+k], Val(8)))
    end
    first_a = reinterpret(LLVMPtr{TA,3}, memory)
    first_b = reinterpret(LLVMPtr{TB,3}, memory + length(a))
    of_a(k) = Blackwell.shared_matrix(first_a + k * strides[5], Val(along[1]), Val(swizzle); stride=strides[1], lead=strides[2])
    if in_tensor
        for k in 0:steps-1, c in 0:7
            words = reinterpret(LLVMPtr{UInt32,3}, first_a + k * strides[5])
            Blackwell.tcgen05_st(first + lane + 256 + 8k + c, (unsafe_load(words, 4 * (t % 8) + strides[1] ÷ 4 * (t ÷ 8) + strides[2] ÷ 4 * (c ÷ 4) + c % 4 + 1),))
        end
    end
    Blackwell.tcgen05_wait_st()
    Blackwell.tcgen05_fence_before_thread_sync()
    sync_threads()
    if t == 0
        Blackwell.tcgen05_fence_after_thread_sync()
        for k in 0:steps-1
            of_b = Blackwell.matrix_from(Blackwell.shared_matrix(first_b, Val(along[2]), Val(swizzle); stride=strides[3], lead=strides[4]), k * strides[6])
            if in_tensor
                Blackwell.tcgen05_mma(first, Blackwell.tensor_matrix(TA, first + 256 + 8k), of_b, Val(n), keep | (k > 0))
            else
                Blackwell.tcgen05_mma(first, of_a(k), of_b, Val(n), keep | (k > 0))
            end
        end
        Blackwell.tcgen05_commit(done)
    end
    Hopper.mbarrier_wait_parity(done, 0)
    Blackwell.tcgen05_fence_after_thread_sync()
    for j in 0:8:n-1
        x = Blackwell.tcgen05_wait_ld(Blackwell.tcgen05_ld(eltype(d), first + lane + j, Val(8)))
        ntuple(k -> (d[t+1, j+k] = x[k]; nothing), Val(8))
    end
    Blackwell.tcgen05_fence_before_thread_sync()
    sync_threads()
    t < 32 && Blackwell.tcgen05_dealloc(first, Val(512))
    return
end

# What the CPU reports; a GPU may do anything.
function faulty(out, ::Val{what}) where {what}
    place = CuStaticSharedArray(UInt32, 1)
    Blackwell.tcgen05_alloc(pointer(place), Val(256))
    p = place[1]
    if what === :leak
        out[1] = p
        return
    end
    what === :full && Blackwell.tcgen05_alloc(pointer(place), Val(512))
    if what === :closed
        Blackwell.tcgen05_relinquish_alloc_permit()
        Blackwell.tcgen05_alloc(pointer(place), Val(32))
    end
    what === :load && (out[1] = Blackwell.tcgen05_ld(UInt32, p + 0xe1, Val(32))[1])
    what === :store && Blackwell.tcgen05_st(p + 0x100, (p,))
    what === :beyond && Blackwell.tcgen05_st(p + 0x200, (p,))
    what === :lane && Blackwell.tcgen05_st(p + 0x200000, (p,))
    what === :less && Blackwell.tcgen05_dealloc(p, Val(128))
    what === :inside && Blackwell.tcgen05_dealloc(p + 0x20, Val(32))
    what === :twice && Blackwell.tcgen05_dealloc(p, Val(256))
    if what === :product || what === :row
        a = Blackwell.shared_matrix(pointer(CuStaticSharedArray(Float16, 16384)), Val(:k), Val(128))
        Blackwell.tcgen05_mma(what === :row ? p + 0x10000 : p + 0xf8, a, a, Val(16))
    end
    if what === :operand
        b = Blackwell.shared_matrix(pointer(CuStaticSharedArray(Float16, 16384)), Val(:k), Val(128))
        Blackwell.tcgen05_mma(p, Blackwell.tensor_matrix(Float16, p + 0xfc), b, Val(16))
    end
    Blackwell.tcgen05_dealloc(p, Val(256))
    out[1] = 1
    return
end
# The least product of integers, by one warp.
function integers(out)
    place, done = CuStaticSharedArray(UInt32, 1), pointer(CuStaticSharedArray(UInt64, 1))
    Blackwell.tcgen05_alloc(pointer(place), Val(32))
    if threadIdx().x == 1
        Hopper.mbarrier_init(done, 1)
        Hopper.fence_mbarrier_init()
        memory = reinterpret(LLVMPtr{Int8,3}, pointer(CuStaticSharedArray(UInt128, 1024)))
        a = Blackwell.shared_matrix(memory, Val(:k), Val(0); stride=256, lead=128)
        Blackwell.tcgen05_mma(place[1], a, a, Val(16), false)
        Blackwell.tcgen05_commit(done)
    end
    sync_warp()
    Hopper.mbarrier_wait_parity(done, 0)
    Blackwell.tcgen05_dealloc(place[1], Val(32))
    out[1] = 1
    return
end
plain() = (Blackwell.tcgen05_st(0, (1f0,)); 0)
# Blocks one after the other have their own columns, all free when they begin.
function each_block(out)
    place = CuStaticSharedArray(UInt32, 1)
    Blackwell.tcgen05_alloc(pointer(place), Val(512))
    sync_warp()
    Blackwell.tcgen05_st(place[1], (UInt32(blockIdx().x),))
    Blackwell.tcgen05_wait_st()
    threadIdx().x == 1 && (out[blockIdx().x] = Blackwell.tcgen05_wait_ld(Blackwell.tcgen05_ld(UInt32, place[1], Val(1)))[1])
    Blackwell.tcgen05_relinquish_alloc_permit()
    Blackwell.tcgen05_dealloc(place[1], Val(512))
    return
end
