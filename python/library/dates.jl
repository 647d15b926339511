# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# datetime64 and timedelta64, as in Numba: the unit is in the type, the value is an int64, and the smallest int64 is
# NaT. Mixed units convert to the finer one. Years and months have no fixed number of days, so they mix only with each
# other.

struct Date{unit}
    value::Int64
end
struct Span{unit}
    value::Int64
end
const Times = Union{Date,Span}
@inline not_a_time() = typemin(Int64)
@inline is_nat(x::Times) = getfield(x, :value) === not_a_time()
@inline unit_of(::Type{Date{u}}) where {u} = u
@inline unit_of(::Type{Span{u}}) where {u} = u

# Ranks of the units, from coarse to fine, and the number of the next finer unit in each (12 months in a year). 0: none
# is fixed.
for (k, unit, next) in ((1, :year, 12), (2, :month, 0), (3, :week, 7), (4, :day, 24), (5, :hour, 60), (6, :minute, 60), (7, :second, 1000), (8, :milli, 1000),
    (9, :micro, 1000), (10, :nano, 1000), (11, :pico, 1000), (12, :femto, 1000), (13, :atto, 0), (14, :generic, 0))
    @eval begin
        @inline rank_of(::Val{$(QuoteNode(unit))}) = $k
        @inline finer_of(::Val{$k}) = $next
    end
end
# Number of units of rank b in one unit of rank a.
@inline units_in(::Val{a}, ::Val{b}) where {a,b} = a === b ? 1 : mul_int(finer_of(Val(a)), units_in(Val(a + 1), Val(b)))
@inline finer(a, b) = rank_of(Val(a)) > rank_of(Val(b)) ? a : b
@inline can_meet(a, b) = (rank_of(Val(a)) <= 2) === (rank_of(Val(b)) <= 2)
@inline function met(a, b)
    a === :generic && return b
    b === :generic && return a
    return can_meet(a, b) ? finer(a, b) : static_error("times in years or months and in days or finer units do not meet in kernels: a calendar is between them")
end
@inline value_in(::Val{u}, x::Times) where {u} = scaled(getfield(x, :value), Val(unit_of(typeof(x))), Val(u))
@inline scaled(x::Int64, ::Val{u}, ::Val{u}) where {u} = x
@inline scaled(x::Int64, ::Val{:generic}, ::Val{u}) where {u} = x
@inline scaled(x::Int64, ::Val{:generic}, ::Val{:generic}) = x
@inline scaled(x::Int64, ::Val{a}, ::Val{b}) where {a,b} = !can_meet(a, b) ? static_error("a time in ", a, "s is none in ", b, "s: a calendar is between them") :
    rank_of(Val(a)) > rank_of(Val(b)) ? static_error("a time in ", a, "s does not convert to the coarser ", b, "s") :
    x === not_a_time() ? x : mul_int(x, units_in(Val(rank_of(Val(a))), Val(rank_of(Val(b)))))

@inline cast(::Type{Date{u}}, x::Date) where {u} = Date{u}(value_in(Val(u), x))
@inline cast(::Type{Span{u}}, x::Span) where {u} = Span{u}(value_in(Val(u), x))
@inline cast(::Type{Date{u}}, x::Date{u}) where {u} = x
@inline cast(::Type{Span{u}}, x::Span{u}) where {u} = x
@inline cast(::Type{Span{u}}, x::AnyInt) where {u} = Span{u}(i64(x))
@inline cast(::Type{Date{u}}, x) where {u} = static_error("a value of type ", typeof(x), " is no datetime64")
@inline cast(::Type{Span{u}}, x) where {u} = static_error("a value of type ", typeof(x), " is no timedelta64")
@inline cast(::Type{T}, x::Times) where {T<:AnyReal} = static_error("a time is no number: view its array as int64, or divide by a timedelta64")
@inline cast(::Type{Bool}, x::Times) = py_truth(x)
@inline py_truth(x::Span) = getfield(x, :value) !== 0
@inline py_construct(::Type{Span{u}}, x) where {u} = cast(Span{u}, x)
@inline py_construct(::Type{Date{u}}, x) where {u} = cast(Date{u}, x)

@inline sum_or_nat(a::Int64, b::Int64) = a === not_a_time() || b === not_a_time() ? not_a_time() : add_int(a, b)
@inline difference_or_nat(a::Int64, b::Int64) = a === not_a_time() || b === not_a_time() ? not_a_time() : sub_int(a, b)
@inline py_sub(a::Date{u}, b::Date{v}) where {u,v} = (U = Val(met(u, v)); span(U, difference_or_nat(value_in(U, a), value_in(U, b))))
@inline py_sub(a::Date{u}, b::Span{v}) where {u,v} = (U = Val(met(u, v)); date(U, difference_or_nat(value_in(U, a), value_in(U, b))))
@inline py_sub(a::Span{u}, b::Span{v}) where {u,v} = (U = Val(met(u, v)); span(U, difference_or_nat(value_in(U, a), value_in(U, b))))
@inline py_add(a::Date{u}, b::Span{v}) where {u,v} = (U = Val(met(u, v)); date(U, sum_or_nat(value_in(U, a), value_in(U, b))))
@inline py_add(a::Span, b::Date) = py_add(b, a)
@inline py_add(a::Span{u}, b::Span{v}) where {u,v} = (U = Val(met(u, v)); span(U, sum_or_nat(value_in(U, a), value_in(U, b))))
@inline span(::Val{u}, x) where {u} = Span{u}(x)
@inline date(::Val{u}, x) where {u} = Date{u}(x)
@inline py_neg(a::Span{u}) where {u} = Span{u}(neg_int(getfield(a, :value)))   # -NaT is NaT
@inline py_pos(a::Span) = a
@inline py_abs(a::Span) = slt_int(getfield(a, :value), 0) ? py_neg(a) : a
@inline py_mul(a::Span{u}, n::AnyInt) where {u} = is_nat(a) ? a : Span{u}(mul_int(getfield(a, :value), i64(n)))
@inline py_mul(a::Span{u}, x::AnyFloat) where {u} = from_product(a, mul_float(cast(Float64, getfield(a, :value)), cast(Float64, x)))
@inline py_mul(n::AnyReal, a::Span) = py_mul(a, n)
@inline from_product(a::Span{u}, x::Float64) where {u} = is_nat(a) || ne_float(x, x) ? Span{u}(not_a_time()) : Span{u}(cast(Int64, x))
@inline py_truediv(a::Span{u}, x::AnyFloat) where {u} = from_product(a, div_float(cast(Float64, getfield(a, :value)), cast(Float64, x)))
@inline py_truediv(a::Span{u}, n::AnyInt) where {u} = is_nat(a) || i64(n) === 0 ? Span{u}(not_a_time()) : Span{u}(sdiv_int(getfield(a, :value), i64(n)))
@inline py_floordiv(a::Span{u}, n::AnyInt) where {u} = is_nat(a) || i64(n) === 0 ? Span{u}(not_a_time()) : Span{u}(floordiv(getfield(a, :value), i64(n)))
@inline function py_truediv(a::Span{u}, b::Span{v}) where {u,v}
    U = Val(met(u, v))
    return is_nat(a) || is_nat(b) ? NaN : div_float(cast(Float64, value_in(U, a)), cast(Float64, value_in(U, b)))
end
@inline function py_floordiv(a::Span{u}, b::Span{v}) where {u,v}
    U = Val(met(u, v))
    return is_nat(a) || is_nat(b) ? 0 : floordiv(value_in(U, a), value_in(U, b))
end
@inline function py_mod(a::Span{u}, b::Span{v}) where {u,v}
    U = Val(met(u, v))
    d = value_in(U, b)
    return span(U, is_nat(a) || is_nat(b) || d === 0 ? not_a_time() : floormod(value_in(U, a), d))
end

# Each comparison with a NaT is false, also that of a NaT with itself.
for (op, by) in ((:py_eq, :eq_int), (:py_lt, :slt_int), (:py_le, :sle_int)), T in (:Date, :Span)
    @eval @inline $op(a::$T{u}, b::$T{v}) where {u,v} =
        (U = Val(met(u, v)); and_int(not_int(or_int(is_nat(a), is_nat(b))), $by(value_in(U, a), value_in(U, b))))
end
for T in (:Date, :Span)
    @eval @inline py_ne(a::$T, b::$T) = not_int(py_eq(a, b))
    @eval @inline py_min(a::$T{u}, b::$T{u}) where {u} = is_nat(a) ? a : is_nat(b) ? b : py_lt(b, a) ? b : a
    @eval @inline py_max(a::$T{u}, b::$T{u}) where {u} = is_nat(a) ? a : is_nat(b) ? b : py_lt(a, b) ? b : a
end
@inline py_np_isnat(x::Times) = is_nat(x)
@inline py_type_code(x::Date{u}) where {u} = 100 + rank_of(Val(u))
@inline py_type_code(x::Span{u}) where {u} = 200 + rank_of(Val(u))

# NumPy's names.
for (unit, text) in ((:year, "Y"), (:month, "M"), (:week, "W"), (:day, "D"), (:hour, "h"), (:minute, "m"), (:second, "s"), (:milli, "ms"), (:micro, "us"), (:nano, "ns"),
    (:pico, "ps"), (:femto, "fs"), (:atto, "as"))
    for (letter, long, T) in (("M8[", "datetime64[", :Date), ("m8[", "timedelta64[", :Span))
        @eval @inline py_type(::Val{$(QuoteNode(Symbol(letter, text, "]")))}) = $T{$(QuoteNode(unit))}
        @eval @inline py_type(::Val{$(QuoteNode(Symbol(long, text, "]")))}) = $T{$(QuoteNode(unit))}
    end
end
# Assigns a date or span, or a tuple of them, to a part of an array: a[:] = x.
@inline assign(a::Arrays, x::Times) = fill(a, x)
@inline check_item(x::Times) = nothing
