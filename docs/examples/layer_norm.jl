# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# y = layer norm of x + bias + bias2, times weight, plus shift, in Float16. A column of x is a row of the layer's input: x[H,
# rows] here is x[rows][H] in C and PyTorch. Each row is read once, kept in registers, and summed in Float32.
#
# A Plan sets the work split. H: elements per row. V: elements per access (8, 4 or 2), which divides H and aligns the arrays. N:
# vectors per thread, held in a tuple. T: threads per row, a multiple of 32, with N * V * T >= H. R: rows per block at a time; a
# block has T * R threads. sums: 1 finds mean and variance by one reduction of differences from the row's first element, 2 by two
# reductions. kept: Float32, or Float16, which halves the registers and rounds x + bias + bias2. order: reads weight and shift
# :late, before their use, or :early. :ahead keeps all four vectors in registers while blocks process many rows. A row is read
# while the previous one is processed, into registers (depth 0). With a depth, rows are read `depth` ahead into 2 * V * N * T * R
# * depth bytes of dynamic shared memory. The grid has rows / R blocks, or any number with :ahead. reads, writes: hints for x and
# y, as in CUDA.hinted_load.
#
# bench/seeds/layer_norm.json has plans for an H200, found by bench/seeds/search.py.
#
#   kiln compile layer_norm.jl 'layer_norm(CuDeviceMatrix{Float16,1}, CuDeviceMatrix{Float16,1}, CuDeviceVector{Float16,1}, CuDeviceVector{Float16,1}, CuDeviceVector{Float16,1}, CuDeviceVector{Float16,1}, Float32, Plan{768,8,1,96,1,1,Float32,:early,0,:once,:once})' --target ptx --arch sm_90
#   kiln run layer_norm.jl layer_norm --arg 'zeros(Float16, 768, 64)' --arg 'rand(Float16, 768, 64)' --arg 'rand(Float16, 768)' --arg 'rand(Float16, 768)' --arg 'rand(Float16, 768)' --arg 'rand(Float16, 768)' --arg 1f-5 --arg 'Plan{768,8,1,96,1,1,Float32,:early,0,:once,:once}()' --threads 96 --blocks 64 --out 1=y.npy
#   kiln bench layer_norm.jl layer_norm --arg 'zeros(Float16, 4096, 8192)' --arg 'rand(Float16, 4096, 8192)' --arg 'rand(Float16, 4096)' --arg 'rand(Float16, 4096)' --arg 'rand(Float16, 4096)' --arg 'rand(Float16, 4096)' --arg 1f-5 --arg 'Plan{4096,8,4,128,1,2,Float32,:late,0,:plain,:plain}()' --threads 128 --blocks 8192 --bytes 134250496

using CUDA

struct Plan{H,V,N,T,R,sums,kept,order,depth,reads,writes} end

# Word types for accesses of V halves.
@inline words(::Val{2}) = UInt32
@inline words(::Val{4}) = NTuple{2,UInt32}
@inline words(::Val{8}) = NTuple{4,UInt32}
@inline halves(w::UInt32) = (reinterpret(Float16, w % UInt16), reinterpret(Float16, (w >> 16) % UInt16))
@inline halves(w::NTuple{2,UInt32}) = (halves(w[1])..., halves(w[2])...)
@inline halves(w::NTuple{4,UInt32}) = (halves(w[1])..., halves(w[2])..., halves(w[3])..., halves(w[4])...)
@inline word(a, b) = UInt32(reinterpret(UInt16, Float16(a))) | (UInt32(reinterpret(UInt16, Float16(b))) << 16)
@inline packed(h::NTuple{2}) = word(h[1], h[2])
@inline packed(h::NTuple{V}) where {V} = ntuple(k -> word(h[2k-1], h[2k]), Val(V >> 1))
@inline by_words(A, ::Val{V}) where {V} = reinterpret(LLVMPtr{words(Val(V)),CUDA.AS.Global}, pointer(A))

@inline function of_warp(values, ::Val{lanes}) where {lanes}
    for distance in (16, 8, 4, 2, 1)
        if distance < lanes
            others = CUDA.shfl_xor_sync(0xffffffff, values, distance)
            values = map(+, values, others)
        end
    end
    return values
end

# Sums over the T threads of a row: in its warps, then through shared memory. All threads of the block must call it.
@inline function of_row(values::NTuple{K,Float32}, parts, row, stage, ::Val{T}) where {K,T}
    values = of_warp(values, Val(32))
    T == 32 && return values
    thread = (threadIdx().x - 1i32) - row * Int32(T)
    if thread & 31i32 == 0i32
        for k in 1:K
            @inbounds parts[k, (thread >> 5i32) + 1i32, row + 1i32, stage + 1i32] = values[k]
        end
    end
    sync_threads()
    warps = T >> 5
    lanes = nextpow(2, warps)
    lane = (thread & 31i32) & Int32(lanes - 1)
    mine = ntuple(k -> lane < warps ? @inbounds(parts[k, lane + 1i32, row + 1i32, stage + 1i32]) : 0f0, Val(K))
    return of_warp(mine, Val(lanes))
end

function layer_norm(y, x, bias, bias2, weight, shift, eps, ::Plan{H,V,N,T,R,sums,kept,order,depth,reads,writes}) where {H,V,N,T,R,sums,kept,order,depth,reads,writes}
    W, vectors = words(Val(V)), H ÷ V
    none = packed(ntuple(_ -> Float16(0), Val(V)))
    from, to = by_words(x, Val(V)), by_words(y, Val(V))
    b1, b2, scales, shifts = by_words(bias, Val(V)), by_words(bias2, Val(V)), by_words(weight, Val(V)), by_words(shift, Val(V))
    thread = threadIdx().x - 1i32
    of_block = R == 1 ? 0i32 : thread ÷ Int32(T)
    own = thread - of_block * Int32(T) + 1i32
    parts = CuStaticSharedArray(Float32, (2, T >> 5, R, 2))
    slots = depth == 0 ? none : @inbounds(pointer(CuDynamicSharedArray(W, depth * N * T * R)))
    rows, step = size(x, 2) % Int32, gridDim().x * Int32(R)
    row = (blockIdx().x - 1i32) * Int32(R) + of_block

    # True if this thread has an n-th vector. A compile-time constant, except for the last one.
    has(n) = n * T <= vectors || own + Int32((n - 1) * T) <= vectors
    place(row, n) = Int(row) * vectors + own + Int32((n - 1) * T)
    vector(p, n) = has(n) ? CUDA.hinted_load(p, own + Int32((n - 1) * T), Val(:plain)) : none
    all_of(p) = ntuple(n -> vector(p, n), Val(N))
    read(row) = ntuple(n -> has(n) && (R == 1 && order !== :ahead || row < rows) ? CUDA.hinted_load(from, place(row, n), Val(reads)) : none, Val(N))
    # Rows read ahead are in shared memory, where each thread reads only its own copies.
    slot(turn, n) = slots + sizeof(W) * ((turn * Int32(N) + Int32(n - 1)) * Int32(T * R) + thread)
    function fetch(row, turn)
        for n in 1:N
            if has(n) && row < rows
                CUDA.hinted_copy!(slot(turn, n), from + sizeof(W) * (place(row, n) - 1), Val(reads))
            end
        end
        CG.pipeline_commit()
    end
    sum_of(a, c) = map((p, q) -> Float32(p) + Float32(q), a, c)
    start = sums == 1 ? @inbounds(Float32(bias[1]) + Float32(bias2[1])) : 0f0
    first_of(row) = sums == 1 && (R == 1 && order !== :ahead || row < rows) ? Float32(unsafe_load(pointer(x), Int(row) * H + 1)) + start : 0f0

    raw = depth == 0 ? read(row) : ()
    for ahead in 1:depth
        fetch(row + Int32(ahead - 1) * step, Int32(ahead - 1))
    end
    first = first_of(row)
    biases = order === :ahead ? map((a, c) -> sum_of(halves(a), halves(c)), all_of(b1), all_of(b2)) : ()
    w, s = order === :ahead ? (all_of(scales), all_of(shifts)) : ((), ())
    stage, turn = 0i32, 0i32
    while true
        next = row + step
        after = order === :ahead ? first_of(next) : 0f0
        coming = order === :ahead && depth == 0 ? read(next) : ()
        if depth > 0
            CG.pipeline_wait_prior(Val(depth - 1))
            now = turn
            raw = ntuple(n -> has(n) ? unsafe_load(slot(now, n), 1, Val(sizeof(W))) : none, Val(N))
            fetch(row + Int32(depth) * step, now)
            turn = now == Int32(depth - 1) ? 0i32 : now + 1i32
        end
        v = if order === :ahead
            map((a, c) -> map((p, q) -> kept(Float32(p) + q), halves(a), c), raw, biases)
        else
            map((a, c, d) -> map((p, q) -> kept(Float32(p) + q), halves(a), sum_of(halves(c), halves(d))), raw, all_of(b1), all_of(b2))
        end
        if order === :early
            w, s = all_of(scales), all_of(shifts)
        end
        total, squares = 0f0, 0f0
        for n in 1:N
            if has(n)
                for k in 1:V
                    d = Float32(v[n][k]) - first
                    total += d
                    if sums == 1
                        squares += d * d
                    end
                end
            end
        end
        if sums == 1
            total, squares = of_row((total, squares), parts, of_block, stage, Val(T))
            mean = total / H
            variance = squares / H - mean * mean
            mean += first
        else
            total, = of_row((total,), parts, of_block, stage, Val(T))
            stage = 1i32 - stage
            mean = total / H
            for n in 1:N
                if has(n)
                    for k in 1:V
                        d = Float32(v[n][k]) - mean
                        squares += d * d
                    end
                end
            end
            squares, = of_row((squares,), parts, of_block, stage, Val(T))
            variance = squares / H
        end
        stage = 1i32 - stage
        scale = CUDA.rsqrt(max(variance, 0f0) + eps)
        if order === :late
            w, s = all_of(scales), all_of(shifts)
        end
        for n in 1:N
            if has(n) && (R == 1 || row < rows)
                middle = mean
                out = map((e, a, c) -> (Float32(e) - middle) * scale * Float32(a) + Float32(c), v[n], halves(w[n]), halves(s[n]))
                CUDA.hinted_store!(to, packed(out), place(row, n), Val(writes))
            end
        end
        order === :ahead || return
        next - of_block < rows || return
        row, raw, first = next, coming, after
    end
end
