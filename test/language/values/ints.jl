# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every operation of one integer type on arrays of edge cases: row k of R holds the k-th result, thread i takes pair i.

function arithmetic(R, P, a, b)
    i = threadIdx().x
    x = a[i]
    y = b[i]
    R[1, i] = x + y
    R[2, i] = x - y
    R[3, i] = x * y
    R[4, i] = -x
    R[5, i] = abs(x)
    R[6, i] = ~x
    R[7, i] = x & y
    R[8, i] = x | y
    R[9, i] = x ⊻ y
    R[10, i] = min(x, y)
    R[11, i] = max(x, y)
    R[12, i] = clamp(x, min(y, one(y)), max(y, one(y)))
    R[13, i] = sign(x)
    R[14, i] = x^2
    R[15, i] = x^3
    R[16, i] = x^(y & oftype(y, 7))
    R[17, i] = bswap(x)
    R[18, i] = bitreverse(x)
    R[19, i] = muladd(x, y, x)
    R[20, i] = signed(x) % typeof(x)
    R[21, i] = ifelse(x > y, x, y)
    R[22, i] = typemax(x) + y
    R[23, i] = typemin(typeof(x)) - y
    R[24, i] = xor(x, y, x)
    P[1, i] = x < y
    P[2, i] = x <= y
    P[3, i] = x == y
    P[4, i] = x != y
    P[5, i] = x > y
    P[6, i] = x >= y
    P[7, i] = isless(x, y)
    P[8, i] = isodd(x)
    P[9, i] = iseven(x)
    P[10, i] = signbit(x)
    P[11, i] = iszero(x)
    P[12, i] = ispow2(x)
    P[13, i] = isequal(x, y)
    P[14, i] = x === y
    P[15, i] = x in (y, one(y))
    P[16, i] = cmp(x, y) == 0
    return
end

# y is not zero, and not -1 where x is the smallest
function division(R, a, b)
    i = threadIdx().x
    x = a[i]
    y = b[i]
    R[1, i] = x ÷ y
    R[2, i] = x % y
    R[3, i] = mod(x, y)
    R[4, i] = fld(x, y)
    R[5, i] = cld(x, y)
    R[6, i] = mod1(x, y)
    R[7, i] = fld1(x, y)
    (R[8, i], R[9, i]) = divrem(x, y)
    q, r = fldmod(x, y)
    R[10, i] = q
    R[11, i] = r
    q, r = fldmod1(x, y)
    R[12, i] = q
    R[13, i] = r
    R[14, i] = gcd(x, y)
    R[15, i] = div(x, y)
    R[16, i] = rem(x, y)
    x ÷= y
    R[17, i] = x
    y %= oftype(y, 7)
    R[18, i] = y
    return
end

function shifts(R, a, counts)
    i = threadIdx().x
    x = a[i]
    n = counts[i]
    R[1, i] = x << n
    R[2, i] = x >> n
    R[3, i] = x >>> n
    R[4, i] = x << unsigned(n)
    R[5, i] = x >> unsigned(n)
    R[6, i] = x >>> unsigned(n)
    R[7, i] = x << (n % Int8)
    R[8, i] = x >> (n % Int32)
    R[9, i] = x << 3
    R[10, i] = x >> 1
    R[11, i] = x >> 64
    R[12, i] = x << 64
    R[13, i] = x >> -2
    R[14, i] = x >>> 7
    R[15, i] = bitrotate(x, n)
    y = x
    y <<= 2
    R[16, i] = y
    y >>= 1
    R[17, i] = y
    # Amounts of 32 bits that were 64 bits before.
    R[18, i] = ifelse(unsigned(n) < 64, x << (n % UInt32), zero(x))
    R[19, i] = ifelse(unsigned(n) < 64, x >> (n % UInt32), zero(x))
    R[20, i] = x >>> (n % UInt32)
    return
end

function bit_counts(N, a)
    i = threadIdx().x
    x = a[i]
    N[1, i] = leading_zeros(x)
    N[2, i] = trailing_zeros(x)
    N[3, i] = count_ones(x)
    N[4, i] = count_zeros(x)
    N[5, i] = leading_ones(x)
    N[6, i] = trailing_ones(x)
    N[7, i] = sizeof(x)
    N[8, i] = 8 * sizeof(typeof(x))
    return
end

# x % T and float conversions for every T, from one type
function to_all(o8, o16, o32, o64, u8, u16, u32, u64, f32, f64, a)
    i = threadIdx().x
    x = a[i]
    o8[i] = x % Int8
    o16[i] = x % Int16
    o32[i] = x % Int32
    o64[i] = x % Int64
    u8[i] = x % UInt8
    u16[i] = x % UInt16
    u32[i] = x % UInt32
    u64[i] = x % UInt64
    f32[i] = x
    f64[i] = x
    return
end
