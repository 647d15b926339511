# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The device library: atomic functions, @atomic with any operator, barriers that count, groups, integer functions.

using CUDA
using CUDA: @atomic

# ---- every thread's old values are one history of the place: the caller checks that
function fetch_add(o, old, v)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    old[i] = CUDA.atomic_add!(pointer(o), v)
    return
end

function integer_atomics(o, m, T)
    i = T(threadIdx().x)
    CUDA.atomic_sub!(pointer(o, 1), T(2))
    CUDA.atomic_and!(pointer(o, 2), ~(T(1) << (i - T(1))))
    CUDA.atomic_or!(pointer(o, 3), T(1) << (i - T(1)))
    CUDA.atomic_xor!(pointer(o, 4), i)
    CUDA.atomic_min!(pointer(o, 5), T(m) - i)
    CUDA.atomic_max!(pointer(o, 6), T(m) + i)
    CUDA.atomic_xchg!(pointer(o, 7), T(9))
    CUDA.atomic_cas!(pointer(o, 8), T(0), i)
    return
end

function wrapping(o)
    CUDA.atomic_inc!(pointer(o, 1), 5i32)
    CUDA.atomic_dec!(pointer(o, 2), 5i32)
    return
end

# ---- updates by operators that no instruction has
weighted(x, y) = 3x + 2y
function updates(o)
    @atomic o[1] = o[1] * 2
    @atomic o[2] /= 2
    @atomic o[3] = weighted(o[3], 1)
    @atomic o[4] = max(o[4], threadIdx().x)
    @atomic o[5] -= 3
    CUDACore.@atomic o[6] += 1
    return
end
function remainders(o)
    @atomic o[1] %= 7
    @atomic o[2] <<= 1
    @atomic o[3] ⊻= threadIdx().x
    @atomic o[4] = div(o[4], 2)
    return
end

# A matrix, an array with no index, and what is returned: the old value by an instruction, the new one by a loop.
function indexed(m, z, r)
    i = threadIdx().x
    @atomic m[i, 2] += i
    @atomic z[] += i
    @atomic m[CartesianIndex(i, 1)] = min(m[CartesianIndex(i, 1)], -i)
    if i == 1
        r[1] = @atomic m[1, 3] += 4
        r[2] = @atomic m[1, 3] = m[1, 3] ÷ 2
    end
    return
end

# From NaN: the loop ends although NaN is not equal to itself.
function from_nan(o)
    @atomic o[1] = max(o[1], 1)
    return
end

function shared_bins(o, x)
    bins = CuStaticSharedArray(Int32, 8)
    t = threadIdx().x
    t <= 8 && (bins[t] = 0)
    sync_threads()
    i = (blockIdx().x - 1) * blockDim().x + t
    i <= length(x) && CUDA.@atomic bins[x[i]] += 1
    sync_threads()
    t <= 8 && CUDA.@atomic o[t] += bins[t]
    return
end

# The block that comes last adds up what the others left: fences order the two.
function last_block_sums(o, partial, ticket, x)
    is_last = CuStaticSharedArray(Bool, 1)
    if threadIdx().x == 1
        s = 0
        i = blockIdx().x
        while i <= length(x)
            s += x[i]
            i += gridDim().x
        end
        partial[blockIdx().x] = s
        threadfence()
        is_last[] = CUDA.atomic_add!(pointer(ticket), 1i32) == gridDim().x - 1i32
    end
    sync_threads()
    if is_last[] && threadIdx().x == 1
        threadfence()
        for b in 1:gridDim().x
            o[1] += partial[b]
        end
    end
    return
end

function counted(o, x)
    t = threadIdx().x
    for round in 1:2
        o[t, 3round-2] = sync_threads_count(x[t] > round)
        o[t, 3round-1] = sync_threads_and(x[t])
        o[t, 3round] = sync_threads_or(x[t] > 5)
    end
    return
end

# ---- groups
function group_reverse(o, x)
    block = CG.this_thread_block()
    t = CG.thread_rank(block)
    s = CuDynamicSharedArray(eltype(x), CG.num_threads(block))
    s[t] = x[CG.thread_rank(CG.this_grid())]
    CG.sync(block)
    o[t, CG.block_rank(CG.this_grid())] = s[CG.num_threads(block) - t + 1]
    return
end
function group_copy(o, x, n)
    block = CG.this_thread_block()
    s = CuDynamicSharedArray(eltype(x), n)
    for i in 1:n:length(x)
        CG.memcpy_async(block, pointer(s), pointer(x, i), sizeof(s))
        CG.wait(block)
        CG.memcpy_async(block, pointer(o, i), pointer(s), sizeof(s))
        CG.wait(block)
    end
    return
end

function integer_functions(o, x)
    i = threadIdx().x
    v = x[i]
    o[i, 1] = CUDA.popc(v)
    o[i, 2] = CUDA.clz(v)
    o[i, 3] = CUDA.ffs(v)
    o[i, 4] = CUDA.brev(v)
    o[i, 5] = CUDA.fns(v, 3, 2)
    o[i, 6] = CUDA.fns(v, 20, -2)
    o[i, 7] = CUDA.byte_perm(v, ~v, 0x0000c514)
    o[i, 8] = CUDA.dp4a(v, reinterpret(Int32, ~v), 1i32)
    o[i, 9] = CUDA.dp4a(v, v >> 1, 0x00000001)
    o[i, 10] = lanemask(<)
    return
end

function read_only(o, x)
    i = threadIdx().x
    c = Const(x)
    @inbounds o[i] = c[i] + ldg(x, i) + unsafe_cached_load(pointer(x), i)
    CUDA.assume(i > 0)
    before = clock(UInt64)
    nanosleep(0x00000010)
    clock(UInt64) >= before || (o[i] = -1)
    now = CUDA.globaltimer()
    CUDA.globaltimer() >= now || (o[i] = -2)
    return
end

function printing(x)
    @cuprintf("%d %ld %s|%%\n", 7i32, 8, "text")
    @cuprintln("x = $(x[1]) 100% ", (1i32, 2.5), true, :name, Int16(-3), 0xff)
    @cuprint("no", " ", "end", "\n")
    y = @cushow x[1] + 1
    @cuprintln(y)
    return
end

function asserted(n)
    @cuassert n > 0
    @cuassert n < 5 "too large"
    return
end

function shuffled(o)
    o[1] = shfl_sync(FULL_MASK, o[1], 1)
    return
end

# A callable struct is a kernel: its fields are an argument.
struct Writer{T} <: Function
    value::T
end
function (self::Writer)(o)
    o[threadIdx().x] = self.value * threadIdx().x
    return
end
