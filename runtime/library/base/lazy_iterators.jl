# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: Iterators
# More of Julia's lazy iterators, for programs that name Iterators.

# ---- countfrom(start, step): start, start + step, ... without an end
struct CountFrom{T,S}
    start::T
    step::S
end
@inline iterate(c::CountFrom) = (c.start, c.start + c.step)
@inline iterate(c::CountFrom, x) = (x, x + c.step)
@inline eltype(::Type{CountFrom{T,S}}) where {T,S} = T

# ---- repeated(x, n): one value, n times or without an end
struct Repeated{T}
    x::T
end
@inline iterate(r::Repeated, state=nothing) = (r.x, nothing)
@inline length(t::Taken{<:Repeated}) = max(t.n, 0)
@inline length(t::Taken{<:CountFrom}) = max(t.n, 0)
@inline eltype(::Type{Repeated{T}}) where {T} = T

# ---- cycle(items, n): an iterator repeated n times or without an end
struct Cycle{I}
    items::I
end
@inline iterate(c::Cycle) = iterate(c.items)
@inline iterate(c::Cycle, s) = again(c, iterate(c.items, s))
@inline again(c::Cycle, n) = n
@inline again(c::Cycle, n::Nothing) = iterate(c.items)
@inline eltype(::Type{Cycle{I}}) where {I} = eltype(I)
@inline length(t::Taken{<:Cycle}) = isempty(t.iter.items) ? 0 : max(t.n, 0)

@inline is_endless(items::Union{CountFrom,Repeated,Cycle}) = true

# ---- takewhile: items while a condition holds; dropwhile: items from the first one for which it fails
struct TakeWhile{P,I}
    holds::P
    items::I
end
@inline iterate(t::TakeWhile) = if_holds(t, iterate(t.items))
@inline iterate(t::TakeWhile, s) = if_holds(t, iterate(t.items, s))
@inline if_holds(t, n::Nothing) = nothing
@inline if_holds(t, n) = t.holds(getfield(n, 1)) ? n : nothing
@inline eltype(::Type{TakeWhile{P,I}}) where {P,I} = eltype(I)
struct DropWhile{P,I}
    holds::P
    items::I
end
@inline function iterate(d::DropWhile)
    n = iterate(d.items)
    while n !== nothing && d.holds(getfield(n, 1))
        n = iterate(d.items, getfield(n, 2))
    end
    return n
end
@inline iterate(d::DropWhile, s) = iterate(d.items, s)
@inline eltype(::Type{DropWhile{P,I}}) where {P,I} = eltype(I)

# ---- peel: the first element, and an iterator over the other ones
@inline peeled(items, n::Nothing) = nothing
@inline peeled(items, n) = (getfield(n, 1), rest_from(items, getfield(n, 2)))

# ---- flatten of a tuple of iterators: visits one iterator after the other, so that each keeps its own type
struct Chained{A,B}
    a::A
    b::B
end
struct InFirst{S}
    state::S
end
struct InSecond{S}
    state::S
end
@inline flatten_tuple(t::Tuple{}) = t
@inline flatten_tuple(t::Tuple) = isconcretetype(eltype(t)) ? Flatten(t) : chained(t...)
@inline chained(a) = a
@inline chained(a, rest...) = Chained(a, chained(rest...))
@inline iterate(c::Chained) = in_chain(c, iterate(c.a))
@inline iterate(c::Chained, s::InFirst) = in_chain(c, iterate(c.a, s.state))
@inline iterate(c::Chained, s::InSecond) = in_second(iterate(c.b, s.state))
@inline in_chain(c, n) = (getfield(n, 1), InFirst(getfield(n, 2)))
@inline in_chain(c, n::Nothing) = in_second(iterate(c.b))
@inline in_second(n) = (getfield(n, 1), InSecond(getfield(n, 2)))
@inline in_second(n::Nothing) = nothing
@inline links(c::Chained) = (c.a, links(c.b)...)
@inline links(c) = (c,)
@inline length(c::Chained) = (t = links(c); Iterators.flatten_length((it=t,), eltype(t)))

# ---- partition(items, n): parts of n elements, the last one shorter. Parts of ranges are ranges, parts of arrays are
# views.
struct PartitionOf{I}
    items::I
    n::Int
end
@inline length(p::PartitionOf) = cld(length(p.items), p.n)
@inline iterate(p::PartitionOf, from::Int=1) = from > length(p.items) ? nothing : (part_between(p.items, from, min(from + p.n - 1, length(p.items))), from + p.n)
@inline part_between(r::AbstractRange, a::Int, b::Int) = @inbounds r[a:b]
@inline part_between(A::AbstractArray, a::Int, b::Int) = @inbounds view(A, a:b)
part_between(items, a::Int, b::Int) = static_error("Iterators.partition makes arrays of what is neither a range nor an array, for which a kernel has no memory")

# ---- accumulate: the intermediate value of a fold after each element
struct Accumulated{F,I,A}
    f::F
    items::I
    init::A
end
@inline iterate(a::Accumulated) = fold_on(a, a.init, iterate(a.items))
@inline iterate(a::Accumulated, s) = fold_on(a, Some(getfield(s, 1)), iterate(a.items, getfield(s, 2)))
@inline fold_on(a, before, n::Nothing) = nothing
@inline fold_on(a, before, n) = fold_next(a, before, n)
@inline fold_next(a, before::Nothing, n) = (getfield(n, 1), n)
@inline fold_next(a, before::Some, n) = (x = a.f(before.value, getfield(n, 1)); (x, (x, getfield(n, 2))))
@inline length(a::Accumulated) = length(a.items)

# ---- reverse: the elements of an array in reverse order
struct ElementOf{A}
    a::A
end
@inline (e::ElementOf)(i) = @inbounds e.a[i]

module Iterators
@inline reverse(a::Base.AbstractArray) = Base.Generator(Base.ElementOf(a), length(a):-1:1)
@inline reverse(r::Base.AbstractRange) = Base.reverse(r)
@inline map(f, a, b, rest...) = Base.Generator(Base.Splat(f), zip(a, b, rest...))
@inline takewhile(holds, items) = Base.TakeWhile(holds, items)
@inline dropwhile(holds, items) = Base.DropWhile(holds, items)
@inline countfrom(start::Number=1, step::Number=1) = Base.CountFrom(promote(start, step)...)
@inline repeated(x) = Base.Repeated(x)
@inline repeated(x, n::Integer) = Base.Taken(Base.Repeated(x), Int(n))
@inline cycle(items) = Base.Cycle(items)
@inline cycle(items, n::Integer) = Base.Flatten(repeated(items, n))
@inline flatten(items) = Base.Flatten(items)
@inline flatten(items::Tuple) = Base.flatten_tuple(items)
@inline flatmap(f, items...) = Base.Flatten(map(f, items...))
@inline peel(items) = Base.peeled(items, iterate(items))
@inline accumulate(f, items; init=nothing) = Base.Accumulated(f, items, init === nothing ? nothing : Base.Some(init))
@inline function partition(items, n::Integer)
    n < 1 && throw(ArgumentError("cannot partition into parts of less than one element"))
    return Base.PartitionOf(items, Int(n))
end
end
