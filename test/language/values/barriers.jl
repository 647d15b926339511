# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels in which all threads pass each barrier together. Each stands here twice: as it is, and behind a return that no
# thread takes, so that it is not known any more that they do.

using CUDA

struct Pair
    whole::Int64
    real::Float32
end

# What lives across barriers, in nested loops: numbers of several widths, a Bool, a struct, a tuple, a pointer, a small
# array of the thread's own.
@inline function kinds(o, x, rounds)
    t = threadIdx().x
    n = blockDim().x
    i = (blockIdx().x - 1) * n + t
    s = CuStaticSharedArray(Int64, 160)
    value = x[i]
    small = rem(value, UInt8)
    real = value / 4
    odd = isodd(value)
    pair = Pair(value + 1, value * 0.5f0)
    both = (value, odd ? 1i32 : 2i32)
    mine = MVector{4,Int64}(undef)
    for k in 1:4
        mine[k] = value + k
    end
    at = odd ? pointer(x, i) : pointer(x, 1)
    for round in 1:rounds
        s[t] = value
        sync_threads()
        other = s[n - t + 1]
        for inner in 1:round
            sync_threads()
            s[t] = other + inner
            sync_threads()
            value += s[mod1(t + 1, n)]
            mine[mod1(round + inner + t, 4)] += value
        end
        sync_threads()
        small += rem(other, UInt8)
        real += other
        odd = odd != (other > value)
        pair = Pair(pair.whole + other, pair.real + 0.5f0)
        both = (both[1] - other, both[2] + 1i32)
    end
    o[i, 1] = value
    o[i, 2] = small
    o[i, 3] = real
    o[i, 4] = odd
    o[i, 5] = pair.whole
    o[i, 6] = pair.real
    o[i, 7] = both[1]
    o[i, 8] = both[2]
    o[i, 9] = unsafe_load(at)
    for k in 1:4
        o[i, 9 + k] = mine[k]
    end
    return
end

@noinline function from_behind(s, t, n, v)
    s[t] = v
    sync_threads()
    found = s[n - t + 1]
    sync_threads()
    return found
end

# Barriers in branches and loops that depend on arguments and on the block, and in functions.
@inline function ways(o, way, steps)
    t = threadIdx().x + blockDim().x * (threadIdx().y - 1)
    n = blockDim().x * blockDim().y
    b = blockIdx().x
    s = CuStaticSharedArray(Int64, 160)
    v = t * b
    if way == 1
        v += from_behind(s, t, n, v)
    elseif way == 2 && b > 1
        v = 2 * from_behind(s, t, n, v) - from_behind(s, t, n, t)
    end
    d = 1
    while d < steps
        v += from_behind(s, t, n, v + d)
        d *= 2
        iseven(b) && break
    end
    for k in 1:steps
        isodd(t) && continue_with(v)
        k == way && continue
        v = from_behind(s, t, n, v + k)
    end
    o[t, b] = v
    return
end
@inline continue_with(v) = nothing

# Conditions that hold for some of the threads only, each behind a barrier.
macro where_it_holds(bit, condition)
    return esc(quote
        sync_threads()
        if $condition
            o[t] |= 1 << $bit
        end
    end)
end
@inline function conditions(o, a, b, far)
    x = threadIdx().x
    y = threadIdx().y
    t = x + blockDim().x * (y - 1)
    i = t + far
    @where_it_holds 0 x <= a
    @where_it_holds 1 x < a
    @where_it_holds 2 x >= a
    @where_it_holds 3 a < x
    @where_it_holds 4 x == a
    @where_it_holds 5 x != a
    @where_it_holds 6 a - x > b
    @where_it_holds 7 b - x <= a
    @where_it_holds 8 x <= a && x > b
    @where_it_holds 9 x <= a || x > b
    @where_it_holds 10 !(x <= a || x == b)
    @where_it_holds 11 rem(x, UInt32) - rem(b, UInt32) < rem(a, UInt32)
    @where_it_holds 12 rem(x + 100, Int8) > rem(b, Int8)
    @where_it_holds 13 i <= a + far
    @where_it_holds 14 i > far
    @where_it_holds 15 y == b
    @where_it_holds 16 y <= b && x >= a
    @where_it_holds 17 2 * x < a
    @where_it_holds 18 x & 3 == 1
    @where_it_holds 19 rem(i, UInt64) < rem(a, UInt64) + rem(far, UInt64)
    return
end

# A sum by halves, for any number of threads.
@inline function halves(sums, x)
    T = eltype(x)
    s = CuDynamicSharedArray(T, blockDim().x)
    t = threadIdx().x
    i = (blockIdx().x - 1) * blockDim().x + t
    s[t] = i <= length(x) ? x[i] : zero(T)
    sync_threads()
    live = blockDim().x
    while live > 1
        half = (live + 1) >> 1
        if t + half <= live
            s[t] += s[t+half]
        end
        sync_threads()
        live = half
    end
    if t == 1
        sums[blockIdx().x] = s[1]
    end
    return
end

# Between threads of three dimensions.
@inline function turned(o)
    s = CuStaticSharedArray(Int32, (4, 5, 3))
    (x, y, z) = (threadIdx().x, threadIdx().y, threadIdx().z)
    s[x, y, z] = x + 10i32 * y + 100i32 * z
    sync_threads()
    o[x, y, z] = s[5i32-x, 6i32-y, 4i32-z]
    return
end

for name in (:kinds, :ways, :conditions, :halves, :turned)
    @eval function $(Symbol(name, "_together"))(args...)
        $name(args...)
        return
    end
    @eval function $(Symbol(name, "_apart"))(args...)
        threadIdx().x > 2000 && return
        $name(args...)
        return
    end
end

# One thread ends by an exception, the others go on; so do other blocks.
function one_throws(x, last)
    s = CuStaticSharedArray(Int64, 64)
    t = threadIdx().x + blockDim().x * (threadIdx().y - 1)
    s[t] = t
    sync_threads()
    if blockIdx().x == 2
        x[t == last ? 10_000 : t] += 1
    elseif blockIdx().x == 3
        x[10_000 + t] = 1
    end
    s[t] += 1
    sync_threads()
    if t == 2
        sum = 0
        for k in 1:blockDim().x * blockDim().y
            sum += s[k]
        end
        @cuprintln("block ", blockIdx().x, " has ", sum)
    end
    return
end

# A tile with 16 rows and columns, of which a block may have fewer: each thread adds its row and its column in the tile.
function cross_sums(o, x, rows)
    tile = CuStaticSharedArray(Float32, (16, 16))
    (i, j) = (threadIdx().x, threadIdx().y)
    row = (blockIdx().x - 1) * blockDim().x + i
    col = (blockIdx().y - 1) * blockDim().y + j
    sum = 0f0
    for turn in 1:3
        @inbounds tile[i, j] = turn * x[row + (col - 1) * rows]
        sync_threads()
        for k in 1:blockDim().x
            @inbounds sum += k * tile[k, j]
        end
        for k in 1:blockDim().y
            @inbounds sum += tile[i, k]
        end
        sync_threads()
    end
    @inbounds o[row + (col - 1) * rows] = sum
    return
end
