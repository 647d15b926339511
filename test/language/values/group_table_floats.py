# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floats of every type, among themselves and with integers of every type. Rules: see tables.py. Arithmetic is exact, then rounded once in the
type where both meet; an integer becomes a float of it first. Comparisons are by value: manual/mathematical-operations, "Numeric
Comparisons": "comparisons between mixed types are as accurate as possible". Conversions that lose something are an InexactError."""
import math
from fractions import Fraction

from numbers_of import FLOATS, bits, from_bits, limits, meet, wrap
from tables import INF, INTS, LARGEST, MANTISSA, NAN, WITH_BOOL, check_table, check_throws, convert, corner_values, corners, finite, float_corners, round_exact

FILE = "table_floats.jl"


def exact(name, x, zero):
    """Rounded, with the sign that a zero gets."""
    return math.copysign(0.0, zero) if x == 0 else round_exact(name, x) or math.copysign(0.0, x)


def plus(name, x, y):
    if not finite(x, y):
        return x + y
    return exact(name, Fraction(x) + Fraction(y), -1.0 if math.copysign(1, x) < 0 and math.copysign(1, y) < 0 and x == 0 == y else 1.0)


def times(name, x, y):
    if not finite(x, y):
        return x * y
    return exact(name, Fraction(x) * Fraction(y), math.copysign(1, x) * math.copysign(1, y))


def divided(name, x, y):
    if not finite(x, y):
        return x / y if y == y and x == x and not (math.isinf(x) and math.isinf(y)) and y != 0 else math.copysign(INF, x) * math.copysign(1, y) if math.isinf(x) and y == 0 else NAN
    if y == 0:
        return NAN if x == 0 else math.copysign(INF, x) * math.copysign(1, y)
    return exact(name, Fraction(x) / Fraction(y), math.copysign(1, x) * math.copysign(1, y))


def negative(x):
    return isinstance(x, float) and math.copysign(1, x) < 0 or x < 0


def order(x):
    """isless: -0.0 before other zeros, NaN last ([docstring])."""
    return (x != x, x if x == x else 0, not negative(x) if x == 0 else False)


def mixed(a, x, b, y):
    name = meet(a, b)
    p, q = convert(name, x), convert(name, y)
    product = times(name, p, q)
    for flag, other in ((x, q),) if a == "Bool" else ((y, p),) if b == "Bool" else ():
        product = other if flag else math.copysign(0.0, other)               # false * x is a zero with x's sign: [docstring] of false
    sums = [(name, v) for v in (plus(name, p, q), plus(name, p, -q), product, divided(name, p, q))]
    truth = [x < y, x <= y, x == y, x != y, x > y, x >= y, order(x) < order(y), order(y) < order(x), order(x) == order(y)]
    less = NAN if p != p or q != q else min(p, q, key=order)
    most = NAN if p != p or q != q else max(p, q, key=order)
    return sums + [("Bool", t) for t in truth] + [("Int64", -1 if order(x) < order(y) else int(order(y) < order(x)))] + [(name, v) for v in (less, most, less, most, p, q)]


def step(name, x, up):
    if x != x or x == (INF if up else -INF):
        return x
    if x == 0:
        return from_bits(name, 1) * (1 if up else -1)
    return from_bits(name, bits(name, x) + (1 if (x > 0) == up else -1))


def remainder(x, y):
    return NAN if x != x or y != y or math.isinf(x) or y == 0 else math.fmod(x, y)


def one_type(name, x, y):
    r = remainder(x, y)
    m = math.copysign(r, y) if r == 0 else r if r != r or (r > 0) == (y > 0) else plus(name, r, y)
    whole = finite(x) and x == math.trunc(x)
    digits, least = MANTISSA[name]
    normal = 2.0**(least + digits - 1)
    root = abs(x) if not finite(x) else exact_root(name, abs(x))
    fused = x * y + x if not finite(x, y) else exact(name, Fraction(x) * Fraction(y) + Fraction(x), x * y + x if x * y == 0 else 1.0)
    ulp = NAN if not finite(x) else max(2.0**least, math.ldexp(1.0, math.frexp(abs(x))[1] - digits)) if x else 2.0**least
    return [(name, r), (name, m), (name, math.copysign(x, y)) if y == y else None, (name, -x if math.copysign(1, y) < 0 else x) if y == y else None, (name, abs(x)),
            (name, x if x != x or x == 0 else math.copysign(1.0, x)), ("Bool", math.copysign(1, x) < 0) if x == x else None, ("Bool", whole), ("Bool", 0 < abs(x) < normal), (name, root),
            ("Bool", whole and int(x) % 2 == 0), ("Bool", whole and int(x) % 2 == 1), (name, step(name, x, True)), (name, step(name, x, False)), (name, fused),
            (name, x if x != x else min(max(x, -1.0), 1.0)), (name, -x), (name, divided(name, 1.0, x)), (name, times(name, x, x)), (name, ulp)]


def exact_root(name, x):
    if x == 0:
        return x
    f = Fraction(x)
    scale = 1 << 2 * 600
    return round_exact(name, Fraction(2 * math.isqrt(f.numerator * scale // f.denominator) + 1, 2 << 600))  # between two: no tie is made up


def roundings(x):
    nearest = round(x)
    return math.trunc(x), nearest, math.floor(x), math.ceil(x)


def conversions(name, x):
    """(flags, expected) of Int8, UInt8, ...: bit 0 trunc, bit 1 exact, bit 2 round, floor and ceil."""
    flags, expected = 0, []
    for k, target in enumerate(INTS):
        low, high = limits(target)
        if not finite(x):
            expected += [None] * 7
            continue
        t, n, f, c = roundings(x)
        can_trunc, can_convert, can_round = low <= t <= high, t == x and low <= t <= high, all(low <= v <= high for v in (n, f, c))
        flags |= (can_trunc | can_convert << 1 | can_round << 2) << 3 * k
        expected += [(target, t) if can_trunc else None] * 2 + [(target, t) if can_convert else None] * 2 + ([(target, n), (target, f), (target, c)] if can_round else [None] * 3)
    return flags, expected


def check_floats(kiln, checks, name):
    for other in WITH_BOOL + FLOATS:
        few = other != name
        cases = [(x, y) for x in float_corners(name, few) for y in corner_values(other, few or other not in FLOATS)]
        for a, b, given in ((name, other, cases), (other, name, [(y, x) for x, y in cases])):
            if a == b and a != name:
                continue
            check_table(kiln, checks, FILE, "mixed", [(a, [c[0] for c in given]), (b, [c[1] for c in given])], [a, b], 20, [mixed(a, x, b, y) for x, y in given], f"{a} and {b}", ("-O0",) if few else ())
    cases = [(x, y) for x in float_corners(name) for y in float_corners(name, True) + [1.5, -7.0]]
    check_table(kiln, checks, FILE, "one_type", [(name, [c[0] for c in cases]), (name, [c[1] for c in cases])], [name], 20, [one_type(name, x, y) for x, y in cases], f"functions of {name}")
    ends = [v for t in INTS for limit in limits(t) for v in (limit - 1, limit, limit + 1, limit + 0.5, limit - 0.5) if abs(v) <= LARGEST[name]]
    xs = sorted({round_exact(name, Fraction(v)) for v in ends if v} | {v for v in float_corners(name) if finite(v)}) + [-0.0]
    xs += [step(name, x, up) for x in xs for up in (True, False) if finite(step(name, x, up))]
    both = [conversions(name, x) for x in xs]
    check_table(kiln, checks, FILE, "conversions", [(name, xs), ("UInt64", [b[0] for b in both])], [name], 70, [b[1] for b in both], f"{name} to integers", ("-O0",))
    bad = [(x, k + 1) for x, (flags, _) in zip(xs, both) for k in range(len(INTS)) if not flags >> 3 * k & 2] + [(x, 0) for x in (2.0, -1.0, 0.5, NAN)]
    bad += [(x, k) for x in (INF, -INF, NAN) for k in range(11)] + [(x, k + 100) for x, (flags, _) in zip(xs, both) for k in range(len(INTS)) if not flags >> 3 * k & 1] + [(x, k + 100) for x in (INF, NAN) for k in range(10)]
    check_throws(kiln, checks, FILE, "inexact_cases", [(name, [b[0] for b in bad]), ("UInt64", [b[1] for b in bad])], [name], "InexactError", f"{name} to integers", ("-O0",))


PARTS = FLOATS + ["integers"]


def check(kiln, checks, part=None):
    for name in FLOATS:
        if part in (None, name):
            check_floats(kiln, checks, name)
    for name in WITH_BOOL if part in (None, "integers") else []:
        xs = corners(name) + ([v for v in (2**24 + 1, 2**53 + 1, 2**63 + 1025, 2**64 + 2048, 2049, -2051, 65520, 65519, -(2**53 + 1)) if limits(name)[0] <= v <= limits(name)[1]] if name != "Bool" else [])
        floats = [[(t, convert(t, x)) for t in FLOATS] + [("Float64", convert("Float64", x))] for x in xs]
        check_table(kiln, checks, FILE, "to_floats", [(name, xs)], [name], 4, floats, f"{name} to floats", ("-O0",))
        flags, expected, bad = [], [], []
        for x in xs:
            row, flag = [], 0
            for k, target in enumerate(WITH_BOOL):
                low, high = (0, 1) if target == "Bool" else limits(target)
                fits = low <= x <= high
                flag |= fits << k
                value = (target, bool(x)) if target == "Bool" else (target, int(x))
                row += [(target, bool(x & 1) if target == "Bool" else wrap(target, int(x)))] + [value if fits else None] * 2
                if not fits:
                    bad.append((x, k))
            flags.append(flag)
            expected.append(row)
        check_table(kiln, checks, FILE, "integers_to", [(name, xs), ("UInt64", flags)], [name], 33, expected, f"{name} to integers", ("-O0",))
        check_throws(kiln, checks, FILE, "inexact_cases", [(name, [b[0] for b in bad]), ("UInt64", [b[1] for b in bad])], [name], "InexactError", f"{name} to integers", ("-O0",))
