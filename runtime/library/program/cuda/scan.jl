# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/reduce
# Scans, searches and sorting. Each thread processes one element or one chunk, without barriers. This is the best form
# on a CPU, and on a GPU for adjacent lines. scan_blocks.jl handles the other cases.

# ---- accumulate. Scans chunks, then scans the results of the chunks, then combines both. Along a dimension, a line
# has `n` elements at distance `stride`; a chunk has `width` elements.
function scan_chunks(out, op, source, sums, n, stride, width, chunks, lines)
    t = global_index() - 1
    if t < lines * chunks
        c = div(t, lines)
        line = t - c * lines
        base = line_base(line, n, stride)
        k = c * width
        if k < n
            @inbounds value = convert(eltype(out), source[base+k*stride+1])
            @inbounds out[base+k*stride+1] = value
            k += 1
            last = min(n, (c + 1) * width)
            while k < last
                @inbounds value = op(value, source[base+k*stride+1])
                @inbounds out[base+k*stride+1] = value
                k += 1
            end
            @inbounds sums[line*chunks+c+1] = value
        end
    end
    return nothing
end
function scan_sums(sums, op, chunks, lines)
    line = global_index() - 1
    if line < lines
        k = 1
        while k < chunks
            @inbounds sums[line*chunks+k+1] = op(sums[line*chunks+k], sums[line*chunks+k+1])
            k += 1
        end
    end
    return nothing
end
function scan_rest(out, op, sums, n, stride, width, chunks, lines)
    t = global_index() - 1
    if t < length(out)
        inner = t % stride
        rest = div(t, stride)
        k = rest % n
        line = div(rest, n) * stride + inner
        c = div(k, width)
        if c > 0
            @inbounds out[t+1] = op(sums[line*chunks+c], out[t+1])
        end
    end
    return nothing
end
function scan!(op, B, A, d)
    n = size(A, d)
    length(A) == 0 && return B
    stride = Base.dims_product(ntuple(k -> size(A, k), d - 1))
    lines = div(length(A), n)
    functional() && scans_by_blocks(eltype(B), n, stride) && return scan_by_blocks!(op, B, A, n, stride, lines)
    # Chunks are short, and their sums are scanned too: this reduces rounding errors in long float sums.
    width = functional() ? cld(n, max(1, min(cld(262144, lines), cld(n, 32)))) : min(n, 128)
    chunks = cld(n, width)
    sums = new_array(eltype(B), (chunks, lines))
    launch_elements(scan_chunks, (B, op, A, sums, n, stride, width, chunks, lines), lines * chunks, length(A))
    if chunks > 1
        if chunks > 128 && !functional()
            scan!(op, sums, sums, 1)
        else
            launch_elements(scan_sums, (sums, op, chunks, lines), lines, lines * chunks)
        end
        launch_elements(scan_rest, (B, op, sums, n, stride, width, chunks, lines), length(B), length(B))
    end
    return B
end
plain_array(A::CuArray) = A
plain_array(A) = copy(A)
function accumulated(op, A, dims, init)
    T = eltype(A)
    S = reduction_type(op, T)
    S === Any && (S = T)
    init isa InitialValue || (S = __return_type(op, typeof(init), T))
    B = new_array(S, size(A))
    dims === nothing || dims <= ndims(A) || return copyto!(B, A)
    B = dims === nothing ? scan!(op, reshape(B, (length(A),)), reshape(plain_array(A), (length(A),)), 1) : scan!(op, B, plain_array(A), Int(dims))
    B = reshape(B, size(A))
    return init isa InitialValue ? B : op.(Ref(init), B)
end
Base.accumulate(op, A::AnyCuArray; dims=nothing, init=InitialValue()) = accumulated(op, A, dims, init)
Base.cumsum(A::AnyCuArray; dims=nothing) = accumulated(Base.add_sum, A, dims, InitialValue())
Base.cumprod(A::AnyCuArray; dims=nothing) = accumulated(Base.mul_prod, A, dims, InitialValue())
Base.accumulate!(op, B::CuArray, A::AnyCuArray; dims=nothing) = copyto!(B, accumulated(op, A, dims, InitialValue()))
Base.cumsum!(B::CuArray, A::AnyCuArray; dims=nothing) = copyto!(B, accumulated(Base.add_sum, A, dims, InitialValue()))

# ---- findall: the position of a found element in the result is 1 + the number of found elements before it
function scatter_found(out, mask, places, dims)
    i = global_index()
    if i <= length(mask)
        @inbounds hit = mask[i]
        if hit
            @inbounds out[places[i]] = found_key(eltype(out), dims, i)
        end
    end
    return nothing
end
@inline found_key(::Type{Int}, dims, i) = i
@inline found_key(::Type{T}, dims, i) where {T} = T(Base.split_offset(dims, i - 1))
key_type(A) = ndims(A) == 1 ? Int : CartesianIndex{ndims(A)}
function Base.findall(mask::CuArray{Bool})
    length(mask) == 0 && return new_array(key_type(mask), (0,))
    functional() && return find_by_blocks(mask)
    places = accumulated(Base.add_sum, vec(mask), nothing, InitialValue())
    n = load_element(places, length(places))
    out = new_array(key_type(mask), (n,))
    n == 0 || launch_elements(scatter_found, (out, mask, places, size(mask)), length(mask), length(mask))
    return out
end
Base.findall(A::WrappedCuArray) = findall(copy(A))
Base.findall(f::Function, A::AnyCuArray) = findall(map(x -> f(x)::Bool, A))
function Base.findfirst(f::Function, A::AnyCuArray)
    length(A) == 0 && return nothing
    i = reduce_to(min, nest_of(IndexIf(f), A, LinearNumbers{ndims(A)}(size(A))), :, typemax(Int))
    return i == typemax(Int) ? nothing : key_of(A, i)
end
Base.findfirst(A::AnyCuArray) = findfirst(identity, A)
function Base.findlast(f::Function, A::AnyCuArray)
    length(A) == 0 && return nothing
    i = reduce_to(max, nest_of(LastIf(f), A, LinearNumbers{ndims(A)}(size(A))), :, 0)
    return i == 0 ? nothing : key_of(A, i)
end
struct IndexIf{F} <: Function
    f::F
end
@inline (c::IndexIf)(x, i) = c.f(x) ? i : typemax(Int)
struct LastIf{F} <: Function
    f::F
end
@inline (c::LastIf)(x, i) = c.f(x) ? i : 0
Base.filter(f::Function, A::CuArray) = (V = vec(A); unchecked_part(V, (findall(f, V),)))
Base.in(x, A::AnyCuArray) = any(Base.Fix2(==, x), A)

# ---- stable merge sort: each launch merges pairs of sorted runs. An element's new position is the sum of its
# positions in both runs.
struct Order{B,L} <: Function
    by::B
    lt::L
    rev::Bool
end
@inline (o::Order)(a, b) = o.rev ? o.lt(o.by(b), o.by(a)) : o.lt(o.by(a), o.by(b))
function merge_runs(out, source, before, n, stride, run, lines)
    t = global_index() - 1
    if t < n * lines
        line = div(t, n)
        k = t - line * n
        outer = div(line, stride)
        base = outer * stride * n + (line - outer * stride) + 1
        @inbounds x = source[base+k*stride]
        mine = div(k, run)
        other = xor(mine, 1)
        low = min(other * run, n)
        first = low
        high = min(low + run, n)
        while low < high
            middle = div(low + high, 2)
            @inbounds y = source[base+middle*stride]
            goes_on = mine > other ? !before(x, y) : before(y, x)
            if goes_on
                low = middle + 1
            else
                high = middle
            end
        end
        place = min(mine, other) * run + (k - mine * run) + (low - first)
        @inbounds out[base+place*stride] = x
    end
    return nothing
end
function merge_sort!(A, order, d)
    n = size(A, d)
    n <= 1 && return A
    stride = Base.dims_product(ntuple(k -> size(A, k), d - 1))
    lines = div(length(A), n)
    source = A
    target = similar(A)
    run = 1
    while run < n
        launch_elements(merge_runs, (target, source, order, n, stride, run, lines), length(A), length(A))
        (source, target) = (target, source)
        run *= 2
    end
    source.storage === A.storage || copyto!(A, source)
    return A
end
sort_order(by, lt, rev) = Order(by, lt, rev === true)
function sort_dim(A, dims)
    dims === nothing && ndims(A) > 1 && throw(UndefKeywordError(:dims))
    return dims === nothing ? 1 : Int(dims)
end
Base.sort!(A::CuArray; dims=nothing, by=identity, lt=isless, rev=false, alg=nothing) = merge_sort!(A, sort_order(by, lt, rev), sort_dim(A, dims))
Base.sort(A::AnyCuArray; keywords...) = sort!(copy(A); keywords...)
function sorted_pairs(A, by, lt, rev, d)
    places = reshape(CuArray(collect(1:length(A))), size(A))
    return merge_sort!(map(tuple, plain_array(A), places), Order(by ∘ first, lt, rev === true), d)
end
Base.sortperm(A::AnyCuArray; by=identity, lt=isless, rev=false, dims=nothing, alg=nothing, initialized=false) = map(last, sorted_pairs(A, by, lt, rev, sort_dim(A, dims)))
function Base.sortperm!(P::CuArray, A::AnyCuArray; by=identity, lt=isless, rev=false, dims=nothing, alg=nothing, initialized=false)
    size(P) == size(A) || throw(ArgumentError("index array must have the same size/axes as the source array, $(size(P)) != $(size(A))"))
    return Base.materialize!(P, Base.broadcasted(last, sorted_pairs(A, by, lt, rev, sort_dim(A, dims))))
end
Base.partialsort!(A::CuArray{T,1}, k::Integer; keywords...) where {T} = (sort!(A; keywords...); load_element(A, Int(k)))
Base.partialsort!(A::CuArray{T,1}, k::AbstractUnitRange; keywords...) where {T} = (sort!(A; keywords...); A[k])
Base.partialsort(A::CuArray{T,1}, k; keywords...) where {T} = partialsort!(copy(A), k; keywords...)

# ---- reversal
function reversed(A, dims)
    flips = dims isa Colon ? ntuple(identity, ndims(A)) : dims isa Integer ? (Int(dims),) : map(Int, Tuple(dims))
    for d in flips
        1 <= d <= ndims(A) || throw(ArgumentError("dimension $d is not 1 ≤ $d ≤ $(ndims(A))"))
    end
    return A[ntuple(d -> d in flips ? (size(A, d):-1:1) : (1:size(A, d)), ndims(A))...]
end
Base.reverse(A::CuArray{T,1}) where {T} = A[length(A):-1:1]
Base.reverse(A::CuArray) = reversed(A, :)
Base.reverse(A::CuArray{T,1}, from::Integer, to::Integer=length(A)) where {T} = reverse!(copy(A), from, to)
Base.reverse!(A::CuArray) = copyto!(A, reverse(A))
Base.reverse!(A::CuArray{T,1}, from::Integer, to::Integer=length(A)) where {T} = (copyto!(view(A, from:to), A[to:-1:from]); A)
Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(Base.reverse), A::CuArray) = reversed(A, kw.dims)
Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(Base.reverse!), A::CuArray) = copyto!(A, reversed(A, kw.dims))
