# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Running results and what is found, by blocks of a GPU: a tile is what a block takes at once, `K` elements a thread, which go through shared
# memory so that neighbours read and write neighbours. Reduce, then scan (Merrill and Grimshaw, "Parallel Scan for Stream Architectures", 2009):
# the tiles' results, what lies before each tile, each tile with what lies before it. An operator need not commute.

const scan_threads = 256
const widest_scanned = 64                          # bytes: 256 of them are a third of a block's shared memory
# Elements a thread; odd, so that threads that go along their own ones meet no bank twice.
tile_items(T) = (k = clamp(div(12288, scan_threads * sizeof(T)), 1, 15); iseven(k) ? k - 1 : k)

# The offset of a line's first element: lines of `n` elements that lie `stride` apart.
@inline function line_base(line, n, stride)
    outer = div(line, stride)
    return outer * stride * n + (line - outer * stride)
end
@inline function load_tile!(tile, source, base, stride, count, t)
    k = t
    while k <= count
        @inbounds tile[k] = source[base+(k-1)*stride+1]
        k += scan_threads
    end
    sync_threads()
end
# What a thread's own elements give; those behind the line's end are not there.
@inline function fold_own!(met, op, tile, count, t, K)
    k = (t - 1) * K + 1
    if k <= count
        last = min(t * K, count)
        @inbounds value = tile[k]
        while k < last
            k += 1
            @inbounds value = convert(eltype(tile), op(value, tile[k]))
        end
        @inbounds met[t] = value
    end
    sync_threads()
end
# Running results of the first `active` threads' values.
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
function sum_tiles(sums, op, source, n, stride, tiles, ::Val{K}) where {K}
    tile = CuStaticSharedArray(eltype(sums), scan_threads * K)
    met = CuStaticSharedArray(eltype(sums), scan_threads)
    t, block = Int(threadIdx().x), Int(blockIdx().x) - 1
    line = div(block, tiles)
    first = (block - line * tiles) * scan_threads * K
    count = min(n - first, scan_threads * K)
    load_tile!(tile, source, line_base(line, n, stride) + first * stride, stride, count, t)
    fold_own!(met, op, tile, count, t, K)
    active = div(count + K - 1, K)
    d = 1
    while d < scan_threads
        if (t - 1) & (2d - 1) == 0 && t + d <= active
            @inbounds met[t] = op(met[t], met[t+d])
        end
        sync_threads()
        d *= 2
    end
    if t == 1
        @inbounds sums[block+1] = met[1]
    end
    return nothing
end
# `sums` are running results of the tiles.
function scan_tiles(out, op, source, sums, n, stride, tiles, ::Val{K}) where {K}
    tile = CuStaticSharedArray(eltype(out), scan_threads * K)
    met = CuStaticSharedArray(eltype(out), scan_threads)
    t, block = Int(threadIdx().x), Int(blockIdx().x) - 1
    line = div(block, tiles)
    c = block - line * tiles
    first = c * scan_threads * K
    count = min(n - first, scan_threads * K)
    base = line_base(line, n, stride) + first * stride
    load_tile!(tile, source, base, stride, count, t)
    fold_own!(met, op, tile, count, t, K)
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
    k = t
    while k <= count
        @inbounds out[base+(k-1)*stride+1] = tile[k]
        k += scan_threads
    end
    return nothing
end
# The places of what a mask has: `sums` are running numbers of them, a tile each.
function scatter_tiles(out, mask, sums, dims, ::Val{K}) where {K}
    tile = CuStaticSharedArray(Bool, scan_threads * K)
    met = CuStaticSharedArray(Int, scan_threads)
    t, block = Int(threadIdx().x), Int(blockIdx().x) - 1
    first = block * scan_threads * K
    count = min(length(mask) - first, scan_threads * K)
    load_tile!(tile, mask, first, 1, count, t)
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
launch_blocks(f, args, blocks) = launch_now(f, args, scan_threads, blocks, 0, nothing)
tile_sums(op, T, A, n, stride, tiles, lines, K) = (sums = new_array(T, (tiles * lines,)); launch_blocks(sum_tiles, (sums, op, A, n, stride, tiles, Val(K)), tiles * lines); sums)
function scan_by_blocks!(op, B, A, n, stride, lines)
    T = eltype(B)
    K = tile_items(T)
    tiles = cld(n, scan_threads * K)
    sums = B                                       # of one tile nothing is read
    if tiles > 1
        sums = tile_sums(op, T, A, n, stride, tiles, lines, K)
        scan_by_blocks!(op, sums, sums, tiles, 1, lines)
    end
    launch_blocks(scan_tiles, (B, op, A, sums, n, stride, tiles, Val(K)), tiles * lines)
    return B
end
# Of narrow lines a thread each is better, of many side by side too: their threads read neighbours.
scans_by_blocks(T, n, stride) = isbitstype(T) && 0 < sizeof(T) <= widest_scanned && n >= 64 && stride < 32
function find_by_blocks(mask)
    n = length(mask)
    K = tile_items(Int)
    tiles = cld(n, scan_threads * K)
    sums = tile_sums(+, Int, mask, n, 1, tiles, 1, K)
    scan_by_blocks!(+, sums, sums, tiles, 1, 1)
    out = new_array(key_type(mask), (load_element(sums, tiles),))
    length(out) == 0 || launch_blocks(scatter_tiles, (out, mask, sums, size(mask), Val(K)), tiles)
    return out
end
