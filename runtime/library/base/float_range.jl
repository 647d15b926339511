# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/range
# Ranges of floats, as exact as Julia's. If start, step and stop are near simple fractions, the range is computed from
# these fractions. Each element is computed from the element of smallest magnitude; for Float64, in twice the
# precision.

struct TwicePrecision{T}
    hi::T
    lo::T
end
@inline sorted_sum(big, little) = (h = big + little; TwicePrecision(h, (big - h) + little))
@inline add12(x::T, y::T) where {T} = abs(y) > abs(x) ? sorted_sum(y, x) : sorted_sum(x, y)
@inline function twice_quotient(n::Int, d::Int)
    y = Float64(d)
    hi = Float64(n) / y
    lo = fma(-hi, y, Float64(n)) / y # explicit fma: whether a product and a sum are contracted depends on the target
    return hi == 0.0 ? TwicePrecision(hi, hi) : sorted_sum(hi, lo)
end
# Moves the last nb bits of the high part to the low part, so that small integer multiples of the high part are exact.
@inline truncbits(x::T, nb::Int) where {T} = bitcast(T, and_int(bits_of(x), shl_int(not_int(rem(0, bits_type(T))), rem(nb, UInt8))))
@inline split_at(x::TwicePrecision, nb::Int) = (hi = truncbits(x.hi, nb); TwicePrecision(hi, (x.hi - hi) + x.lo))
@inline bits_for_length(::Type{T}, len::Int, offset::Int) where {T} = len < 2 ? 0 : min(cld(precision(T), 2), 64 - leading_zeros(max(offset - 1, len - offset) - 1))

struct StepRangeLen{T,R,S} <: AbstractRange{T}
    ref::R                        # element number `offset`
    step::S
    len::Int
    offset::Int
end
@inline StepRangeLen{T}(ref::R, step::S, len::Integer, offset::Integer=1) where {T,R,S} = StepRangeLen{T,R,S}(ref, step, Int(len), Int(offset))
@inline range_of(::Type{Float64}, ref::TwicePrecision, step::TwicePrecision, nb, len, offset) = StepRangeLen{Float64,TwicePrecision{Float64},TwicePrecision{Float64}}(ref, split_at(step, nb), len, offset)
@inline range_of(::Type{T}, ref::TwicePrecision, step::TwicePrecision, nb, len, offset) where {T<:AbstractFloat} = StepRangeLen{T,Float64,Float64}(Float64(ref.hi) + Float64(ref.lo), Float64(step.hi) + Float64(step.lo), len, offset)
@inline range_of_quotients(::Type{T}, ref, step, den, nb, len, offset) where {T} = range_of(T, twice_quotient(ref, den), twice_quotient(step, den), nb, len, offset)
@inline single(x) = TwicePrecision(x, zero(x))

# Approximates x by a fraction a / b of small integers. Returns b = 0 if there is none.
@inline fraction_limit(::Type{Float64}) = 16777216
@inline fraction_limit(::Type{T}) where {T} = 2048
@inline exact_limit(::Type{Float64}) = 9007199254740992
@inline exact_limit(::Type{Float32}) = 16777216
@inline exact_limit(::Type{T}) where {T} = 2048
function fraction_of(x::T) where {T<:AbstractFloat}
    y = x
    a = 1
    b = 0
    c = 0
    d = 1
    limit = fraction_limit(T)
    while abs(y) <= T(limit)
        f = unsafe_trunc(Int, y)
        y -= T(f)
        (a, c) = (f * a + c, a)
        (b, d) = (f * b + d, b)
        if max(abs(a), abs(b)) > limit
            return (c, d)
        elseif T(a) / T(b) == x
            break
        end
        y = inv(y)
    end
    return (a, b)
end
@inline is_between(a, x, b) = (a <= x <= b) | (b <= x <= a)
@inline lcm_or_zero(a::Int, b::Int) = (a == 0) | (b == 0) ? 0 : abs(div(a, gcd(a, b)) * b)

@inline (:)(a::T, s::T, b::T) where {T<:AbstractFloat} = float_colon(a, s, b)
@inline (:)(a::T, b::T) where {T<:AbstractFloat} = float_colon(a, one(T), b)
function float_colon(start::T, step::T, stop::T) where {T<:AbstractFloat}
    if step == zero(T)
        throw(ArgumentError("the step of a range cannot be zero"))
    end
    (step_n, step_d) = fraction_of(step)
    (start_n, start_d) = fraction_of(start)
    (stop_n, stop_d) = fraction_of(stop)
    if (step_d != 0) & (start_d != 0) & (stop_d != 0) && (T(step_n / step_d) == step) & (T(start_n / start_d) == start) & (T(stop_n / stop_d) == stop)
        den = lcm_or_zero(start_d, step_d)
        limit = T(exact_limit(T))
        if den != 0 && (abs(start * T(den)) <= limit) & (abs(step * T(den)) <= limit)
            start_n = unsafe_trunc(Int, round(start * T(den)))
            step_n = unsafe_trunc(Int, round(step * T(den)))
            if step_n != 0
                len = max(0, div(den * stop_n - stop_d * start_n + step_n * stop_d, step_n * stop_d))
                if is_between(start, start + rounded_product(T(len - 1), step), stop + step / T(2)) & !is_between(start, start + rounded_product(T(len), step), stop)
                    return range_of_fractions(T, start_n, step_n, len, den)
                end
            end
        end
    end
    n = (stop - start) / step
    len = 0
    if n == zero(T)
        len = 1
    elseif n > zero(T)
        len = unsafe_trunc(Int, round(n)) + 1
        last = start + rounded_product(T(len - 1), step) # product and sum are rounded separately, as in Julia: one ulp matters
        len -= Int((start < stop) & (stop < last)) + Int((start > stop) & (stop > last))
    end
    return range_of(T, single(start), single(step), 0, len, 1)
end
function range_of_fractions(::Type{T}, start_n::Int, step_n::Int, len::Int, den::Int) where {T}
    if len < 2
        return range_of_quotients(T, start_n, step_n, den, 0, len, 1)
    end
    smallest = clamp(unsafe_trunc(Int, round(-start_n / step_n + 1)), 1, len)
    return range_of_quotients(T, start_n + (smallest - 1) * step_n, step_n, den, bits_for_length(T, len, smallest), len, smallest)
end

# range(a, b, length = n)
function linear_range(start::T, stop::T, len::Int) where {T<:AbstractFloat}
    if len < 2
        if len < 0 || (len == 1 && start != stop)
            throw(ArgumentError("a range of one element has equal ends, and no length is negative"))
        end
        return range_of(T, single(start), single(stop - start), 0, len, 1)
    elseif start == stop
        return range_of(T, single(start), single(zero(T)), 0, len, 1)
    end
    (start_n, start_d) = fraction_of(start)
    (stop_n, stop_d) = fraction_of(stop)
    den = lcm_or_zero(start_d, stop_d)
    limit = T(exact_limit(T))
    if den != 0 && (abs(start * T(den)) <= limit) & (abs(stop * T(den)) <= limit)
        a = unsafe_trunc(Int, round(start * T(den)))
        b = unsafe_trunc(Int, round(stop * T(den)))
        # The products below overflow unless all terms are less than 2^62 / len.
        if (T(a / den) == start) & (T(b / den) == stop) & (max(abs(a), abs(b), den) < div(4611686018427387904, len))
            smallest = clamp(unsafe_trunc(Int, round(-a / (Float64(b) - Float64(a)) * (len - 1) + 1)), 1, len)
            ref = (len - smallest) * a + (smallest - 1) * b
            return range_of_quotients(T, ref, b - a, (len - 1) * den, bits_for_length(T, len, smallest), len, smallest)
        end
    end
    return range_of_ends(start, stop, len)
end
function range_of_ends(start::T, stop::T, len::Int) where {T}
    if !(isfinite(start) & isfinite(stop))
        throw(ArgumentError("the ends of a range must be finite"))
    end
    span = stop - start
    factor = 1
    if !isfinite(span)
        span = stop / T(len) - start / T(len)
        factor = len
    end
    smallest = unsafe_trunc(Int, round(-(start / span) / T(factor) * T(len - 1) + one(T)))
    ref = start
    step = span / T(len - 1) * T(factor)
    if (1 < smallest) & (smallest < len)
        t = (smallest - 1) / (len - 1)
        ref = T((1 - t) * start + t * stop)
        step = smallest - 1 < len - smallest ? (ref - start) / T(smallest - 1) : (stop - ref) / T(len - smallest)
    elseif smallest > 1
        smallest = len
        ref = stop
    else
        smallest = 1
    end
    high = prevfloat(floatmax(T))
    k = T(max(smallest - 1, len - smallest))
    step = truncbits(clamp(step, max(-(high + ref) / k, (-high + ref) / k), min((high - ref) / k, (high + ref) / k)), bits_for_length(T, len, smallest))
    first = add12(T(1 - smallest) * step, ref)
    last = add12(T(len - smallest) * step, ref)
    a = (start - first.hi) - first.lo
    b = (stop - last.hi) - last.lo
    rest = (b - a) / T(len - 1)
    return range_of(T, TwicePrecision(ref, a - T(1 - smallest) * rest), TwicePrecision(step, rest), 0, len, smallest)
end

@inline length(r::StepRangeLen) = r.len
@inline isempty(r::StepRangeLen) = r.len == 0
@inline function element_at(r::StepRangeLen{T,R,S}, i::Int) where {T,R<:TwicePrecision,S}
    u = Float64(i - r.offset)
    low = u * r.step.lo
    x = add12(r.ref.hi, u * r.step.hi)
    return x.hi + (x.lo + (low + r.ref.lo))
end
@inline element_at(r::StepRangeLen{T,R,S}, i::Int) where {T,R<:AbstractFloat,S} = T(r.ref + (i - r.offset) * r.step)
@inline first(r::StepRangeLen) = element_at(r, 1)
@inline last(r::StepRangeLen) = element_at(r, r.len)
@inline step(r::StepRangeLen{T,R,S}) where {T,R,S<:TwicePrecision} = r.step.hi + r.step.lo
@inline step(r::StepRangeLen{T}) where {T} = T(r.step)
@inline scaled(x::TwicePrecision, y) = TwicePrecision(x.hi * y, x.lo * y)
@inline scaled(x, y) = x * y
@inline moved(x::TwicePrecision, y) = (s = add12(x.hi, oftype(x.hi, y)); sorted_sum(s.hi, s.lo + x.lo))
@inline moved(x, y) = x + y
@inline float_range_like(::Type{T}, r, ref, step) where {T} = StepRangeLen{T,typeof(ref),typeof(step)}(ref, step, r.len, r.offset)
@inline -(r::StepRangeLen{T}) where {T} = float_range_like(T, r, scaled(r.ref, -1.0), scaled(r.step, -1.0))
@inline +(r::StepRangeLen{T}, x::Real) where {T} = float_range_like(promote_type(T, typeof(x)), r, moved(r.ref, x), r.step)
@inline -(r::StepRangeLen{T}, x::Real) where {T} = float_range_like(promote_type(T, typeof(x)), r, moved(r.ref, -x), r.step)
@inline reverse(r::StepRangeLen{T}) where {T} = StepRangeLen{T,typeof(r.ref),typeof(r.step)}(r.ref, scaled(r.step, -1.0), r.len, r.len - r.offset + 1)

struct LinRange{T} <: AbstractRange{T}
    start::T
    stop::T
    len::Int
    lendiv::Int
end
@inline (::Type{LinRange{T}})(a, b, n::Integer) where {T} = LinRange{T}(convert(T, a), convert(T, b), Int(n), max(Int(n) - 1, 1))
@inline LinRange(a::Real, b::Real, n::Integer) = LinRange{typeof((b - a) / 1)}(a, b, n)
@inline length(r::LinRange) = r.len
@inline element_at(r::LinRange{T}, i::Int) where {T} = (t = (i - 1) / r.lendiv; T((1 - t) * r.start + t * r.stop))
@inline first(r::LinRange) = r.start
@inline last(r::LinRange) = r.stop
@inline step(r::LinRange) = (r.stop - r.start) / r.lendiv
@inline -(r::LinRange) = LinRange(-r.start, -r.stop, r.len)
@inline +(r::LinRange, x::Real) = LinRange(r.start + x, r.stop + x, r.len)
@inline -(r::LinRange, x::Real) = LinRange(r.start - x, r.stop - x, r.len)
@inline *(r::LinRange, x::Real) = LinRange(r.start * x, r.stop * x, r.len)
@inline *(r::LinRange, x::AbstractFloat) = LinRange(r.start * x, r.stop * x, r.len)
@inline /(r::LinRange, x::Real) = LinRange(r.start / x, r.stop / x, r.len)

# Indexing a range of floats with a unit range: the reference element of the StepRangeLen stays the same.
@inline part_of_range(r::StepRangeLen{T,R,S}, s::AbstractUnitRange) where {T,R,S} = StepRangeLen{T,R,S}(r.ref, r.step, length(s), r.offset - Int(first(s)) + 1)
@inline part_of_range(r::LinRange{T}, s::AbstractUnitRange) where {T} = isempty(s) ? LinRange{T}(r.start, r.start, 0) : LinRange{T}(element_at(r, Int(first(s))), element_at(r, Int(last(s))), length(s))

for R in (:StepRangeLen, :LinRange)
    @eval begin
        @inline function getindex(r::$R, s::AbstractUnitRange{<:Integer})
            @boundscheck isempty(s) || (check_range(r, Int(first(s))); check_range(r, Int(last(s))))
            return part_of_range(r, s)
        end
        @inline iterate(r::$R) = iterate(r, 1)
        @inline iterate(r::$R, i) = i <= r.len ? (element_at(r, i), i + 1) : nothing
        @inline function getindex(r::$R, i::Integer)
            @boundscheck check_range(r, Int(i))
            return element_at(r, Int(i))
        end
    end
end

# ---- all methods of range: start and stop by position or by name, with length and step
@inline range(a; stop=nothing, length=nothing, step=nothing) = make_range(a, step, stop, length)
@inline range(; start=nothing, stop=nothing, length=nothing, step=nothing) = range_by_names(start, stop, length, step)
@inline range_by_names(a, b, n, s) = make_range(a, s, b, n)
@inline range_by_names(::Nothing, b, ::Nothing, ::Nothing) = OneTo(b)
@inline range_by_names(::Nothing, ::Nothing, n, ::Nothing) = OneTo(n)
@inline range_by_names(::Nothing, b, n, ::Nothing) = make_range(b - (n - oneunit(n)), nothing, nothing, n)
@inline range_by_names(::Nothing, b, n, s) = make_range(b - (n - oneunit(n)) * s, s, nothing, n)
@inline range(a, b; length=nothing, step=nothing) = make_range(a, step, b, length)
@inline range(a, b, n::Integer) = make_range(a, nothing, b, n)
@inline make_range(a, ::Nothing, b, ::Nothing) = a:b
@inline make_range(a, s, b, ::Nothing) = a:s:b
@inline make_range(a, ::Nothing, ::Nothing, n) = make_range(a, one(a), nothing, n)
@inline make_range(a::T, ::Nothing, ::Nothing, n::Integer) where {T<:Integer} = UnitRange{T}(a, T(a + (n - oneunit(n))))
@inline make_range(a::Integer, s::Integer, ::Nothing, n::Integer) = a:s:(a + (n - 1) * s)
@inline make_range(a::Real, s::Real, ::Nothing, n::Integer) = stepped_range(promote(float(a), float(s))..., Int(n))
@inline make_range(a::Real, ::Nothing, b::Real, n::Integer) = linear_range(promote(float(a), float(b))..., Int(n))
function stepped_range(a::T, s::T, len::Int) where {T<:AbstractFloat}
    (start_n, start_d) = fraction_of(a)
    (step_n, step_d) = fraction_of(s)
    if (start_d != 0) & (step_d != 0) && (T(start_n / start_d) == a) & (T(step_n / step_d) == s)
        den = lcm_or_zero(start_d, step_d)
        limit = T(exact_limit(T))
        if den != 0 && (abs(a * T(den)) <= limit) & (abs(s * T(den)) <= limit)
            start_n = unsafe_trunc(Int, round(a * T(den)))
            step_n = unsafe_trunc(Int, round(s * T(den)))
            if step_n != 0
                return range_of_fractions(T, start_n, step_n, len, den)
            end
        end
    end
    return range_of(T, single(a), single(s), bits_for_length(T, len, 1), len, 1)
end
