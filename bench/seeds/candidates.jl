# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# C = A * B in Float32, of row-major arrays that lie in vectors, as the candidates of a tuner: a block makes BM x BN elements, BK of the depth at
# a time through shared memory; a thread makes TM x TN of them in registers. n and k are B's columns and rows, multiples of BN and BK; the
# block's number in y times BM is its first row. Blocks have BM * BN / (TM * TN) threads.
using CUDA, StaticArrays

function tiled_product(C, A, B, n, k, ::Val{tile}) where {tile}
    BM, BN, BK, TM, TN = tile
    across, threads = Int32(BN ÷ TN), Int32(BM * BN ÷ (TM * TN))
    As, Bs = CuStaticSharedArray(Float32, (BM + 1, BK)), CuStaticSharedArray(Float32, (BN, BK))
    thread = threadIdx().x - 1i32
    x, y = thread % across, thread ÷ across
    row, column = (blockIdx().y - 1i32) * Int32(BM), (blockIdx().x - 1i32) * Int32(BN)
    sums = zeros(MMatrix{TM,TN,Float32})
    first = 0i32
    while first < k
        at = thread
        while at < Int32(BM * BK)
            i, j = at ÷ Int32(BK), at % Int32(BK)
            @inbounds As[i+1i32, j+1i32] = A[(row + i) * k + first + j + 1i32]
            at += threads
        end
        at = thread
        while at < Int32(BN * BK)
            i, j = at ÷ Int32(BN), at % Int32(BN)
            @inbounds Bs[j+1i32, i+1i32] = B[(first + i) * n + column + j + 1i32]
            at += threads
        end
        sync_threads()
        for d in 1:BK
            a = ntuple(i -> @inbounds(As[y * Int32(TM) + Int32(i), d]), Val(TM))
            b = ntuple(j -> @inbounds(Bs[x * Int32(TN) + Int32(j), d]), Val(TN))
            for i in 1:TM, j in 1:TN
                @inbounds sums[i, j] += a[i] * b[j]
            end
        end
        sync_threads()
        first += Int32(BK)
    end
    for i in 1:TM, j in 1:TN
        @inbounds C[(row + y * Int32(TM) + Int32(i - 1)) * n + column + x * Int32(TN) + Int32(j)] = sums[i, j]
    end
    return
end
