# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/broadcast
# Reductions of device arrays, and of dotted calls whose values are not stored. One kernel handles whole arrays and
# reductions along dims. Each thread reduces one part of the elements of one result, and writes a partial result. If
# there are few results, each has many parts, and a second launch reduces the partial results.

# ---- neutral elements of operators, under GPUArrays' name
neutral_element(op, T) = error(string("GPUArrays.jl needs to know the neutral element for your operator `", op, "`.\nPlease pass it as an explicit argument to `GPUArrays.mapreducedim!`,\nor register it globally by defining `GPUArrays.neutral_element(::typeof(GPUArrays.", op, "), T)`."))
neutral_element(::typeof(Base.:|), T) = zero(T)
neutral_element(::typeof(Base.:+), T) = zero(T)
neutral_element(::typeof(Base.add_sum), T) = zero(T)
neutral_element(::typeof(Base.:&), T) = ~zero(T)
neutral_element(::typeof(Base.:*), T) = one(T)
neutral_element(::typeof(Base.mul_prod), T) = one(T)
neutral_element(::typeof(Base.min), T) = typemax(T)
neutral_element(::typeof(Base.max), T) = typemin(T)
neutral_element(::typeof(Base.meet_extrema), ::Type{Tuple{A,B}}) where {A,B} = (typemax(A), typemin(B))

# ---- order of operands. An operator must be associative, but need not commute. Contiguous parts, combined in order,
# give the result of foldl. On a GPU, commutative operators of machine numbers use interleaved parts, so that adjacent
# threads read adjacent elements.
struct InOrder end
struct AnyOrder end
const MachineReal = Union{Bool,Base.BitInteger,Float16,BFloat16,Float32,Float64}
const MachineNumber = Union{MachineReal,Complex{<:MachineReal}}
commutes(op, T) = false
for op in (:(Base.:|), :(Base.:+), :(Base.add_sum), :(Base.:&), :(Base.:*), :(Base.mul_prod), :(Base.min), :(Base.max))
    @eval commutes(::typeof($op), ::Type{<:MachineNumber}) = true
end
commutes(::typeof(Base.meet_extrema), ::Type{Tuple{A,B}}) where {A<:MachineReal,B<:MachineReal} = true
order_of(op, T) = functional() && commutes(op, T) ? AnyOrder() : InOrder()
# Begin, end and stride of a part's elements. parts_in chooses the number of parts so that none is empty.
@inline part_range(::AnyOrder, part, parts, n) = (part, n, parts)
@inline function part_range(::InOrder, part, parts, n)
    width = cld(n, parts)
    return (part * width, min(n, (part + 1) * width), 1)
end
parts_in(n, wanted) = cld(n, cld(n, wanted))
# True if a part starts from `init`. In order, `init` counts once: in the first part of the first launch (`counts`).
# Interleaved parts always use `init`, which must be neutral. So do elements of another type than the result's.
@inline takes_init(::AnyOrder, part, counts) = true
@inline takes_init(::InOrder, part, counts) = counts & (part == 0)
@inline first_value(op, init::T, takes, x::T) where {T} = takes ? convert(T, op(init, x)) : x
@inline first_value(op, init, takes, x) = op(init, x)

# ---- the kernel. `source`: lazy dotted call with size `sizes`. `kept` has the full extent of dimensions that stay,
# and 1 for reduced dimensions; `folded` is the opposite. Partial results are stored chunk by chunk.
function reduce_kernel(out, op, init, order, counts, source, kept, folded, sizes, chunks, chunk_first)
    t = global_index() - 1
    results = Base.dims_product(kept)
    if t < results * chunks
        if chunk_first
            r = div(t, chunks)
            c = t - r * chunks
        else
            c = div(t, results)
            r = t - c * results
        end
        I = Base.split_offset(kept, r)
        (k, stop, step) = part_range(order, c, chunks, Base.dims_product(folded))
        J = map(join_index, I, Base.split_offset(folded, k), kept)
        value = first_value(op, init, takes_init(order, c, counts), Base.broadcast_at(source, J))
        k += step
        while k < stop
            J = map(join_index, I, Base.split_offset(folded, k), kept)
            value = op(value, Base.broadcast_at(source, J))
            k += step
        end
        @inbounds out[r+c*results+1] = value
    end
    return nothing
end
@inline join_index(i, j, n) = i + j - 1
# Kernel that reduces all elements of contiguous arrays to one result.
function reduce_linear(out, op, init, order, counts, source, n, chunks)
    c = global_index() - 1
    if c < chunks
        (k, stop, step) = part_range(order, c, chunks, n)
        @inbounds out[c+1] = reduce_along(op, init, takes_init(order, c, counts), source, 1, 1, k, stop, step)
    end
    return nothing
end
# Reduces one part of a contiguous array with extents (before, folded, behind) along its middle dimension. Consecutive
# elements of one result are `apart` elements from each other. An empty part gives `init`.
@inline function reduce_along(op, init, takes, source, first, apart, k, n, step)
    k < n || return init
    x = Base.broadcast_at(source, first + apart * k)
    return reduce_rest(op, first_value(op, init, takes, x), x, source, first, apart, k + step, n, step)
end
# Reduces runs of 32 elements, then 32 such runs: this reduces rounding errors in long float sums.
@inline function reduce_rest(op, value::T, ::T, source, first, apart, k, n, step) where {T}
    while k < n
        stop = min(n, k + 1024 * step)
        runs = reduce_run(op, source, first, apart, k, stop, step)
        k += 32 * step
        while k < stop
            runs = op(runs, reduce_run(op, source, first, apart, k, stop, step))
            k += 32 * step
        end
        value = op(value, runs)
    end
    return value
end
# If elements and result differ in type, elements are combined with the result one by one.
@inline reduce_rest(op, value, x, source, first, apart, k, n, step) = reduce_from(op, value, source, first, apart, k, n, step)
@inline reduce_run(op, source, first, apart, k, n, step) = reduce_from(op, Base.broadcast_at(source, first + apart * k), source, first, apart, k + step, min(n, k + 32 * step), step)
# Keeps four loads in flight.
@inline function reduce_from(op, value, source, first, apart, k, stop, step)
    while k + 3 * step < stop
        a = Base.broadcast_at(source, first + apart * k)
        b = Base.broadcast_at(source, first + apart * (k + step))
        c = Base.broadcast_at(source, first + apart * (k + 2 * step))
        d = Base.broadcast_at(source, first + apart * (k + 3 * step))
        value = op(op(op(op(value, a), b), c), d)
        k += 4 * step
    end
    while k < stop
        value = op(value, Base.broadcast_at(source, first + apart * k))
        k += step
    end
    return value
end
@inline function first_of_result(r, before, folded)
    behind = div(r, before)
    return r - behind * before + behind * before * folded + 1
end
# Kernel with one thread per part: adjacent threads read adjacent elements if `before` is large.
function reduce_threads(out, op, init, order, counts, source, before, folded, results, parts)
    t = global_index() - 1
    if t < results * parts
        part = div(t, results)
        r = t - part * results
        (k, stop, step) = part_range(order, part, parts, folded)
        @inbounds out[t+1] = reduce_along(op, init, takes_init(order, part, counts), source, first_of_result(r, before, folded), before, k, stop, step)
    end
    return nothing
end
# Kernel with one block per part, which combines in shared memory. For commutative operators (reduce_tiles handles
# others).
function reduce_blocks(out, op, init, source, before, folded, results, parts)
    met = CuStaticSharedArray(typeof(init), 256)
    t, threads = Int(threadIdx().x), Int(blockDim().x)
    block = Int(blockIdx().x) - 1
    part = div(block, results)
    r = block - part * results
    value = reduce_along(op, init, true, source, first_of_result(r, before, folded), before, part * threads + t - 1, folded, threads * parts)
    @inbounds met[t] = value
    sync_threads()
    width = threads >> 1
    while width > 0
        if t <= width
            @inbounds met[t] = op(met[t], met[t+width])
        end
        sync_threads()
        width >>= 1
    end
    if t == 1
        @inbounds out[block+1] = met[1]
    end
    return nothing
end
# Launches n threads, which process `elements` elements in total. If both are Ints, the host launches
# (lib/programs/cuda_launch.cpp).
function launch_elements(f, args, n, elements)
    k = compile_kernel(f, args, false)
    threads = min(256, max(n, 1))
    k(args...; threads=threads, blocks=cld(n, threads))
    return nothing
end
plain_nest(b::Base.Broadcasted) = plain_of(b.args)
plain_of(args::Tuple{}) = (false, ())
function plain_of(args::Tuple)
    dims = size(args[1])
    for A in args
        A isa CuArray && size(A) == dims || return (false, ())
    end
    return (true, dims)
end
max_chunks(n) = functional() ? cld(n, 16) < 8192 ? cld(n, 16) : 8192 : min(64, cld(n, 4096))

# Reduces a lazy dotted call. In the result, reduced dimensions have length 1.
function reduce_nest(op, init, b, sizes, dims)
    N = length(sizes)
    T = typeof(init)
    kept = ntuple(d -> d in dims ? 1 : sizes[d], N)
    folded = ntuple(d -> d in dims ? sizes[d] : 1, N)
    results = Base.dims_product(kept)
    n = Base.dims_product(folded)
    out = new_array(T, kept)
    results == 0 && return out
    if n == 0
        return fill!(out, init)
    end
    wanted = functional() ? 65536 : 256
    chunks = results >= wanted ? 1 : min(cld(wanted, results), max_chunks(n))
    chunks = parts_in(n, max(chunks, 1))
    order = order_of(op, T)
    target = chunks == 1 ? out : new_array(T, (results, chunks))
    (plain, own) = plain_nest(b)
    if results == 1 && plain && own == sizes
        launch_elements(reduce_linear, (target, op, init, order, true, b, n, chunks), chunks, n)
    else
        first_folded = N > 0 && folded[1] > 1
        launch_elements(reduce_kernel, (target, op, init, order, true, b, kept, folded, sizes, chunks, first_folded), results * chunks, results * n)
    end
    if chunks > 1
        again = Base.broadcasted(identity, target)
        if results == 1
            launch_elements(reduce_linear, (out, op, init, order, false, again, chunks, 1), 1, chunks)
        else
            launch_elements(reduce_kernel, (out, op, init, order, false, again, (results, 1), (1, chunks), (results, chunks), 1, false), results, results * chunks)
        end
    end
    return out
end

# ---- type and initial value of a result
struct InitialValue end
reduction_type(op, T) = (S = __return_type(op, T, T); S === Union{} || !isbitstype(S) ? Any : S)
function initial(op, b, init)
    T = element_of(b)
    if init isa InitialValue
        S = reduction_type(op, T)
        S === Any && throw(ArgumentError(string("mapreduce cannot figure the output element type, please pass an explicit init value")))
        return convert(S, neutral_element(op, S))
    end
    S = __return_type(op, typeof(init), T)
    return isbitstype(S) && !(S === Union{}) ? convert(S, init) : init
end
all_dims(N) = ntuple(identity, N)
dims_of(dims::Integer, N) = (dims_checked(dims),)
dims_of(dims::Tuple, N) = map(dims_checked, dims)
dims_of(dims::Array, N) = map(dims_checked, (dims...,))
dims_of(dims::Colon, N) = all_dims(N)
dims_checked(d) = d < 1 ? throw(ArgumentError(string("region dimension(s) must be ≥ 1, got ", d))) : Int(d)
# A start value that the caller gives counts once. If elements and results differ in type, several parts use it, as in
# CUDA.jl: it must be neutral then.
function reduce_to(op, b, dims, init)
    start = initial(op, b, init)
    if !(init isa InitialValue) && commutes(op, typeof(start))
        neutral = neutral_element(op, typeof(start))
        if !(neutral === start)
            found = reduce_from(op, b, dims, neutral)
            return dims isa Colon ? op(start, found) : (found .= op.(start, found))
        end
    end
    return reduce_from(op, b, dims, start)
end
# Contiguous arrays of equal size are reduced by the host's code (lib/programs/cuda_reduce.cpp).
function reduce_from(op, b, dims, start)
    if dims isa Colon
        value = functional() ? __reduce_all(op, start, b, gpu_order(op, typeof(start))...) : __reduce_all(op, start, b)
        value === nothing || return checked_load(value)
        sizes = __broadcast_size(b)
        return load_element(reduce_nest(op, start, b, sizes, all_dims(length(sizes))), 1)
    end
    sizes = __broadcast_size(b)
    folded = dims_of(dims, length(sizes))
    array = functional() ? __reduce_dims(op, start, b, folded, gpu_order(op, typeof(start))...) : __reduce_dims(op, start, b, folded)
    return array === nothing ? reduce_nest(op, start, b, sizes, folded) : array
end
# Launches with the GPU's launch shape on any device, for tests.
reduce_as_gpu(op, b, dims, start, order) = __reduce_dims(op, start, b, dims, order, tile_value(typeof(start))...)
tile_value(T) = (K = isbitstype(T) && 0 < sizeof(T) <= widest_scanned ? tile_items(T) : 0; (Val(K), K))
gpu_order(op, T) = (order_of(op, T), tile_value(T)...)
# Replaces a type by a function that calls its constructor: kernel arguments must be isbits.
as_function(f) = f
as_function(::Type{T}) where {T} = Base.Constructs{T}()
nest_of(f, A, rest...) = Base.Broadcasted(as_function(f), (A, rest...))

Base.mapreduce(f, op, A::AnyCuArray, rest::AbstractArray...; dims=:, init=InitialValue()) = reduce_to(op, nest_of(f, A, rest...), dims, init)
Base.reduce(op, A::AnyCuArray; dims=:, init=InitialValue()) = reduce_to(op, nest_of(identity, A), dims, init)
Base.foldl(op, A::AnyCuArray; init=InitialValue()) = reduce_to(op, nest_of(identity, A), :, init)
Base.sum(A::AnyCuArray; dims=:, init=InitialValue()) = reduce_to(Base.add_sum, nest_of(identity, A), dims, init)
Base.sum(f, A::AnyCuArray; dims=:, init=InitialValue()) = reduce_to(Base.add_sum, nest_of(f, A), dims, init)
Base.prod(A::AnyCuArray; dims=:, init=InitialValue()) = reduce_to(Base.mul_prod, nest_of(identity, A), dims, init)
Base.prod(f, A::AnyCuArray; dims=:, init=InitialValue()) = reduce_to(Base.mul_prod, nest_of(f, A), dims, init)
Base.maximum(A::AnyCuArray; dims=:, init=InitialValue()) = reduce_to(max, nest_of(identity, A), dims, init)
Base.maximum(f, A::AnyCuArray; dims=:, init=InitialValue()) = reduce_to(max, nest_of(f, A), dims, init)
Base.minimum(A::AnyCuArray; dims=:, init=InitialValue()) = reduce_to(min, nest_of(identity, A), dims, init)
Base.minimum(f, A::AnyCuArray; dims=:, init=InitialValue()) = reduce_to(min, nest_of(f, A), dims, init)
Base.extrema(A::AnyCuArray; dims=:) = reduce_to(Base.meet_extrema, nest_of(Base.Twin(identity), A), dims, InitialValue())
Base.extrema(f, A::AnyCuArray; dims=:) = reduce_to(Base.meet_extrema, nest_of(Base.Twin(as_function(f)), A), dims, InitialValue())
Base.any(A::AnyCuArray; dims=:) = reduce_to(|, nest_of(identity, A), dims, false)
Base.any(f, A::AnyCuArray; dims=:) = reduce_to(|, nest_of(f, A), dims, false)
Base.all(A::AnyCuArray; dims=:) = reduce_to(&, nest_of(identity, A), dims, true)
Base.all(f, A::AnyCuArray; dims=:) = reduce_to(&, nest_of(f, A), dims, true)
Base.count(A::AnyCuArray; dims=:, init=0) = count(identity, A; dims=dims, init=init)
Base.count(f, A::AnyCuArray; dims=:, init=0) = reduce_to(+, nest_of(Base.CountIf(as_function(f)), A), dims, init)
# Reduces into an existing array R. Starts from R's content, or from the neutral element. Dimensions in which R has
# length 1 are reduced.
reduce_into(f, op, R, A, from_there) = reduce_nest_into(op, R, nest_of(f, A), from_there)
function reduce_nest_into(op, R, b, from_there, start=neutral_element(op, eltype(R)))
    sizes = __broadcast_size(b)
    for d in 1:max(length(sizes), ndims(R))
        size(R, d) == 1 || (d <= length(sizes) && size(R, d) == sizes[d]) ||
            throw(DimensionMismatch(string("cannot reduce an array of size ", sizes, " into one of size ", size(R))))
    end
    dims = ()
    for d in 1:length(sizes)
        size(R, d) == 1 && (dims = (dims..., d))
    end
    S = reduce_to(op, b, dims, start)
    size(S) == size(R) || (S = reshape(S, size(R)))
    from_there ? (R .= op.(R, S)) : copyto!(R, S)
    return R
end
# GPUArrays' method, which also accepts lazy dotted calls and a start value.
function mapreducedim!(f, op, R::AnyCuArray, A; init=InitialValue())
    b = A isa Base.Broadcasted ? A : nest_of(f, A)
    return init isa InitialValue ? reduce_nest_into(op, R, b, true) : reduce_nest_into(op, R, b, false, convert(eltype(R), init))
end
Base.mapreducedim!(f, op, R::AnyCuArray, A::AnyCuArray) = reduce_into(f, op, R, A, true)
Base.reducedim!(op, R::AnyCuArray, A::AnyCuArray) = reduce_into(identity, op, R, A, true)
for (name, op) in ((:sum!, :(Base.add_sum)), (:prod!, :(Base.mul_prod)), (:maximum!, :max), (:minimum!, :min), (:any!, :|), (:all!, :&))
    @eval Base.$name(R::AnyCuArray, A::AnyCuArray; init::Bool=true) = reduce_into(identity, $op, R, A, !init)
    @eval Base.$name(f, R::AnyCuArray, A::AnyCuArray; init::Bool=true) = reduce_into(f, $op, R, A, !init)
end
Base.extrema!(R::AnyCuArray, A::AnyCuArray; init::Bool=true) = reduce_into(Base.Twin(identity), Base.meet_extrema, R, A, !init)

# ---- comparisons of whole arrays
function Base.:(==)(A::AnyCuArray, B::AnyCuArray)
    size(A) == size(B) || return false
    b = nest_of(==, A, B)
    __broadcast_element(b) === Bool && return reduce_to(&, b, :, true)
    rank = reduce_to(min, nest_of(EqualityRank(), A, B), :, 0x02)
    return rank == 0x01 ? missing : rank == 0x02
end
struct EqualityRank <: Function end                # orders false, missing, true, so that & becomes min
@inline (::EqualityRank)(x, y) = (e = x == y; e === missing ? 0x01 : e ? 0x02 : 0x00)
Base.isequal(A::AnyCuArray, B::AnyCuArray) = size(A) == size(B) && reduce_to(&, nest_of(isequal, A, B), :, true)
Base.:(==)(A::AnyCuArray, B::AbstractArray) = size(A) == size(B) && download(A) == host_array(B)
Base.:(==)(A::AbstractArray, B::AnyCuArray) = size(A) == size(B) && host_array(A) == download(B)
function Base.isapprox(A::AnyCuArray, B::AnyCuArray; atol=0, rtol=Base.rtoldefault(Base.promote_leaf_eltypes(A), Base.promote_leaf_eltypes(B), atol), nans=false)
    d = norm(A - B)
    if isfinite(d)
        return d <= max(atol, rtol * max(norm(A), norm(B)))
    end
    return size(A) == size(B) && all(Base.Broadcasted((a, b) -> isapprox(a, b; atol=atol, rtol=rtol, nans=nans), (A, B)))
end
Base.isapprox(A::AnyCuArray, B::AbstractArray; keywords...) = isapprox(A, CuArray(B); keywords...)
Base.isapprox(A::AbstractArray, B::AnyCuArray; keywords...) = isapprox(CuArray(A), B; keywords...)
Base.all(b::Base.Broadcasted) = reduce_to(&, b, :, true)

# ---- maximum or minimum with its index; among equal values, the lowest index wins
struct BestOf{F} <: Function # combines two (value, index) pairs by `worse`
    worse::F
end
commutes(::BestOf, ::Type) = true
neutral_element(::BestOf, ::Type{Tuple{T,Int}}) where {T} = (zero(T), 0)
@inline function (b::BestOf)(x, y)
    (v, i) = x
    (w, j) = y
    i == 0 && return y
    j == 0 && return x
    b.worse(v, w) && return y
    b.worse(w, v) && return x
    return i <= j ? x : y
end
struct WithIndex{F} <: Function
    f::F
end
@inline (w::WithIndex)(x, i) = (w.f(x), i)
function best(worse, f, A, dims)
    T = element_of(nest_of(f, A))
    b = nest_of(WithIndex(as_function(f)), A, LinearNumbers{ndims(A)}(size(A)))
    length(A) == 0 && throw(ArgumentError("collection must be non-empty"))
    return reduce_to(BestOf(worse), b, dims, (zero(T), 0))
end
# The numbers 1, 2, 3, ... with the shape of an array.
struct LinearNumbers{N} <: AbstractArray{Int,N}
    dims::NTuple{N,Int}
end
@inline Base.size(A::LinearNumbers) = A.dims
@inline Base.getindex(A::LinearNumbers, i::Int) = i
@inline Base.getindex(A::LinearNumbers{N}, I::Vararg{Int,N}) where {N} = Base.offset_of(A.dims, I) + 1
@inline Base.IndexStyle(::Type{A}) where {A<:LinearNumbers} = IndexLinear()
key_of(A, i) = ndims(A) == 1 ? i : CartesianIndex(Base.split_offset(size(A), i - 1))
found(A, dims::Colon, r) = (r[1], key_of(A, r[2]))
function found(A, dims, R)
    H = download(R)
    values = CuArray(map(first, H))
    return (reshape(values, size(R)), CuArray(reshape(map(r -> key_of(A, r[2]), H), size(R))))
end
Base.findmax(A::AnyCuArray; dims=:) = found(A, dims, best(isless, identity, A, dims))
Base.findmin(A::AnyCuArray; dims=:) = found(A, dims, best(Base.isgreater, identity, A, dims))
Base.findmax(f, A::AnyCuArray; dims=:) = found(A, dims, best(isless, f, A, dims))
Base.findmin(f, A::AnyCuArray; dims=:) = found(A, dims, best(Base.isgreater, f, A, dims))
Base.argmax(A::AnyCuArray; dims=:) = findmax(A; dims=dims)[2]
Base.argmin(A::AnyCuArray; dims=:) = findmin(A; dims=dims)[2]
