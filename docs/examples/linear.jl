# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# y = x * w' + b of a linear layer in Float16, with sums in Float32. x[rows][K], w[columns][K] and y[rows][columns] in
# C are x[K, rows], w[K, columns] and y[columns, rows] here. For products with too few tiles to fill a GPU: splits the
# depth K over the warps of a block, and over the blocks of a cluster, which add their sums through shared memory.
#
# Both factors are contiguous along K, and the order of terms is free. So a thread reads 8 halves of a row at once and passes
# them to mma.sync unchanged: the matrix units see K permuted, equally in both factors. Nothing is staged in shared memory.
#
# A Tiling sets the work split. A warp computes 16M x 8N elements of y. A block has WM x WN x WK warps along rows,
# columns and depth, and the C blocks of a cluster share a tile's depth. 32 * WK * C must divide K, 16M * WM the rows,
# 8N * WN the columns. The grid is (C * tiles along columns, tiles along rows), with clusters of (C, 1, 1). A launch
# with programmatic_serialization reads w while the previous kernel still runs; that kernel must not write w.
#
#   kiln compile linear.jl 'linear(CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1}, CuDeviceVector{Float16,1}, Tiling{768,2,2,2,1,4,4})' --target ptx --arch sm_90
#   kiln run linear.jl linear --arg 'zeros(Float16, 48, 32)' --arg 'rand(Float16, 128, 32)' --arg 'rand(Float16, 128, 48)' --arg 'rand(Float16, 48)' --arg 'Tiling{128,1,1,2,1,2,1}()' --threads 128 --blocks 6,1 --out 1=y.npy
#   kiln bench linear.jl linear --arg 'zeros(Float16, 768, 64)' --arg 'rand(Float16, 768, 64)' --arg 'rand(Float16, 768, 768)' --arg 'rand(Float16, 768)' --arg 'Tiling{768,2,2,1,1,8,1}()' --threads 256 --blocks 48,2 --flops 75497472

using CUDA

struct Tiling{K,M,N,WM,WN,WK,C} end

const Pair = NTuple{2,Float32}
@inline two(w::UInt32) = (VecElement(reinterpret(Float16, w % UInt16)), VecElement(reinterpret(Float16, (w >> 16) % UInt16)))
@inline product(a, b, sums) = WMMA.mma_sync(WMMA.Config{16,8,16,Float32}, Float16, map(two, a), map(two, b), sums)
@inline pair(A, at, ::Val{AS}) where {AS} = reinterpret(LLVMPtr{Pair,AS}, pointer(A, at + 1i32))
@inline both(a::Pair, b::Pair) = (a[1] + b[1], a[2] + b[2])

# Two adjacent elements of a row of y, with their biases.
@inline function finish(y, b, row, column, sums)
    h(k) = UInt32(reinterpret(UInt16, Float16(sums[k] + Float32(@inbounds(b[column + Int32(k)])))))
    unsafe_store!(reinterpret(LLVMPtr{UInt32,CUDA.AS.Global}, pointer(y, Int(row) * size(y, 1) + column + 1)), h(1) | (h(2) << 16), 1, Val(4))
    return
end

function linear(y, x, w, b, ::Tiling{K,M,N,WM,WN,WK,C}) where {K,M,N,WM,WN,WK,C}
    S = K ÷ (32 * WK * C)
    rows, columns = Int32(16 * M * WM), Int32(8 * N * WN)
    # Rows of partial sums are padded to a multiple of 32 words plus or minus 8, so that adjacent stores hit different banks.
    stride = columns + mod(8i32 - columns, 32i32)
    pairs = (rows * columns) >> 1i32
    threads = Int32(32 * WM * WN * WK)
    own = pairs ÷ Int32(C)
    parts = CuStaticSharedArray(Float32, rows * stride * Int32(WK))
    gathered = CuStaticSharedArray(Float32, C == 1 ? 1 : 2 * own * Int32(C))
    thread = threadIdx().x - 1i32
    lane, warp = thread & 31i32, thread >> 5i32
    group, place = lane >> 2i32, lane & 3i32
    warp_row, warp_column, warp_depth = warp % Int32(WM), (warp ÷ Int32(WM)) % Int32(WN), warp ÷ Int32(WM * WN)
    rank = (blockIdx().x - 1i32) % Int32(C)
    first_row, first_column = (blockIdx().y - 1i32) * rows, ((blockIdx().x - 1i32) ÷ Int32(C)) * columns
    C == 1 || CUDA.cluster_arrive_relaxed()

    # Issues all of the warp's reads before the first product.
    k = (rank * Int32(WK) + warp_depth) * Int32(32 * S) + 8i32 * place
    chunk(A, s, row) = unsafe_load(reinterpret(LLVMPtr{NTuple{4,UInt32},CUDA.AS.Global}, pointer(A, row * K + k + 32i32 * (s - 1i32) + 1i32)), 1, Val(16))
    x_row, w_row = first_row + warp_row * Int32(16 * M) + group, first_column + warp_column * Int32(8 * N) + group
    CUDA.trigger_programmatic_launch_completion()
    bs = ntuple(s -> ntuple(j -> chunk(w, s % Int32, w_row + 8i32 * (j % Int32 - 1i32)), Val(N)), Val(S))
    CUDA.grid_dependency_synchronize()
    as = ntuple(s -> ntuple(i -> chunk(x, s % Int32, x_row + 8i32 * (i % Int32 - 1i32)), Val(2M)), Val(S))
    sums = ntuple(_ -> (0f0, 0f0, 0f0, 0f0), Val(M * N))
    for s in 1:S
        for h in 1:2:3
            old = sums
            sums = ntuple(Val(M * N)) do q
                i, j = (q - 1) % M, (q - 1) ÷ M + 1
                upper, lower, right = as[s][2i+1], as[s][2i+2], bs[s][j]
                product((upper[h], lower[h], upper[h+1], lower[h+1]), (right[h], right[h+1]), old[q])
            end
        end
    end

    for q in 1:M*N
        i, j = (q - 1) % M, (q - 1) ÷ M
        row = warp_row * Int32(16 * M) + Int32(16i) + group + warp_depth * rows
        at = row * stride + warp_column * Int32(8 * N) + Int32(8j) + 2i32 * place
        unsafe_store!(pair(parts, at, Val(3)), (sums[q][1], sums[q][2]), 1, Val(8))
        unsafe_store!(pair(parts, at + 8i32 * stride, Val(3)), (sums[q][3], sums[q][4]), 1, Val(8))
    end
    sync_threads()
    half = columns >> 1i32
    C == 1 || CUDA.cluster_wait() # the other blocks run now: their shared memory exists
    p = thread
    while p < pairs
        row, column = p ÷ half, 2i32 * (p % half)
        sum = (0f0, 0f0)
        for d in 0i32:Int32(WK - 1)
            sum = both(sum, unsafe_load(pair(parts, (row + d * rows) * stride + column, Val(3)), 1, Val(8)))
        end
        if C == 1
            finish(y, b, first_row + row, first_column + column, sum)
        else
            # The block of the cluster that finishes this pair collects all partial sums.
            there = CUDA.map_shared_rank(pair(gathered, 2i32 * (rank * own + p % own), Val(3)), p ÷ own + 1i32)
            unsafe_store!(there, sum, 1, Val(8))
        end
        p += threads
    end
    if C > 1
        CUDA.cluster_arrive()
        CUDA.cluster_wait()
        p = thread
        while p < own
            sum = (0f0, 0f0)
            for r in 0i32:Int32(C - 1)
                sum = both(sum, unsafe_load(pair(gathered, 2i32 * (r * own + p), Val(3)), 1, Val(8)))
            end
            at = rank * own + p
            finish(y, b, first_row + at ÷ half, first_column + 2i32 * (at % half), sum)
            p += threads
        end
    end
    return
end
