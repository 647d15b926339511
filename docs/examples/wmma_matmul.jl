# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# C = A * B on the matrix units: A and B are Float16, sums Float32. A block of 256 threads computes 128 x 128 elements
# of C, each of its 8 warps 64 x 32 of them. Asynchronous copies bring tiles of A and B, 32 deep, to shared memory
# while the previous pair is multiplied. Sizes must be multiples of 128 (rows and columns of C) and 32.
#
#   kiln compile wmma_matmul.jl 'wmma_matmul(CuDeviceMatrix{Float32,1}, CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1})' --target ptx
#   kiln run wmma_matmul.jl wmma_matmul --arg 'zeros(Float32, 256, 128)' --arg 'rand(Float16, 256, 64)' --arg 'rand(Float16, 64, 128)' --threads 256 --blocks 2,1 --out 1=c.npy
#   kiln bench wmma_matmul.jl wmma_matmul --arg 'zeros(Float32, 4096, 4096)' --arg 'rand(Float16, 4096, 4096)' --arg 'rand(Float16, 4096, 4096)' --threads 256 --blocks 32,32 --flops 137438953472

using CUDA

const Product = WMMA.Config{16,16,16,Float32}
const Chunk = NTuple{4,UInt32}                      # 8 elements
# Columns in shared memory are padded by 8 elements, so that adjacent columns start in different banks.
const LengthA = 136i32
const LengthB = 40i32

@inline chunk(A, i) = reinterpret(LLVMPtr{Chunk,CUDA.AS.Global}, pointer(A, i))
@inline shared_chunk(A, i) = reinterpret(LLVMPtr{Chunk,CUDA.AS.Shared}, pointer(A, i))

# Starts to copy the tiles at column `depth` of A, 4 chunks per thread.
@inline function copy_tiles(tile_a, tile_b, A, B, row, column, depth, stage)
    first_a = stage * LengthA * 32i32
    first_b = stage * LengthB * 128i32
    for n in 0i32:1i32
        c = threadIdx().x - 1i32 + 256i32 * n
        i, k = (c & 15i32) * 8i32, c >> 4i32
        CG.pipeline_memcpy_async(shared_chunk(tile_a, first_a + k * LengthA + i + 1i32), chunk(A, (depth + k) * size(A, 1) + row + i + 1))
        k, j = (c & 3i32) * 8i32, c >> 2i32
        CG.pipeline_memcpy_async(shared_chunk(tile_b, first_b + j * LengthB + k + 1i32), chunk(B, (column + j) * size(B, 1) + depth + k + 1))
    end
    CG.pipeline_commit()
end

function wmma_matmul(C, A, B)
    tile_a = CuStaticSharedArray(Float16, 2 * 136 * 32)
    tile_b = CuStaticSharedArray(Float16, 2 * 40 * 128)
    row, column = (blockIdx().x - 1i32) * 128i32, (blockIdx().y - 1i32) * 128i32
    warp = (threadIdx().x - 1i32) >> 5i32
    own_row, own_column = (warp & 1i32) * 64i32, (warp >> 1i32) * 32i32
    sums = ntuple(_ -> WMMA.fill_c(0f0, Product), Val(8))
    copy_tiles(tile_a, tile_b, A, B, row, column, 0i32, 0i32)
    depth, stage = 0i32, 0i32
    while depth < size(A, 2)
        if depth + 32i32 < size(A, 2)
            copy_tiles(tile_a, tile_b, A, B, row, column, depth + 32i32, 1i32 - stage)
            CG.pipeline_wait_prior(1)
        else
            CG.pipeline_wait_prior(0)
        end
        sync_threads()
        first_a = stage * LengthA * 32i32 + own_row + 1i32
        first_b = stage * LengthB * 128i32 + own_column * LengthB + 1i32
        for k in (0i32, 16i32)
            as = ntuple(i -> WMMA.load_a(pointer(tile_a, first_a + k * LengthA + 16 * (i - 1)), LengthA, WMMA.ColMajor, Product), Val(4))
            bs = ntuple(j -> WMMA.load_b(pointer(tile_b, first_b + 16 * (j - 1) * LengthB + k), LengthB, WMMA.ColMajor, Product), Val(2))
            old = sums
            sums = ntuple(n -> WMMA.mma(as[(n-1)&3+1], bs[(n-1)>>2+1], old[n], Product), Val(8))
        end
        sync_threads()
        depth += 32i32
        stage = 1i32 - stage
    end
    ntuple(Val(8)) do n
        i = row + own_row + 16 * ((n - 1) & 3)
        j = column + own_column + 16 * ((n - 1) >> 2)
        WMMA.store_d(pointer(C, j * size(C, 1) + i + 1), sums[n], size(C, 1), WMMA.ColMajor, Product)
    end
    return
end
