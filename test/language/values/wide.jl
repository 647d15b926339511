# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Integers of 128 bits: their conversions from and to floats, and their arithmetic. An integer comes and goes as its low and its high half.

@inline joined(::Type{T}, low::UInt64, high::UInt64) where {T} = ((high % UInt128) << 64 | low) % T

@inline function all_floats(o64, o32, o16, row, i, x)
    o64[row, i] = Float64(x)
    o32[row, i] = Float32(x)
    o16[row, i] = Float16(x)
    return
end

function wide_to_floats(o64, o32, o16, values)
    for i in axes(values, 2)
        all_floats(o64, o32, o16, 1, i, joined(UInt128, values[1, i], values[2, i]))
        all_floats(o64, o32, o16, 2, i, joined(Int128, values[1, i], values[2, i]))
        o32[3, i] = -floatmax(Float32) + Float32(joined(UInt128, values[1, i], values[2, i])) # infinite before it is added
    end
    return
end

# trunc, Int128(x) of a whole number, and comparisons with what the float came from. `signed`: of an Int128.
function floats_to_wide(o, whole, order, values, ::Val{signed}) where {signed}
    T = signed ? Int128 : UInt128
    for i in eachindex(values)
        x = trunc(T, values[i])
        o[1, i] = x % UInt64
        o[2, i] = (x >>> 64) % UInt64
        w = T(trunc(values[i]))
        u = unsafe_trunc(T, values[i])
        whole[i] = (w == x) & (u == x)
        order[1, i] = x < values[i]
        order[2, i] = x == values[i]
        order[3, i] = x + one(T) > values[i]
    end
    return
end

function checked_wide(o, x, ::Val{signed}) where {signed}
    o[1] = (signed ? Int128(x) : UInt128(x)) % UInt64
    return
end

function all_results(o, at, i, x::T, y::T, n) where {T}
    # The least integer by -1 is an error: another divisor.
    d = y == zero(T) || (T === Int128 && y == -one(T)) ? T(3) : y
    results = (x + y, x - y, x * y, div(x, d), rem(x, d), mod(x, d), fld(x, d), x << n, x >> n, x >>> n, x & y, xor(x, y), -x, min(x, y), T(count_ones(x)),
               T(leading_zeros(x)), T(trailing_zeros(x)), T(x < y))
    for k in 1:18
        o[2 * (at + k) - 1, i] = results[k] % UInt64
        o[2 * (at + k), i] = (results[k] >>> 64) % UInt64
    end
    return
end

function wide_arithmetic(o, values, counts)
    for i in axes(values, 2)
        all_results(o, 0, i, joined(UInt128, values[1, i], values[2, i]), joined(UInt128, values[3, i], values[4, i]), counts[i])
        all_results(o, 18, i, joined(Int128, values[1, i], values[2, i]), joined(Int128, values[3, i], values[4, i]), counts[i])
    end
    return
end
