# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Numbers of unlike types: every pair of types in one kernel. Types and bits of the results are what is tested.

each_pair(o, n, x, ys::Tuple{}) = n
function each_pair(o, n, x, ys)
    y = first(ys)
    put(o, n + 1, x + y)
    put(o, n + 2, x - y)
    put(o, n + 3, x * y)
    put(o, n + 4, x / y)
    put(o, n + 5, x < y)
    put(o, n + 6, x <= y)
    put(o, n + 7, x == y)
    put(o, n + 8, x > y)
    put(o, n + 9, min(zero(x), one(y)))
    put(o, n + 10, max(zero(x), one(y)))
    put(o, n + 11, promote(zero(x), one(y))[2])
    put(o, n + 12, zero(promote_type(typeof(x), typeof(y))))
    put(o, n + 13, ifelse(x != y, one(x), zero(x)))
    return each_pair(o, n + 13, x, Base.tail(ys))
end
each_left(o, n, xs::Tuple{}, ys) = n
function each_left(o, n, xs, ys)
    n = each_pair(o, n, first(xs), ys)
    return each_left(o, n, Base.tail(xs), ys)
end

function mixed(o, count, xs, ys)
    count[1] = each_left(o, 0, xs, ys)
    return
end

bits_pair(o, n, x, ys::Tuple{}) = n
function bits_pair(o, n, x, ys)
    y = first(ys)
    put(o, n + 1, x & y)
    put(o, n + 2, x | y)
    put(o, n + 3, x ⊻ y)
    put(o, n + 4, x ÷ y)
    put(o, n + 5, x % y)
    put(o, n + 6, mod(x, y))
    put(o, n + 7, fld(x, y))
    put(o, n + 8, cld(x, y))
    return bits_pair(o, n + 8, x, Base.tail(ys))
end
bits_left(o, n, xs::Tuple{}, ys) = n
function bits_left(o, n, xs, ys)
    n = bits_pair(o, n, first(xs), ys)
    return bits_left(o, n, Base.tail(xs), ys)
end
function mixed_integers(o, count, xs, ys)
    count[1] = bits_left(o, 0, xs, ys)
    return
end
