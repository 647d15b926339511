# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Promotion: each pair of number types, with values at which mixed signs and widths matter."""
from fractions import Fraction
import math

from numbers_of import FLOATS, INTS, meet, quotient, rounded, signed, width, wrap

TYPES = ["Bool"] + INTS + ["Float32", "Float64"]


def literal(name, x):
    if name == "Bool":
        return "true" if x else "false"
    return f"{name}({x!r})" if name in FLOATS else f"{x} % {name}" if x >= 0 else f"({x}) % {name}"


def as_type(name, x):
    return rounded(name, x) if name in FLOATS else wrap(name, int(x))


def divided(name, x, y):
    if y == 0:
        return math.nan if x == 0 or x != x else math.copysign(math.inf, x) * math.copysign(1, y)
    return rounded(name, x / y)


def result_of(op, a, x, b, y):
    """(type, value) of x op y."""
    common = meet(a, b)
    if op == "/":
        if common not in FLOATS:
            return "Float64", divided("Float64", rounded("Float64", x), rounded("Float64", y))
        return common, divided(common, as_type(common, x), as_type(common, y))
    if op in "+-*":
        if common == "Bool":
            return ("Bool", bool(x and y)) if op == "*" else ("Int64", x + y if op == "+" else x - y)
        if op == "*" and "Bool" in (a, b) and common in FLOATS:
            flag, other = (x, y) if a == "Bool" else (y, x)
            return common, other if flag else math.copysign(0.0, other)
        p, q = as_type(common, x), as_type(common, y)
        r = p + q if op == "+" else p - q if op == "-" else p * q
        return common, as_type(common, r)
    p, q = Fraction(x), Fraction(y)
    return "Bool", {"<": p < q, "<=": p <= q, "==": p == q, ">": p > q}[op]


def expected(a, x, b, y):
    common = meet(a, b)
    results = [result_of(op, a, x, b, y) for op in ("+", "-", "*", "/", "<", "<=", "==", ">")]
    zero, one = (False, True) if common == "Bool" else (as_type(common, 0), as_type(common, 1))
    results += [(common, zero), (common, one), (common, one), (common, zero)]
    results.append((a, as_type(a, Fraction(x) != Fraction(y)) if a != "Bool" else Fraction(x) != Fraction(y)))
    return results


VALUES = {
    "low": {"Bool": (True, False), "signed": (-3, -1), "unsigned": (5, 2), "float": (-2.5, 0.5)},
    "wrapped": {"Bool": (False, True), "signed": ("min", "max"), "unsigned": ("max", "max"), "float": (3.0, -1.0)},
}


def value(kind, name, which):
    family = "Bool" if name == "Bool" else "float" if name in FLOATS else "signed" if signed(name) else "unsigned"
    x = VALUES[kind][family][which]
    if x == "min":
        return -(1 << width(name) - 1)
    if x == "max":
        return (1 << width(name) - signed(name)) - 1
    return x


def check(kiln, checks):
    per_pair = 13
    for kind in VALUES:
        xs, ys = ([value(kind, t, w) for t in TYPES] for w in (0, 1))
        count = len(TYPES) ** 2 * per_pair
        args = [f"zeros(Int64, 2, {count})", "zeros(Int64, 1)"] + ["(" + ", ".join(literal(t, v) for t, v in zip(TYPES, side)) + ")" for side in (xs, ys)]
        results, written = kiln.run(["typed.jl", "mixed.jl"], "mixed", args, out=[1, 2])
        checks.equal("Int64", written[0], count, "results written")
        slot = 0
        for a, x in zip(TYPES, xs):
            for b, y in zip(TYPES, ys):
                names = ["+", "-", "*", "/", "<", "<=", "==", ">", "min", "max", "promote", "zero of promote_type", "one or zero"]
                for what, (name, wanted) in zip(names, expected(a, x, b, y)):
                    checks.typed(results, slot, (name, wanted, 0), f"{what} of {a} {x} and {b} {y}")
                    slot += 1
    check_integers(kiln, checks)


def integer_results(a, x, b, y):
    """Julia's methods for division of unlike integers."""
    common = meet(a, b)
    results = [(common, wrap(common, r)) for r in (x & y, x | y, x ^ y)]
    q = quotient(x, y)
    r = x - q * y
    same_sign = signed(a) == signed(b)
    wide = max(width(a), width(b))
    first = ("Int" if signed(a) else "UInt") + str(wide)     # mixed signs: quotients and rem take the dividend's sign
    second = ("Int" if signed(b) else "UInt") + str(wide)    # mod takes the divisor's
    if same_sign:
        return results + [(common, v) for v in (q, r, x % y, x // y, -(-x // y))]
    return results + [(first, wrap(first, q)), (first, wrap(first, r)), (second, wrap(second, x % y)), (first, wrap(first, x // y)), (first, wrap(first, -(-x // y)))]


def check_integers(kiln, checks):
    for sides in ((-7, 3, 7, 3), (7, 2, -2, 5), (-100, 100, -7, 7)):
        xs = [sides[0] if signed(t) else sides[1] for t in INTS]
        ys = [sides[2] if signed(t) else sides[3] for t in INTS]
        count = len(INTS) ** 2 * 8
        args = [f"zeros(Int64, 2, {count})", "zeros(Int64, 1)"] + ["(" + ", ".join(literal(t, v) for t, v in zip(INTS, side)) + ")" for side in (xs, ys)]
        results, written = kiln.run(["typed.jl", "mixed.jl"], "mixed_integers", args, out=[1, 2])
        checks.equal("Int64", written[0], count, "results written")
        slot = 0
        for a, x in zip(INTS, xs):
            for b, y in zip(INTS, ys):
                for what, (name, wanted) in zip(["&", "|", "xor", "div", "rem", "mod", "fld", "cld"], integer_results(a, x, b, y)):
                    checks.typed(results, slot, (name, wanted, 0), f"{what} of {a} {x} and {b} {y}")
                    slot += 1
