# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/complex
# Fractions of integers in lowest terms, with a denominator >= 0; 1//0 and -1//0 are infinite. A multiplication first
# divides common factors out; if the result still does not fit the type, it throws OverflowError.

struct LowestTerms end
struct Rational{T<:Integer} <: Real
    num::T
    den::T
    Rational{T}(::LowestTerms, num, den) where {T} = new{T}(num, den)
end
@inline lowest_terms(num::T, den::T) where {T} = Rational{T}(LowestTerms(), num, den)
@inline divgcd(a::T, b::T) where {T} = (g = gcd(uabs(a), uabs(b)); (div(a, g), div(b, g)))
@inline divgcd(a::Bool, b::Bool) = (div(a, a | b), div(b, a | b))
@inline divgcd(a, b) = divgcd(promote(a, b)...)
@inline checked_neg(x::T) where {T<:BitSigned} = x == typemin(T) ? throw(OverflowError("integer overflow")) : -x
@inline checked_neg(x::BitUnsigned) = iszero(x) ? x : throw(OverflowError("integer overflow"))
@inline checked_abs(x::BitUnsigned) = x
@inline checked_abs(x::BitSigned) = is_negative(x) ? checked_neg(x) : x
# The numerator has the sign.
@inline function signed_fraction(num::T, den::T) where {T}
    if is_negative(den)
        if den == typemin(T)
            throw(ArgumentError("the denominator of a Rational cannot be the smallest integer of its type"))
        end
        return lowest_terms(checked_neg(num), neg_int(den))
    end
    return lowest_terms(num, den)
end
@inline signed_fraction(num, den) = signed_fraction(promote(num, den)...)

@inline function //(a::T, b::T) where {T<:Integer}
    if iszero(a) & iszero(b)
        throw(ArgumentError("invalid rational: zero(T)//zero(T)"))
    end
    (n, d) = divgcd(a, b)
    return signed_fraction(n, d)
end
@inline //(a::Integer, b::Integer) = //(promote(a, b)...)
@inline function //(x::Rational, y::Integer)
    (n, m) = divgcd(x.num, y)
    return signed_fraction(n, checked_mul(x.den, m))
end
@inline function //(x::Integer, y::Rational)
    (n, m) = divgcd(x, y.num)
    return signed_fraction(checked_mul(n, y.den), m)
end
@inline function //(x::Rational, y::Rational)
    (n, m) = divgcd(x.num, y.num)
    (d, e) = divgcd(x.den, y.den)
    return signed_fraction(checked_mul(n, e), checked_mul(d, m))
end
@inline numerator(x::Rational) = x.num
@inline denominator(x::Rational) = x.den
@inline numerator(x::Integer) = x
@inline denominator(x::Integer) = one(x)
@inline Rational(a::Integer, b::Integer) = a // b
@inline Rational(x::Integer) = lowest_terms(x, one(x))
@inline Rational(x::Rational) = x
@inline (::Type{Rational{T}})(a::Integer, b::Integer) where {T<:Integer} = Rational{T}(a // b)
@inline (::Type{Rational{T}})(x::Integer) where {T} = lowest_terms(convert(T, x), one(T))
@inline (::Type{Rational{T}})(x::Rational) where {T} = lowest_terms(convert(T, x.num), convert(T, x.den))
@inline (::Type{F})(x::Rational) where {F<:AbstractFloat} = F(F(x.num) / F(x.den))
# Converts through a wider float, since a narrower type may not hold numerator or denominator.
@inline Float16(x::Rational{T}) where {T<:BitInteger} = slt_int(8, sizeof_type(T)) ? Float16(Float64(x)) : Float16(Float32(x))
@inline BFloat16(x::Rational) = BFloat16(Float64(x))
@inline Float32(x::Rational{T}) where {T<:Union{Int128,UInt128}} = Float32(Float64(x))
# Converts a float to the equal fraction.
@inline Rational(x::AbstractFloat) = Rational{Int}(x)
@inline function (::Type{Rational{T}})(x::AbstractFloat) where {T<:Integer}
    r = near_fraction(T, x, zero(x))
    return r == x ? r : throw(InexactError())
end
@inline AbstractFloat(x::Rational) = Float64(x)
@inline float(::Type{Rational{T}}) where {T} = Float64
@inline function (::Type{T})(x::Rational) where {T<:BitInteger}
    if isone(x.den)
        return T(x.num)
    end
    throw(InexactError())
end
@inline Integer(x::Rational{T}) where {T} = T(x)
@inline function Bool(x::Rational)
    if isone(x.den)
        return Bool(x.num)
    end
    throw(InexactError())
end
@inline promote_rule(::Type{Rational{T}}, ::Type{S}) where {T,S<:Integer} = Rational{promote_type(T, S)}
@inline promote_rule(::Type{Rational{T}}, ::Type{Rational{S}}) where {T,S} = Rational{promote_type(T, S)}
@inline promote_rule(::Type{Rational{T}}, ::Type{F}) where {T,F<:AbstractFloat} = F
@inline widen(::Type{Rational{T}}) where {T} = Rational{widen(T)}

@inline zero(::Type{Rational{T}}) where {T} = lowest_terms(zero(T), one(T))
@inline one(::Type{Rational{T}}) where {T} = lowest_terms(one(T), one(T))
@inline typemin(::Type{Rational{T}}) where {T<:BitSigned} = lowest_terms(rem(-1, T), zero(T))
@inline typemin(::Type{Rational{T}}) where {T<:BitUnsigned} = zero(Rational{T})
@inline typemax(::Type{Rational{T}}) where {T} = lowest_terms(one(T), zero(T))
@inline isinteger(x::Rational) = isone(x.den)
@inline isfinite(x::Rational) = !iszero(x.den)
@inline isinf(x::Rational) = iszero(x.den)
@inline isnan(x::Rational) = false
@inline iszero(x::Rational) = iszero(x.num)
@inline isone(x::Rational) = isone(x.num) & isone(x.den)
@inline sign(x::Rational) = oftype(x, sign(x.num))
@inline signbit(x::Rational) = signbit(x.num)
@inline copysign(x::Rational, y::Real) = signbit(x) === signbit(y) ? x : -x
@inline flipsign(x::Rational, y::Real) = signbit(y) ? -x : x
@inline abs(x::Rational) = lowest_terms(checked_abs(x.num), x.den)
@inline -(x::Rational) = lowest_terms(checked_neg(x.num), x.den)
@inline inv(x::Rational) = signed_fraction(x.den, x.num)

for (op, combine) in ((:+, :checked_add), (:-, :checked_sub), (:rem, :rem), (:mod, :mod))
    @eval @inline function $op(x::Rational{T}, y::Rational{T}) where {T}
        (d, e) = divgcd(x.den, y.den)
        return $combine(checked_mul(x.num, e), checked_mul(y.num, d)) // checked_mul(x.den, e)
    end
end
@inline function *(x::Rational{T}, y::Rational{T}) where {T}
    (n, e) = divgcd(x.num, y.den)
    (d, m) = divgcd(x.den, y.num)
    return lowest_terms(checked_mul(n, m), checked_mul(d, e))
end
@inline /(x::Rational{T}, y::Rational{T}) where {T} = x // y
@inline ^(x::Rational{T}, y::Rational{T}) where {T} = Float64(x)^Float64(y)
# Quotients are integers.
@inline function quotient_parts(x, y)
    (n, m) = divgcd(x.num, y.num)
    (d, e) = divgcd(x.den, y.den)
    return (checked_mul(n, e), checked_mul(d, m))
end
for f in (:div, :fld, :cld)
    @eval @inline function $f(x::Rational{T}, y::Rational{T}) where {T}
        (n, m) = quotient_parts(x, y)
        return $f(n, m)
    end
end
@inline mod1(x::Rational{T}, y::Rational{T}) where {T} = (m = mod(x, y); iszero(m) ? y : m)
@inline fld1(x::Rational{T}, y::Rational{T}) where {T} = cld(x, y)
@inline fldmod1(x::Rational{T}, y::Rational{T}) where {T} = (fld1(x, y), mod1(x, y))
# gcd is the largest number of which both fractions are integer multiples; lcm is the smallest common multiple.
@inline gcd(x::Rational{T}, y::Rational{T}) where {T} = lowest_terms(gcd(x.num, y.num), lcm(x.den, y.den))
@inline lcm(x::Rational{T}, y::Rational{T}) where {T} = lowest_terms(lcm(x.num, y.num), gcd(x.den, y.den))
@inline ispow2(x::Rational) = ispow2(x.num) & ispow2(x.den)

# ---- comparison by value, also of fractions with floats
@inline ==(x::Rational{T}, y::Rational{T}) where {T} = (x.num == y.num) & (x.den == y.den)
@inline <(x::Rational{T}, y::Rational{T}) where {T} = x.den == y.den ? x.num < y.num : compare_products(<, x.num, y.den, y.num, x.den)
@inline <=(x::Rational{T}, y::Rational{T}) where {T} = x.den == y.den ? x.num <= y.num : compare_products(<=, x.num, y.den, y.num, x.den)
@inline isless(x::Rational{T}, y::Rational{T}) where {T} = x < y
@inline isequal(x::Rational{T}, y::Rational{T}) where {T} = x == y
@inline min(x::Rational{T}, y::Rational{T}) where {T} = ifelse(y < x, y, x)
@inline max(x::Rational{T}, y::Rational{T}) where {T} = ifelse(y < x, x, y)
# By parts of 64 bits, since a target may have no integers of 256 bits.
@inline function mulhi(x::UInt128, y::UInt128)
    low = typemax(UInt64) % UInt128
    x0, x1, y0, y1 = x & low, x >> 64, y & low, y >> 64
    middle = x1 * y0 + ((x0 * y0) >> 64)
    return x1 * y1 + (middle >> 64) + ((x0 * y1 + (middle & low)) >> 64)
end
@inline function mulhi(x::Int128, y::Int128)
    high = mulhi(x % UInt128, y % UInt128) % Int128
    return high - ifelse(x < 0, y, Int128(0)) - ifelse(y < 0, x, Int128(0))
end
# Computes op(a * b, c * d) for b, d >= 0 without overflow.
@inline compare_products(op, a::T, b::T, c::T, d::T) where {T} = op(widemul(a, b), widemul(c, d))
@inline function compare_products(op, a::T, b::T, c::T, d::T) where {T<:Union{Int128,UInt128}}
    if is_negative(a) != is_negative(c)
        return op(is_negative(a) ? 0 : 1, is_negative(c) ? 0 : 1)
    end
    (p, q) = (uabs(a), unsigned(b))
    (r, s) = (uabs(c), unsigned(d))
    high = op(mulhi(p, q), mulhi(r, s))
    if mulhi(p, q) == mulhi(r, s)
        return is_negative(a) ? op(r * s, p * q) : op(p * q, r * s)
    end
    return is_negative(a) ? !high : high
end
@inline function ==(x::Rational, y::AbstractFloat)
    if isfinite(y) # a finite float is an integer over a power of two
        return (count_ones(x.den) == 1) & (Float64(y) * x.den == x.num)
    end
    return iszero(x.den) & (y == x.num / zero(y))
end
@inline ==(x::AbstractFloat, y::Rational) = y == x
for op in (:<, :<=)
    @eval begin
        @inline $op(x::Rational, y::AbstractFloat) = !isnan(y) && $op(order_of(x, Float64(y)), 0)
        @inline $op(x::AbstractFloat, y::Rational) = !isnan(x) && $op(0, order_of(y, Float64(x)))
    end
end
# Compares x with y: returns a value below, above or equal to 0. If the quotient in Float64 is too close to y,
# compares x.num with y * x.den exactly.
@inline function order_of(x::Rational, y::Float64)
    if !isfinite(y) | iszero(x.den)
        q = iszero(x.den) ? (is_negative(x.num) ? -Inf : Inf) : 0.0
        return Int(q > y) - Int(q < y)
    end
    q = Float64(x)
    if (abs(q - y) > 4 * eps(1.0) * abs(q)) | iszero(x.num)
        return Int(q > y) - Int(q < y)
    elseif slt_int(8, sizeof(x.num))
        return order_of_close(x, y)
    end
    # x and y are close: y = m * 2^e has about as many integer bits as x, so that m * x.den * 2^e has at most 129
    # bits.
    b = rem(bits_of(abs(y)), Int)
    e = max(b >> 52, 1) - 1075
    m = rem(b < 0x0010000000000000 ? b : (b & 0x000fffffffffffff) | 0x0010000000000000, Int128)
    p = rem(x.den, Int128) * (signbit(y) ? -m : m)
    n = rem(x.num, Int128)
    whole = e >= 0 ? p << e : p >> -e # rounded down: if whole parts are equal, the remainder decides
    if n != whole
        return n > whole ? 1 : -1
    end
    return e < 0 && whole << -e != p ? -1 : 0
end

# Exact comparison of 128-bit fractions. Scales x.num and y * x.den to the same power of two, where they have at most
# 184 bits.
@noinline function order_of_close(x::Rational, y::Float64)
    b = bits_of(abs(y))
    e = rem(max(b >> 52, one(b)), Int) - 1075
    m = rem(b < 0x0010000000000000 ? b : (b & 0x000fffffffffffff) | 0x0010000000000000, UInt128)
    d = rem(x.den, UInt128)
    (high, low) = shifted_pair(zero(d), rem(uabs(x.num), UInt128), max(-e, 0))
    (other_high, other_low) = shifted_pair(mulhi(m, d), m * d, max(e, 0))
    order = high == other_high ? cmp(low, other_low) : cmp(high, other_high)
    return is_negative(x.num) ? -order : order
end
@inline shifted_pair(high::UInt128, low::UInt128, n::Int) = n < 128 ? ((high << n) | (low >> (128 - n)), low << n) : (low << (n - 128), zero(low))

# ---- rounding to a Rational, or to an integer of a given type
@inline round(x::Rational, r::RoundingMode) = iszero(x.den) ? x : Rational(div(x.num, x.den, r))
@inline round(::Type{T}, x::Rational, r::RoundingMode) where {T<:BitInt} = T(div(x.num, x.den, r))
@inline round(::Type{Integer}, x::Rational, r::RoundingMode) = div(x.num, x.den, r)
for (f, mode) in ((:floor, :RoundDown), (:ceil, :RoundUp), (:trunc, :RoundToZero), (:round, :RoundNearest))
    @eval @inline $f(x::Rational) = round(x, $mode)
    @eval @inline $f(::Type{T}, x::Rational) where {T<:BitInt} = round(T, x, $mode)
    @eval @inline $f(::Type{Integer}, x::Rational) = div(x.num, x.den, $mode)
end
# A unit range of fractions stores its last element as its end.
@inline (:)(a::Rational{T}, b::Rational{T}) where {T} = UnitRange{Rational{T}}(a, b >= a ? a + floor(b - a) : a - one(a))
