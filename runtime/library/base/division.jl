# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/rounding
# Division with a rounding mode, simple fractions near a float, and digits of an integer.

# ---- div(x, y, mode) is the exact quotient, rounded by `mode`; rem(x, y, mode) is x - y * div(x, y, mode)
const NearestMode = Union{RoundingMode{:Nearest},RoundingMode{:NearestTiesAway},RoundingMode{:NearestTiesUp}}
@inline div(x::Real, y::Real, ::RoundingMode{:ToZero}) = div(x, y)
@inline div(x::Real, y::Real, ::RoundingMode{:Down}) = fld(x, y)
@inline div(x::Real, y::Real, ::RoundingMode{:Up}) = cld(x, y)
@inline div(x::Real, y::Real, ::RoundingMode{:FromZero}) = signbit(x) === signbit(y) ? cld(x, y) : fld(x, y)
@inline rem(x::Real, y::Real, ::RoundingMode{:ToZero}) = rem(x, y)
@inline rem(x::Real, y::Real, ::RoundingMode{:Down}) = mod(x, y)
@inline rem(x::Real, y::Real, ::RoundingMode{:Up}) = rem_up(x, y)
@inline rem(x::Real, y::Real, ::RoundingMode{:FromZero}) = signbit(x) === signbit(y) ? rem_up(x, y) : mod(x, y)
@inline rem_up(x, y) = x - y * cld(x, y)
@inline rem_up(x::AbstractFloat, y::AbstractFloat) = -mod(-x, y)
@inline rem_up(x::T, y::S) where {T<:Real,S<:Real} = T <: Integer && S <: Integer ? x - y * cld(x, y) : rem_up(promote(x, y)...)
@inline divrem(x::Real, y::Real, r::RoundingMode) = (div(x, y, r), rem(x, y, r))

# Division of integers. The truncated quotient moves away from zero if the remainder exceeds half of the divisor.
# If it is exactly half, the mode decides. Comparisons are unsigned, so that nothing overflows.
@inline goes_away(::RoundingMode{:Nearest}, q, is_negative_quotient) = isodd(q)
@inline goes_away(::RoundingMode{:NearestTiesAway}, q, is_negative_quotient) = true
@inline goes_away(::RoundingMode{:NearestTiesUp}, q, is_negative_quotient) = !is_negative_quotient
@inline function div(x::Integer, y::Integer, r::NearestMode)
    q = div(x, y)
    left = uabs(rem(x, y))
    missing_part = uabs(y) - left
    negative = signbit(x) !== signbit(y)
    if (left > missing_part) | ((left == missing_part) & goes_away(r, q, negative))
        return negative ? q - one(q) : q + one(q)
    end
    return q
end
@inline rem(x::Integer, y::Integer, r::NearestMode) = x - y * div(x, y, r)

# Remainder of floats, without rounding error. Reduces x by twice the divisor first, if that is finite. The parity of
# the quotient is then known, which decides ties.
@inline function rem(x::T, y::T, ::RoundingMode{:Nearest}) where {T<:AbstractFloat}
    d = abs(y)
    a = abs(x)
    if d + d < typemax(T)
        a = rem(a, d + d)
    end
    if d < floatmin(T) + floatmin(T) # compare a + a with d: d / 2 may not be a float
        if a + a > d
            a -= d
            if a + a >= d
                a -= d
            end
        end
    elseif a > d / 2
        a -= d
        if a >= d / 2
            a -= d
        end
    end
    return flipsign(ifelse(a == zero(T), zero(T), a), x)
end
@inline rem(x::T, y::T, r::RoundingMode{:Nearest}) where {T<:HalfFloat} = T(rem(Float32(x), Float32(y), r))
@inline div(x::T, y::T, r::RoundingMode{:Nearest}) where {T<:AbstractFloat} = round((x - rem(x, y, r)) / y)
@inline div(x::T, y::T, r::RoundingMode{:Nearest}) where {T<:HalfFloat} = T(div(Float32(x), Float32(y), r))
@inline rem(x::Real, y::Real, r::NearestMode) = by_mode(rem, promote(x, y), r)
@inline div(x::Real, y::Real, r::NearestMode) = by_mode(div, promote(x, y), r)
@inline by_mode(f, (x, y)::Tuple{AbstractFloat,AbstractFloat}, r::RoundingMode{:Nearest}) = f(x, y, r)
@inline by_mode(f, (x, y)::Tuple{Integer,Integer}, r::RoundingMode) = f(x, y, r)
# Rationals: converts the division to one of integers.
@inline by_mode(::typeof(div), (x, y)::Tuple{Rational,Rational}, r::RoundingMode) = ((n, m) = quotient_parts(x, y); div(n, m, r))
@inline by_mode(::typeof(rem), (x, y)::Tuple{Rational,Rational}, r::RoundingMode) = x - y * by_mode(div, (x, y), r)
@inline by_mode(f, xy, r::RoundingMode) = static_error("integers and Rational are divided with every rounding mode, floats with RoundNearest, RoundToZero, RoundUp, RoundDown or RoundFromZero; other numbers need methods of their own")

# ---- the simplest fraction within `tol` of a float
# Computes convergents p/q of the continued fraction of x. The variable `slack` is the allowed error in the scale of
# the current remainder. The last step uses the smallest sufficient integer as the next term.
@inline rationalize(x::Real) = rationalize(Int, x)
@inline rationalize(::Type{T}, x::AbstractFloat) where {T<:Integer} = near_fraction(T, x, eps(x))
@inline rationalize(::Type{T}, x::Integer) where {T<:Integer} = Rational{T}(T(x))
@inline rationalize(::Type{T}, x::Rational) where {T<:Integer} = Rational{T}(x)
@inline rationalize(::Type{T}, x::AbstractIrrational) where {T<:Integer} = rationalize(T, Float64(x))
@inline Core.kwcall(kw::NamedTuple{(:tol,)}, ::typeof(rationalize), x::Real) = near_fraction(Int, float(x), kw.tol)
@inline Core.kwcall(kw::NamedTuple{(:tol,)}, ::typeof(rationalize), ::Type{T}, x::Real) where {T<:Integer} = near_fraction(T, float(x), kw.tol)
function near_fraction(::Type{T}, x::F, tol::Real) where {T<:Integer,F<:AbstractFloat}
    tol < 0 && throw(ArgumentError("the tolerance of rationalize cannot be negative"))
    isnan(x) && throw(InexactError())
    T <: Unsigned && x < 0 && throw(OverflowError("a negative number as a fraction of unsigned integers"))
    sign_ = x < 0 ? -one(T) : one(T)
    isinf(x) && return Rational{T}(sign_, zero(T))
    (p, q, p0, q0) = (sign_, zero(T), zero(T), one(T))
    (num, den) = (abs(x), one(F))
    term = trunc(num)
    left = num - term
    (slack, slack0, slack00) = (F(tol), zero(F), F(tol))
    while left > slack
        (fits, p1, q1) = next_convergent(T, term, p, q, p0, q0)
        if !fits
            return Rational{T}(p, q)
        end
        (p, q, p0, q0) = (p1, q1, p, q)
        (num, den) = (den, left)
        term = div(num, den)
        left = rem(num, den)
        (slack0, slack00) = (slack, slack0)
        slack = term * slack0 + slack00
    end
    (fits, p1, q1) = next_convergent(T, cld(num - slack00, den + slack0), p, q, p0, q0)
    return fits ? Rational{T}(p1, q1) : Rational{T}(p, q)
end
@inline near_fraction(::Type{T}, x::HalfFloat, tol::Real) where {T<:Integer} = near_fraction(T, Float32(x), tol) # half precision could not represent the tolerance
@inline function next_convergent(::Type{T}, term::AbstractFloat, p::T, q::T, p0::T, q0::T) where {T}
    if !(term < int_limit_exact(Float64, T))
        return (false, p, q)
    end
    n = unsafe_trunc(T, term)
    (a, over_a) = mul_with_overflow(n, p)
    (b, over_b) = mul_with_overflow(n, q)
    (c, over_c) = add_with_overflow(a, p0)
    (d, over_d) = add_with_overflow(b, q0)
    return (!(over_a | over_b | over_c | over_d), c, d)
end

# ---- digits(n) is an error, since a kernel has no memory for a vector
digits(n::Integer) = no_digits()
digits(::Type{T}, n::Integer) where {T} = no_digits()
Core.kwcall(kw::NamedTuple, ::typeof(digits), args...) = no_digits()
no_digits() = static_error("digits makes an array, for which a kernel has no memory: digits!(A, n) fills one that is there, the lowest digit first")
@inline function digits!(A::AbstractArray, n::Integer; base::Integer=10)
    b = Int(base)
    abs(b) < 2 && throw(DomainError(base, "base must be ≥ 2 or ≤ -2"))
    left = n
    for i in eachindex(A)
        if b > 0
            A[i] = rem(left, b)
            left = oftype(left, div(left, b))
        else
            A[i] = mod(left, -b)
            left = oftype(left, -fld(left, -b))
        end
    end
    return A
end
