# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Fractions of integers of every type. A case's word says what may be asked of it: a bit for each group of results.

fraction(::Type{T}, a, b, i) where {T} = from_words(T, a, i) // from_words(T, b, i)

function pair(o, a, b, c, d, w, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = fraction(T, a, b, i)
    y = fraction(T, c, d, i)
    f = w[1, i]
    k = put_all(o, 1, i, x, x < y, x <= y, x == y, x != y, x > y, x >= y, isless(x, y), isequal(x, y), cmp(x, y), min(x, y), max(x, y))
    if f & 1 != 0
        put_all(o, k, i, x + y)
    end
    if f & 2 != 0
        put_all(o, k + 2, i, x - y)
    end
    if f & 4 != 0
        put_all(o, k + 4, i, x * y)
    end
    if f & 8 != 0
        put_all(o, k + 6, i, x / y, x // y)
    end
    if f & 16 != 0
        put_all(o, k + 10, i, div(x, y), fld(x, y), cld(x, y), div(x, y, RoundNearest), div(x, y, RoundNearestTiesAway), div(x, y, RoundNearestTiesUp), div(x, y, RoundFromZero))
    end
    if f & 32 != 0
        put_all(o, k + 17, i, rem(x, y), mod(x, y), divrem(x, y), fldmod(x, y))
    end
    return
end
function with_integer(o, a, b, c, w, ::Type{T}, ::Type{S}) where {T,S}
    i = case_number()
    i <= size(a, 2) || return
    x = fraction(T, a, b, i)
    n = from_words(S, c, i)
    f = w[1, i]
    k = put_all(o, 1, i, x == n, n == x, x < n, x <= n, n < x, n <= x)
    if f & 1 != 0
        put_all(o, k, i, x + n, n + x)
    end
    if f & 2 != 0
        put_all(o, k + 4, i, x - n, n - x)
    end
    if f & 4 != 0
        put_all(o, k + 8, i, x * n, n * x)
    end
    if f & 8 != 0
        put_all(o, k + 12, i, x // n, x / n)
    end
    if f & 16 != 0
        put_all(o, k + 16, i, n // x, n / x)
    end
    if f & 32 != 0
        put_all(o, k + 20, i, div(x, n), fld(x, n), cld(x, n))
    end
    if f & 64 != 0
        put_all(o, k + 23, i, rem(x, n), mod(x, n))
    end
    if f & 128 != 0
        put_all(o, k + 27, i, x^n)
    end
    return
end
function with_float(o, a, b, c, ::Type{T}, ::Type{F}) where {T,F}
    i = case_number()
    i <= size(a, 2) || return
    x = fraction(T, a, b, i)
    y = from_words(F, c, i)
    put_all(o, 1, i, x == y, y == x, x < y, x <= y, x > y, x >= y, y < x, y <= x, x != y, F(x), convert(F, x), x + y, y * x, promote(x, y))
    return
end
function of_one(o, a, b, w, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = fraction(T, a, b, i)
    f = w[1, i]
    k = put_all(o, 1, i, numerator(x), denominator(x), Rational(x), Rational{T}(x), zero(x), one(x), iszero(x), isone(x), isinteger(x), isfinite(x), isinf(x), isnan(x), signbit(x), sign(x), float(x) isa Float64, ispow2(x))
    if f & 1 != 0
        put_all(o, k, i, -x, abs(x), copysign(x, -1), flipsign(x, -1))
    end
    if f & 2 != 0
        put_all(o, k + 8, i, inv(x))
    end
    if f & 4 != 0
        put_all(o, k + 10, i, round(x), floor(x), ceil(x), trunc(x), round(x, RoundNearestTiesAway), round(x, RoundNearestTiesUp), round(x, RoundFromZero))
    end
    if f & 8 != 0
        put_all(o, k + 24, i, round(T, x), floor(T, x), ceil(T, x), trunc(T, x), round(T, x, RoundNearestTiesAway), round(T, x, RoundNearestTiesUp), round(Integer, x, RoundFromZero))
    end
    if f & 16 != 0
        put_all(o, k + 31, i, T(x), convert(T, x), Integer(x))
    end
    return
end
# Rational{S}(x), and integers, where both parts fit: a bit for each type of the list.
function converted(o, a, b, w, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    rationals_of(o, 1, i, w[1, i], fraction(T, a, b, i), Int8, UInt8, Int32, UInt32, Int64, UInt64, Int128, UInt128)
    return
end
rationals_of(o, k, i, f, x) = nothing
function rationals_of(o, k, i, f, x, ::Type{S}, rest...) where {S}
    if f & 1 != 0
        put_all(o, k, i, Rational{S}(x), convert(Rational{S}, x))
    end
    if f & 2 != 0
        put_all(o, k + 4, i, S(x), round(S, x), floor(S, x))
    end
    return rationals_of(o, k + 7, i, f >> 2, x, rest...)
end
function theory(o, a, b, c, d, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = fraction(T, a, b, i)
    y = fraction(T, c, d, i)
    put_all(o, 1, i, gcd(x, y), lcm(x, y), mod1(x, y))
    return
end
# x exactly where f says that it fits.
function of_float(o, a, w, ::Type{F}, ::Type{T}) where {F,T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(F, a, i)
    f = w[1, i]
    if f & 1 != 0
        put_all(o, 1, i, Rational{T}(x), convert(Rational{T}, x))
    end
    if f & 2 != 0
        put_all(o, 5, i, rationalize(T, x))
    end
    if f & 4 != 0
        put_all(o, 7, i, rationalize(T, x; tol=F(0.01)))
    end
    return
end
function promoted(o, ::Type{T}, ::Type{S}) where {T,S}
    (x, y) = promote(one(T) // one(T), one(S))
    put_all(o, 1, 1, x, y, promote(one(T) // one(T), one(S) // one(S))...)
    return
end

# ---- what must throw; the word says which
function throws(o, a, b, c, d, w, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    (p, q) = (from_words(T, a, i), from_words(T, b, i))
    (r, s) = (from_words(T, c, i), from_words(T, d, i))
    f = w[1, i]
    z = 0 * (p // q)
    if f == 0
        z = (p // q) + (r // s)
    elseif f == 1
        z = (p // q) - (r // s)
    elseif f == 2
        z = (p // q) * (r // s)
    elseif f == 3
        z = (p // q) // (r // s)
    elseif f == 4
        z = -(p // q)
    elseif f == 5
        z = abs(p // q)
    elseif f == 6
        z = Rational(T(p // q))
    elseif f == 7
        z = Rational(round(T, p // q))
    elseif f == 8
        z = div(p // q, r // s) // one(T)
    elseif f == 9
        z = Rational{T}(Rational{Int8}(p // q))
    elseif f == 10
        z = (p // q)^3
    end
    o[1, 1, 1] = numerator(z) % Int64
    @cuprintln("alive ", Int32(i))
    return
end
function made(o, a, b, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    o[1, 1, 1] = numerator(from_words(T, a, i) // from_words(T, b, i)) % Int64
    @cuprintln("alive ", Int32(i))
    return
end
