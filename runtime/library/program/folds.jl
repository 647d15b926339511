# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/linear_parts
# Reductions of host arrays along dimensions, with an initial value, and into existing arrays.

struct __Nothing_given end
function __dims_and_init(kw, called...)
    issubset(keys(kw), (:dims, :init)) || throw(MethodError(Core.kwcall, (kw, called...)))
    return (get(kw, :dims, :), get(kw, :init, __Nothing_given()))
end
__region(d::Integer) = (Int(d),)
__region(d) = map(Int, Tuple(d))
# Computes R[..] = op(R[..], f(A[..])). In dimensions that are reduced, R has size 1 or lacks the dimension.
function mapreducedim!(f, op, R::AbstractArray, A::AbstractArray)
    for d in 1:max(ndims(A), ndims(R))
        size(R, d) == 1 || size(R, d) == size(A, d) ||
            throw(DimensionMismatch(string("cannot reduce an array of size ", size(A), " into one of size ", size(R))))
    end
    __fold_into!(f, op, R, A)
    return R
end
function __fold_into!(f, op, R, A)
    dims = size(A)
    into = ntuple(d -> size(R, d), ndims(A))
    for k in 1:length(A)
        I = split_offset(dims, k - 1)
        j = offset_of(into, kept_indices(into, I)) + 1
        R[j] = op(R[j], f(A[I...]))
    end
    return nothing
end
# Reduces an array by halves, as Julia's mapreduce_impl does. This reduces rounding errors in long float sums.
function __by_halves(f, op, A, from, to)
    if to - from < 1024
        value = op(f(A[from]), f(A[from+1]))
        for i in from+2:to
            value = op(value, f(A[i]))
        end
        return value
    end
    middle = from + (to - from) >> 1
    return op(__by_halves(f, op, A, from, middle), __by_halves(f, op, A, middle + 1, to))
end
const __InMemory = Union{Array,SubArray{T,1,<:Array} where {T}}
sum(f, A::__InMemory) = length(A) < 2 ? sum_of(f, A) : __by_halves(f, add_sum, A, 1, length(A))
sum(A::__InMemory) = length(A) < 2 ? sum_of(identity, A) : __by_halves(identity, add_sum, A, 1, length(A))
prod(f, A::__InMemory) = length(A) < 2 ? prod_of(f, A) : __by_halves(f, mul_prod, A, 1, length(A))
prod(A::__InMemory) = length(A) < 2 ? prod_of(identity, A) : __by_halves(identity, mul_prod, A, 1, length(A))
mapreduce(f, op, A::__InMemory) = length(A) < 2 ? mapfoldl(f, op, A) : __by_halves(f, op, A, 1, length(A))
reduce(op, A::__InMemory) = mapreduce(identity, op, A)
reducedim!(op, R::AbstractArray, A::AbstractArray) = mapreducedim!(identity, op, R, A)
function __mapreduce(f, op, A, dims, init)
    if dims isa Colon
        return init isa __Nothing_given ? mapreduce(f, op, A) : __folded_from(f, op, init, A)
    end
    region = __region(dims)
    all(d -> d >= 1, region) || throw(ArgumentError(string("region dimension(s) must be ≥ 1, got ", minimum(region))))
    init isa __Nothing_given && return __along(B -> mapreduce(f, op, B), A, region)
    R = Array{typeof(init)}(undef, ntuple(d -> d in region ? 1 : size(A, d), ndims(A))...)
    return mapreducedim!(f, op, fill!(R, init), A)
end
function __folded_from(f, op, init, A)
    value = init
    for x in A
        value = op(value, f(x))
    end
    return value
end
Core.kwcall(kw::NamedTuple, ::typeof(mapreduce), f, op, A::AbstractArray) = __mapreduce(f, op, A, __dims_and_init(kw, mapreduce, f, op, A)...)
Core.kwcall(kw::NamedTuple, ::typeof(reduce), op, A::AbstractArray) = __mapreduce(identity, op, A, __dims_and_init(kw, reduce, op, A)...)
mapreduce(f, op, A, B, rest...; keywords...) = reduce(op, map(f, A, B, rest...); keywords...)
# Reductions of a dotted call that has not run.
Core.kwcall(kw::NamedTuple, ::typeof(mapreduce), f, op, b::Broadcasted) = Core.kwcall(kw, mapreduce, f, op, materialize(b))
Core.kwcall(kw::NamedTuple, ::typeof(reduce), op, b::Broadcasted) = Core.kwcall(kw, reduce, op, materialize(b))
for f in (:sum, :prod, :maximum, :minimum, :any, :all, :count, :extrema)
    @eval Core.kwcall(kw::NamedTuple, ::typeof($f), b::Broadcasted) = Core.kwcall(kw, $f, materialize(b))
    @eval Core.kwcall(kw::NamedTuple, ::typeof($f), f, b::Broadcasted) = Core.kwcall(kw, $f, f, materialize(b))
end
for (name, op) in ((:sum, :add_sum), (:prod, :mul_prod), (:maximum, :max), (:minimum, :min))
    @eval Core.kwcall(kw::NamedTuple{(:dims, :init)}, ::typeof($name), A::AbstractArray) = __mapreduce(identity, $op, A, kw.dims, kw.init)
    @eval Core.kwcall(kw::NamedTuple{(:dims, :init)}, ::typeof($name), f, A::AbstractArray) = __mapreduce(f, $op, A, kw.dims, kw.init)
    @eval Core.kwcall(kw::NamedTuple{(:init, :dims)}, ::typeof($name), A::AbstractArray) = __mapreduce(identity, $op, A, kw.dims, kw.init)
    @eval Core.kwcall(kw::NamedTuple{(:init, :dims)}, ::typeof($name), f, A::AbstractArray) = __mapreduce(f, $op, A, kw.dims, kw.init)
end
for K in (NamedTuple{(:dims, :init)}, NamedTuple{(:init, :dims)})
    @eval Core.kwcall(kw::$K, ::typeof(count), A::AbstractArray) = __mapreduce(CountIf(identity), +, A, kw.dims, kw.init)
    @eval Core.kwcall(kw::$K, ::typeof(count), f, A::AbstractArray) = __mapreduce(CountIf(f), +, A, kw.dims, kw.init)
end
# Reductions into an existing array. They start from the neutral element, or with init=false from the array's content.
for (name, op, first) in ((:sum!, :add_sum, :zero), (:prod!, :mul_prod, :one), (:maximum!, :max, :typemin), (:minimum!, :min, :typemax))
    @eval $name(f, R::AbstractArray, A::AbstractArray; init::Bool=true) = mapreducedim!(f, $op, init ? fill!(R, $first(eltype(R))) : R, A)
    @eval $name(R::AbstractArray, A::AbstractArray; init::Bool=true) = $name(identity, R, A; init=init)
end
function extrema!(R::AbstractArray, A::AbstractArray; init::Bool=true)
    T = eltype(A)
    return mapreducedim!(x -> (x, x), meet_extrema, init ? fill!(R, (typemax(T), typemin(T))) : R, A)
end
any!(R::AbstractArray, A::AbstractArray) = mapreducedim!(identity, |, fill!(R, false), A)
all!(R::AbstractArray, A::AbstractArray) = mapreducedim!(identity, &, fill!(R, true), A)
# Finds the greatest or least elements along dimensions, and their indices.
function __best_along(best, f, A, dims)
    dims isa Colon && return best(f, A)
    region = __region(dims)
    out = ntuple(d -> d in region ? 1 : size(A, d), ndims(A))
    values = Any[]
    places = Any[]
    for I in CartesianIndices(out)
        at = ntuple(d -> d in region ? (1:size(A, d)) : (I[d]:I[d]), ndims(A))
        part = A[at...]
        (x, k) = best(f, vec(part))
        J = split_offset(size(part), k - 1)
        push!(values, x)
        push!(places, ndims(A) == 1 ? J[1] : CartesianIndex(ntuple(d -> first(at[d]) + J[d] - 1, ndims(A))))
    end
    return (__joined_array(values, nothing, out), __joined_array(places, nothing, out))
end
for (name, place) in ((:findmax, :argmax), (:findmin, :argmin))
    @eval Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof($name), A::AbstractArray) = __best_along($name, identity, A, kw.dims)
    @eval Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof($name), f, A::AbstractArray) = __best_along($name, f, A, kw.dims)
    @eval Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof($place), A::AbstractArray) = __best_along($name, identity, A, kw.dims)[2]
end
# ---- loops along dimensions that run as compiled code
# The type of f of a part of A; nothing: the parts are taken one by one.
function __along_type(f, A)
    (A isa Array && length(A) >= 256 && isbitstype(eltype(A))) || return nothing
    T = promote_op(f, typeof(A))
    return isbitstype(T) ? T : nothing
end
function __along_into!(out, f, A::Array{T,N}, dims) where {T,N}
    k = 0
    for I in CartesianIndices(size(out))
        k += 1
        out[k] = f(A[ntuple(m -> m in dims ? (1:size(A, m)) : (I[m]:I[m]), Val(N))...])
    end
    return out
end
function Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof(accumulate), op, A::AbstractArray)
    made = __accumulated(op, A, promote_op(op, typeof(kw.init), eltype(A)), nothing, kw.init)
    return made === nothing ? reshape(__accumulate_from(op, vec(collect(A)), kw.init), size(A)) : made
end
function Core.kwcall(kw::Union{NamedTuple{(:dims, :init)},NamedTuple{(:init, :dims)}}, ::typeof(accumulate), op, A::AbstractArray)
    made = __accumulated(op, A, promote_op(op, typeof(kw.init), eltype(A)), kw.dims, kw.init)
    made === nothing || return made
    return kw.dims > ndims(A) ? copy(A) : __columns(v -> __accumulate_from(op, v, kw.init), A, kw.dims)
end
__accumulate_from(op, v, init) = isempty(v) ? copy(v) : accumulate(op, vcat(op(init, v[1]), v[2:end]))
function Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(accumulate), op, A::AbstractArray)
    made = __accumulated(op, A, promote_op(op, eltype(A), eltype(A)), kw.dims)
    made === nothing || return made
    return kw.dims > ndims(A) ? copy(A) : __columns(v -> accumulate(op, v), A, kw.dims)
end
# Accumulates along dimension d, or over all elements if it is nothing. nothing: elements are no plain bits.
function __accumulated(op, A, T, d, init...)
    d === nothing || d > 0 || throw(ArgumentError("dims must be a positive integer"))
    (A isa Array && T !== nothing && isbitstype(T) && isbitstype(eltype(A))) || return nothing
    out = similar(A, T)
    d === nothing && return __accumulate_along!(op, out, A, 1, length(A), init...)
    d > ndims(A) && return copyto!(out, A)
    return __accumulate_along!(op, out, A, prod(size(A)[1:d-1]), size(A, d), init...)
end
# `step`: from an element to the next one of its column; `n`: elements of a column.
function __accumulate_along!(op, out, A, step, n, init...)
    isempty(A) && return out
    for begins in 0:step*n:length(A)-1, i in 1:step
        at = begins + i
        out[at] = isempty(init) ? A[at] : op(init[1], A[at])
        for _ in 2:n
            out[at+step] = op(out[at], A[at+step])
            at += step
        end
    end
    return out
end
