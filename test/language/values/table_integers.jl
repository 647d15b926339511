# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Operators and functions of integers. A case's third word says of which type its y is (bits 0 to 7, an index into TT), and
# what may be asked of it: bit 8, quotients; bit 9, results that meet in one type.

function pair_results(o, i, w, x, y)
    k = put_all(o, 1, i, x + y, x - y, x * y, x / y, x & y, x | y, x ⊻ y)
    k = put_all(o, k, i, x < y, x <= y, x == y, x != y, x > y, x >= y, isless(x, y), isequal(x, y), x === y, cmp(x, y))
    k = put_all(o, k, i, x << y, x >> y, x >>> y, x % typeof(y), flipsign(x, y), copysign(x, y))
    if w & 0x0100 != 0
        put_all(o, k, i, div(x, y), rem(x, y), mod(x, y), fld(x, y), cld(x, y), divrem(x, y), fldmod(x, y), x ÷ y, x % y)
    end
    if w & 0x0200 != 0
        put_all(o, k + 11, i, min(x, y), max(x, y), minmax(x, y), promote(x, y), clamp(x, y, y), ifelse(x < y, x, y) == min(x, y), muladd(x, y, x))
    end
    return
end
function with_type(o, i, w, x, b, ::Type{TT}, ::Val{k}) where {TT,k}
    if w & 0x00ff == k
        pair_results(o, i, w, x, from_words(fieldtype(TT, k), b, i))
    elseif k < fieldcount(TT)
        with_type(o, i, w, x, b, TT, Val(k + 1))
    end
    return
end
function pairs_of_types(o, a, b, c, ::Type{S}, ::Type{TT}) where {S,TT}
    i = case_number()
    i <= size(a, 2) || return
    with_type(o, i, c[1, i], from_words(S, a, i), b, TT, Val(1))
    return
end
# No quotient overflows.
function division_of_one(o, a, b, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    y = from_words(T, b, i)
    k = put_all(o, 1, i, fld1(x, y), mod1(x, y), fldmod1(x, y), div(x, y, RoundUp), div(x, y, RoundDown), rem(x, y, RoundDown), gcd(x, y))
    return
end
function unary(o, a, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    k = put_all(o, 1, i, -x, ~x, +x, abs(x), sign(x), signbit(x), isodd(x), iseven(x), iszero(x), isone(x))
    k = put_all(o, k, i, abs2(x), zero(x), one(x), typemin(T), typemax(T), signed(x), unsigned(x), x^2, x^3, x^0, x^5, float(x), count_ones(x))
    T === Bool || bits(o, k, i, x)
    return
end
function bits(o, k, i, x)
    k = put_all(o, k, i, count_zeros(x), leading_zeros(x), trailing_zeros(x), leading_ones(x), trailing_ones(x), bswap(x), bitreverse(x))
    k = put_all(o, k, i, bitrotate(x, 1), bitrotate(x, -3), bitrotate(x, 130), ispow2(x), ndigits(x), ndigits(x, base=2), ndigits(x, base=16), sizeof(x))
    if x >= 0
        put_all(o, k, i, isqrt(x), nextpow(2, x), prevpow(2, x))
    end
    return
end
function powers(o, a, b, ::Type{S}, ::Type{T}) where {S,T}
    i = case_number()
    i <= size(a, 2) || return
    put_all(o, 1, i, from_words(S, a, i)^from_words(T, b, i))
    return
end
function theory(o, a, b, c, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x, n, m = from_words(T, a, i), from_words(T, b, i), from_words(T, c, i)
    put_all(o, 1, i, powermod(x, n, m), lcm(n, m), gcdx(n, m), gcd(x, n, m))
    return
end

# ---- what must throw; a case's third word says which
stays_alive(i) = @cuprintln("alive ", Int32(i))
function throws(o, a, b, c, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    y = from_words(T, b, i)
    w = c[1, i]
    o[1, 1, 1] = (w == 0 ? div(x, y) : w == 1 ? rem(x, y) : w == 2 ? mod(x, y) : w == 3 ? fld(x, y) : w == 4 ? cld(x, y) : w == 5 ? lcm(x, y) : w == 6 ? gcd(x, y) : x^y) % Int64
    stays_alive(i)
    return
end
