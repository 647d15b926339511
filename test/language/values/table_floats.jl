# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Floats with numbers of every type: arithmetic, comparisons by value, conversions.

# Exactly one of x and y may be an integer. Products are compared where a product alone is rounded.
function mixed(o, a, b, ::Type{S}, ::Type{T}) where {S,T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(S, a, i)
    y = from_words(T, b, i)
    k = put_all(o, 1, i, x + y, x - y, x * y, x / y)
    k = put_all(o, k, i, x < y, x <= y, x == y, x != y, x > y, x >= y, isless(x, y), isless(y, x), isequal(x, y), cmp(x, y))
    k = put_all(o, k, i, min(x, y), max(x, y), minmax(x, y), promote(x, y))
    return
end
function one_type(o, a, b, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    y = from_words(T, b, i)
    k = put_all(o, 1, i, rem(x, y), mod(x, y), copysign(x, y), flipsign(x, y), abs(x), sign(x), signbit(x), isinteger(x), issubnormal(x), sqrt(abs(x)), iseven(x), isodd(x))
    k = put_all(o, k, i, nextfloat(x), prevfloat(x), fma(x, y, x), clamp(x, -one(x), one(x)), -x, inv(x), abs2(x), eps(x))
    return
end
# Of floats to every type: what is in range is set in the bits of c, one a type.
function conversions(o, a, c, ::Type{S}) where {S}
    i = case_number()
    i <= size(a, 2) || return
    convert_all(o, 1, i, c[1, i], from_words(S, a, i), Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Int128, UInt128)
    return
end
convert_all(o, k, i, c, x) = nothing
function convert_all(o, k, i, c, x, ::Type{T}, rest...) where {T}
    if c & 1 != 0
        put_all(o, k, i, trunc(T, x), unsafe_trunc(T, x))
    end
    if c & 2 != 0
        put_all(o, k + 2, i, T(x), convert(T, x))
    end
    if c & 4 != 0
        put_all(o, k + 4, i, round(T, x), floor(T, x), ceil(T, x))
    end
    return convert_all(o, k + 7, i, c >> 3, x, rest...)
end
function to_floats(o, a, ::Type{S}) where {S}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(S, a, i)
    put_all(o, 1, i, Float16(x), Float32(x), Float64(x), float(x))
    return
end
function integers_to(o, a, c, ::Type{S}) where {S}
    i = case_number()
    i <= size(a, 2) || return
    integers(o, 1, i, c[1, i], from_words(S, a, i), Bool, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Int128, UInt128)
    return
end
integers(o, k, i, c, x) = nothing
function integers(o, k, i, c, x, ::Type{T}, rest...) where {T}
    put_at(o, k, i, x % T)
    if c & 1 != 0
        put_all(o, k + 1, i, T(x), convert(T, x))
    end
    return integers(o, k + 3, i, c >> 1, x, rest...)
end
# ---- what must throw: the type is chosen by the third word
inexact(i, x, w) = 0
inexact(i, x, w, ::Type{T}, rest...) where {T} = w == 0 ? T(x) % Int : inexact(i, x, w - 1, rest...)
rounded_inexact(i, x, w) = 0
rounded_inexact(i, x, w, ::Type{T}, rest...) where {T} = w == 0 ? (trunc(T, x) % Int) + (round(T, x) % Int) : rounded_inexact(i, x, w - 1, rest...)
function inexact_cases(o, a, c, ::Type{S}) where {S}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(S, a, i)
    w = c[1, i] % Int
    if w < 100
        o[1, 1, 1] = inexact(i, x, w, Bool, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Int128, UInt128)
    else
        o[1, 1, 1] = rounded_inexact(i, x, w - 100, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Int128, UInt128)
    end
    @cuprintln("alive ", Int32(i))
    return
end
