# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/namedtuple
# Iterators: lazy combinations of iterators, and reductions over any iterator.

@inline iterate(x::Number) = (x, nothing)
@inline iterate(x::Number, ::Nothing) = nothing
@inline length(x::Number) = 1
@inline isempty(items) = iterate(items) === nothing
@inline first(items) = first_item(iterate(items))
@inline first_item(n::Nothing) = throw(ArgumentError("collection must be non-empty"))
@inline first_item(n) = n[1]

struct Enumerate{I}
    items::I
end
@inline enumerate(items) = Enumerate(items)
@inline length(e::Enumerate) = length(e.items)
@inline iterate(e::Enumerate) = count_up(1, iterate(e.items))
@inline iterate(e::Enumerate, s) = count_up(getfield(s, 1), iterate(e.items, getfield(s, 2)))
@inline count_up(i, n::Nothing) = nothing
@inline count_up(i, n) = ((i, getfield(n, 1)), (i + 1, getfield(n, 2)))

struct Zip{A,B}
    a::A
    b::B
end
@inline zip(a, b) = Zip(a, b)
@inline zip(a, b, c) = Generator(flat_zip, Zip(a, Zip(b, c)))
@inline zip(a, b, c, d) = Generator(flat_zip, Zip(a, Generator(flat_zip, Zip(b, Zip(c, d)))))
@inline zip(a, b, c, d, rest...) = Generator(flat_zip, Zip(a, zip(b, c, d, rest...)))
@inline flat_zip(t) = (getfield(t, 1), getfield(t, 2)...)
@inline length(z::Zip) = min(length(z.a), length(z.b))
# If the first iterator of a Zip has ended, the second one is not advanced.
@inline iterate(z::Zip) = pair_first(iterate(z.a), z.b)
@inline iterate(z::Zip, s) = pair_first(iterate(z.a, getfield(s, 1)), z.b, getfield(s, 2))
@inline pair_first(m, b, s...) = pair_up(m, iterate(b, s...))
@inline pair_first(m::Nothing, b, s...) = nothing
@inline pair_up(m, n) = ((getfield(m, 1), getfield(n, 1)), (getfield(m, 2), getfield(n, 2)))
@inline pair_up(m, n::Nothing) = nothing

# f(x) for x in items
struct Generator{I,F}
    f::F
    iter::I
end
@inline Generator(f::F, iter::I) where {F,I} = Generator{I,F}(f, iter)
@inline length(g::Generator) = length(g.iter)
@inline iterate(g::Generator) = apply_item(g.f, iterate(g.iter))
@inline iterate(g::Generator, s) = apply_item(g.f, iterate(g.iter, s))
@inline apply_item(f, n::Nothing) = nothing
@inline apply_item(f, n) = (f(getfield(n, 1)), getfield(n, 2))

# Tuples from lazy iterators.
@inline Tuple(g::Generator) = map(g.f, Tuple(g.iter))
@inline Tuple(z::Zip) = map(tuple, Tuple(z.a), Tuple(z.b))
@inline Tuple(e::Enumerate) = numbered(Tuple(e.items))
@inline numbered(t::Tuple) = map(tuple, ntuple(identity, nfields(t)), t)

struct Filtered{I,F}
    f::F
    iter::I
end
@inline Filtered(f::F, iter::I) where {F,I} = Filtered{I,F}(f, iter)
@inline iterate(s::Filtered) = next_kept(s, iterate(s.iter))
@inline iterate(s::Filtered, state) = next_kept(s, iterate(s.iter, state))
@inline function next_kept(s::Filtered, n)
    while n !== nothing
        if s.f(getfield(n, 1))
            return n
        end
        n = iterate(s.iter, getfield(n, 2))
    end
    return nothing
end

# Flatten iterates over the elements of each element: x for a in A for b in B. Its state has three parts: state of the
# inner iterator, inner iterator, state of the outer iterator.
struct Flatten{I}
    it::I
end
@inline iterate(f::Flatten) = first_inner(f, iterate(f.it))
@inline function first_inner(f::Flatten, outer)
    while outer !== nothing
        inner = iterate(getfield(outer, 1))
        if inner !== nothing
            return (getfield(inner, 1), (getfield(inner, 2), getfield(outer, 1), getfield(outer, 2)))
        end
        outer = iterate(f.it, getfield(outer, 2))
    end
    return nothing
end
@inline function iterate(f::Flatten, state)
    inner = iterate(getfield(state, 2), getfield(state, 1))
    if inner !== nothing
        return (getfield(inner, 1), (getfield(inner, 2), getfield(state, 2), getfield(state, 3)))
    end
    return first_inner(f, iterate(f.it, getfield(state, 3)))
end
@inline eltype(::Type{Flatten{I}}) where {I} = eltype(eltype(I))
@inline length(f::Flatten{I}) where {I} = Iterators.flatten_length(f, eltype(I))

# The Cartesian product of iterators: tuples of one element of each. The first iterator varies fastest. A state holds
# each iterator's element and state.
struct ProductIterator{T<:Tuple}
    iterators::T
end
@inline length(p::ProductIterator) = dims_product(map(length, p.iterators))
@inline size(p::ProductIterator) = joined_sizes(p.iterators...)
@inline joined_sizes() = ()
@inline joined_sizes(items, rest...) = (size(items)..., joined_sizes(rest...)...)
@inline iterate(p::ProductIterator) = product_item(start_all(p.iterators...))
@inline iterate(p::ProductIterator, state) = product_item(step_first(p.iterators, state))
@inline product_item(::Nothing) = nothing
@inline product_item(state) = (map(first, state), state)
@inline start_all() = ()
@inline start_all(items, rest...) = add_first(iterate(items), start_all(rest...))
@inline add_first(n, rest) = (n, rest...)
@inline add_first(n::Nothing, rest) = nothing
@inline add_first(n, rest::Nothing) = nothing
@inline add_first(n::Nothing, rest::Nothing) = nothing
@inline step_first(iterators::Tuple{}, state::Tuple{}) = nothing
@inline step_first(iterators::Tuple, state::Tuple) = step_on(iterate(getfield(iterators, 1), getfield(getfield(state, 1), 2)), iterators, state)
@inline step_on(n, iterators, state) = (n, tail(state)...)
@inline step_on(n::Nothing, iterators, state) = add_first(iterate(getfield(iterators, 1)), step_first(tail(iterators), tail(state)))

# Part of an iterator.
struct Taken{I}
    iter::I
    n::Int
end
@inline iterate(t::Taken) = t.n <= 0 ? nothing : with_count(iterate(t.iter), 1)
@inline iterate(t::Taken, s) = getfield(s, 1) >= t.n ? nothing : with_count(iterate(t.iter, getfield(s, 2)), getfield(s, 1) + 1)
@inline with_count(n::Nothing, k) = nothing
@inline with_count(n, k) = (getfield(n, 1), (k, getfield(n, 2)))
@inline length(t::Taken) = min(t.n, length(t.iter))
struct Dropped{I}
    iter::I
    n::Int
end
@inline function iterate(d::Dropped)
    n = iterate(d.iter)
    k = 0
    while n !== nothing && k < d.n
        n = iterate(d.iter, getfield(n, 2))
        k += 1
    end
    return n
end
@inline iterate(d::Dropped, s) = iterate(d.iter, s)
@inline length(d::Dropped) = max(length(d.iter) - d.n, 0)

# Iteration from a given state.
struct Rest{I,S}
    items::I
    state::S
end
@inline rest_from(items, state) = Rest(items, state)
@inline rest_from(items) = items
@inline iterate(r::Rest) = iterate(r.items, r.state)
@inline iterate(r::Rest, s) = iterate(r.items, s)
@inline eltype(::Type{Rest{I,S}}) where {I,S} = eltype(I)
@inline only(items) = only_item(items, iterate(items))
@inline only_item(items, n::Nothing) = throw(ArgumentError("collection is empty, must contain exactly 1 element"))
@inline only_item(items, n) = iterate(items, getfield(n, 2)) === nothing ? getfield(n, 1) : throw(ArgumentError("collection has multiple elements, must contain exactly 1 element"))

const LazyIterator = Union{Enumerate,Zip,Generator,Filtered,Flatten,ProductIterator,Taken,Dropped,Rest}
@inline is_endless(items) = false

module Iterators
import Base: Generator, ProductIterator, Filtered, Flatten, Taken, Dropped, enumerate, zip, only
# Only tuples of one size and numbers have a length that their type gives.
@inline flatten_length(f, ::Type{<:NTuple{N,Any}}) where {N} = N * length(f.it)
@inline flatten_length(f, ::Type{T}) where {T<:Number} = length(f.it)
flatten_length(f, T) = throw(ArgumentError("Iterates of the argument to Flatten are not known to have constant length"))
@inline reverse(items) = Base.reverse(items)
@inline product(iterators...) = ProductIterator(iterators)
@inline take(items, n::Integer) = Taken(items, Int(n))
@inline drop(items, n::Integer) = Dropped(items, Int(n))
@inline filter(f, items) = Filtered(f, items)
@inline map(f, items) = Generator(f, items)
@inline rest(items, state...) = Base.rest_from(items, state...)
end

# ---- reductions by a loop
@inline foldl(op, items) = mapfoldl(identity, op, items)
@inline reduce(op, items) = mapfoldl(identity, op, items)
@inline mapreduce(f, op, items) = mapfoldl(f, op, items)
@inline mapreduce(f, op, items, more, rest...) = mapfoldl(Spread(f), op, zip(items, more, rest...))
@inline foldr(op, items) = mapfoldl(identity, Flipped(op), reverse(items))
@inline reduce_empty(::typeof(+), ::Type{T}) where {T} = zero(T)
@inline reduce_empty(::typeof(*), ::Type{T}) where {T} = one(T)
@inline reduce_empty(::typeof(&), ::Type{Bool}) = true
@inline reduce_empty(::typeof(|), ::Type{Bool}) = false
# Reductions with `init` are methods of kwcall, so that calls without `init` are not one call deeper.
for (f, op) in ((:sum, :add_sum), (:prod, :mul_prod), (:minimum, :min), (:maximum, :max))
    @eval @inline Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof($f), items) = fold_from(kw.init, identity, $op, items)
    @eval @inline Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof($f), f, items) = fold_from(kw.init, f, $op, items)
end
for f in (:foldl, :reduce)
    @eval @inline Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof($f), op, items) = fold_from(kw.init, identity, op, items)
end
for f in (:mapfoldl, :mapreduce)
    @eval @inline Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof($f), f, op, items) = fold_from(kw.init, f, op, items)
end
@inline Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof(foldr), op, items) = fold_from(kw.init, identity, Flipped(op), reverse(items))
@inline fold_from(init, f, op, items::Tuple) = afoldl(op, init, map(f, items)...)
@inline function fold_from(init, f, op, items)
    n = iterate(items)
    if n === nothing
        return init
    end
    return fold_rest(f, op, items, op(init, f(getfield(n, 1))), getfield(n, 2))
end
struct Spread{F} <: Function
    f::F
end
@inline (s::Spread)(t) = s.f(t...)
struct Flipped{F} <: Function
    f::F
end
@inline (s::Flipped)(a, b) = s.f(b, a)
@inline function mapfoldl(f, op, items)
    n = iterate(items)
    if n !== nothing
        return fold_rest(f, op, items, f(getfield(n, 1)), getfield(n, 2))
    end
    return empty_fold(f, op, items)
end
@inline empty_fold(f, op, items) = throw(ArgumentError("reducing over an empty collection is not allowed; consider supplying `init` to the reducer"))
@inline empty_fold(f::Union{typeof(identity),typeof(abs),typeof(abs2)}, op::typeof(+), items::AbstractArray{T}) where {T<:Number} = f(zero(T))
@inline empty_fold(f::typeof(identity), op::typeof(*), items::AbstractArray{T}) where {T<:Number} = one(T)
@inline function fold_rest(f, op, items, acc, state)
    n = iterate(items, state)
    while n !== nothing
        acc = op(acc, f(getfield(n, 1)))
        n = iterate(items, getfield(n, 2))
    end
    return acc
end
@inline sum(items) = sum_of(identity, items)
@inline sum(f, items) = sum_of(f, items)
@inline function sum_of(f, items)
    n = iterate(items)
    if n === nothing
        return zero_sum(f, items)
    end
    return fold_rest(f, add_sum, items, widen_sum(f(getfield(n, 1))), getfield(n, 2))
end
@inline zero_sum(f, items) = 0
@inline zero_sum(f, items::AbstractArray{T}) where {T} = widen_sum(zero(promote_op(f, T)))
@inline widen_sum(x) = x
@inline widen_sum(x::BitInt) = sum_int(x)
@inline prod(items) = prod_of(identity, items)
@inline prod(f, items) = prod_of(f, items)
@inline function prod_of(f, items)
    n = iterate(items)
    if n === nothing
        return one_product(f, items)
    end
    return fold_rest(f, mul_prod, items, widen_product(f(getfield(n, 1))), getfield(n, 2))
end
@inline one_product(f, items) = 1
@inline one_product(f, items::AbstractArray{T}) where {T} = widen_product(one(promote_op(f, T)))
@inline widen_product(x) = x
@inline widen_product(x::BitInt) = product_int(x)
@inline minimum(items) = mapfoldl(identity, min, items)
@inline minimum(f, items) = mapfoldl(f, min, items)
@inline maximum(items) = mapfoldl(identity, max, items)
@inline maximum(f, items) = mapfoldl(f, max, items)
@inline all(items) = all(identity, items)
@inline any(items) = any(identity, items)
@inline function all(f, items)
    for x in items
        if !f(x)
            return false
        end
    end
    return true
end
@inline function any(f, items)
    for x in items
        if f(x)
            return true
        end
    end
    return false
end
@inline count(f, items; init=0) = count_from(f, items, init)
struct CountIf{F} <: Function
    f::F
end
@inline (c::CountIf)(x) = Int(c.f(x)::Bool)
@inline function count_from(f, items, n)
    for x in items
        n += f(x)::Bool
    end
    return n
end
@inline function foreach(f, items)
    for x in items
        f(x)
    end
    return nothing
end
