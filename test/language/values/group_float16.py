# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Float16 against exact fractions, rounded once to half precision."""
from fractions import Fraction
import math
import random
import struct

import npy
from numbers_of import from_bits, rounded, wrap


def half(x):
    """The half nearest to a fraction, ties to even; beyond the largest one infinity."""
    if x == 0:
        return 0.0
    sign, x = (-1 if x < 0 else 1), abs(x)
    e = max(x.numerator.bit_length() - x.denominator.bit_length() - 1, -14)
    while x >= Fraction(2) ** (e + 1):
        e += 1
    unit = Fraction(2) ** (e - 10)
    n = x // unit
    left = x - n * unit
    n += left > unit / 2 or (left == unit / 2 and n % 2)
    value = n * unit
    return sign * (math.inf if value > 65504 else float(value))


def root(x):
    """The half nearest to a square root: roots of halves are never halfway between two."""
    return rounded("Float16", math.sqrt(x))


def check(kiln, checks):
    generator = random.Random(5)
    columns = [[], [], []]
    while len(columns[0]) < 512:
        values = [from_bits("Float16", generator.getrandbits(16)) for _ in range(3)]
        if generator.random() < 0.6: # near each other: cancellation and rounding of sums
            values = [rounded("Float16", generator.uniform(-8, 8)) for _ in range(3)]
        if all(math.isfinite(v) for v in values) and values[1]:
            for column, v in zip(columns, values):
                column.append(v)
    args = ["zeros(Float16, 512, 12)"] + [kiln.write(f"h{k}", npy.vector("<f2", column)) for k, column in enumerate(columns)]
    o, = kiln.run(["float16.jl"], "halves", args, threads=128, blocks=4, out=[1])
    for i, (a, b, c) in enumerate(zip(*columns)):
        x, y, z = Fraction(a), Fraction(b), Fraction(c)
        product = half(x * y)
        wanted = [half(x + y), half(x - y), product, half(x / y), root(abs(a)), half(x * y + z),
                  half(Fraction(product) + z) if math.isfinite(product) else product,
                  rounded("Float16", rounded("Float32", a + rounded("Float32", 0.1))), half(x * Fraction(1.0009765625)),
                  half(min(x, y) + abs(z)), math.fmod(a, b), math.copysign(round(a), a)]
        for k, w in enumerate(wanted):
            got = o[i, k]
            same = got == w and (w != 0 or k not in (10, 11) or math.copysign(1, got) == math.copysign(1, w))
            checks.true(same, f"operation {k + 1} of {a!r}, {b!r}, {c!r}: expected {w!r}, got {got!r}")
    numbers = [0, 1, -1, 2047, 2048, 2049, 2050, 2051, -2049, 4097, 32767, -32768, 65504, 65519, 65520, 100000, -70000, 12345]
    o, = kiln.run(["float16.jl"], "half_integers", [f"zeros(Float16, {len(numbers)}, 3)", kiln.write("n", npy.vector("<i4", numbers))], threads=len(numbers), out=[1])
    for i, n in enumerate(numbers):
        for k, w in enumerate((half(Fraction(n)), half(Fraction(3 * n)), half(Fraction(wrap("UInt16", n))))):
            checks.true(o[i, k] == w, f"integer conversion {k + 1} of {n}: expected {w}, got {o[i, k]}")
