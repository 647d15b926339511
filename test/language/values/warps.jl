# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Operations of warps: every lane of the grid writes what it got.

using CUDA
using CUDA: @atomic

@inline number() = (blockIdx().x - 1i32) * (blockDim().x * blockDim().y) + (threadIdx().y - 1i32) * blockDim().x + threadIdx().x

function shuffles(o, x, lane, delta, mask, width)
    i = number()
    v = x[i]
    o[i, 1] = shfl_sync(FULL_MASK, v, lane, width)
    o[i, 2] = shfl_up_sync(FULL_MASK, v, delta, width)
    o[i, 3] = shfl_down_sync(FULL_MASK, v, delta, width)
    o[i, 4] = shfl_xor_sync(FULL_MASK, v, mask, width)
    return
end

# A struct travels field by field.
struct Pair{A,B}
    first::A
    second::B
end
function structs(o, x)
    i = number()
    p = shfl_down_sync(FULL_MASK, Pair(x[i], (Int8(i), 1.5f0 * i)), 1)
    o[i, 1] = p.first
    o[i, 2] = p.second[1]
    o[i, 3] = p.second[2]
    return
end

function votes(o, x)
    i = number()
    o[i, 1] = vote_all_sync(FULL_MASK, x[i] > 0)
    o[i, 2] = vote_any_sync(FULL_MASK, x[i] > 8)
    o[i, 3] = vote_uni_sync(FULL_MASK, x[i] > 4)
    o[i, 4] = vote_ballot_sync(FULL_MASK, x[i] > 4)
    o[i, 5] = match_any_sync(FULL_MASK, x[i])
    lanes, all = match_all_sync(FULL_MASK, x[i])
    o[i, 6] = lanes
    o[i, 7] = all
    o[i, 8] = active_mask()
    o[i, 9] = lanemask(<) | lanemask(==) == lanemask(<=) && lanemask(>) | lanemask(==) == lanemask(>=)
    return
end

# Lanes end at different times; those that are left go on with the mask that names all.
function leaving(o, x)
    i = number()
    round = 0
    while round < x[i]
        round += 1
        o[i, round] = vote_ballot_sync(FULL_MASK, true)
    end
    return
end

# Two halves of each warp at different operations, and each with its own mask.
function halves(o, x)
    i = number()
    lane = laneid()
    if lane <= 16
        s = x[i]
        for d in (8, 4, 2, 1)
            s += shfl_down_sync(0x0000ffff, s, d, 16)
        end
        o[i] = shfl_sync(0x0000ffff, s, 1)
    else
        sync_warp(0xffff0000)
        o[i] = vote_ballot_sync(0xffff0000, isodd(x[i]))
    end
    sync_warp()
    sync_threads()
    o[i] += 1
    return
end

@inline function warp_sum(v)
    offset = 16
    while offset > 0
        v += shfl_down_sync(FULL_MASK, v, offset)
        offset >>= 1
    end
    return v
end
function block_sums(o, x)
    partial = CuStaticSharedArray(eltype(x), 32)
    t = threadIdx().x
    i = number()
    v = i <= length(x) ? x[i] : zero(eltype(x))
    v = warp_sum(v)
    warp, lane = fldmod1(t, 32)
    lane == 1 && (partial[warp] = v)
    sync_threads()
    if warp == 1
        v = lane <= cld(blockDim().x, 32) ? partial[lane] : zero(eltype(x))
        v = warp_sum(v)
        lane == 1 && (o[blockIdx().x] = v)
    end
    return
end

# One addition a warp for all of its lanes that came.
function aggregated(o, count, x, below)
    i = number()
    if x[i] < below
        g = CG.coalesced_threads()
        place = Int32(0)
        if CG.thread_rank(g) == 1
            place = CUDA.atomic_add!(pointer(count), Int32(CG.num_threads(g)))
        end
        place = CG.shfl(g, place, 1) + CG.thread_rank(g)
        o[place] = i
    end
    return
end

function coalesced(o, x, low, high)
    i = number()
    if low <= laneid() <= high
        g = CG.coalesced_threads()
        r = CG.thread_rank(g)
        n = CG.num_threads(g)
        o[i, 1] = CG.shfl(g, x[i], n - r + 1)
        o[i, 2] = CG.shfl_up(g, x[i], 2)
        o[i, 3] = CG.shfl_down(g, x[i], 3)
        o[i, 4] = CG.vote_ballot(g, isodd(x[i]))
        o[i, 5] = CG.vote_any(g, x[i] > 90)
        o[i, 6] = CG.vote_all(g, x[i] >= 0)
        CG.sync(g)
    end
    return
end

# Lanes loop differently often: those in one round are together.
function rounds_together(o, x)
    i = number()
    for round in 1:x[i]
        o[i, round] = active_mask()
    end
    o[i, 8] = active_mask()
    return
end

# One lane of a warp throws; the others do without it.
function one_throws(o, x)
    i = number()
    v = x[i]
    s = vote_ballot_sync(FULL_MASK, true)
    y = x[i == 3 ? 10_000 : i]
    o[i] = vote_ballot_sync(FULL_MASK, true)
    return
end

# ---- barriers
function numbered(o)
    t = threadIdx().x
    s = CuStaticSharedArray(Int32, 64)
    for id in 0:15
        s[t] = t + id
        barrier_sync(id)
        o[t] += s[blockDim().x - t + 1]
        if isodd(t)
            barrier_sync(id)
        else
            barrier_sync(id)
        end
    end
    return
end
function early_exit(o, n)
    t = threadIdx().x
    s = CuStaticSharedArray(Int32, 64)
    t > n && return
    s[t] = t
    sync_threads()
    o[t] = s[n - t + 1]
    return
end

# All blocks, again and again: each adds what its neighbour had before.
function grid_rounds(a, b, rounds)
    grid = CG.this_grid()
    i = CG.thread_rank(grid)
    n = CG.num_threads(grid)
    for round in 1:rounds
        b[i] = a[i] + a[mod1(i + blockDim().x, n)]
        CG.sync(grid)
        a[i] = b[i]
        CG.sync(grid)
    end
    return
end
