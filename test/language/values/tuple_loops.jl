# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Loops of a constant number of turns over tuples and small arrays of a thread's own: what the compiler unrolls
# so that they end in registers.

using CUDA
using StaticArrays

thread() = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x

# Row i of x, N values.
@inline row(x, i, ::Val{N}) where {N} = ntuple(k -> @inbounds(x[(i - 1) * N + k]), Val(N))

# Each loop's own way to go over a tuple.
function ways(y, x, ::Val{N}) where {N}
    i = thread()
    t = row(x, i, Val(N))
    a = 0f0
    for e in t
        a = 3f0 * a - e
    end
    b = 0f0
    for (k, e) in enumerate(t)
        b += Float32(k) * e
    end
    c = 0f0
    for k in N:-2:1
        c = 2f0 * c + t[k]
    end
    d = 0f0
    for (e, f) in zip(t, reverse(t))
        d += e * f
    end
    e = 0f0
    k = 1
    while true
        k > N && break
        t[k] == 7f0 && break
        e += t[k]
        k += 1
    end
    f = 0f0
    for k in eachindex(t)
        iseven(k) && continue
        f = max(f, t[k])
    end
    @inbounds y[1, i], y[2, i], y[3, i], y[4, i], y[5, i], y[6, i] = a, b, c, d, e, f
    return
end

# Insertion sort: the inner loop runs to the outer one's counter.
function sorted(y, x, ::Val{N}) where {N}
    i = thread()
    t = MVector{N,Float32}(undef)
    for k in 1:N
        @inbounds t[k] = x[(i - 1) * N + k]
    end
    for a in 2:N
        for b in a:-1:2
            @inbounds if t[b] < t[b - 1]
                @inbounds t[b], t[b - 1] = t[b - 1], t[b]
            end
        end
    end
    for k in 1:N
        @inbounds y[(i - 1) * N + k] = t[k]
    end
    return
end

# Sums of products of all pairs, from the diagonal on.
function pairs_of(y, x, ::Val{N}) where {N}
    i = thread()
    t = MVector{N,Float32}(row(x, i, Val(N)))
    s = 0f0
    for a in 1:N
        for b in a:N
            @inbounds s += t[a] * t[b]
        end
    end
    @inbounds y[i] = s
    return
end

# A tile that stays while a loop of a variable number of turns adds to it.
function tile(y, x, turns, ::Val{N}) where {N}
    i = thread()
    acc = zeros(MMatrix{N,N,Float32})
    for k in 0:turns-1
        for a in 1:N, b in 1:N
            @inbounds acc[a, b] += x[i + a + k] * x[i + b + 2k]
        end
    end
    s = 0f0
    for a in 1:N, b in 1:N
        @inbounds s += acc[a, b] * Float32(a - 2b)
    end
    @inbounds y[i] = s
    return
end

# A tuple of tuples, changed in a loop.
function rows_of(y, x, ::Val{N}) where {N}
    i = thread()
    v = ntuple(_ -> (0f0, 0f0, 0f0), Val(N))
    for k in 1:N
        j = (i - 1) * 3N + 3(k - 1)
        @inbounds v = Base.setindex(v, (x[j + 1], x[j + 2], x[j + 3]), k)
    end
    m = 0f0
    for k in 1:N, j in 1:3
        m += v[k][j]
    end
    q = 0f0
    for k in 1:N
        for j in 1:3
            q += (v[k][j] - m)^2
        end
    end
    @inbounds y[i] = q
    return
end

# What no loop unrolls: the index comes from memory.
function picked(y, x, at, ::Val{N}) where {N}
    i = thread()
    t = row(x, i, Val(N))
    s = 0f0
    for k in 1:N
        s += t[at[k]] * Float32(k)
    end
    @inbounds y[i] = s
    return
end
