# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# C = A * B for Hopper's hardware (sm_90a). One warp copies tiles of A and B to shared memory with the copy engine,
# four stages deep. Two warpgroups multiply them by wgmma. C is Float32 or BFloat16; A and B are Float16 or BFloat16.
#
# A tile of C has 256 rows and 128 columns; each warpgroup computes 64 columns. wgmma's 64 rows are columns of B and its columns are rows of A,
# so that a thread holds neighbours in a column of C. Launch one block of 288 threads per multiprocessor, with 4 * 49152 + 1024 bytes of dynamic
# shared memory; blocks take tiles until none is left. In clusters of two blocks (`--cluster 2`) the blocks compute adjacent tiles, and each
# copies half of the part of A that both need. Sizes must be multiples of 256 (rows of C), 128 (columns of C, times the cluster's blocks) and 64.
#
# The host creates the maps (kiln/tensor_map.h): boxes of 64 x 64 (rows x columns) for A and 64 x 128 for B, both with a swizzle of 128 bytes.
#
#   kiln compile hopper_matmul.jl 'hopper_matmul(CuDeviceMatrix{Float32,1}, Hopper.TensorMap{Float16,2}, Hopper.TensorMap{Float16,2}, Int32)' --target ptx --arch sm_90a --maxthreads 288

using CUDA

const Stages = 4
const Depth = 64i32
const TileRows, TileColumns = 256i32, 128i32
const Band = 8i32
const Box = 64 * 64 * 2
const BytesA = 4 * Box
const BytesB = 2 * Box

# Adjacent clusters share a band of 8 tile rows, so that their input stays in the L2 cache.
@inline function tile_place(tile, tile_rows, tile_columns)
    in_band = Band * tile_columns
    band = div(tile, in_band) * Band
    height = min(Band, tile_rows - band)
    at = rem(tile, in_band)
    return (band + rem(at, height)) * TileRows, (div(at, height) * linearClusterSize() + linearBlockIdxInCluster() - 1i32) * TileColumns
end

@inline function load_tiles(to, a, b, row, column, k, ready)
    blocks = linearClusterSize()
    rank = linearBlockIdxInCluster() - 1i32
    i = 0i32
    while i < 4i32
        if blocks == 1i32
            Hopper.tensor_load(to + Box * Int(i), a, (row + 64i32 * i, k), ready)
        elseif i & 1i32 == rank # the other block receives it, too
            Hopper.tensor_load_multicast(to + Box * Int(i), a, (row + 64i32 * i, k), ready, 3)
        end
        i += 1i32
    end
    Hopper.tensor_load(to + BytesA, b, (k, column), ready)
end
# Frees the stage: notifies every block of the cluster that writes into it.
@inline function release(stage)
    if linearClusterSize() == 1i32
        Hopper.mbarrier_arrive(stage)
    else
        Hopper.mbarrier_arrive_remote(stage, 1)
        Hopper.mbarrier_arrive_remote(stage, 2)
    end
end

# A thread holds two of every eight rows of a column, at 2q among its four neighbours. Accumulators need constant names, hence the expansion.
@inline function store_tile(C::CuDeviceMatrix{Float32}, sums::NTuple{128,Float32}, row, column, q)
    first = reinterpret(LLVMPtr{NTuple{2,VecElement{Float32}},1}, pointer(C, Int(column) * size(C, 1) + row + 2i32 * q + 1))
    second = first + 8 * size(C, 1) * 4
    Base.Cartesian.@nexprs 32 j -> begin
        unsafe_store!(first + 32 * (j - 1), (VecElement(sums[4j-3]), VecElement(sums[4j-2])))
        unsafe_store!(second + 32 * (j - 1), (VecElement(sums[4j-1]), VecElement(sums[4j])))
    end
end
# 16-bit elements: the four threads exchange theirs, so that each has eight consecutive rows, 16 bytes.
@inline pair(x, y) = UInt32(reinterpret(UInt16, BFloat16(x))) | UInt32(reinterpret(UInt16, BFloat16(y))) << 16
@inline function exchanged(a, b, c, d, q)
    odd, high = q & 1i32 == 1i32, q >= 2i32
    x, y = shfl_xor_sync(0xffffffff, odd ? a : b, 1), shfl_xor_sync(0xffffffff, odd ? c : d, 1)
    a, b, c, d = odd ? x : a, odd ? b : x, odd ? y : c, odd ? d : y
    x, y = shfl_xor_sync(0xffffffff, high ? a : c, 2), shfl_xor_sync(0xffffffff, high ? b : d, 2)
    return map(VecElement, (high ? x : a, high ? y : b, high ? c : x, high ? d : y))
end
@inline function store_tile(C::CuDeviceMatrix{BFloat16}, sums::NTuple{128,Float32}, row, column, q)
    first = reinterpret(LLVMPtr{NTuple{4,VecElement{UInt32}},1}, pointer(C, Int(column) * size(C, 1) + row + 8i32 * q + 1))
    second = first + 8 * size(C, 1) * 2
    Base.Cartesian.@nexprs 8 m -> begin
        a, b, c, d = pair(sums[16m-15], sums[16m-14]), pair(sums[16m-11], sums[16m-10]), pair(sums[16m-7], sums[16m-6]), pair(sums[16m-3], sums[16m-2])
        unsafe_store!(first + 64 * (m - 1), exchanged(a, b, c, d, q))
        a, b, c, d = pair(sums[16m-13], sums[16m-12]), pair(sums[16m-9], sums[16m-8]), pair(sums[16m-5], sums[16m-4]), pair(sums[16m-1], sums[16m])
        unsafe_store!(second + 64 * (m - 1), exchanged(a, b, c, d, q))
    end
end

function hopper_matmul(C, a::Hopper.TensorMap{T,2}, b::Hopper.TensorMap{T,2}, depth) where {T}
    memory = Hopper.align_pointer(pointer(CuDynamicSharedArray(T, 1)), Val(1024))
    full, empty = CuStaticSharedArray(UInt64, Stages), CuStaticSharedArray(UInt64, Stages)
    warp = shfl_sync(0xffffffff, (threadIdx().x - 1i32) >> 5i32, 1)
    if threadIdx().x == 1
        for s in 1:Stages
            Hopper.mbarrier_init(pointer(full, s), 1)
            Hopper.mbarrier_init(pointer(empty, s), 2i32 * linearClusterSize())
        end
        Hopper.fence_mbarrier_init()
    end
    cluster_arrive()
    cluster_wait()
    tile_rows, tile_columns = div(rem(size(C, 1), Int32), TileRows), div(rem(size(C, 2), Int32), TileColumns * linearClusterSize())
    tile = clusterIdx().x - 1i32
    stage, phase = 0i32, 0i32
    if warp == 8i32
        if threadIdx().x == 257
            while tile < tile_rows * tile_columns
                row, column = tile_place(tile, tile_rows, tile_columns)
                k = 0i32
                while k < depth
                    ready = pointer(full, stage + 1)
                    Hopper.mbarrier_wait_parity(pointer(empty, stage + 1), phase ⊻ 1i32)
                    Hopper.mbarrier_arrive_expect_tx(ready, BytesA + BytesB)
                    load_tiles(memory + Int(stage) * (BytesA + BytesB), a, b, row, column, k, ready)
                    k += Depth
                    stage += 1i32
                    stage == Stages && ((stage, phase) = (0i32, phase ⊻ 1i32))
                end
                tile += gridClusterDim().x
            end
        end
    else
        group = warp >> 2i32
        leads = (threadIdx().x - 1i32) & 127i32 == 0i32
        while tile < tile_rows * tile_columns
            row, column = tile_place(tile, tile_rows, tile_columns)
            sums = ntuple(_ -> 0f0, Val(128))
            before = stage
            k = 0i32
            while k < depth
                Hopper.mbarrier_wait_parity(pointer(full, stage + 1), phase)
                from = memory + Int(stage) * (BytesA + BytesB)
                tile_a = Hopper.shared_matrix(from, Val(:i), Val(128); lead=Box)
                tile_b = Hopper.shared_matrix(from + (BytesA + Box * Int(group)), Val(:k), Val(128))
                Hopper.wgmma_fence()
                sums = Hopper.wgmma(sums, tile_b, tile_a, k > 0i32)
                Base.Cartesian.@nexprs 3 n -> sums = Hopper.wgmma(sums, Hopper.matrix_from(tile_b, 32n), Hopper.matrix_from(tile_a, 2048n))
                Hopper.wgmma_commit()
                # The previous stage's products are done now.
                Hopper.wgmma_wait(Val(1))
                k > 0i32 && leads && release(pointer(empty, before + 1))
                before = stage
                k += Depth
                stage += 1i32
                stage == Stages && ((stage, phase) = (0i32, phase ⊻ 1i32))
            end
            sums = Hopper.wgmma_wait(Val(0), sums)
            leads && release(pointer(empty, before + 1))
            t = (threadIdx().x - 1i32) & 127i32
            store_tile(C, sums, row, column + 64i32 * group + 16i32 * (t >> 5i32) + ((t & 31i32) >> 2i32), t & 3i32)
            tile += gridClusterDim().x
        end
    end
    # A block must not exit while another one writes into its memory.
    cluster_arrive()
    cluster_wait()
    return
end
