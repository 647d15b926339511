# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/float_range
# Tuples. Short tuples have methods of their own. Longer ones are processed four elements per step, so that inference
# creates fewer instances.

@inline length(t::Tuple) = nfields(t)
@inline firstindex(t::Tuple) = 1
@inline lastindex(t::Tuple) = nfields(t)
@inline size(t::Tuple) = (nfields(t),)
@inline size(t::Tuple, d::Integer) = d == 1 ? nfields(t) : 1
@inline eachindex(t::Tuple) = OneTo(nfields(t))
@inline keys(t::Tuple) = OneTo(nfields(t))
@inline isempty(t::Tuple) = nfields(t) === 0
@inline values(t::Tuple) = t
@inline function getindex(t::Tuple, i::Int)
    @boundscheck ult_int(sub_int(i, 1), nfields(t)) || throw(BoundsError(t, i))
    return getfield(t, i, false)
end
@propagate_inbounds getindex(t::Tuple, i::Integer) = getindex(t, Int(i))
@inline getindex(t::Tuple, ::Colon) = t
@inline getindex(t::Tuple, r::UnitRange{Int}) = ntuple(Shifted(Fix1(getindex, t), r.start - 1), length(r))
@inline getindex(t::Tuple, i::Tuple) = map(Fix1(getindex, t), i)
@inline iterate(t::Tuple) = nfields(t) === 0 ? nothing : (getfield(t, 1), 2)
@inline iterate(t::Tuple, i::Int) = sle_int(i, nfields(t)) ? (getfield(t, i, false), add_int(i, 1)) : nothing
@inline indexed_iterate(t::Tuple, i::Int, state=1) = (getfield(t, i), add_int(i, 1))
@inline indexed_iterate(items, i::Int) = found_item(items, i, iterate(items))
@inline indexed_iterate(items, i::Int, state) = found_item(items, i, iterate(items, state))
@inline indexed_iterate(items::Nothing, i::Int, state=1) = throw(MethodError()) # destructures the result of a function that returns a tuple or nothing
@inline found_item(items, i, n::Nothing) = throw(BoundsError(items, i)) # error for a, b = items with too few items
@inline found_item(items, i, n) = n
@inline eltype(t::Tuple) = eltype(typeof(t))
@inline eltype(::Type{Tuple{}}) = Union{}
@inline eltype(::Type{T}) where {T<:Tuple} = tuple_eltype(fieldtype(T, 1), tuple_type_tail(T))
@inline tuple_eltype(T, R) = R === Tuple{} ? T : typejoin(T, eltype(R))

@inline argtail(x, rest...) = rest
@inline tail(t::Tuple) = argtail(t...)
@inline rest(t::Tuple) = t                                          # a, b... = t
@inline rest(t::Tuple, i::Int) = i === 1 ? t : rest(tail(t), sub_int(i, 1))
@inline rest_behind(t::Tuple, state, n::Int) = n === 0 ? t : rest_behind(tail(t), state, sub_int(n, 1))
@inline rest_behind(items, state, n::Int) = rest_from(items, state)
@inline rest(items) = items
# For a, b..., c = t: returns the value of b, and the n elements after it.
@inline function split_rest(t::Tuple, n::Int)
    n <= nfields(t) || throw(BoundsError(t, n))
    return (ntuple(Fix1(getfield, t), nfields(t) - n), ntuple(Shifted(Fix1(getfield, t), nfields(t) - n), n))
end
split_rest(items, n::Int) = static_error("a variable `x...` before the last place takes part of a tuple: of what is no tuple it would be an array, for which a kernel has no memory")
@inline first(t::Tuple) = getfield(t, 1)
@inline last(t::Tuple) = getfield(t, nfields(t))
@inline front(t::Tuple) = ntuple(Fix1(getfield, t), sub_int(nfields(t), 1))
@inline reverse(t::Tuple) = ntuple(Reversed(t), nfields(t))
struct FieldNameOf{T} <: Function end
@inline (::FieldNameOf{T})(i) where {T} = fieldname(T, i)
@inline fieldnames(::Type{T}) where {T} = T isa UnionAll ? getfield(T, :field_names__) : ntuple(FieldNameOf{T}(), fieldcount_(T))
struct Reversed{T} <: Function
    items::T
end
@inline (r::Reversed)(i) = getfield(r.items, sub_int(add_int(nfields(r.items), 1), i))
@inline setindex(t::Tuple, v, i::Integer) = modifiable_copy(t, Int(i), v)
@inline Tuple(t::Tuple) = t
@inline joined_parts(items) = joined_tuples(map(Tuple, Tuple(items))...)
@inline joined_tuples() = ()
@inline joined_tuples(t, rest...) = (t..., joined_tuples(rest...)...)
@inline Tuple(x::Number) = (x,)
@inline Tuple(items::AbstractArray) = ntuple(Fix1(getindex, items), length(items))
@inline (::Type{T})(t::Tuple) where {T<:Tuple} = convert(T, t)
@inline convert_tuple(::Type{Tuple{}}, t::Tuple{}) = ()
@inline convert_tuple(::Type{T}, t::Tuple) where {T<:Tuple} = ntuple(ConvertField{T,typeof(t)}(t), nfields(t))
struct ConvertField{T,S} <: Function
    from::S
end
@inline (c::ConvertField{T})(i) where {T} = convert(fieldtype(T, i), getfield(c.from, i))

# ---- ntuple(f, n) for n known at compile time
struct Shifted{F} <: Function
    f::F
    n::Int
end
@inline (s::Shifted)(i) = s.f(add_int(i, s.n))
struct ShiftedBy{n,F} <: Function # the shift is a type parameter, so that indices of items of different types stay constants
    f::F
end
@inline (s::ShiftedBy{n})(i) where {n} = s.f(add_int(i, n))
@inline ntuple(f, n::Int) = ntuple(f, Val(n))
@inline ntuple(f, n::Integer) = ntuple(f, Val(Int(n)))
@inline function ntuple(f, ::Val{N}) where {N}
    if N <= 4
        if N <= 0
            return ()
        elseif N == 1
            return (f(1),)
        elseif N == 2
            return (f(1), f(2))
        elseif N == 3
            return (f(1), f(2), f(3))
        end
        return (f(1), f(2), f(3), f(4))
    elseif N <= 8
        if N == 5
            return (f(1), f(2), f(3), f(4), f(5))
        elseif N == 6
            return (f(1), f(2), f(3), f(4), f(5), f(6))
        elseif N == 7
            return (f(1), f(2), f(3), f(4), f(5), f(6), f(7))
        end
        return (f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8))
    end
    if N > 64
        return long_ntuple(f, Val(N))
    end
    return (f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), ntuple(ShiftedBy{8,typeof(f)}(f), Val(sub_int(N, 8)))...)
end
# Generates all calls in one step. Recursive steps of eight would copy the remaining items.
@inline @generated function long_ntuple(f, ::Val{N}) where {N}
    return :(Base.Cartesian.@ntuple $N i -> f(i))
end

# ---- map
@inline map(f, t::Tuple{}) = ()
@inline map(f, t::Tuple{Any}) = (f(getfield(t, 1)),)
@inline map(f, t::Tuple{Any,Any}) = (f(getfield(t, 1)), f(getfield(t, 2)))
@inline map(f, t::Tuple{Any,Any,Any}) = (f(getfield(t, 1)), f(getfield(t, 2)), f(getfield(t, 3)))
@inline map(f, t::Tuple{Any,Any,Any,Any}) = (f(getfield(t, 1)), f(getfield(t, 2)), f(getfield(t, 3)), f(getfield(t, 4)))
@inline map(f, t::Tuple{Any,Any,Any,Any,Vararg{Any}}) = (f(getfield(t, 1)), f(getfield(t, 2)), f(getfield(t, 3)), f(getfield(t, 4)), map(f, tail4(t...))...)
@inline tail4(a, b, c, d, rest...) = rest
@inline map(f, t::Tuple{}, s::Tuple{}) = ()
@inline map(f, t::Tuple{Any}, s::Tuple{Any}) = (f(getfield(t, 1), getfield(s, 1)),)
@inline map(f, t::Tuple{Any,Any}, s::Tuple{Any,Any}) = (f(getfield(t, 1), getfield(s, 1)), f(getfield(t, 2), getfield(s, 2)))
@inline map(f, t::Tuple{Any,Any,Any}, s::Tuple{Any,Any,Any}) = (f(getfield(t, 1), getfield(s, 1)), f(getfield(t, 2), getfield(s, 2)), f(getfield(t, 3), getfield(s, 3)))
@inline map(f, t::Tuple, s::Tuple) = (isempty(t) || isempty(s)) ? () : (f(first(t), first(s)), map(f, tail(t), tail(s))...)
@inline map(f, t::Tuple, s::Tuple, u::Tuple) = (isempty(t) || isempty(s) || isempty(u)) ? () : (f(first(t), first(s), first(u)), map(f, tail(t), tail(s), tail(u))...)
@inline map(f, t::Tuple, s::Tuple, u::Tuple, v::Tuple, rest::Tuple...) = map_all(f, (t, s, u, v, rest...))
@inline map_all(f, ts) = any(isempty, ts) ? () : (f(map(first, ts)...), map_all(f, map(tail, ts))...)
@inline map(f, x::Number, rest::Number...) = f(x, rest...)
@inline foreach(f, t::Tuple) = (map(f, t); nothing)
@inline filter(f, t::Tuple) = isempty(t) ? () : f(first(t)) ? (first(t), filter(f, tail(t))...) : filter(f, tail(t))

# ---- reductions
@inline foldl(op, t::Tuple) = afoldl(op, t...)
@inline foldr(op, t::Tuple) = afoldr(op, t...)
@inline afoldr(op, a) = a
@inline afoldr(op, a, b) = op(a, b)
@inline afoldr(op, a, b, rest...) = op(a, afoldr(op, b, rest...))
@inline reduce(op, t::Tuple) = afoldl(op, t...)
@inline mapreduce(f, op, t::Tuple) = afoldl(op, map(f, t)...)
@inline mapfoldl(f, op, t::Tuple) = afoldl(op, map(f, t)...)
@inline sum(t::Tuple{}) = 0
@inline sum(t::Tuple) = afoldl(add_sum, t...)
@inline sum(t::Tuple{BitInt}) = sum_int(getfield(t, 1))
@inline sum(f, t::Tuple) = sum(map(f, t))
@inline prod(t::Tuple{}) = 1
@inline prod(t::Tuple) = afoldl(mul_prod, t...)
@inline prod(t::Tuple{BitInt}) = product_int(getfield(t, 1))
@inline prod(f, t::Tuple) = prod(map(f, t))
@inline minimum(t::Tuple) = afoldl(min, t...)
@inline maximum(t::Tuple) = afoldl(max, t...)
@inline minimum(f, t::Tuple) = afoldl(min, map(f, t)...)
@inline maximum(f, t::Tuple) = afoldl(max, map(f, t)...)
@inline extrema(t::Tuple) = (minimum(t), maximum(t))
@inline all(t::Tuple) = all(identity, t)
@inline any(t::Tuple) = any(identity, t)
@inline all(f, t::Tuple) = all_of(f, t...)
@inline any(f, t::Tuple) = any_of(f, t...)
@inline all_of(f) = true
@inline all_of(f, a, rest...) = f(a) && all_of(f, rest...)
@inline any_of(f) = false
@inline any_of(f, a, rest...) = f(a) || any_of(f, rest...)
@inline count(f, t::Tuple) = afoldl(add_sum, 0, map(f, t)...)
@inline in(x, t::Tuple) = any_of(Fix1(==, x), t...)
# Sums of small integers are Ints, as in sums of arrays.
@inline add_sum(a, b) = a + b
@inline add_sum(a::T, b::S) where {T<:BitInt,S<:BitInt} = sum_int(a) + sum_int(b)
@inline mul_prod(a, b) = a * b
@inline mul_prod(a::T, b::S) where {T<:BitInt,S<:BitInt} = product_int(a) * product_int(b)
@inline product_int(a::BitInt) = sum_int(a)
@inline product_int(a::Bool) = a # a product of Bools alone is a Bool, not an Int
@inline function sum_int(a::T) where {T<:BitInt}
    if T === Bool || slt_int(sizeof_type(T), 8)
        return T <: Unsigned ? rem(a, UInt) : rem(a, Int)
    end
    return a
end

# ---- comparison
@inline ==(a::Tuple, b::Tuple) = nfields(a) === nfields(b) && equal_items(a, b)
@inline equal_items(a::Tuple{}, b::Tuple{}) = true
@inline equal_items(a::Tuple{Any}, b::Tuple{Any}) = getfield(a, 1) == getfield(b, 1)
@inline equal_items(a::Tuple, b::Tuple) = (getfield(a, 1) == getfield(b, 1)) & equal_items(tail(a), tail(b))
@inline isequal(a::Tuple, b::Tuple) = nfields(a) === nfields(b) && all(map(isequal, a, b))
# `<` and isless differ where an element is NaN or missing.
@inline <(a::Tuple{}, b::Tuple{}) = false
@inline <(a::Tuple{}, b::Tuple) = true
@inline <(a::Tuple, b::Tuple{}) = false
@inline <(a::Tuple, b::Tuple) = tuple_is_less(getfield(a, 1) == getfield(b, 1), a, b)
@inline tuple_is_less(same, a, b) = same ? tail(a) < tail(b) : getfield(a, 1) < getfield(b, 1)
@inline isless(a::Tuple{}, b::Tuple{}) = false
@inline isless(a::Tuple{}, b::Tuple) = true
@inline isless(a::Tuple, b::Tuple{}) = false
@inline isless(a::Tuple, b::Tuple) = isless(getfield(a, 1), getfield(b, 1)) || (isequal(getfield(a, 1), getfield(b, 1)) && isless(tail(a), tail(b)))

# ---- scans and order
@inline accumulate(op, t::Tuple{}) = ()
@inline accumulate(op, t::Tuple) = (first(t), scan_rest(op, first(t), tail(t)...)...)
@inline scan_rest(op, acc) = ()
@inline scan_rest(op, acc, x, rest...) = (op(acc, x), scan_rest(op, op(acc, x), rest...)...)
@inline cumsum(t::Tuple) = accumulate(add_sum, t)
@inline cumprod(t::Tuple) = accumulate(mul_prod, t)
@inline allequal(t::Tuple) = isempty(t) || all(Fix2(isequal, first(t)), t)
@inline sort(t::Tuple{}) = ()
@inline sort(t::Tuple) = insert_sorted(first(t), sort(tail(t)))
@inline insert_sorted(x, t::Tuple{}) = (x,)
@inline insert_sorted(x, t::Tuple) = isless(first(t), x) ? (first(t), insert_sorted(x, tail(t))...) : (x, t...)
@inline splat(f) = Splat(f)
struct Splat{F} <: Function
    f::F
end
@inline (s::Splat)(t) = s.f(t...)
