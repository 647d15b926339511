# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Rounding in every mode: of floats, to integers, to digits in any base, and of quotients.

modes() = (RoundNearest, RoundToZero, RoundDown, RoundUp, RoundFromZero, RoundNearestTiesAway, RoundNearestTiesUp)
all_modes(f::F, x) where {F} = map(r -> f(x, r), modes())

function of_floats(o, a, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    k = put_all(o, 1, i, all_modes(round, x), round(x), trunc(x), floor(x), ceil(x))
    put_all(o, k, i, round(Float64, x), floor(Float32, x), ceil(Float16, x), round(Float32, x, RoundUp), round(Float64, x, RoundFromZero))
    return
end
# Of floats to each type of integer: a bit of c for each mode and type says that the value fits.
function to_integers(o, a, c, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    integers_of(o, 1, i, c[1, i], from_words(T, a, i), Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64)
    return
end
integers_of(o, k, i, c, x) = nothing
function integers_of(o, k, i, c, x, ::Type{S}, rest...) where {S}
    of_modes(o, k, i, c, x, S, modes()...)
    return integers_of(o, k + 7, i, c >> 7, x, rest...)
end
of_modes(o, k, i, c, x, ::Type{S}) where {S} = nothing
function of_modes(o, k, i, c, x, ::Type{S}, r, rest...) where {S}
    if c & 1 != 0
        put_at(o, k, i, round(S, x, r))
    end
    return of_modes(o, k + 1, i, c >> 1, x, S, rest...)
end
# Integers stay what they are, and change their type where they fit (bit by bit of c).
function of_integers(o, a, c, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    k = put_all(o, 1, i, all_modes(round, x), round(x), trunc(x), floor(x), ceil(x), round(Float64, x), round(Integer, x), round(Integer, x, RoundUp))
    as_integers(o, k, i, c[1, i], x, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Int128, UInt128)
    return
end
as_integers(o, k, i, c, x) = nothing
function as_integers(o, k, i, c, x, ::Type{S}, rest...) where {S}
    if c & 1 != 0
        put_all(o, k, i, round(S, x), trunc(S, x), floor(S, x), ceil(S, x), round(S, x, RoundFromZero))
    end
    return as_integers(o, k + 5, i, c >> 1, x, rest...)
end
function digits_of(o, a, n, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    d = n[1, i] % Int
    k = put_all(o, 1, i, round(x; digits=d), floor(x; digits=d), ceil(x; digits=d), trunc(x; digits=d), map(r -> round(x, r; digits=d), modes()))
    put_all(o, k, i, round(x, digits=d, base=10))
    return
end
function significant(o, a, n, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    d = n[1, i] % Int
    put_all(o, 1, i, round(x; sigdigits=d), floor(x; sigdigits=d), ceil(x; sigdigits=d), trunc(x; sigdigits=d), map(r -> round(x, r; sigdigits=d), modes()))
    return
end
function in_base(o, a, n, b, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    d = n[1, i] % Int
    e = b[1, i] % Int
    put_all(o, 1, i, round(x; digits=d, base=e), floor(x; base=e, digits=d), ceil(x; digits=d, base=e), round(x, RoundNearestTiesAway; digits=d, base=e), round(x; sigdigits=abs(d) + 1, base=e))
    return
end
function fractions(o, a, b, n)
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(Int64, a, i) // from_words(Int64, b, i)
    d = n[1, i] % Int
    put_all(o, 1, i, round(x; digits=d), floor(x; digits=d), round(x, RoundUp; sigdigits=2))
    return
end
function constants(o)
    put_all(o, 1, 1, round(π; digits=2), round(π; digits=3, base=2), floor(ℯ; digits=4), round(π; sigdigits=4), ceil(π), round(Int, π), round(π, RoundUp))
    return
end
# Quotients and what is left, of integers (no quotient overflows) and floats.
function quotients(o, a, b, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    y = from_words(T, b, i)
    k = put_all(o, 1, i, map(r -> div(x, y, r), modes()))
    k = put_all(o, k, i, map(r -> rem(x, y, r), modes()))
    put_all(o, k, i, map(r -> divrem(x, y, r), modes())...)
    return
end
function float_quotients(o, a, b, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(T, a, i)
    y = from_words(T, b, i)
    z = zero(x)                                     # z + -0.0 is 0.0: signs of zeros are not compared
    k = put_all(o, 1, i, z + div(x, y, RoundNearest), z + div(x, y, RoundToZero), z + div(x, y, RoundDown), z + div(x, y, RoundUp), z + div(x, y, RoundFromZero))
    put_all(o, k, i, z + rem(x, y, RoundNearest), z + rem(x, y, RoundToZero), z + rem(x, y, RoundDown), z + rem(x, y, RoundUp), z + rem(x, y, RoundFromZero))
    return
end

# ---- what must throw: types in the order of to_integers, modes in that of modes()
function throws(o, a, c, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    o[1, 1, 1] = one_of(from_words(T, a, i), c[1, i] % Int, modes(), Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64)
    @cuprintln("alive ", Int32(i))
    return
end
one_of(x, w, r) = 0
one_of(x, w, r, ::Type{S}, rest...) where {S} = w < 7 ? with_mode(x, w, S, r...) : one_of(x, w - 7, r, rest...)
with_mode(x, w, ::Type{S}) where {S} = 0
with_mode(x, w, ::Type{S}, r, rest...) where {S} = w == 0 ? round(S, x, r) % Int : with_mode(x, w - 1, S, rest...)
