# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IEEE 754 arithmetic in Python, one rounding an operation: the oracle of float_bits."""
import ctypes
import math
from fractions import Fraction


def to_single(x):
    """The Float32 nearest to x, as a float. Sums, products, quotients and roots of Float32 that were rounded to
    Float64 first give the same Float32 (53 >= 2 * 24 + 2 bits)."""
    return ctypes.c_float(x).value


def divide(x, y):
    if y != 0:
        return x / y
    if x == 0 or x != x or y != y:
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def root(x):
    return math.sqrt(x) if x >= 0 else x if x == 0 or x != x else math.nan


def fused(x, y, z):
    """x * y + z of Float64, rounded once."""
    if not all(map(math.isfinite, (x, y, z))):
        return x * y + z
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return x * y + z if x == 0 or y == 0 else 0.0
    try:
        return exact.numerator / exact.denominator
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def fused_single(x, y, z):
    """The same of Float32. The product is exact in Float64; the sum is rounded to odd there, so that the second
    rounding decides alone."""
    product = x * y
    s = product + z
    if not math.isfinite(s):
        return to_single(s)
    back = s - product
    error = (product - (s - back)) + (z - back)
    if error != 0 and int(math.frexp(s)[0] * 2.0**53) % 2 == 0:
        s = math.nextafter(s, math.inf if error > 0 else -math.inf)
    return to_single(s)


def names(single, fuses):
    """What the programs' Python text calls. `fuses`: muladd rounds once."""
    fma = fused_single if single else fused
    r = to_single if single else float
    return {
        "R": r,
        "div": (lambda x, y: to_single(divide(x, y))) if single else divide,
        "sqrt": (lambda x: to_single(root(x))) if single else root,
        "fma": fma,
        "muladd": fma if fuses else lambda x, y, z: r(r(x * y) + z),
        "cmul": lambda x, y: (r(r(x[0] * y[0]) - r(x[1] * y[1])), r(r(x[0] * y[1]) + r(x[1] * y[0]))),
        "cadd": lambda x, y: (r(x[0] + y[0]), r(x[1] + y[1])),
        "csub": lambda x, y: (r(x[0] - y[0]), r(x[1] - y[1])),
        "scale": lambda x, y: (r(x * y[0]), r(x * y[1])),
        "abs2": lambda x: r(r(x[0] * x[0]) + r(x[1] * x[1])),
    }
