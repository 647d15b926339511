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
