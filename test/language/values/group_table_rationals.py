# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fractions of integers: what is made, compared, calculated, rounded and converted. Rules: see tables.py, and
  [rational]   manual/complex-and-rational-numbers, "Rational Numbers": lowest terms, a denominator that is not negative, infinite values
               1//0 and -1//0 but no 0//0 (an ArgumentError); "promotion rules make interactions with other numeric types effortless"
  [checked]    base/numbers, docstring of Rational: "Rationals are checked for overflow"
  [mode]       base/math, docstrings of round and of the rounding modes; div(x, y, r) is "x/y, rounded to an integer according to r"
  [rationalize] its docstring: "will differ from x by no more than tol", which is eps(x): the fraction of the smallest denominator
Results are exact fractions of Python. A sum, product or quotient whose own parts do not fit is an OverflowError; where they fit and
a common denominator does not, nothing is said."""
import math
from fractions import Fraction

from numbers_of import FLOATS, limits, meet, width
from tables import CODES, INF, MANTISSA, check_table, check_throws, corners, finite, float_corners, round_exact

FILE = "table_rationals.jl"
TYPES = ["Int8", "UInt8", "Int32", "UInt32", "Int64", "UInt64", "Int128", "UInt128"]


class Ratio:
    """num // den in lowest terms; den 0 is infinite."""

    def __init__(self, num, den=1):
        g = math.gcd(num, den) * (-1 if den < 0 else 1)
        self.num, self.den = num // g, den // g
        self.infinite = self.den == 0
        self.exact = None if self.infinite else Fraction(self.num, self.den)
        self.order = math.copysign(INF, self.num) if self.infinite else self.exact

    def fits(self, name):
        low, high = limits(name)
        return low <= self.num <= high and self.den <= high

    def pair(self, name):
        return [(name, self.num), (name, self.den)]

    def __repr__(self):
        return f"{self.num}//{self.den}"


def rounded_by(mode, x):
    """[mode]: of an exact fraction."""
    low = math.floor(x)
    if x == low:
        return low
    twice = 2 * (x - low)
    up = {"ToZero": x < 0, "Down": False, "Up": True, "FromZero": x > 0, "Nearest": twice > 1 or (twice == 1 and low % 2 == 1),
          "NearestTiesAway": twice > 1 or (twice == 1 and x > 0), "NearestTiesUp": twice >= 1}[mode]
    return low + up


def parts(name):
    """(numerator, denominator) as they are written: with common factors, negative denominators and infinities."""
    low, high = limits(name)
    numerators = [0, 1, 2, 3, 6, 7, 15, high, high - 1, high // 2] + ([-1, -5, -6, -7, low, low + 1] if low else [])
    denominators = [1, 2, 3, 4, 10, high, high - 1] + ([-2, -3, -high] if low else [])
    cases = [(n, d) for n in numerators for d in denominators] + [(1, 0), (5, 0)] + ([(-7, 0)] if low else [])
    return [(n, d) for n, d in cases if Ratio(n, d).fits(name)]


def few_parts(name):
    low, high = limits(name)
    cases = [(0, 1), (1, 2), (2, 3), (6, 4), (5, 2), (7, 1), (high, 2), (high, high - 1), (1, high), (1, 0)] + ([(-1, 3), (-5, 2), (-7, 2), (low, 1), (low + 1, high), (-1, 0)] if low else [])
    return [(n, d) for n, d in cases if Ratio(n, d).fits(name)]


def checked_fit(name, *values):
    return all(limits(name)[0] <= v <= limits(name)[1] for v in values)


def arithmetic(name, x, y):
    """(flags, rows) for +, -, *, /, integer quotients and remainders; the flags are set where all intermediate numbers fit."""
    flags, rows = 0, []

    def said(bit, ok, values, count):
        nonlocal flags, rows
        if ok:
            flags |= 1 << bit
        rows += values() if ok else [None] * count

    both = not x.infinite and not y.infinite
    common = math.lcm(x.den, y.den) if both else 0
    left, right = (x.num * (common // x.den), y.num * (common // y.den)) if both else (0, 0)
    meets = both and checked_fit(name, common, left, right)
    for bit, total in ((0, left + right), (1, left - right)):
        said(bit, meets and checked_fit(name, total), lambda: Ratio(total, common).pair(name), 2)
    product = Ratio(x.num * y.num, x.den * y.den) if not (x.num * y.num == 0 and x.den * y.den == 0) else None
    said(2, product is not None and product.fits(name), lambda: product.pair(name), 2)
    ratio = Ratio(x.num * y.den, x.den * y.num) if not (x.num * y.den == 0 and x.den * y.num == 0) else None
    divides = ratio is not None and ratio.fits(name) and (y.num >= 0 or checked_fit(name, -ratio.num, -ratio.den))
    said(3, divides, lambda: ratio.pair(name) * 2, 4)
    whole = both and y.num != 0 and divides
    modes = ["ToZero", "Down", "Up", "Nearest", "NearestTiesAway", "NearestTiesUp", "FromZero"]
    quotients = [rounded_by(m, ratio.exact) for m in modes] if whole else []
    said(4, whole and checked_fit(name, *quotients), lambda: [(name, q) for q in quotients], 7)

    def remainders():
        (t, f) = (rounded_by("ToZero", ratio.exact), rounded_by("Down", ratio.exact))
        (r, m) = (Ratio(*(x.exact - q * y.exact).as_integer_ratio()) for q in (t, f))
        return r.pair(name) + m.pair(name) + [(name, t)] + r.pair(name) + [(name, f)] + m.pair(name)

    said(5, whole and meets and checked_fit(name, *quotients), remainders, 10)
    return flags, rows


def order(x, y):
    return [("Bool", t) for t in (x < y, x <= y, x == y, x != y, x > y, x >= y, x < y, x == y)] + [("Int64", (x > y) - (x < y))]


def column(cases, *getters):
    return [[g(c) for c in cases] for g in getters]


def check_pairs(kiln, checks, name):
    cases = [(a, b) for a in parts(name) for b in few_parts(name)]
    flags, expected = [], []
    for a, b in cases:
        x, y = Ratio(*a), Ratio(*b)
        least, most = (y, x) if y.order < x.order else (x, y)
        flag, rows = arithmetic(name, x, y)
        flags.append(flag)
        expected.append(x.pair(name) + order(x.order, y.order) + least.pair(name) + most.pair(name) + rows)
    columns = column(cases, lambda c: c[0][0], lambda c: c[0][1], lambda c: c[1][0], lambda c: c[1][1])
    check_table(kiln, checks, FILE, "pair", [(name, v) for v in columns] + [("UInt64", flags)], [name], 45, expected, f"Rational{{{name}}}", ("-O0",))


def check_throwing(kiln, checks, name):
    low, high = limits(name)
    cases = []
    for a in few_parts(name):
        for b in few_parts(name):
            x, y = Ratio(*a), Ratio(*b)
            if x.infinite or y.infinite:
                continue
            results = [x.exact + y.exact, x.exact - y.exact, x.exact * y.exact, x.exact / y.exact if y.num else 0]
            cases += [(*a, *b, k) for k, r in enumerate(results) if not Ratio(*Fraction(r).as_integer_ratio()).fits(name)]
    cases += [(*a, 1, 1, 10) for a in few_parts(name) if not Ratio(*a).infinite and not Ratio(a[0]**3, a[1]**3).fits(name)]
    if low:
        cases += [(low, d, 1, 1, k) for d in (1, 3) for k in (4, 5)]
    else:
        cases += [(1, 2, 1, 1, 4)]
    inexact = [(n, d, 1, 1, k) for n, d, k in [(1, 2, 6), (7, 3, 6), (high, 2, 6)]] + ([(300, 1, 1, 1, 9), (1, 1000, 1, 1, 9)] if width(name) > 8 else [])
    divide = [(1, 0, 1, 1, 7), (1, 2, 0, 1, 8)]
    for given, error in ((cases, "OverflowError"), (inexact, "InexactError"), (divide, "DivideError")):
        check_throws(kiln, checks, FILE, "throws", [(name, [g[k] for g in given]) for k in range(4)] + [("UInt64", [g[4] for g in given])], [name], error, f"{error} of Rational{{{name}}}", ("-O0",))
    check_throws(kiln, checks, FILE, "made", [(name, [0]), (name, [0])], [name], "ArgumentError", f"0//0 of {name}", ("-O0",))
    if low:
        check_throws(kiln, checks, FILE, "made", [(name, [low, low]), (name, [-1, -3])], [name], "OverflowError", f"denominators of {name}", ("-O0",))


def check_integers(kiln, checks, name, other):
    """Rational{T} with an S is a Rational of their common type ([promotion]); x^n keeps the type of x."""
    wide = meet(name, other)
    cases = [(a, n) for a in few_parts(name) for n in corners(other, True) if Ratio(*a).fits(wide) and checked_fit(wide, n)]
    flags, expected = [], []
    for a, n in cases:
        x, y = Ratio(*a), Ratio(n)
        flag, rows = arithmetic(wide, x, y)
        wanted = [("Bool", t) for t in (x.order == n, n == x.order, x.order < n, x.order <= n, n < x.order, n <= x.order)]
        sums, differences, product, ratio = rows[0:2], rows[2:4], rows[4:6], rows[6:10]
        back_flag, back = arithmetic(wide, y, x)
        if not (flag & 2 and back_flag & 2):
            flag &= ~2
        wanted += sums * 2 + (differences + back[2:4] if flag & 2 else [None] * 4) + product * 2 + ratio
        wanted += back[6:10]
        wanted += rows[10:13] + rows[17:21]
        flag = flag & 15 | (back_flag >> 3 & 1) << 4 | (flag >> 4 & 3) << 5
        small = abs(n) <= 5 and not (x.num == 0 and n < 0) and not x.infinite
        power = Ratio(*(x.exact**n).as_integer_ratio()) if small else None
        if power is not None and power.fits(name) and Ratio(power.num**2, power.den**2).fits(name):
            flag |= 128
            wanted += power.pair(name)
        flags.append(flag)
        expected.append(wanted)
    columns = column(cases, lambda c: c[0][0], lambda c: c[0][1])
    check_table(kiln, checks, FILE, "with_integer", [(name, columns[0]), (name, columns[1]), (other, [c[1] for c in cases]), ("UInt64", flags)], [name, other], 37, expected, f"Rational{{{name}}} and {other}", ("-O0",))


def as_float(kind, x):
    """(value, ulps): [promotion] to the float. One rounding where numerator and denominator are floats of the type, else two or three."""
    if x.infinite:
        return math.copysign(INF, x.num), 0
    exact = all(abs(v) <= 2**MANTISSA[kind][0] for v in (x.num, x.den))
    return round_exact(kind, x.exact), 0 if exact else 2


def check_floats(kiln, checks, name, kind):
    cases = []
    for a in few_parts(name):
        near = as_float(kind, Ratio(*a))[0]
        ys = [near] + float_corners(kind, True) + ([math.nextafter(near, INF), math.nextafter(near, -INF)] if kind == "Float64" and finite(near) else [])
        cases += [(a, y) for y in ys]
    expected = []
    for a, y in cases:
        x = Ratio(*a)
        value, ulps = as_float(kind, x)
        exact = Fraction(y) if finite(y) else y
        truth = [x.order == exact, x.order == exact, x.order < exact, x.order <= exact, x.order > exact, x.order >= exact, exact < x.order, exact <= x.order, x.order != exact] if y == y else [False] * 8 + [True]
        wanted = [("Bool", t) for t in truth] + [(kind, value, ulps)] * 2
        plain = ulps == 0 and finite(value, y)
        wanted += [(kind, round_exact(kind, Fraction(value) + Fraction(y)), 0) if plain and value + y else None, (kind, round_exact(kind, Fraction(value) * Fraction(y)), 0) if plain and value * y else None]
        expected.append(wanted + [(kind, value, ulps), (kind, y)])
    columns = column(cases, lambda c: c[0][0], lambda c: c[0][1])
    check_table(kiln, checks, FILE, "with_float", [(name, columns[0]), (name, columns[1]), (kind, [c[1] for c in cases])], [name, kind], 15, expected, f"Rational{{{name}}} and {kind}", ("-O0",))


def check_one(kiln, checks, name):
    cases, flags, expected = parts(name), [], []
    for n, d in cases:
        x, low = Ratio(n, d), limits(name)[0]
        sign = (x.num > 0) - (x.num < 0)
        rows = [(name, x.num), (name, x.den)] + x.pair(name) * 2 + [(name, v) for v in (0, 1, 1, 1)]
        rows += [("Bool", t) for t in (x.num == 0, x.order == 1, not x.infinite and x.den == 1, not x.infinite, x.infinite, False, x.num < 0)] + [(name, sign), (name, 1), ("Bool", True)]
        rows += [("Bool", all(v > 0 and v & v - 1 == 0 for v in (x.num, x.den)))]
        flag = 0
        if low and x.num != low:
            flag |= 1
            minus = [(name, -x.num), (name, x.den)]
            rows += minus + [(name, abs(x.num)), (name, x.den)] + (minus if x.num >= 0 else x.pair(name)) + minus
        else:
            rows += [None] * 8
        if checked_fit(name, -x.num if x.num < 0 else 0):
            flag |= 2
            rows += [(name, x.den * (-1 if x.num < 0 else 1)), (name, abs(x.num))]
        else:
            rows += [None] * 2
        modes = ["Nearest", "Down", "Up", "ToZero", "NearestTiesAway", "NearestTiesUp", "FromZero"]
        rows += [None] * 14 if x.infinite else [each for m in modes for each in Ratio(rounded_by(m, x.exact)).pair(name)]
        rows += [None] * 7 if x.infinite else [(name, rounded_by(m, x.exact)) for m in modes]
        flag |= 0 if x.infinite else 12
        if not x.infinite and x.den == 1:
            flag |= 16
            rows += [(name, x.num)] * 3
        flags.append(flag)
        expected.append(rows)
    columns = column(cases, lambda c: c[0], lambda c: c[1])
    check_table(kiln, checks, FILE, "of_one", [(name, v) for v in columns] + [("UInt64", flags)], [name], 60, expected, f"functions of Rational{{{name}}}", ("-O0",))
    flags, expected = [], []
    for n, d in cases:
        x, flag, rows = Ratio(n, d), 0, []
        for k, target in enumerate(TYPES):
            fits, whole = x.fits(target), not x.infinite and x.den == 1 and checked_fit(target, x.num)
            flag |= (fits | whole << 1) << 2 * k
            rows += (x.pair(target) * 2 if fits else [None] * 4) + ([(target, x.num)] * 3 if whole else [None] * 3)
        flags.append(flag)
        expected.append(rows)
    check_table(kiln, checks, FILE, "converted", [(name, v) for v in columns] + [("UInt64", flags)], [name], 56, expected, f"Rational{{{name}}} to others", ("-O0",))
    cases = [(a, b) for a in few_parts(name) for b in few_parts(name) if a[0] and b[0] and a[1] and b[1]]
    cases = [(a, b) for a, b in cases for x, y in [(Ratio(*a), Ratio(*b))] if x.num > 0 and y.num > 0 and all(checked_fit(name, v) for v in (math.lcm(x.den, y.den), math.lcm(x.num, y.num), x.num * y.den, y.num * x.den))]
    expected = []
    for a, b in cases:
        x, y = Ratio(*a), Ratio(*b)
        m = x.exact % y.exact or y.exact
        expected.append([(name, math.gcd(x.num, y.num)), (name, math.lcm(x.den, y.den)), (name, math.lcm(x.num, y.num)), (name, math.gcd(x.den, y.den)), (name, m.numerator), (name, m.denominator)])
    columns = column(cases, lambda c: c[0][0], lambda c: c[0][1], lambda c: c[1][0], lambda c: c[1][1])
    check_table(kiln, checks, FILE, "theory", [(name, v) for v in columns], [name], 6, expected, f"gcd and lcm of Rational{{{name}}}", ("-O0",))


def simplest(low, high):
    """The fraction of the smallest denominator between two positive ones (and there of the smallest numerator)."""
    whole = math.ceil(low)
    if whole <= high:
        return Fraction(whole)
    whole -= 1
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


def within(x, tol):
    """[rationalize]; None where an end of the interval itself would be the answer."""
    if abs(x) <= tol:
        return None
    r = simplest(abs(x) - tol, abs(x) + tol)
    return None if abs(r - abs(x)) == tol != 0 else r if x > 0 else -r


def check_of_floats(kiln, checks, kind, name):
    digits = MANTISSA[kind][0]
    xs = [0.0, 0.5, -0.75, 0.1, 0.3, 5.6, 10.3, 3.14159, -2.2, 1e-3, 100.25, 1 / 3, 2 / 7, -355 / 113, 1.0, 7.0, 1234.5, 0.7, 2.5e-2, 19 / 23]
    xs = [round_exact(kind, Fraction(x)) for x in xs] + [INF, -INF]
    flags, expected = [], []
    for x in xs:
        if not finite(x):
            flags.append(1)
            expected.append([(name, int(math.copysign(1, x))), (name, 0)] * 2)
            continue
        exact, flag, rows = Fraction(x), 0, []
        steps = Ratio(*exact.as_integer_ratio())
        if steps.fits(name) and (width(name) > 32 or exact.denominator < 64):    # the convergents on the way fit as well
            flag |= 1
            rows += steps.pair(name) * 2
        else:
            rows += [None] * 4
        eps = Fraction(2)**max(math.frexp(abs(x))[1] - digits, MANTISSA[kind][1]) if x else Fraction(0)
        for bit, tol in ((2, eps), (4, Fraction(round_exact(kind, Fraction(1, 100))))):
            near = within(exact, tol) if x else Fraction(0)
            if near is not None and Ratio(*near.as_integer_ratio()).fits(name) and (width(name) > 32 or bit == 4):
                flag |= bit
                rows += Ratio(*near.as_integer_ratio()).pair(name)
            else:
                rows += [None] * 2
        flags.append(flag)
        expected.append(rows)
    check_table(kiln, checks, FILE, "of_float", [(kind, xs), ("UInt64", flags)], [kind, name], 8, expected, f"{kind} to Rational{{{name}}}", ("-O0",))


PARTS = TYPES + ["with integers", "with floats", "of floats"]


def check(kiln, checks, part=None):
    for name in TYPES:
        if part in (None, name):
            check_pairs(kiln, checks, name)
            check_throwing(kiln, checks, name)
            check_one(kiln, checks, name)
    if part in (None, "with integers"):
        for name, other in (("Int8", "Int8"), ("Int8", "Int64"), ("UInt8", "UInt8"), ("Int32", "UInt8"), ("Int64", "Int8"), ("Int64", "Int64"), ("UInt64", "UInt32"), ("Int128", "Int64"), ("Int32", "Int128")):
            check_integers(kiln, checks, name, other)
        for name, other in (("Int8", "Int64"), ("UInt8", "Int8"), ("Int64", "UInt64"), ("Int128", "UInt16")):
            code = next(c for c, n in CODES.items() if n == meet(name, other))
            arrays, _, err, status = kiln.start(["tables.jl", FILE], "promoted", ["zeros(Int64, 3, 8, 1)", name, other], out=[1], options=("-O0",))
            checks.true(status == 0 and arrays[0].items == [code, 1, 0] * 8, f"promotion of {name} and {other}: {err}")
    if part in (None, "with floats"):
        for name in ("Int8", "UInt8", "Int32", "Int64", "UInt64", "Int128"):
            for kind in FLOATS:
                check_floats(kiln, checks, name, kind)
    if part in (None, "of floats"):
        for kind in FLOATS:
            for name in ("Int8", "Int32", "Int64", "Int128"):
                check_of_floats(kiln, checks, kind, name)
