# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges of floats: elements are the floats nearest to the fractions that the text of the ends stands for."""
from fractions import Fraction

from numbers_of import rounded

COLONS = [("0.1", "0.1", "1.0"), ("0.0", "0.1", "1.0"), ("0.0", "0.01", "0.57"), ("1.0", "-0.1", "0.0"), ("-1.0", "0.2", "1.0"), ("0.3", "0.3", "9.0"),
          ("2.5", "0.5", "7.0"), ("0.0", "0.7", "100.0"), ("10.0", "-0.3", "-3.0"), ("1.0", "0.1", "0.5"), ("0.1", "0.2", "0.1"), ("-3.5", "1.25", "9.0")]
LENGTHS = [("0.0", "1.0", 11), ("0.0", "1.0", 8), ("-1.0", "1.0", 7), ("0.1", "0.9", 33), ("1.0", "0.0", 5), ("2.5", "7.75", 64), ("0.0", "100.0", 2)]
STEPS = [("0.1", "0.1", 20), ("5.0", "-0.7", 9), ("0.0", "0.001", 50)]


def nearest(name, x):
    """One rounding for Float64; Float32 is computed in Float64 and then rounded, as in Julia."""
    return rounded(name, x.numerator / x.denominator)


def elements(a, s, b):
    a, s, b = Fraction(a), Fraction(s), Fraction(b)
    return [a + k * s for k in range(max(0, (b - a) // s + 1))]


def check(kiln, checks):
    for name, suffix in (("Float64", ""), ("Float32", "f0")):
        cases = [(f"{a}{suffix}:{s}{suffix}:{b}{suffix}", elements(a, s, b)) for a, s, b in COLONS]
        cases += [(f"range({a}{suffix}, {b}{suffix}, length={n})", [Fraction(a) + k * (Fraction(b) - Fraction(a)) / (n - 1) for k in range(n)]) for a, b, n in LENGTHS]
        cases += [(f"range({a}{suffix}, step={s}{suffix}, length={n})", [Fraction(a) + k * Fraction(s) for k in range(n)]) for a, s, n in STEPS]
        for text, wanted in cases:
            args = [f"zeros({name}, {len(wanted) + 2})", f"zeros({name}, {len(wanted) + 2})", text]
            looped, indexed = kiln.run(["float_ranges.jl"], "store_range", args, out=[1, 2])
            for k, x in enumerate(wanted):
                checks.equal(name, looped[k], nearest(name, x), f"element {k} of {text}")
                checks.equal(name, indexed[k], looped[k], f"indexed element {k} of {text}")
            checks.true(looped[len(wanted)] == len(wanted), f"length of {text}: {looped[len(wanted)]}")
    # a range that is made in the kernel, of values that are not known before
    o, = kiln.run(["float_ranges.jl"], "made_inside", ["zeros(Float64, 12)", "0.0", "0.1", "1.0"], out=[1])
    for k in range(11):
        checks.equal("Float64", o[k], k / 10, f"element {k} of a range made in a kernel")
    # between ends that are no short fractions, the ends themselves are met
    for a, b, n in ((0.1234567891, 3.3333333331, 10), (-1.0 / 3, 2.0 / 3, 7), (1e10 + 0.1, -1e-10, 5)):
        o, = kiln.run(["float_ranges.jl"], "store_range", [f"zeros(Float64, {n + 2})", f"zeros(Float64, {n + 2})", f"range({a!r}, {b!r}, length={n})"], out=[1])
        checks.equal("Float64", o[0], a, f"first of range({a}, {b}, {n})")
        checks.equal("Float64", o[n - 1], b, f"last of range({a}, {b}, {n})")
        for k in range(n):
            checks.equal("Float64", o[k], float(Fraction(a) + k * (Fraction(b) - Fraction(a)) / (n - 1)), f"element {k} of range({a}, {b}, {n})", ulps=1)
