# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/number_theory
# Rounding that no single instruction provides: all rounding modes, all result types, and rounding to digits in any
# base.

const RoundNearestTiesUp = RoundingMode{:NearestTiesUp}()
const RoundFromZero = RoundingMode{:FromZero}()
@inline round(x::AbstractFloat, ::RoundingMode{:FromZero}) = signbit(x) ? floor_llvm(x) : ceil_llvm(x)
@inline function round(x::T, ::RoundingMode{:NearestTiesUp}) where {T<:AbstractFloat}
    f = floor_llvm(x)
    return copysign(ifelse(x - f >= T(0.5f0), f + one(T), f), x)
end
# Real numbers that are not floats, integers or Rationals are converted to a float and then rounded.
@inline round(x::Real, r::RoundingMode) = round(float(x), r)
@inline round(::Type{T}, x::Integer, r::RoundingMode) where {T<:BitInt} = T(x)
@inline round(::Type{T}, x::Real, r::RoundingMode) where {T<:BitInt} = T(round(x, r))
@inline round(::Type{T}, x::Real, r::RoundingMode) where {T<:AbstractFloat} = T(round(x, r))
@inline round(::Type{Integer}, x::AbstractFloat, r::RoundingMode) = round(Int, x, r)
@inline round(::Type{Integer}, x::Integer, r::RoundingMode) = x
@inline Core.kwcall(kw::NamedTuple{(:base,)}, ::typeof(precision), x::AbstractFloat) = digits_of_precision(precision(x), kw.base)
@inline Core.kwcall(kw::NamedTuple{(:base,)}, ::typeof(precision), ::Type{T}) where {T<:AbstractFloat} = digits_of_precision(precision(T), kw.base)
@inline digits_of_precision(bits, base::Integer) = base == 2 ? bits : floor(Int, bits / log2(base))

# ---- rounding to digits: the rounding mode chooses a multiple of base^-digits in x's float type; integers become floats.
# rounded_product rounds the scaled number separately, since some rounding modes continue with a sum.
@inline Core.kwcall(kw::NamedTuple, ::typeof(round), x::Real, r::RoundingMode) = round_digits(x, r, kw)
@inline Core.kwcall(kw::NamedTuple, ::typeof(round), z::Complex) = Complex(round_digits(z.re, RoundNearest, kw), round_digits(z.im, RoundNearest, kw))
for (f, mode) in ((:round, :RoundNearest), (:floor, :RoundDown), (:ceil, :RoundUp), (:trunc, :RoundToZero))
    @eval @inline Core.kwcall(kw::NamedTuple, ::typeof($f), x::Real) = round_digits(x, $mode, kw)
    @eval @inline $f(::Type{Integer}, x::Integer) = x
end
@inline function round_digits(x::Real, r::RoundingMode, kw::NamedTuple)
    if nfields(structdiff(kw, NamedTuple{(:digits, :sigdigits, :base)})) !== 0
        static_error("rounding knows the keywords digits, sigdigits and base")
    end
    (digits, sigdigits, base) = (get(kw, :digits, nothing), get(kw, :sigdigits, nothing), get(kw, :base, nothing))
    if digits !== nothing && sigdigits !== nothing
        static_error("a number is rounded to `digits` or to `sigdigits`, not to both")
    elseif digits !== nothing
        return at_digit(float(x), r, Int(digits), base === nothing ? 10 : base)
    elseif sigdigits !== nothing
        return at_significant_digit(x, r, Int(sigdigits), base === nothing ? 10 : base)
    end
    return round(x, r)
end
@inline function at_digit(x::T, r::RoundingMode, digits::Int, base) where {T<:AbstractFloat}
    b = T(base)
    if !isfinite(x)
        return x
    elseif digits >= 0
        unit = b^digits
        if isfinite(unit)
            y = round(rounded_product(x, unit), r) / unit
        else # base^digits overflows: multiply by two finite factors
            (small, large) = (b^(digits >> 1), b^(digits - (digits >> 1)))
            y = round(rounded_product(x * small, large), r) / small / large
        end
        return isfinite(y) ? y : x                  # x * unit overflows: x has no digits to round
    end
    unit = b^-digits
    q = x / unit
    if (q == zero(T)) & (x != zero(T)) # x is too small for q, but positive or negative: keep its sign
        q = copysign(T(0.25f0), x)
    end
    y = round(q, r)
    return y == zero(T) ? copysign(zero(T), x) : rounded_product(y, unit)
end
@inline at_significant_digit(x::Integer, r::RoundingMode, digits::Int, base) = at_digit(float(x), r, digits - (iszero(x) ? 0 : ndigits(x; base=base)), base)
@inline at_significant_digit(x::Real, r::RoundingMode, digits::Int, base) = at_significant_digit(float(x), r, digits, base)
@inline function at_significant_digit(x::T, r::RoundingMode, digits::Int, base) where {T<:AbstractFloat}
    if !isfinite(x) | iszero(x)
        return x
    end
    return at_digit(x, r, digits - digits_before_point(Float64(abs(x)), Int(base)), base)
end
# Finds n with base^(n-1) <= x < base^n. A quotient of logarithms may give n - 1 or n + 1 next to a power of the base.
@inline function digits_before_point(x::Float64, base::Int)
    n = 1 + (base == 2 ? exponent(x) : unsafe_trunc(Int, floor(base == 10 ? log10(x) : log(x) / log(Float64(base)))))
    if base != 2
        b = Float64(base)
        n = x >= b^n ? n + 1 : x < b^(n - 1) ? n - 1 : n
    end
    return n
end
