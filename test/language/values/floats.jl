# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every operation of one float type on arrays of edge cases: row k of R holds the k-th result, thread i takes pair i.

function arithmetic(R, P, a, b)
    i = threadIdx().x
    x = a[i]
    y = b[i]
    R[1, i] = x + y
    R[2, i] = x - y
    R[3, i] = x * y
    R[4, i] = x / y
    R[5, i] = -x
    R[6, i] = abs(x)
    R[7, i] = min(x, y)
    R[8, i] = max(x, y)
    R[9, i] = copysign(x, y)
    R[10, i] = sign(x)
    R[11, i] = floor(x)
    R[12, i] = ceil(x)
    R[13, i] = trunc(x)
    R[14, i] = round(x)
    R[15, i] = sqrt(abs(x))
    R[16, i] = rem(x, y)
    R[17, i] = mod(x, y)
    R[18, i] = x^2
    R[19, i] = x^-1
    R[20, i] = inv(x)
    R[21, i] = abs2(x)
    R[22, i] = ifelse(x < y, x, y)
    R[23, i] = x < y ? x : y
    R[24, i] = flipsign(x, y)
    R[25, i] = x^3
    R[26, i] = fma(x, y, x)
    R[27, i] = min(x, y, one(x))
    R[28, i] = clamp(x, -one(x), one(x))
    R[29, i] = nextfloat(x)
    R[30, i] = prevfloat(x)
    R[31, i] = hypot(x, zero(x))
    R[32, i] = x \ y
    P[1, i] = x < y
    P[2, i] = x <= y
    P[3, i] = x == y
    P[4, i] = x != y
    P[5, i] = x > y
    P[6, i] = x >= y
    P[7, i] = isless(x, y)
    P[8, i] = isequal(x, y)
    P[9, i] = isnan(x)
    P[10, i] = isinf(x)
    P[11, i] = isfinite(x)
    P[12, i] = signbit(x)
    P[13, i] = iszero(x)
    P[14, i] = isinteger(x)
    P[15, i] = x === y
    P[16, i] = !(x < y)
    return
end

# Whole and half numbers that every type of integer holds.
function to_integers(o, a)
    i = threadIdx().x
    x = a[i]
    o[1, i] = trunc(Int, x)
    o[2, i] = floor(Int, x)
    o[3, i] = ceil(Int, x)
    o[4, i] = round(Int, x)
    o[5, i] = trunc(Int32, x)
    o[6, i] = floor(Int8, x)
    o[7, i] = ceil(Int16, x)
    o[8, i] = round(Int32, x)
    o[9, i] = unsafe_trunc(Int32, x)
    o[10, i] = unsafe_trunc(Int64, x)
    o[11, i] = round(Int, x, RoundNearestTiesAway)
    o[12, i] = round(Int, x, RoundToZero)
    o[13, i] = round(Int, x, RoundUp)
    o[14, i] = round(Int, x, RoundDown)
    o[15, i] = Int32(trunc(x))
    o[16, i] = trunc(UInt8, abs(x))
    o[17, i] = floor(x)
    o[18, i] = Int(2x)
    return
end

# Single functions: row k is the k-th function of x.
function one_argument(R, a)
    i = threadIdx().x
    x = a[i]
    R[1, i] = sin(x)
    R[2, i] = cos(x)
    R[3, i] = tan(x)
    R[4, i] = exp(x)
    R[5, i] = log(x)
    R[6, i] = sqrt(x)
    R[7, i] = asin(x / 32)
    R[8, i] = acos(x / 32)
    R[9, i] = atan(x)
    R[10, i] = sinh(x)
    R[11, i] = cosh(x)
    R[12, i] = tanh(x)
    R[13, i] = log2(x)
    R[14, i] = log10(x)
    R[15, i] = log1p(x)
    R[16, i] = expm1(x)
    R[17, i] = cbrt(x)
    R[18, i] = exp2(x)
    R[19, i] = exp10(x)
    R[20, i] = sinpi(x)
    R[21, i] = cospi(x)
    R[22, i] = asinh(x)
    R[23, i] = acosh(1 + x)
    R[24, i] = atanh(x / 32)
    R[25, i] = CUDA.sqrt(x)
    R[26, i] = Base.exp(x)
    R[27, i], R[28, i] = sincos(x)
    R[29, i] = x^x
    R[30, i] = x^0.5f0
    R[31, i] = atan(x, -x)
    R[32, i] = hypot(x, 2x)
    R[33, i] = x^Int32(5)
    R[34, i] = x^(-3)
    R[35, i] = 2 * pi * x
    R[36, i] = sin(pi * x)
    R[37, i] = ldexp(x, 3)
    R[38, i] = x^threadIdx().y
    R[39, i] = evalpoly(x, (1, 2, 3))
    R[40, i] = muladd(x, x, x)
    return
end
