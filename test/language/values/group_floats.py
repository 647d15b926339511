# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floats: edge cases of arithmetic and comparison, rounding to integers, mathematical functions within ulps."""
import math
import random
from fractions import Fraction

import npy
from numbers_of import DTYPES, bits, from_bits, rounded, width

INF, NAN = math.inf, math.nan


def edge_cases(name):
    tiny, big = (2.0**-149, 3.4028234663852886e38) if name == "Float32" else (5e-324, 1.7976931348623157e308)
    cases = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.5, 0.1, -0.3, 7.0, -7.0, 1e10, -1e10, tiny, -tiny, big, -big, INF, -INF, NAN, 2.0**24 + 2, 1e-30, 3.7, -3.2]
    return [rounded(name, x) for x in cases]


def divide(x, y):
    if y == 0:
        return NAN if x == 0 or x != x else math.copysign(INF, x) * math.copysign(1, y)
    return x / y


def power(x, n):
    try:
        return x**n
    except OverflowError:
        return math.copysign(INF, x) if n % 2 else INF


def fmod(x, y):
    return NAN if x != x or y != y or math.isinf(x) or y == 0 else math.fmod(x, y)


def mod(x, y):
    r = fmod(x, y)
    if r == 0:
        return math.copysign(r, y)
    return r if r != r or (r > 0) == (y > 0) else r + y


def least(x, y):
    if x != x or y != y:
        return NAN
    return x if x < y or (x == y and math.copysign(1, x) < 0) else y


def most(x, y):
    return -least(-x, -y)


def whole(function, x):
    return x if x != x or math.isinf(x) else math.copysign(float(function(x)), x)


def fused(name, x, y, z):
    if not all(map(math.isfinite, (x, y, z))):
        return x * y + z
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return x * y + z if x * y == 0 else 0.0
    try:
        nearest = float(exact)
    except OverflowError:
        return INF if exact > 0 else -INF
    if name == "Float32":  # rounded twice; odd-round the first one to be exact
        if Fraction(nearest) != exact and not bits("Float64", nearest) & 1:
            towards = INF if exact > Fraction(nearest) else -INF
            nearest = math.nextafter(nearest, towards)
    return nearest


def step(name, x, up):
    if x != x or x == (INF if up else -INF):
        return x
    if x == 0:
        return from_bits(name, 1) * (1 if up else -1)
    away = (x > 0) == up
    return from_bits(name, bits(name, x) + (1 if away else -1))


def arithmetic(name, x, y):
    sign = x if x != x or x == 0 else math.copysign(1.0, x)
    less = x < y
    r = lambda v: rounded(name, v)
    square = r(x * x)
    first = least(x, y)
    results = [x + y, x - y, x * y, divide(x, y), -x, abs(x), first, most(x, y), math.copysign(x, y), sign, whole(math.floor, x), whole(math.ceil, x), whole(math.trunc, x),
               whole(round, x), math.sqrt(abs(x)), fmod(x, y), mod(x, y), square, divide(1.0, x), divide(1.0, x), square, x if less else y, x if less else y,
               -x if math.copysign(1, y) < 0 else x, r(square * x), fused(name, x, y, x), least(first, 1.0), NAN if x != x else min(max(x, -1.0), 1.0),
               step(name, x, True), step(name, x, False), abs(x), divide(y, x)]
    total = lambda v: (v != v, v if v == v else 0, math.copysign(1, v) if v == 0 else 0)
    same = (x == y and math.copysign(1, x) == math.copysign(1, y)) or (x != x and y != y)
    predicates = [less, x <= y, x == y, x != y, x > y, x >= y, total(x) < total(y), same, x != x, math.isinf(x), math.isfinite(x), math.copysign(1, x) < 0 if x == x else None,
                  x == 0, math.isfinite(x) and x == math.trunc(x), bits(name, x) == bits(name, y) if x == x else None, not less]
    return [rounded(name, v) for v in results], predicates


def ties_away(x):
    return int(math.copysign(math.floor(abs(x) + 0.5), x))


def to_integers(x):
    t, f, c, n = math.trunc(x), math.floor(x), math.ceil(x), round(x)
    return [t, f, c, n, t, f, c, n, t, t, ties_away(x), t, c, f, t, abs(t), f, int(2 * x)]


def one_argument(name, x, turn):
    r = lambda v: rounded(name, v)
    e = math.exp(x) if x < 700 else INF
    pi = r(math.pi)
    return [math.sin(x), math.cos(x), math.tan(x), e, math.log(x), math.sqrt(x), math.asin(x / 32), math.acos(r(x / 32)), math.atan(x), math.sinh(x), math.cosh(x), math.tanh(x),
            math.log2(x), math.log10(x), math.log1p(x), math.expm1(x), math.copysign(abs(x)**(1 / 3), x), 2.0**x, 10.0**x, math.sin(math.pi * x), math.cos(math.pi * x), math.asinh(x),
            math.acosh(r(1 + x)), math.atanh(x / 32), math.sqrt(x), e, math.sin(x), math.cos(x), x**x, x**0.5, math.atan2(x, -x), math.hypot(x, 2 * x), x**5, x**-3, r(r(2 * pi) * x),
            math.sin(r(pi * x)), 8 * x, x**turn, 1 + 2 * x + 3 * x * x, x * x + x]


def check_type(kiln, checks, name):
    dtype = DTYPES[name]
    cases = edge_cases(name)
    both = [(x, y) for x in cases for y in cases]
    x = kiln.write(f"x{name}", npy.vector(dtype, [p[0] for p in both]))
    y = kiln.write(f"y{name}", npy.vector(dtype, [p[1] for p in both]))
    numbers, predicates = kiln.run(["floats.jl"], "arithmetic", [f"zeros({name}, 32, {len(both)})", f"zeros(Bool, 16, {len(both)})", x, y], threads=len(both), out=[1, 2])
    for i, p in enumerate(both):
        wanted, flags = arithmetic(name, *p)
        for k, value in enumerate(wanted):
            checks.equal(name, numbers[k, i], value, f"{name} arithmetic, row {k + 1}, {p}")
        for k, value in enumerate(flags):
            if value is not None:
                checks.equal("Bool", predicates[k, i], value, f"{name} predicates, row {k + 1}, {p}")

    halves = [k / 4 for k in range(-40, 41, 2)]
    x = kiln.write(f"h{name}", npy.vector(dtype, halves))
    result, = kiln.run(["floats.jl"], "to_integers", [f"zeros(Int64, 18, {len(halves)})", x], threads=len(halves), out=[1])
    for i, v in enumerate(halves):
        for k, wanted in enumerate(to_integers(v)):
            checks.equal("Int64", result[k, i], wanted, f"{name} {v} to integer, row {k + 1}")

    generator = random.Random(5)
    points = [rounded(name, v) for v in [0.25, 0.5, 1.0, 2.0, 3.0, 10.0] + [generator.uniform(0.01, 20) for _ in range(58)]]
    x = kiln.write(f"m{name}", npy.vector(dtype, points))
    result, = kiln.run(["floats.jl"], "one_argument", [f"zeros({name}, 40, {len(points)})", x], threads=len(points), out=[1])
    for i, v in enumerate(points):
        for k, wanted in enumerate(one_argument(name, v, 1)):
            # next to a zero of sin or cos one ulp of pi is many of the result: an absolute bound there
            near_zero = k + 1 in (20, 21, 36) and abs(result[k, i] - wanted) < 64 * 2.0**(-23 if name == "Float32" else -52)
            checks.equal(name, wanted if near_zero else result[k, i], wanted, f"{name} function {k + 1} of {v!r}", ulps=8)


def check(kiln, checks):
    for name in ("Float32", "Float64"):
        check_type(kiln, checks, name)
