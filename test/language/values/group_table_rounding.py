# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rounding by every mode. Rules: see tables.py, and
  [mode]      base/math, docstrings of round, RoundNearest, RoundNearestTiesAway, RoundNearestTiesUp, RoundToZero, RoundFromZero, RoundUp and RoundDown;
              a zero keeps the sign of what was rounded (IEEE 754, roundToIntegral), and what does not fit the type asked for is an InexactError
  [digits]    docstring of round: "rounds to the specified number of digits after the decimal place (or before if negative), in base `base`",
              in floating point: integers become Float64 (github.com/JuliaLang/julia/issues/51072 shows round(43241, digits=-2) == 43200.0).
              "can be inexact when operating on binary floating point numbers": so x stands for its shortest decimal number here, and has few digits
  [division]  docstrings of div and rem with a mode: "round(x/y, r) without any intermediate rounding" and "x - y*round(x/y, r)"
"""
import math
import struct
from decimal import Decimal
from fractions import Fraction

from group_table_rationals import rounded_by
from numbers_of import FLOATS, limits, wrap
from tables import INF, INTS, LARGEST, MANTISSA, NAN, check_table, check_throws, convert, corners, finite, float_corners, round_exact

FILE = "table_rounding.jl"
MODES = ["Nearest", "ToZero", "Down", "Up", "FromZero", "NearestTiesAway", "NearestTiesUp"]


def whole(mode, x):
    """[mode] of a float, as a float: exact, since floats with a fraction are small."""
    if not finite(x):
        return x
    return math.copysign(float(rounded_by(mode, Fraction(x))), x)


def as_float(kind, x):
    if not finite(x) or x == 0:
        return x
    return round_exact(kind, Fraction(x))


def points(name):
    digits = MANTISSA[name][0]
    near = [k + d for k in (0, 1, 2, 3, 6, 127, 255) for d in (0.25, 0.5, 0.75)] + [0.5 - 2.0**-(digits + 1), 0.5 + 2.0**-digits, 2.0**(digits - 1) + 1, 2.0**(digits - 2) + 0.5, 2.0**(digits - 2) - 0.5, 2.0**(digits - 3) + 0.25]
    return float_corners(name) + [round_exact(name, Fraction(s * v)) for v in near for s in (1, -1)]


def check_floats(kiln, checks, name):
    xs = points(name)
    expected = []
    for x in xs:
        v = {m: whole(m, x) for m in MODES}
        rows = [(name, v[m]) for m in MODES] + [(name, v[m]) for m in ("Nearest", "ToZero", "Down", "Up")]
        rows += [("Float64", v["Nearest"]), ("Float32", as_float("Float32", v["Down"])), ("Float16", as_float("Float16", v["Up"])), ("Float32", as_float("Float32", v["Up"])), ("Float64", v["FromZero"])]
        expected.append(rows)
    check_table(kiln, checks, FILE, "of_floats", [(name, xs)], [name], 16, expected, f"rounding of {name}")
    targets = INTS[:8]
    ends = [v for t in targets for limit in limits(t) for v in (limit, limit + Fraction(1, 2), limit - Fraction(1, 2), limit + 1, limit - 1, limit + Fraction(1, 4), limit - Fraction(1, 4)) if abs(v) <= LARGEST[name]]
    xs = sorted({round_exact(name, Fraction(v)) for v in ends} | {x for x in xs if finite(x)})
    flags, expected, bad = [], [], []
    for x in xs:
        flag, rows = 0, []
        for k, target in enumerate(targets):
            for j, m in enumerate(MODES):
                r = rounded_by(m, Fraction(x))
                fits = limits(target)[0] <= r <= limits(target)[1]
                flag |= fits << 7 * k + j
                rows.append((target, r) if fits else None)
                if not fits and abs(r) < 2**70:
                    bad.append((x, 7 * k + j))
        flags.append(flag)
        expected.append(rows)
    check_table(kiln, checks, FILE, "to_integers", [(name, xs), ("UInt64", flags)], [name], 56, expected, f"{name} to integers", ("-O0",))
    bad += [(x, w) for x in (INF, -INF, NAN) for w in range(56)]
    check_throws(kiln, checks, FILE, "throws", [(name, [b[0] for b in bad]), ("UInt64", [b[1] for b in bad])], [name], "InexactError", f"{name} to integers", ("-O0",))


def check_integers(kiln, checks, name):
    xs, flags, expected = corners(name), [], []
    for x in xs:
        flag, rows = 0, [(name, x)] * 11 + [("Float64", convert("Float64", x)), (name, x), (name, x)]
        for k, target in enumerate(INTS):
            fits = limits(target)[0] <= x <= limits(target)[1]
            flag |= fits << k
            rows += [(target, x) if fits else None] * 5
        flags.append(flag)
        expected.append(rows)
    check_table(kiln, checks, FILE, "of_integers", [(name, xs), ("UInt64", flags)], [name], 64, expected, f"rounding of {name}", ("-O0",))
    bad = [(x, 7 * k + j) for x in xs for k, target in enumerate(INTS[:8]) for j in range(7) if not limits(target)[0] <= x <= limits(target)[1]]
    check_throws(kiln, checks, FILE, "throws", [(name, [b[0] for b in bad]), ("UInt64", [b[1] for b in bad])], [name], "InexactError", f"{name} to integers", ("-O0",))


def at_digit(kind, mode, exact, digits, base, sign):
    unit = Fraction(base)**digits
    return math.copysign(round_exact(kind, rounded_by(mode, exact * unit) / unit), sign)


def digits_before(exact, base):
    n = 0
    while abs(exact) >= Fraction(base)**n:
        n += 1
    while abs(exact) < Fraction(base)**(n - 1):
        n -= 1
    return n


def check_digits(kiln, checks, kind):
    texts = ["0.0", "1.25", "1.35", "-2.675", "123.456", "-123.456", "0.5", "-0.5", "1234.5", "-9.99", "0.05", "0.0125", "99.5", "-0.001", "3.14159", "1.15", "250.0", "-1250.0", "1750.0", "7.0", "0.3"]
    if kind == "Float16":
        texts = ["0.0", "1.25", "-2.5", "12.5", "0.5", "-0.25", "99.5", "250.0", "-1250.0", "7.0", "0.75"]
    shown = [Fraction(Decimal(t)) for t in texts]
    xs = [math.copysign(round_exact(kind, abs(s)), -1 if t[0] == "-" else 1) for s, t in zip(shown, texts)]
    # Of what has as many decimals as are asked for, directed modes may leave the number: x * 10^n may miss it by a unit.
    order = ["Nearest", "Down", "Up", "ToZero"] + MODES + ["Nearest"]
    for entry, counts in (("digits_of", (0, 1, 2, 3, -1, -2, -3)), ("significant", (1, 2, 3, 4))):
        cases, expected = [], []
        for s, x in zip(shown, xs):
            for d in counts:
                if entry == "significant" and s == 0:
                    cases.append((x, d))
                    expected.append([(kind, x)] * 11)
                    continue
                n = d if entry == "digits_of" else d - digits_before(s, 10)
                scaled = s * Fraction(10)**n
                if kind == "Float16" and (abs(scaled) > 2000 or n > 3):
                    continue
                near = Fraction(x) * Fraction(10)**n
                steady = scaled != near and (scaled.denominator == 1 or scaled.denominator == 2) and (kind != "Float64" or round_exact(kind, near) != scaled)
                rows = [None if steady else (kind, at_digit(kind, m, s, n, 10, x)) for m in order]
                cases.append((x, d))
                expected.append(rows if entry == "digits_of" else rows[:11])
        check_table(kiln, checks, FILE, entry, [(kind, [c[0] for c in cases]), ("Int64", [c[1] for c in cases])], [kind], 12 if entry == "digits_of" else 11, expected, f"{entry} of {kind}")
    # In bases whose powers are floats, and of numbers that are whole in them, nothing is rounded but the result.
    cases = [(x, d, b) for x in (0.0, 1.375, -2.8125, 100.0, -0.15625, 45.5, 3.0, 62.5, 27.0) for d in (0, 1, 2, 3, -1, -2) for b in (2, 4, 16, 10, 3, 5) if not (b in (3, 10, 5) and d > 0 and kind == "Float16")]
    expected = []
    for x, d, b in cases:
        s = Fraction(x)
        rows = [(kind, at_digit(kind, m, s, d, b, x)) for m in ("Nearest", "Down", "Up", "NearestTiesAway")]
        n = abs(d) + 1 - digits_before(s, b) if x else 0
        rows.append((kind, x) if not x else (kind, at_digit(kind, "Nearest", s, n, b, x)) if b not in (3, 10, 5) or n <= 0 else None)
        if d < 0 and b in (3, 5, 10) and kind == "Float16":
            rows = [None] * 5
        expected.append(rows)
    check_table(kiln, checks, FILE, "in_base", [(kind, [c[0] for c in cases]), ("Int64", [c[1] for c in cases]), ("Int64", [c[2] for c in cases])], [kind], 5, expected, f"digits in other bases of {kind}")
    specials = [(x, d) for x in (INF, -INF, NAN) for d in (-2, 0, 3)] + [(LARGEST[kind], d) for d in (0, 1, 5)] + [(1.5, 400), (-1.5, 400)] + [(1.5, -400), (-1.5, -400)]
    expected = []
    for x, d in specials:
        if d == -400:                                                         # all is below half a unit; away from zero it is infinite
            r = {m: math.copysign(0.0, x) for m in MODES} | {"FromZero": math.copysign(INF, x)} | ({"Up": INF} if x > 0 else {"Down": -INF})
        else:
            r = {m: x for m in MODES}
        expected.append([(kind, r[m]) for m in order])
    check_table(kiln, checks, FILE, "digits_of", [(kind, [c[0] for c in specials]), ("Int64", [c[1] for c in specials])], [kind], 12, expected, f"digits of special {kind}")


def check_integer_digits(kiln, checks):
    order = ["Nearest", "Down", "Up", "ToZero"] + MODES + ["Nearest"]
    for name in ("Int64", "UInt8", "Int32"):
        cases = [(x, d) for x in (0, 7, 15, 25, 43, 250, -35, 12345, -12350, 999999) for d in (2, 0, -1, -2, -4) if limits(name)[0] <= x <= limits(name)[1]]
        expected = [[("Float64", at_digit("Float64", m, Fraction(x), d, 10, x)) for m in order] for x, d in cases]
        check_table(kiln, checks, FILE, "digits_of", [(name, [c[0] for c in cases]), ("Int64", [c[1] for c in cases])], [name], 12, expected, f"digits of {name}")
        cases = [(x, d) for x, _ in cases for d in (1, 2, 5)]
        expected = [[("Float64", at_digit("Float64", m, Fraction(x), d - digits_before(Fraction(x), 10) if x else 0, 10, x)) for m in order[:11]] for x, d in cases]
        check_table(kiln, checks, FILE, "significant", [(name, [c[0] for c in cases]), ("Int64", [c[1] for c in cases])], [name], 11, expected, f"significant digits of {name}")
    cases = [(n, d, k) for n, d in ((1, 3), (-22, 7), (12345, 4), (5, 2)) for k in (0, 2, 4, -1)]
    expected = []
    for n, d, k in cases:
        x = Fraction(n, d)
        expected.append([("Float64", at_digit("Float64", m, x, j, 10, n)) for m, j in (("Nearest", k), ("Down", k), ("Up", 2 - digits_before(x, 10)))])
    check_table(kiln, checks, FILE, "fractions", [("Int64", [c[k] for c in cases]) for k in range(3)], [], 3, expected, "digits of Rational")
    arrays, _, err, status = kiln.start(["tables.jl", FILE], "constants", ["zeros(Int64, 3, 7, 1)"], out=[1])
    checks.true(status == 0, f"digits of π and ℯ: {err}")
    if status == 0:
        wanted = [3.14, 3.125, 2.7182, 3.142, 4.0, 3, 4.0]
        for k, w in enumerate(wanted):
            code, low = arrays[0].items[3 * k], arrays[0].items[3 * k + 1]
            got = low if code == 8 else struct.unpack("<d", struct.pack("<q", low))[0]
            checks.true(got == w and code == (8 if w == 3 else 14), f"digits of π and ℯ, row {k + 1}: expected {w!r}, got {got!r}")


def check_quotients(kiln, checks, name):
    low, high = limits(name)
    cases = [(x, y) for x in corners(name) for y in corners(name) if y and all(low <= rounded_by(m, Fraction(x, y)) <= high for m in MODES)]
    expected = []
    for x, y in cases:
        q = [rounded_by(m, Fraction(x, y)) for m in MODES]
        r = [wrap(name, x - y * v) for v in q]
        expected.append([(name, v) for v in q + r] + [(name, v) for pair in zip(q, r) for v in pair])
    check_table(kiln, checks, FILE, "quotients", [(name, [c[0] for c in cases]), (name, [c[1] for c in cases])], [name], 28, expected, f"quotients of {name} by mode", ("-O0",))


def check_float_quotients(kiln, checks, name):
    """What is left is exact where a float holds it, else it is said to be rounded; quotients of almost as many
    digits as the type has are left out (Julia too rounds x - rem(x, y) there), and the signs of zeros, which the manual leaves open."""
    xs = [x for x in float_corners(name) if finite(x)]
    cases, expected = [(x, y) for x in xs for y in xs if y], []
    modes = ["Nearest", "ToZero", "Down", "Up", "FromZero"]
    for x, y in cases:
        quotient = Fraction(x) / Fraction(y)
        rows = []
        for m in modes:
            q = rounded_by(m, quotient)
            rows.append((name, float(q)) if abs(q) < 2**(MANTISSA[name][0] - 3) else None)
        for m in modes:
            left = Fraction(x) - Fraction(y) * rounded_by(m, quotient)
            value = round_exact(name, left)
            rows.append((name, value, 0 if Fraction(value) == left else 1))
        expected.append(rows)
    check_table(kiln, checks, FILE, "float_quotients", [(name, [c[0] for c in cases]), (name, [c[1] for c in cases])], [name], 10, expected, f"quotients of {name} by mode")


def check(kiln, checks):
    for name in FLOATS:
        check_floats(kiln, checks, name)
        check_digits(kiln, checks, name)
        check_float_quotients(kiln, checks, name)
    for name in INTS:
        check_integers(kiln, checks, name)
        check_quotients(kiln, checks, name)
    check_integer_digits(kiln, checks)
