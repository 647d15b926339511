# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/scan
# Scans and searches by thread blocks of a GPU. A block processes one tile at a time, `K` elements per thread, through
# shared memory, so that adjacent threads access adjacent elements. The method is reduce, then scan (Merrill and
# Grimshaw, "Parallel Scan for Stream Architectures", 2009): reduce each tile, scan the results of the tiles, then
# scan each tile from that value on. An operator need not commute.

const scan_threads = 256
const widest_scanned = 64                          # bytes: 256 of them are a third of a block's shared memory
# Elements per thread in a tile. The number is odd, so that threads that walk over their own elements have no bank
# conflicts.
tile_items(T) = (k = clamp(div(12288, scan_threads * sizeof(T)), 1, 15); iseven(k) ? k - 1 : k)

# Offset of the first element of a line. A line has `n` elements at distance `stride`.
@inline function line_base(line, n, stride)
    outer = div(line, stride)
    return outer * stride * n + (line - outer * stride)
end
# Loads a tile into shared memory. A complete tile (all but a line's last) uses a loop of constant length, whose loads
# overlap.
@inline function load_tile!(tile, source, base, stride, count, t, ::Val{K}) where {K}
    if count == scan_threads * K
        for i in 0:K-1
            k = t + i * scan_threads
            @inbounds tile[k] = source[base+(k-1)*stride+1]
        end
    else
        k = t
        while k <= count
            @inbounds tile[k] = source[base+(k-1)*stride+1]
            k += scan_threads
        end
    end
    sync_threads()
end
@inline function store_tile!(out, tile, base, stride, count, t, ::Val{K}) where {K}
    if count == scan_threads * K
        for i in 0:K-1
            k = t + i * scan_threads
            @inbounds out[base+(k-1)*stride+1] = tile[k]
        end
    else
        k = t
        while k <= count
            @inbounds out[base+(k-1)*stride+1] = tile[k]
            k += scan_threads
        end
    end
end
# Folds a thread's own elements of a tile. Elements after the line's end are ignored.
@inline function fold_own!(met, op, tile, count, t, ::Val{K}) where {K}
    k = (t - 1) * K + 1
    if k <= count
        @inbounds value = tile[k]
        if k + K - 1 <= count
            for i in 1:K-1
                @inbounds value = convert(eltype(tile), op(value, tile[k+i]))
            end
        else
            while k < count
                k += 1
                @inbounds value = convert(eltype(tile), op(value, tile[k]))
            end
        end
        @inbounds met[t] = value
    end
    sync_threads()
end
# Inclusive scan of one value per thread, for the first `active` threads.
@inline function scan_met!(met, op, t, active)
    d = 1
    while d < scan_threads
        takes = d < t <= active
        @inbounds before = met[max(t - d, 1)]
        sync_threads()
        if takes
            @inbounds met[t] = op(before, met[t])
        end
        sync_threads()
        d *= 2
    end
end
# Folds one value per thread of the first `active` threads, in order. The first thread gets the result.
@inline function fold_met!(met, op, t, active)
    d = 1
    while d < scan_threads
        if (t - 1) & (2d - 1) == 0 && t + d <= active
            @inbounds met[t] = op(met[t], met[t+d])
        end
        sync_threads()
        d *= 2
    end
end
function sum_tiles(sums, op, source, n, stride, tiles, items::Val{K}) where {K}
    tile = CuStaticSharedArray(eltype(sums), scan_threads * K)
    met = CuStaticSharedArray(eltype(sums), scan_threads)
    t, block = Int(threadIdx().x), Int(blockIdx().x) - 1
    line = div(block, tiles)
    first = (block - line * tiles) * scan_threads * K
    count = min(n - first, scan_threads * K)
    load_tile!(tile, source, line_base(line, n, stride) + first * stride, stride, count, t, items)
    fold_own!(met, op, tile, count, t, items)
    fold_met!(met, op, t, div(count + K - 1, K))
    if t == 1
        @inbounds sums[block+1] = met[1]
    end
    return nothing
end
# Kernel that folds each tile of a line, in order, into a partial result. The line's first tile includes `init` if
# this launch `counts` it.
function reduce_tiles(out, op, init, counts, source, n, stride, tiles, items::Val{K}) where {K}
    tile = CuStaticSharedArray(typeof(init), scan_threads * K)
    met = CuStaticSharedArray(typeof(init), scan_threads)
    t, block = Int(threadIdx().x), Int(blockIdx().x) - 1
    line = div(block, tiles)
    c = block - line * tiles
    count = min(n - c * scan_threads * K, scan_threads * K)
    first = line_base(line, n, stride) + c * scan_threads * K * stride
    k = t
    while k <= count
        @inbounds tile[k] = first_value(op, init, false, Base.broadcast_at(source, first + (k - 1) * stride + 1))
        k += scan_threads
    end
    sync_threads()
    fold_own!(met, op, tile, count, t, items)
    fold_met!(met, op, t, div(count + K - 1, K))
    if t == 1
        @inbounds out[block+1] = counts & (c == 0) & takes_first(init, source) ? convert(typeof(init), op(init, met[1])) : met[1]
    end
    return nothing
end
# True if `init` has not been added yet. Elements of another type than the result were already combined with `init`.
@inline takes_first(init::T, source) where {T} = is_same_type(init, Base.broadcast_at(source, 1))
@inline is_same_type(a::T, b::T) where {T} = true
@inline is_same_type(a, b) = false
# Kernel that scans each tile. `sums`: scanned results of the tiles.
function scan_tiles(out, op, source, sums, n, stride, tiles, items::Val{K}) where {K}
    tile = CuStaticSharedArray(eltype(out), scan_threads * K)
    met = CuStaticSharedArray(eltype(out), scan_threads)
    t, block = Int(threadIdx().x), Int(blockIdx().x) - 1
    line = div(block, tiles)
    c = block - line * tiles
    first = c * scan_threads * K
    count = min(n - first, scan_threads * K)
    base = line_base(line, n, stride) + first * stride
    load_tile!(tile, source, base, stride, count, t, items)
    fold_own!(met, op, tile, count, t, items)
    scan_met!(met, op, t, div(count + K - 1, K))
    k = (t - 1) * K + 1
    if k <= count
        last = min(t * K, count)
        @inbounds value = tile[k]
        if t > 1
            @inbounds value = convert(eltype(out), op(met[t-1], value))
        end
        if c > 0
            @inbounds value = convert(eltype(out), op(sums[block], value))
        end
        @inbounds tile[k] = value
        while k < last
            k += 1
            @inbounds value = convert(eltype(out), op(value, tile[k]))
            @inbounds tile[k] = value
        end
    end
    sync_threads()
    store_tile!(out, tile, base, stride, count, t, items)
    return nothing
end
# Kernel that stores the positions of a mask's true elements. `sums`: scanned counts of the tiles.
function scatter_tiles(out, mask, sums, dims, items::Val{K}) where {K}
    tile = CuStaticSharedArray(Bool, scan_threads * K)
    met = CuStaticSharedArray(Int, scan_threads)
    t, block = Int(threadIdx().x), Int(blockIdx().x) - 1
    first = block * scan_threads * K
    count = min(length(mask) - first, scan_threads * K)
    load_tile!(tile, mask, first, 1, count, t, items)
    k = (t - 1) * K + 1
    last = min(t * K, count)
    hits = 0
    while k <= last
        @inbounds hits += tile[k]
        k += 1
    end
    @inbounds met[t] = hits
    sync_threads()
    scan_met!(met, +, t, scan_threads)
    @inbounds place = met[t] - hits
    if block > 0
        @inbounds place += sums[block]
    end
    k = (t - 1) * K + 1
    while k <= last
        if @inbounds tile[k]
            place += 1
            @inbounds out[place] = found_key(eltype(out), dims, first + k)
        end
        k += 1
    end
    return nothing
end
# Scans A into B. lib/programs/cuda_scan.cpp launches the kernels of this file.
function scan_by_blocks!(op, B, A, n, stride, lines)
    K = tile_items(eltype(B))
    __scan(op, B, A, n, stride, lines, Val(K), K)
    return B
end
# True if scanning by blocks is faster. Short lines and many adjacent lines are faster with one thread per line:
# adjacent threads then read adjacent elements.
scans_by_blocks(T, n, stride) = isbitstype(T) && 0 < sizeof(T) <= widest_scanned && n >= 64 && stride < 32
find_by_blocks(mask) = (K = tile_items(Int); checked_load(__find(+, mask, key_type(mask), size(mask), Val(K), K)))
