# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels of many threads as users write them: tiles, scans, histograms, particles, reductions by a given operator.

using CUDA
using KernelAbstractions

# ---- a scan of a block by any operator, with the tile's size as a Val
@inline function block_scan!(op::F, s, v::T, ::Val{N}) where {F,T,N}
    t = threadIdx().x
    s[t] = v
    sync_threads()
    offset = 1
    while offset < N
        x = t > offset ? op(s[t - offset], s[t]) : s[t]
        sync_threads()
        s[t] = x
        sync_threads()
        offset *= 2
    end
    return s[t]
end
function scan_kernel(op, out::AbstractVector{T}, x, sums, ::Val{N}) where {T,N}
    s = @cuStaticSharedMem(T, N)
    i = threadIdx().x + (blockIdx().x - 1) * blockDim().x
    v = i <= length(x) ? T(x[i]) : zero(T)
    r = block_scan!(op, s, v, Val(N))
    i <= length(out) && (out[i] = r)
    if threadIdx().x == N && !isnothing(sums)
        sums[blockIdx().x] = r
    end
    return
end

# ---- private histograms in shared memory, bins by a function
struct Binning{T}
    lo::T
    hi::T
    n::Int32
end
(b::Binning)(x) = clamp(floor(Int32, (x - b.lo) / (b.hi - b.lo) * b.n) + Int32(1), Int32(1), b.n)
function histogram(bins, xs, f::F; stride=gridDim().x * blockDim().x) where {F}
    s = @cuDynamicSharedMem(Int32, length(bins))
    for b in threadIdx().x:blockDim().x:length(s)
        s[b] = 0
    end
    sync_threads()
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    while i <= length(xs)
        CUDA.@atomic s[f(xs[i])] += 1
        i += stride
    end
    sync_threads()
    for b in threadIdx().x:blockDim().x:length(s)
        CUDA.@atomic bins[b] += s[b]
    end
    return nothing
end
using CUDA: i32

# ---- particles in an array of structs
struct Particle{N,T}
    pos::NTuple{N,T}
    vel::NTuple{N,T}
    id::Int32
    alive::Bool
end
reflect(x, v, lo, hi) = x < lo ? (2lo - x, -v) : x > hi ? (2hi - x, -v) : (x, v)
function step!(ps, box, dt, forces...)
    i = threadIdx().x + (blockIdx().x - 1) * blockDim().x
    i > length(ps) && return
    p = ps[i]
    p.alive || return
    a = ntuple(d -> sum(f -> f(p, d), forces), Val(length(p.pos)))
    vel = p.vel .+ dt .* a
    moved = map((x, v) -> reflect(x + dt * v, v, box.lo, box.hi), p.pos, vel)
    ps[i] = Particle(map(first, moved), map(last, moved), p.id, p.id % 3 != 0)
    return
end
struct Gravity{T}
    g::T
end
(f::Gravity)(p, d) = d == 2 ? -f.g : zero(f.g)
drag(p, d) = -0.5f0 * p.vel[d]
function run_steps(out, ps, steps, dt)
    for _ in 1:steps
        step!(ps, (lo=0f0, hi=1f0), dt, Gravity(1f0), drag)
    end
    i = threadIdx().x + (blockIdx().x - 1) * blockDim().x
    if i <= length(ps)
        p = ps[i]
        for (k, v) in enumerate((p.pos..., p.vel..., Float32(p.id), Float32(p.alive)))
            out[k, i] = v
        end
    end
    return
end

# ---- stencils over CartesianIndices, boundaries by dispatch
function stencil!(out, A, w::NTuple{M,T}, r, ::Val{B}) where {M,T,B}
    I = CartesianIndex((blockIdx().x - 1) * blockDim().x + threadIdx().x, (blockIdx().y - 1) * blockDim().y + threadIdx().y)
    R = CartesianIndices(A)
    I in R || return
    acc = zero(T)
    for (k, d) in enumerate(-r:r)
        for J in (I + CartesianIndex(d, 0), I + CartesianIndex(0, d))
            v = if J in R
                @inbounds A[J]
            elseif B === :wrap
                A[CartesianIndex(mod1.(Tuple(J), size(A)))]
            else
                zero(T)
            end
            acc = muladd(w[k], v, acc)
        end
    end
    @inbounds out[I] = acc
    return
end

# ---- warps: minimum with its place, as a pair in two registers
@inline function warp_argmin(v, i)
    offset = 16
    while offset > 0
        w, j = shfl_down_sync(0xffffffff, v, offset), shfl_down_sync(0xffffffff, i, offset)
        if w < v || (w == v && j < i)
            v, i = w, j
        end
        offset ÷= 2
    end
    return v, i
end
function argmin_kernel(vals, places, xs)
    i = threadIdx().x + (blockIdx().x - 1) * blockDim().x
    v, p = i <= length(xs) ? (xs[i], Int32(i)) : (typemax(eltype(xs)), Int32(0))
    v, p = warp_argmin(v, p)
    if laneid() == 1
        w = (i - 1) ÷ warpsize() + 1
        vals[w], places[w] = v, p
    end
    return
end

# ---- a matrix product with tiles, any element type and epilogue
function tiled_matmul!(C, A::AbstractMatrix{T}, B, epilogue::E=identity, ::Val{TS}=Val(8)) where {T,E,TS}
    tx, ty = threadIdx().x, threadIdx().y
    row, col = (blockIdx().x - 1) * TS + tx, (blockIdx().y - 1) * TS + ty
    As, Bs = CuStaticSharedArray(T, (TS, TS)), CuStaticSharedArray(T, (TS, TS))
    acc = zero(T)
    for t in 0:cld(size(A, 2), TS)-1
        k, l = t * TS + ty, t * TS + tx
        As[tx, ty] = row <= size(A, 1) && k <= size(A, 2) ? A[row, k] : zero(T)
        Bs[tx, ty] = l <= size(B, 1) && col <= size(B, 2) ? B[l, col] : zero(T)
        sync_threads()
        for k in 1:TS
            @inbounds acc += As[tx, k] * Bs[k, ty]
        end
        sync_threads()
    end
    if row <= size(C, 1) && col <= size(C, 2)
        C[row, col] = epilogue(acc)
    end
    return
end
relu(x::Real) = max(x, zero(x))

# ---- KernelAbstractions: a transpose through local memory, a reduction with private counters
@kernel function ka_transpose!(out, @Const(A), ::Val{N}) where {N}
    gi, gj = @index(Group, NTuple)
    i, j = @index(Local, NTuple)
    tile = @localmem eltype(out) (N + 1, N)
    I, J = (gi - 1) * N + i, (gj - 1) * N + j
    if I <= size(A, 1) && J <= size(A, 2)
        @inbounds tile[i, j] = A[I, J]
    end
    @synchronize
    I2, J2 = (gj - 1) * N + i, (gi - 1) * N + j
    if I2 <= size(out, 1) && J2 <= size(out, 2)
        @inbounds out[I2, J2] = tile[j, i]
    end
end
@kernel unsafe_indices = true function ka_sum!(out, A)
    l = @index(Local, Linear)
    g = @index(Group, Linear)
    @uniform n = prod(@groupsize())
    s = @localmem Float64 (64,)
    count = @private Int 1
    count[1] = 0
    acc = 0.0
    k = (g - 1) * n + l
    while k <= length(A)
        acc += A[k]
        count[1] += 1
        k += 2n
    end
    s[l] = acc
    @synchronize
    d = n ÷ 2
    while d > 0
        if l <= d
            s[l] += s[l + d]
        end
        @synchronize
        d ÷= 2
    end
    if l == 1
        out[g] = s[1] + 0 * count[1]
    end
end

# ---- binary search, sparse rows, bits
function spmv!(y, rowptr, col, val, x, α=true, β=false)
    row = threadIdx().x + (blockIdx().x - 1) * blockDim().x
    row <= length(y) || return nothing
    s = zero(eltype(y))
    for k in rowptr[row]:(rowptr[row+1] - one(eltype(rowptr)))
        s += val[k] * x[col[k]]
    end
    y[row] = α * s + β * y[row]
    nothing
end
function search!(out, sorted, keys)
    i = threadIdx().x
    k = keys[i]
    lo, hi = 1, length(sorted) + 1
    while lo < hi
        mid = (lo + hi) >>> 1
        if sorted[mid] < k
            lo = mid + 1
        else
            hi = mid
        end
    end
    out[i] = lo <= length(sorted) && sorted[lo] == k ? lo : -lo
    return
end
function morton!(out, xs, ys)
    spread(v::UInt32) = begin
        v = (v | (v << 8)) & 0x00ff00ff
        v = (v | (v << 4)) & 0x0f0f0f0f
        v = (v | (v << 2)) & 0x33333333
        (v | (v << 1)) & 0x55555555
    end
    i = threadIdx().x
    out[i] = spread(xs[i] % UInt32) | spread(ys[i] % UInt32) << 1
    return
end
# ---- Mandelbrot with Complex, a convergent iteration with Float16 storage
function mandel!(out, w, h, limit)
    i, j = (blockIdx().x - 1) * blockDim().x + threadIdx().x, (blockIdx().y - 1) * blockDim().y + threadIdx().y
    (i > w || j > h) && return
    c = complex(3 * (i - 1) / w - 2, 2 * (j - 1) / h - 1)
    z = zero(c)
    n = 0
    while n < limit && abs2(z) <= 4
        z = z^2 + c
        n += 1
    end
    out[i, j] = n
    return
end
function newton!(out::AbstractArray{T}, xs) where {T<:AbstractFloat}
    i = threadIdx().x
    x = Float32(xs[i])
    y = x > 1 ? x : one(x)
    for _ in 1:20
        y = 0.5f0 * (y + x / y)
    end
    out[i] = T(y)
    return
end
