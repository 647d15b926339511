# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operator and function of integers, for every pair of types, at the corner values of both. Rules: see tables.py."""
import math

from numbers_of import limits, meet, quotient, signed, width, wrap
from tables import INTS, NAN, INF, WITH_BOOL, check_table, check_throws, corners, round_exact
from fractions import Fraction


def as_float(x):
    return round_exact("Float64", Fraction(int(x)))


def float_quotient(x, y):
    """x / y of integers is that of the nearest Float64 ([operations])."""
    x, y = as_float(x), as_float(y)
    if y == 0:
        return NAN if x == 0 else math.copysign(INF, x)
    return x / y


def shifted(name, x, n):
    return wrap(name, x << min(n, 256)) if n >= 0 else x >> min(-n, 256)


def logical(name, x, n):
    """x >>> n fills with zeros: [docstring] of >>>."""
    return wrap(name, (x & (1 << width(name)) - 1) >> min(n, 256)) if n >= 0 else wrap(name, x << min(-n, 256))


def operators(a, x, b, y):
    """[overflow], [promotion]; comparisons by value and `x << n` for n < 0 as `x >> -n`: [operations], [docstring]."""
    common = meet(a, b)
    number = "Int64" if common == "Bool" else common                          # sums of Bool are Int
    plus = [(number, wrap(number, x + y)), (number, wrap(number, x - y)), (common, bool(x and y) if common == "Bool" else wrap(common, x * y))]
    bits = [(common, bool(r) if common == "Bool" else wrap(common, r)) for r in (int(x) & int(y), int(x) | int(y), int(x) ^ int(y))]
    truth = [x < y, x <= y, x == y, x != y, x > y, x >= y, x < y, x == y, a == b and x == y]
    left = "Int64" if a == "Bool" else a
    shifts = [(left, r) for r in (shifted(left, int(x), int(y)), shifted(left, int(x), -int(y)), logical(left, int(x), int(y)))]
    remainder = (b, bool(x & 1) if b == "Bool" else wrap(b, int(x)))
    flipped = (a, wrap(a, -x if y < 0 else x)) if a != "Bool" else None       # the dividend's type and its wrap
    copied = (a, wrap(a, -x if (x < 0) != (y < 0) else x)) if a != "Bool" else None
    return plus + [("Float64", float_quotient(x, y))] + bits + [("Bool", t) for t in truth] + [("Int64", (x > y) - (x < y))] + shifts + [remainder, flipped, copied]


def division(a, x, b, y):
    """[operations] "Division functions": the exact quotient rounded towards zero, down, up. Of unlike signs the quotient and rem take the
    dividend's signedness, mod the divisor's, at the wider width (base/int.jl's methods for Signed and Unsigned)."""
    q, common = quotient(x, y), meet(a, b)
    results = [q, x - q * y, x % y, x // y, -(-x // y), q, x - q * y, x // y, x % y, q, x - q * y]
    if common == "Bool":
        return [("Bool", bool(r)) for r in results[:3]] + [None] * 2 + [("Bool", bool(r)) for r in results[5:7]] + [None] * 2 + [("Bool", bool(r)) for r in results[9:]]
    if "Bool" in (a, b) or signed(a) == signed(b):
        return [(common, wrap(common, r)) for r in results]
    wide = str(max(width(a), width(b)))
    first, second = (("Int" if signed(t) else "UInt") + wide for t in (a, b))
    return [(second if k in (2, 8) else first, wrap(second if k in (2, 8) else first, r)) for k, r in enumerate(results)]


def overflows(a, x, b, y):
    common = meet(a, b)
    return y == 0 or (y == -1 and x < 0 and x == limits(common)[0])


def division_of_one(name, x, y):
    """[docstring] of fld1, mod1: x == mod1(x, y) + (fld1(x, y) - 1) * y."""
    m = y if x % y == 0 else x % y
    f = (x - m) // y + 1
    g = math.gcd(x, y)
    return [(name, wrap(name, f)), (name, m), (name, wrap(name, f)), (name, m), (name, -(-x // y)), (name, x // y), (name, x % y), (name, g) if g <= limits(name)[1] else None]


def choices(a, x, b, y):
    common = meet(a, b)
    return [(common, v) for v in (min(x, y), max(x, y), min(x, y), max(x, y), x, y, y)] + [("Bool", True), ("Int64" if common == "Bool" else common, wrap("Int64" if common == "Bool" else common, x * y + x))]


def unary(name, x):
    number, low, high = ("Int64" if name == "Bool" else name), *((False, True) if name == "Bool" else limits(name))
    sign = (x > 0) - (x < 0)
    other = "Int" if name == "Bool" else name.lstrip("U")
    kinds = ("Int64", "UInt64") if name == "Bool" else (other, "U" + other)
    results = [(number, wrap(number, -x)), (name, not x if name == "Bool" else wrap(name, ~x)), (number, int(x)), (name, abs(x) if name == "Bool" else wrap(name, abs(x))), (name, bool(sign) if name == "Bool" else sign),
               ("Bool", x < 0), ("Bool", x % 2 == 1), ("Bool", x % 2 == 0), ("Bool", x == 0), ("Bool", x == 1)]
    one_bit = lambda v: bool(v) if name == "Bool" else wrap(name, v)
    return results + [(name, one_bit(x * x)), (name, one_bit(0)), (name, one_bit(1)), (name, low), (name, high), (kinds[0], wrap(kinds[0], x)), (kinds[1], wrap(kinds[1], x)), (name, one_bit(x**2)),
                      (name, one_bit(x**3)), (name, one_bit(1)), (name, one_bit(x**5)), ("Float64", as_float(x)), ("Int64", bin(x & (1 << width(name)) - 1).count("1"))]


def digits(x, base):
    x, n = abs(x), 1
    while x >= base:
        x, n = x // base, n + 1
    return n


def bits(name, x):
    n = width(name)
    text = format(x & (1 << n) - 1, f"0{n}b")
    word = int(text, 2)
    rotated = [word << k % n | word >> (n - k % n) for k in (1, -3, 130)]
    counts = [text.count("0"), n - len(text.lstrip("0")), n - len(text.rstrip("0")), n - len(text.lstrip("1")), n - len(text.rstrip("1"))]
    swapped = int.from_bytes(word.to_bytes(n // 8, "little"), "big")
    return [("Int64", c) for c in counts] + [(name, wrap(name, v)) for v in (swapped, int(text[::-1], 2), *rotated)] + [("Bool", x > 0 and text.count("1") == 1)] + \
        [("Int64", v) for v in (digits(x, 10), digits(x, 2), digits(x, 16), n // 8)]


def roots(name, x):
    """isqrt exactly; nextpow and prevpow(2, x) for 0 < x where the power fits: [docstring]."""
    above, below = 1 << max(x - 1, 0).bit_length(), 1 << x.bit_length() - 1 if x else None
    return [(name, math.isqrt(x)), (name, above) if x and above <= limits(name)[1] else None, (name, below) if x else None]


def bezout(x, y):
    """gcd, and the coefficients that Euclid's algorithm gives."""
    s0, s1, t0, t1, low, high = 1, 0, 0, 1, x, y
    while high:
        q = quotient(low, high)
        low, high, s0, s1, t0, t1 = high, low - q * high, s1, s0 - q * s1, t1, t0 - q * t1
    return (low, s0, t0) if low >= 0 else (-low, -s0, -t0)


def pairs(a, b, few):
    return [(x, y) for x in corners(a, few) for y in corners(b, few)]


def split(cases):
    return [c[0] for c in cases], [c[1] for c in cases]


FILE = "table_integers.jl"


def check_pairs(kiln, checks, a):
    """Of all types of y in one kernel."""
    cases, flags, expected = [], [], []
    for index, b in enumerate(WITH_BOOL):
        common = meet(a, b)
        fits = lambda v: common == "Bool" or limits(common)[0] <= v <= limits(common)[1]
        for x, y in pairs(a, b, a != b):
            divides, meets = not overflows(a, x, b, y), fits(x) and fits(y)
            cases.append((x, y))
            flags.append(index + 1 | divides << 8 | meets << 9)
            expected.append(operators(a, x, b, y) + (division(a, x, b, y) if divides else [None] * 11) + (choices(a, x, b, y) if meets else []))
    # The columns are words: an Int128 of each value holds any type's.
    table = [("Int128", [wrap("Int128", int(v)) for v in side]) for side in split(cases)]
    check_table(kiln, checks, FILE, "pairs_of_types", table + [("UInt64", flags)], [a, "Tuple{" + ",".join(WITH_BOOL) + "}"], 43, expected, f"{a} and {', '.join(WITH_BOOL)}", ("-O0",))


def check_type(kiln, checks, name):
    cases = corners(name)
    expected = [unary(name, x) + (bits(name, x) + (roots(name, x) if x >= 0 else []) if name != "Bool" else []) for x in cases]
    check_table(kiln, checks, FILE, "unary", [(name, cases)], [name], 41, expected, f"functions of {name}", ("-O0",) if width(name) == 128 else ()) # vectors of 128-bit integers take LLVM seconds
    if name == "Bool":
        return
    low, high = limits(name)
    both = [c for c in pairs(name, name, False) if not overflows(name, c[0], name, c[1]) and math.gcd(*c) <= high]
    check_table(kiln, checks, FILE, "division_of_one", [(name, v) for v in split(both)], [name], 8, [division_of_one(name, x, y) for x, y in both], f"division of {name}")
    power_cases = [(x, n) for x in cases for n in (0, 1, 2, 3, 7, 8, 31, 64, 127)]
    check_table(kiln, checks, FILE, "powers", [(name, [c[0] for c in power_cases]), ("Int64", [c[1] for c in power_cases])], [name, "Int64"], 1,
                [[(name, wrap(name, x**n))] for x, n in power_cases], f"powers of {name}")
    triples = [(x, n, m) for x in corners(name, True) if x != low or low == 0 for n in (0, 1, 2, 7, 100) for m in (1, 2, 7, 97, high) + ((-97, low + 1) if low else ()) if math.lcm(n, m) <= high]
    expected = [[(name, pow(x, n, m)), (name, math.lcm(n, m))] + [(name, wrap(name, v)) for v in bezout(n, m)] + [(name, math.gcd(x, n, m))] for x, n, m in triples]
    check_table(kiln, checks, FILE, "theory", [(name, [t[j] for t in triples]) for j in range(3)], [name], 6, expected, f"number theory of {name}")
    division_errors = [(x, 0, which) for x in cases for which in range(5)] + ([(low, -1, which) for which in (0, 3, 4)] if signed(name) else [])
    too_large = [(x, y, 5) for x, y in pairs(name, name, False) if math.lcm(x, y) > high and math.gcd(x, y) <= high]
    if signed(name):
        too_large += [(low, low, 6), (low, 0, 6), (0, low, 6)]
    powers_of_none = [(x, n, 7) for x, n in [(0, -1), (2, -1), (-2, -3), (high, -1), (low, low)]] if signed(name) else []
    for given, error in ((division_errors, "DivideError"), (too_large, "OverflowError"), (powers_of_none, "DomainError")):
        check_throws(kiln, checks, FILE, "throws", [(name, [g[0] for g in given]), (name, [g[1] for g in given]), ("UInt64", [g[2] for g in given])], [name], error, f"{error} of {name}", ("-O0",))


PARTS = WITH_BOOL


def check(kiln, checks, part=None):
    for name in WITH_BOOL:
        if part in (None, name):
            check_pairs(kiln, checks, name)
            check_type(kiln, checks, name)
