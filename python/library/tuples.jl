# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tuples, slices and ranges, and the functions to which a `for` is lowered: iterator, count and item.

struct Slice{A,B,C}
    start::A
    stop::B
    step::C
end
@inline py_slice(a, b, c) = Slice{typeof(a),typeof(b),typeof(c)}(a, b, c)
@inline py_slice(b) = py_slice(nothing, b, nothing)
@inline py_slice(a, b) = py_slice(a, b, nothing)

# Converts a negative index to one that counts from the start. With debug=True, checks the bound.
@inline wrapped(i::Union{SInt,Bool}, n::Int64) = (k = i64(i); checked(slt_int(k, 0) ? add_nsw(k, n) : k, n))
@inline wrapped(i::UInts, n::Int64) = checked(i64(i), n)
@inline function checked(k::Int64, n::Int64)
    if debug_level() === trunc_int(Int32, 2) && !ult_int(k, n)
        py_raise("IndexError: index is out of bounds")
    end
    return k
end
@inline py_index(i::AnyInt) = i

# ---- tuples
@inline py_tuple(t::Tuple) = t
@inline py_tuple(r) = (it = py_iterator(r); known_items(it, Val(py_count(it))))
@inline known_items(it, ::Val{n}) where {n} = ntuple(ItemOf(it), Val(n))
struct ItemOf{I} <: Function
    it::I
end
@inline (f::ItemOf)(k) = py_item(f.it, k - 1)
@inline py_spread(x) = x
@inline py_unpack(t::Tuple, ::Val{n}) where {n} =
    nfields(t) === n ? t : static_error("cannot unpack a tuple of ", nfields(t), " into ", n, " names")
@inline py_unpack(z, v::Val) = unpack_array(z, v)
@inline function py_getitem(t::Tuple, i::AnyInt)
    k = i64(i)
    k = slt_int(k, 0) ? add_nsw(k, nfields(t)) : k
    if debug_level() === trunc_int(Int32, 2) && !ult_int(k, nfields(t))
        py_raise("IndexError: tuple index out of range")
    end
    return getfield(t, add_int(k, 1))
end
@inline py_getitem(t::Tuple, s::Slice) = tuple_slice(t, Val(slice_bounds(s, nfields(t))))
@inline tuple_slice(t, ::Val{b}) where {b} = ntuple(PartOf(t, getfield(b, 1), getfield(b, 3)), Val(getfield(b, 2)))
struct PartOf{T} <: Function
    t::T
    start::Int64
    step::Int64
end
@inline (f::PartOf)(k) = getfield(f.t, f.start + (k - 1) * f.step + 1)
@inline py_len(t::Tuple) = nfields(t)
@inline py_add(a::Tuple, b::Tuple) = (a..., b...)
@inline py_mul(a::Tuple, n::AnyInt) = repeat_tuple(a, Val(i64(n)))
@inline py_mul(n::AnyInt, a::Tuple) = repeat_tuple(a, Val(i64(n)))
@inline repeat_tuple(a, ::Val{n}) where {n} = n <= 0 ? () : (a..., repeat_tuple(a, Val(n - 1))...)
@inline py_eq(a::Tuple, b::Tuple) = nfields(a) === nfields(b) && same_items(a, b, Val(1))
@inline same_items(a, b, ::Val{k}) where {k} = k > nfields(a) ? true : py_eq(getfield(a, k), getfield(b, k)) && same_items(a, b, Val(k + 1))
@inline py_ne(a::Tuple, b::Tuple) = not_int(py_eq(a, b))
@inline py_lt(a::Tuple, b::Tuple) = before(a, b, Val(1), false)
@inline py_le(a::Tuple, b::Tuple) = before(a, b, Val(1), true)
@inline function before(a, b, ::Val{k}, equal) where {k}
    k > nfields(a) && return k > nfields(b) ? equal : true
    k > nfields(b) && return false
    py_eq(getfield(a, k), getfield(b, k)) && return before(a, b, Val(k + 1), equal)
    return py_lt(getfield(a, k), getfield(b, k))
end
@inline py_in(x, t::Tuple) = one_of(x, t, Val(1))
@inline one_of(x, t, ::Val{k}) where {k} = k > nfields(t) ? false : py_eq(x, getfield(t, k)) || one_of(x, t, Val(k + 1))
@inline py_not_in(x, t) = not_int(py_in(x, t))
@inline py_sum(t::Tuple) = sum_items(0, t, Val(1))
@inline sum_items(s, t, ::Val{k}) where {k} = k > nfields(t) ? s : sum_items(py_add(s, getfield(t, k)), t, Val(k + 1))
@inline py_method(t::Tuple, ::Val{:count}, x) = count_items(0, x, t, Val(1))
@inline count_items(n, x, t, ::Val{k}) where {k} = k > nfields(t) ? n : count_items(n + i64(py_eq(x, getfield(t, k))), x, t, Val(k + 1))
@inline py_all(t::Tuple) = all_items(t, Val(1))
@inline all_items(t, ::Val{k}) where {k} = k > nfields(t) ? true : py_truth(getfield(t, k)) && all_items(t, Val(k + 1))
@inline py_any(t::Tuple) = any_items(t, Val(1))
@inline any_items(t, ::Val{k}) where {k} = k > nfields(t) ? false : py_truth(getfield(t, k)) || any_items(t, Val(k + 1))

# A named tuple: a tuple with names for its items.
struct Named{names,T}
    items::T
end
@inline py_getattr(n::Named{names}, ::Val{name}) where {names,name} = named_item(n, Val(position_of(names, name, 1)), Val(name))
@inline position_of(names, name, k) = k > nfields(names) ? 0 : getfield(names, k) === name ? k : position_of(names, name, k + 1)
@inline named_item(n::Named, ::Val{k}, ::Val{name}) where {k,name} = k === 0 ? static_error("the named tuple has no item ", name) : getfield(getfield(n, :items), k)
@inline items_of(n::Named) = getfield(n, :items)
@inline items_of(t::Tuple) = t
for f in (:py_tuple, :py_truth, :py_len, :py_iterator, :py_sum, :py_all, :py_any, :py_spread, :py_min, :py_max)
    @eval @inline $f(n::Named) = $f(items_of(n))
end
for f in (:py_eq, :py_ne, :py_lt, :py_le, :py_add), (A, B) in ((:Named, :Named), (:Named, :Tuple), (:Tuple, :Named))
    @eval @inline $f(a::$A, b::$B) = $f(items_of(a), items_of(b))
end
@inline py_getitem(n::Named, i) = py_getitem(items_of(n), i)
@inline py_unpack(n::Named, v::Val) = py_unpack(items_of(n), v)
@inline py_in(x, n::Named) = py_in(x, items_of(n))
@inline py_method(n::Named, name::Val, args...) = py_method(items_of(n), name, args...)

# Start, count and step of a slice of a sequence of n items, clamped as in Python.
@inline slice_step(::Nothing) = 1
@inline slice_step(s) = i64(s)
@inline function clamped(i, n, step)
    k = i64(i)
    k = slt_int(k, 0) ? add_nsw(k, n) : k
    low = slt_int(step, 0) ? -1 : 0
    high = slt_int(step, 0) ? n - 1 : n
    return slt_int(k, low) ? low : slt_int(high, k) ? high : k
end
@inline slice_start(::Nothing, n, step) = slt_int(step, 0) ? n - 1 : 0
@inline slice_start(i, n, step) = clamped(i, n, step)
@inline slice_stop(::Nothing, n, step) = slt_int(step, 0) ? -1 : n
@inline slice_stop(i, n, step) = clamped(i, n, step)
@inline function slice_bounds(s::Slice, n::Int64)
    step = slice_step(s.step)
    first = slice_start(s.start, n, step)
    stop = slice_stop(s.stop, n, step)
    return (first, steps(first, stop, step), step)
end
@inline function steps(first::Int64, stop::Int64, step::Int64)
    if step === 1
        return slt_int(first, stop) ? sub_nsw(stop, first) : 0
    elseif slt_int(0, step)
        return slt_int(first, stop) ? add_nsw(sdiv_int(sub_nsw(sub_nsw(stop, first), 1), step), 1) : 0
    elseif step === 0
        return 0
    end
    return slt_int(stop, first) ? add_nsw(sdiv_int(sub_nsw(sub_nsw(first, stop), 1), sub_nsw(0, step)), 1) : 0
end

# ---- ranges: of int32 if all arguments fit int32, of uint64 if all are unsigned, else of int64
struct Range{T}
    start::Int64
    count::Int64
    step::Int64
end
const Small = Union{Bool,Int8,Int16,Int32,UInt8,UInt16,Float32,Float64,Float16}
@inline range_type(::Type{A}) where {A} = A <: Small ? Int32 : A <: UInts ? UInt64 : Int64
@inline range_type(::Type{A}, ::Type{B}) where {A,B} = A <: Small && B <: Small ? Int32 : A <: UInts && B <: UInts ? UInt64 : Int64
@inline range_type(::Type{A}, ::Type{B}, ::Type{C}) where {A,B,C} = A <: Small && B <: Small && C <: Small ? Int32 : A <: UInts && B <: UInts && C <: UInts ? UInt64 : Int64
@inline bound(x) = i64(cast(Int64, x))
@inline py_range(n) = Range{range_type(typeof(n))}(0, steps(0, bound(n), 1), 1)
@inline py_range(a, b) = Range{range_type(typeof(a), typeof(b))}(bound(a), steps(bound(a), bound(b), 1), 1)
@inline py_range(a, b, c) = Range{range_type(typeof(a), typeof(b), typeof(c))}(bound(a), steps(bound(a), bound(b), bound(c)), bound(c))
@inline py_len(r::Range) = getfield(r, :count)
@inline py_getitem(r::Range{T}, i::AnyInt) where {T} = py_item(r, wrapped(i, py_len(r)))
@inline py_iterator(r::Range) = r
@inline py_count(r::Range) = getfield(r, :count)
@inline py_item(r::Range{T}, k::Int64) where {T} = cut(T, add_nsw(getfield(r, :start), mul_nsw(k, getfield(r, :step))))
@inline py_getattr(r::Range{T}, ::Val{:start}) where {T} = cut(T, getfield(r, :start))
@inline py_getattr(r::Range{T}, ::Val{:step}) where {T} = cut(T, getfield(r, :step))
@inline py_getattr(r::Range{T}, ::Val{:stop}) where {T} = cut(T, getfield(r, :start) + getfield(r, :count) * getfield(r, :step))
@inline py_in(x::AnyInt, r::Range) = (d = i64(x) - r.start; q = floormod(d, r.step) === 0 ? floordiv(d, r.step) : -1; q >= 0 && q < r.count)

# ---- other iterables
@inline py_iterator(t::Tuple) = t
@inline py_count(t::Tuple) = nfields(t)
@inline py_item(t::Tuple, k::Int64) = getfield(t, add_int(k, 1))
struct Enumerate{I}
    it::I
    start::Int64
end
@inline py_enumerate(x) = (it = py_iterator(x); Enumerate{typeof(it)}(it, 0))
@inline py_enumerate(x, start) = (it = py_iterator(x); Enumerate{typeof(it)}(it, i64(start)))
@inline py_iterator(e::Enumerate) = e
@inline py_count(e::Enumerate) = py_count(getfield(e, :it))
@inline py_item(e::Enumerate, k::Int64) = (add_nsw(getfield(e, :start), k), py_item(getfield(e, :it), k))
struct Zip{T}
    its::T
end
@inline py_zip(xs...) = (its = map(py_iterator, xs); Zip{typeof(its)}(its))
@inline py_iterator(z::Zip) = z
@inline py_count(z::Zip) = min(map(py_count, getfield(z, :its))...)
@inline py_item(z::Zip, k::Int64) = map(Base.Fix2(py_item, k), getfield(z, :its))
struct Reversed{I}
    it::I
end
@inline py_reversed(x) = (it = py_iterator(x); Reversed{typeof(it)}(it))
@inline py_iterator(r::Reversed) = r
@inline py_count(r::Reversed) = py_count(getfield(r, :it))
@inline py_item(r::Reversed, k::Int64) = py_item(r.it, py_count(r.it) - 1 - k)
