# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/reciprocals
# Number theory of integers (powers modulo m, integer roots), and parts of floats such as exponent and neighbours.

@inline function gcdx(a::T, b::T) where {T<:BitInteger}
    (s0, s1) = (one(T), zero(T))
    (t0, t1) = (zero(T), one(T))
    (x, y) = (a, b)
    while y != zero(T)
        q = div(x, y)
        (x, y) = (y, x - q * y)
        (s0, s1) = (s1, s0 - q * s1)
        (t0, t1) = (t1, t0 - q * t1)
    end
    return is_negative(x) ? (-x, -s0, -t0) : (x, s0, t0)
end
@inline gcdx(a::Integer, b::Integer) = gcdx(promote(a, b)...)
@inline function invmod(n::Integer, m::Integer)
    (g, x, y) = gcdx(n, m)
    if (g != 1) | (m == 0)
        throw(DomainError())
    end
    return mod(x, m)
end
@inline function powermod(x::Integer, p::Integer, m::T) where {T<:Integer}
    b = is_negative(p) ? invmod(oftype(m, mod(x, m)), m) : oftype(m, mod(x, m))
    r = mod(one(m), m)
    n = uabs(p)
    while n != zero(n)
        if isodd(n)
            r = mulmod(r, b, m)
        end
        b = mulmod(b, b, m)
        n = n >> 0x01
    end
    return r
end
# Computes mod(a * b, m) for a and b that are results of mod(x, m).
@inline mulmod(a::T, b::T, m::T) where {T<:Integer} = rem(mod(widemul(a, b), m), T)
@noinline function mulmod(a::T, b::T, m::T) where {T<:Union{Int128,UInt128}}
    (x, y, n) = (uabs(a), uabs(b), uabs(m)) # a and b have the sign of m, so that a * b == x * y
    if n <= 0x00000000000000010000000000000000
        r = urem_int(x * y, n)
    else # computes the product bit by bit, since no type holds it
        r = zero(n)
        while y != zero(y)
            if isodd(y)
                r = r >= n - x ? r - (n - x) : r + x
            end
            x = x >= n - x ? x - (n - x) : x + x
            y = y >> 0x01
        end
    end
    return is_negative(m) & (r != zero(r)) ? rem(r, T) + m : rem(r, T)
end
@inline function isqrt(x::T) where {T<:BitInteger}
    if is_negative(x)
        throw(DomainError())
    end
    r = unsafe_trunc(UInt64, sqrt(Float64(x)))
    n = rem(x, UInt64)
    if r > 0xffffffff # the square root of the largest numbers rounds up to 2^32
        r = 0x00000000ffffffff
    end
    while r * r > n
        r -= 0x0000000000000001
    end
    while r < 0xffffffff && (r + 0x0000000000000001) * (r + 0x0000000000000001) <= n
        r += 0x0000000000000001
    end
    return rem(r, T)
end
# Square root of 128-bit integers. One Newton step gives the root or the root + 1.
@inline function isqrt(x::T) where {T<:Union{Int128,UInt128}}
    if is_negative(x)
        throw(DomainError())
    end
    n = rem(x, UInt128)
    if n == zero(n)
        return x
    end
    near = sqrt(Float64(n))                         # at most 2^64
    s = near >= 1.8446744073709552e19 ? rem(typemax(UInt64), UInt128) : rem(unsafe_trunc(UInt64, near), UInt128)
    s = min((s + div(n, s)) >> 0x01, rem(typemax(UInt64), UInt128))
    return rem(s * s > n ? s - one(s) : s, T)
end
@inline function product_to(n)
    r = 1
    for k in 2:Int(n)
        r *= k
    end
    return r
end
@inline function factorial(n::T) where {T<:BitInteger}
    if is_negative(n) | (n > T(20))
        throw(DomainError())
    end
    return product_to(n)
end
@inline function binomial(n::T, k::T) where {T<:BitInteger}
    if is_negative(k)
        return zero(T)
    end
    sign = one(T)
    if is_negative(n)
        n = -n + k - one(T)
        if isodd(k)
            sign = -sign
        end
    end
    if k > n
        return zero(T)
    end
    k = min(k, n - k)
    r = one(T)
    for i in one(T):k
        r = div(checked_mul(r, n - k + i), i)
    end
    return sign * r
end
@inline binomial(n::Integer, k::Integer) = binomial(promote(n, k)...)
@inline function ndigits(x::BitInteger; base::Integer=10, pad::Integer=1)
    b = Int(base)
    abs(b) < 2 && throw(DomainError(base, "base must be ≥ 2 or ≤ -2"))
    count = b > 0 ? digits_below(uabs(x), b) : digits_below(Int128(x), b)
    return max(count, Int(pad))
end
@inline function digits_below(n, base::Int)
    count = 0
    while n != zero(n)
        n = oftype(n, base > 0 ? div(n, base) : -fld(n, -base))
        count += 1
    end
    return count
end

# ---- floats
@inline function frexp(x::T) where {T<:AbstractFloat}
    if !isfinite(x) | (x == zero(T))
        return (x, 0)
    end
    e = exponent(x) + 1
    return (ldexp(x, -e), e)
end
@inline function nextfloat(x::AbstractFloat, n::Integer)
    for k in 1:n
        x = nextfloat(x)
    end
    for k in n:-1
        x = prevfloat(x)
    end
    return x
end
@inline prevfloat(x::AbstractFloat, n::Integer) = nextfloat(x, -n)
# In this file and not in math.jl: GPU targets replace both methods of each function in math.jl.
@inline function rem2pi(x::T, r::RoundingMode) where {T<:AbstractFloat}
    y = Float64(x)
    n = round(y / 6.283185307179586, r)
    return T(fma(-n, 2.4492935982947064e-16, fma(-n, 6.283185307179586, y)))
end
@inline mod2pi(x::AbstractFloat) = (y = rem2pi(x, RoundDown); ifelse(y < zero(y), y + oftype(y, 6.283185307179586), y))
# Functions of angles in degrees. The angle is first reduced exactly by whole quarter turns.
@inline quarter_degrees(x) = (r = rem(x, oftype(x, 360)); n = round(r / oftype(x, 90)); (deg2rad(r - n * oftype(x, 90)), r - n * oftype(x, 90), rem(unsafe_trunc(Int, n), UInt8) & 0x03))
@inline function turned_degrees(x::T, shift::UInt8) where {T}
    if !isfinite(x)
        return x - x
    end
    (a, d, n) = quarter_degrees(x)
    q = (n + shift) & 0x03
    half = abs(d) == T(30)
    y = q & 0x01 == 0x00 ? (half ? copysign(T(0.5f0), d) : sin(a)) : (abs(d) == T(60) ? T(0.5f0) : cos(a))
    return q >= 0x02 ? -y : y
end
@inline sind(x::AbstractFloat) = (y = turned_degrees(x, 0x00); ifelse(y == zero(y), copysign(zero(y), x), y))
@inline cosd(x::AbstractFloat) = turned_degrees(x, 0x01) + zero(x)
@inline function tand(x::AbstractFloat)
    (a, d, n) = quarter_degrees(x)
    t = abs(d) == oftype(x, 45) ? copysign(one(x), d) : tan(a)
    return n & 0x01 == 0x00 ? t : -inv(t)
end
for f in (:sind, :cosd, :tand, :mod2pi)
    @eval @inline $f(x::Real) = $f(float(x))
end
@inline asind(x) = rad2deg(asin(x))
@inline acosd(x) = rad2deg(acos(x))
@inline atand(x...) = rad2deg(atan(x...))
@inline sincosd(x) = (sind(x), cosd(x))
