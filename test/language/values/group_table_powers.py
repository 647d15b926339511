# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""x^n of floats against the exact power: at most 0.51 units in the last place off in Float64, in Float32 and Float16 as well, so a
result is the nearest float or, where the power lies next to the middle of two, the other one. Beyond |n| = 2^51 the relative error is
n * 2^-104. Products of constant exponents to 3 and
-2 are off by one or two units. Special cases as C's pow has them: x^0 is 1 for every x, signs of zeros and infinities by parity."""
import math
import random

from numbers_of import FLOATS, rounded, same
from tables import INF, MANTISSA, NAN, check_table, finite
from fractions import Fraction

PRECISION = 400                                                               # bits that powers are computed with


def scaled_power(x, n):
    """|x|^n for a fraction x, as (m, e) with m * 2^e, m of PRECISION bits."""
    def shortened(m, e):
        extra = max(m.bit_length() - PRECISION, 0)
        return m >> extra, e + extra
    up = PRECISION + x.denominator.bit_length()
    m, e = shortened((x.numerator << up) // x.denominator, -up)
    r, f = 1, 0
    while n:
        if n & 1:
            r, f = shortened(r * m, f + e)
        m, e = shortened(m * m, 2 * e)
        n >>= 1
    return r, f


def nearest(name, m, e):
    """m * 2^e as a float of this type."""
    digits, least = MANTISSA[name]
    unit = max(m.bit_length() + e - digits, least)
    shift = unit - e
    if shift <= 0:
        q = m << -shift
    elif shift > m.bit_length() + 1:
        q = 0
    else:
        q, rest = m >> shift, m & (1 << shift) - 1
        half = 1 << shift - 1
        q += rest > half or (rest == half and q & 1)
    if q.bit_length() + unit > {"Float16": 16, "Float32": 128, "Float64": 1024}[name]:
        return INF
    return math.ldexp(q, unit)


def power(name, x, n):
    if n == 0:
        return 1.0
    if not finite(x) or x == 0:
        if x != x:
            return NAN
        large = (abs(x) == INF) == (n > 0)
        return math.copysign(INF if large else 0.0, math.copysign(1, x) if n & 1 else 1)
    base = abs(Fraction(x))
    r = nearest(name, *scaled_power(base if n > 0 else 1 / base, abs(n)))
    return -r if x < 0 and n & 1 else r


def points(name):
    generator = random.Random(7)
    digits, least = MANTISSA[name]
    special = [0.0, -0.0, INF, -INF, NAN, 1.0, -1.0, 2.0, -2.0, 0.5, 10.0, 0.1, -0.1, 3.0, 1 + 2.0**(1 - digits), 1 - 2.0**-digits, -1 - 2.0**(1 - digits), 2.0**least, 2.0**(least + digits - 1), 1.5, 7.0]
    return [rounded(name, v) for v in special + [generator.uniform(0.5, 2) for _ in range(25)] + [generator.uniform(-12, 12) for _ in range(15)]]


def exponents(name, x):
    """Small ones, and those for which the power is about to leave the type."""
    ns = [0, 1, 2, 3, 4, 5, 7, 8, 15, 31, 100, 1000, 4095, 12345, 1000003]
    if finite(x) and x not in (0, 1, -1):
        ends = [{"Float16": 16, "Float32": 128, "Float64": 1024}[name], sum(MANTISSA[name]) - 1, MANTISSA[name][1] - 1]
        ns += [abs(int(end / math.log2(abs(x)))) + d for end in ends for d in (-1, 0, 1)]
    return sorted({s * n for n in ns for s in (1, -1)})


def check(kiln, checks):
    for name in FLOATS:
        xs = points(name)
        for kind, low, high in (("Int64", -2**63, 2**63 - 1), ("Int32", -2**31, 2**31 - 1), ("Int8", -128, 127), ("UInt16", 0, 65535), ("UInt64", 0, 2**64 - 1), ("Int128", -2**127, 2**127 - 1)):
            extreme = [(x, n) for x in (1.0, -1.0, 2.0, 0.5, 0.0, -0.0, INF, NAN, -3.0) for n in (low, low + 1, high, high - 1)] if kind in ("Int64", "Int32", "Int8") else []
            cases = [(x, n) for x in (xs if kind == "Int64" else xs[::3]) for n in exponents(name, x) if low <= n <= high] + extreme
            expected = [[(name, power(name, x, n), max(1, abs(n) >> 51))] for x, n in cases] # beyond 2^51: powers of 1 - 2^-53 and the like
            check_table(kiln, checks, "table_powers.jl", "powers", [(name, [c[0] for c in cases]), (kind, [c[1] for c in cases])], [name, kind], 1, expected, f"powers of {name} by {kind}")
        constants = (0, 1, 2, 3, 4, 5, 6, 7, 10, 12, 31, 64, 100, -1, -2, -3, -4, -5, -8, -13, -63, -64, -200, 1)
        expected = [[(name, power(name, x, n), 3 if n == -2 else 1) if n != -2 or abs(x) < 1e7 else None for n in constants] for x in xs]
        check_table(kiln, checks, "table_powers.jl", "constants", [(name, xs)], [name], len(constants), expected, f"constant powers of {name}")
