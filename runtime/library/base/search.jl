# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/characters
# Searches for elements in collections, and reductions such as findmax and extrema.

@inline findfirst(f, t::Tuple) = find_from(f, 1, t...)
@inline find_from(f, i) = nothing
@inline find_from(f, i, a, rest...) = f(a) ? i : find_from(f, i + 1, rest...)
@inline findfirst(f, A) = find_key(f, A, keys(A))
@inline findlast(f, A) = find_key(f, A, reverse(keys(A)))
@inline function findnext(f, A, i::Integer)
    for k in Int(i):length(A)
        if f(A[k])
            return k
        end
    end
    return nothing
end
@inline function findprev(f, A, i::Integer)
    for k in Int(i):-1:1
        if f(A[k])
            return k
        end
    end
    return nothing
end
@inline function find_key(f, A, keys)
    for k in keys
        if f(@inbounds A[k])
            return k
        end
    end
    return nothing
end
@inline findfirst(A) = findfirst(identity, A)
@inline findlast(A) = findlast(identity, A)
@inline count(items; init=0) = count(identity, items; init=init)

@inline extrema(items) = extrema(identity, items)
@inline extrema(f, items) = mapfoldl(Twin(f), meet_extrema, items)
@inline extrema(f, t::Tuple) = (minimum(f, t), maximum(f, t))
struct Twin{F} <: Function
    f::F
end
@inline (t::Twin)(x) = (y = t.f(x); (y, y))
@inline meet_extrema(a, b) = (min(a[1], b[1]), max(a[2], b[2]))
# Finds the first greatest item by isless, or the first least item by isgreater. The result is the first NaN if there
# is one; 0.0 is greater than -0.0. `worse` compares the best value so far with another value. Each value is computed
# once.
@inline findmax(items) = find_best(isless, identity, items)
@inline findmin(items) = find_best(isgreater, identity, items)
@inline findmax(f, items) = find_best(isless, f, items)
@inline findmin(f, items) = find_best(isgreater, f, items)
@inline argmax(items) = getfield(findmax(items), 2)
@inline argmin(items) = getfield(findmin(items), 2)
@inline argmax(f, items) = best_item(isless, f, items)
@inline argmin(f, items) = best_item(isgreater, f, items)
@inline function find_best(worse, f, A)
    all_keys = keys(A)
    n = iterate(all_keys)
    if n === nothing
        throw(ArgumentError("collection must be non-empty"))
    end
    key = getfield(n, 1)
    best = f(@inbounds A[key])
    n = iterate(all_keys, getfield(n, 2))
    while n !== nothing
        k = getfield(n, 1)
        x = f(@inbounds A[k])
        if worse(best, x)
            best = x
            key = k
        end
        n = iterate(all_keys, getfield(n, 2))
    end
    return (best, key)
end
# argmax(f, items) returns the item.
@inline function best_item(worse, f, items)
    n = iterate(items)
    if n === nothing
        throw(ArgumentError("collection must be non-empty"))
    end
    item = getfield(n, 1)
    best = f(item)
    n = iterate(items, getfield(n, 2))
    while n !== nothing
        x = f(getfield(n, 1))
        if worse(best, x)
            best = x
            item = getfield(n, 1)
        end
        n = iterate(items, getfield(n, 2))
    end
    return item
end
@inline function issorted(items)
    n = iterate(items)
    if n === nothing
        return true
    end
    before = getfield(n, 1)
    n = iterate(items, getfield(n, 2))
    while n !== nothing
        x = getfield(n, 1)
        if isless(x, before)
            return false
        end
        before = x
        n = iterate(items, getfield(n, 2))
    end
    return true
end

# Binary search in a sorted collection. searchsortedfirst: position of the first item that is not less than x.
# searchsortedlast: position of the last item that is not greater than x.
@inline searchsortedfirst(items, x; by=identity, lt=isless, rev::Bool=false, order=Order.Forward) = sorted_place(items, by(x), by, less_in(order, lt), rev, false)
@inline searchsortedlast(items, x; by=identity, lt=isless, rev::Bool=false, order=Order.Forward) = sorted_place(items, by(x), by, less_in(order, lt), rev, true) - 1
@inline searchsorted(items, x; by=identity, lt=isless, rev::Bool=false, order=Order.Forward) =
    sorted_place(items, by(x), by, less_in(order, lt), rev, false):(sorted_place(items, by(x), by, less_in(order, lt), rev, true)-1)
@inline insorted(x, items; by=identity, lt=isless, rev::Bool=false) = !isempty(searchsorted(items, x; by=by, lt=lt, rev=rev))
@inline searchsortedfirst(items, x, order) = searchsortedfirst(items, x; order=order)
@inline searchsortedlast(items, x, order) = searchsortedlast(items, x; order=order)
@inline searchsorted(items, x, order) = searchsorted(items, x; order=order)
@inline function sorted_place(items, x, by, lt, rev, behind_equal)
    place = 1
    count = length(items)
    while count != 0
        half = count >>> 1
        y = by(@inbounds items[place+half])
        before = behind_equal ? (rev ? !lt(y, x) : !lt(x, y)) : (rev ? lt(x, y) : lt(y, x))
        if before
            place += half + 1
            count -= half + 1
        else
            count = half
        end
    end
    return place
end

module Order
abstract type Ordering end
struct ForwardOrdering <: Ordering end
struct ReverseOrdering{F} <: Ordering
    fwd::F
end
struct By{T,O} <: Ordering
    by::T
    order::O
end
struct Lt{T} <: Ordering
    lt::T
end
const Forward = ForwardOrdering()
const Reverse = ReverseOrdering{ForwardOrdering}(Forward)
@inline By(by) = By(by, Forward)
@inline ReverseOrdering() = Reverse
@inline lt(::ForwardOrdering, a, b) = isless(a, b)
@inline lt(o::ReverseOrdering, a, b) = lt(o.fwd, b, a)
@inline lt(o::By, a, b) = lt(o.order, o.by(a), o.by(b))
@inline lt(o::Lt, a, b) = o.lt(a, b)
end
struct LessIn{O} <: Function
    order::O
end
@inline (f::LessIn)(a, b) = Order.lt(f.order, a, b)
@inline less_in(::Order.ForwardOrdering, lt) = lt
@inline less_in(order, lt) = LessIn(order)
