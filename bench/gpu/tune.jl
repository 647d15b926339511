# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What bench/gpu/tune.py searches: a tiled matrix product with five type parameters, and kernels that do not end or
# lose the device.
using CUDA

step(sums, as, bs, ::Val{TM}, ::Val{COUNT}) where {TM, COUNT} =
    ntuple(i -> muladd(as[(i - 1) % TM + 1], bs[(i - 1) ÷ TM + 1], sums[i]), Val(COUNT))

function store!(C, sums, row, column, ::Val{TM}, ::Val{COUNT}, ::Val{ROWS}) where {TM, COUNT, ROWS}
    ntuple(Val(COUNT)) do i
        @inbounds C[row + Int32((i - 1) % TM * ROWS), column + Int32((i - 1) ÷ TM)] = sums[i]
        nothing
    end
    return
end

# C = A * B, BM x BN elements of C a block, TM x TN a thread; sizes are multiples of the tiles.
function tiled(C, A, B, ::Val{BM}, ::Val{BN}, ::Val{BK}, ::Val{TM}, ::Val{TN}) where {BM, BN, BK, TM, TN}
    a_tile = CuStaticSharedArray(Float32, (BM, BK))
    b_tile = CuStaticSharedArray(Float32, (BK, BN))
    rows = Int32(BM ÷ TM)
    threads = rows * Int32(BN ÷ TN)
    t = threadIdx().x - 1i32
    row = t % rows + 1i32
    column = t ÷ rows * Int32(TN)
    first_row = (blockIdx().x - 1i32) * Int32(BM)
    first_column = (blockIdx().y - 1i32) * Int32(BN)
    sums = ntuple(_ -> 0f0, Val(TM * TN))
    k0 = 0i32
    while k0 < size(A, 2)
        i = t
        while i < Int32(BM * BK)
            @inbounds a_tile[i % Int32(BM) + 1i32, i ÷ Int32(BM) + 1i32] = A[first_row + i % Int32(BM) + 1i32, k0 + i ÷ Int32(BM) + 1i32]
            i += threads
        end
        i = t
        while i < Int32(BK * BN)
            @inbounds b_tile[i % Int32(BK) + 1i32, i ÷ Int32(BK) + 1i32] = B[k0 + i % Int32(BK) + 1i32, first_column + i ÷ Int32(BK) + 1i32]
            i += threads
        end
        sync_threads()
        k = 1i32
        while k <= Int32(BK)
            sums = step(sums, a_column(a_tile, row, k, Val(TM), Val(BM ÷ TM)), b_row(b_tile, k, column, Val(TN)), Val(TM), Val(TM * TN))
            k += 1i32
        end
        sync_threads()
        k0 += Int32(BK)
    end
    store!(C, sums, first_row + row, first_column + column + 1i32, Val(TM), Val(TM * TN), Val(BM ÷ TM))
    return
end

a_column(tile, row, k, ::Val{TM}, ::Val{ROWS}) where {TM, ROWS} = ntuple(m -> @inbounds(tile[row + Int32((m - 1) * ROWS), k]), Val(TM))
b_row(tile, k, column, ::Val{TN}) where {TN} = ntuple(n -> @inbounds(tile[k, column + Int32(n)]), Val(TN))

function simple(C, A, B)
    row = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    column = (blockIdx().y - 1i32) * blockDim().y + threadIdx().y
    sum = 0f0
    for k in 1:size(A, 2)
        @inbounds sum += A[row, k] * B[k, column]
    end
    @inbounds C[row, column] = sum
    return
end

# y += 1, N elements a thread. 3 is wrong, 5 does not end, 7 writes where no memory is.
function bad(y, ::Val{N}) where {N}
    first = ((blockIdx().x - 1i32) * blockDim().x + threadIdx().x - 1i32) * Int32(N)
    if N == 5
        while y[1] > -1f9
            y[2] = y[2] + 1f0
        end
    elseif N == 7
        @inbounds y[(1 << 50) + first] = 1f0
    end
    for k in 1:N
        i = first + k
        if i <= length(y)
            @inbounds y[i] += N == 3 ? 2f0 : 1f0
        end
    end
    return
end

function plain(y)
    for i in 1:length(y)
        y[i] += 1f0
    end
    return
end
