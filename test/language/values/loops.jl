# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Loops within a thread's work, in kernels that neither wait nor throw: on the CPU the threads of a block run them
# together, those that have left one idling until the last has.

using CUDA

# Numbers of rounds that differ from thread to thread.
function collatz(o, x, limit)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(x)
        n = @inbounds x[i]
        steps = 0
        while n != 1 && steps < limit
            n = iseven(n) ? n >> 1 : 3n + 1
            steps += 1
        end
        @inbounds o[i] = 1000 * steps + (n == 1 ? 1 : 2)
    end
    return
end

# The same number for all, with work for some in a round; accesses of neighbours are side by side.
function columns(o, x, weights)
    (rows, cols) = size(x)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    j = (blockIdx().y - 1) * blockDim().y + threadIdx().y
    if i <= rows && j <= size(o, 2)
        sum = 0f0
        largest = -Inf32
        for k in 1:cols
            v = @inbounds x[i, k]
            v < j && continue
            sum += v * @inbounds weights[k]
            largest = max(largest, v)
        end
        @inbounds o[i, j] = sum + largest
    end
    return
end

# A loop of each kind in the other, more than one way out, and values that are known behind only.
function nested(o, rounds, far)
    t = threadIdx().x
    b = blockIdx().x
    total = 0
    last = -1
    for r in 1:rounds
        v = t * r
        found = 0
        while v > b
            v -= 3
            found += 1
            if v == far
                last = r
                break
            end
            found > 40 && break
        end
        total += found * r + v
        isodd(r) && (total -= t)
    end
    @inbounds o[t, b] = 100 * total + last
    return
end

# A condition of its own leaves a loop whose bounds are the same for all.
function search(o, sorted)
    t = threadIdx().x
    at = 0
    for k in 1:length(sorted)
        (@inbounds sorted[k]) > t && break
        at = k
    end
    @inbounds o[t] = at
    return
end

# Numbers that meet; each way round has a loop.
function meet(o, n)
    t = threadIdx().x + blockDim().x * (threadIdx().y - 1)
    if t <= n
        (a, b) = (t, n)
        while a != b
            if a > b
                a -= b
            else
                b -= a
            end
        end
        @inbounds o[t] = a
    end
    return
end

# Several ways into one place, each with a value of its own, that no loop lies on, beside one with a loop: which of them
# is the same for all threads, and known inside the part in front of that place alone.
function ways(y, a, n)
    r = if n < 0
        a === 1 ? 1 : a === -1 ? (iseven(n) ? 1 : -1) : a === 0 ? 77 : 0
    else
        power = 1
        while n !== 0
            isodd(n) && (power *= a)
            n = n >>> 1
            a *= a
        end
        power
    end
    @inbounds y[threadIdx().x] = r
    return
end
