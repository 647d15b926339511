# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers of all widths: arithmetic that wraps, division on all signs, shifts by any count, bits, conversion by % T."""
import math
import random

import npy
from numbers_of import DTYPES, INTS, limits, quotient, rounded, signed, width, wrap


def edge_cases(name):
    low, high = limits(name)
    cases = {0, 1, 2, 3, 7, 10, 100, low, low + 1, high, high - 1, high // 2, high // 3, -1, -2, -3, -7, -100, low // 2, 1 << (width(name) - 2)}
    return sorted(x for x in cases if low <= x <= high)


def pairs(name):
    cases = edge_cases(name)
    found = [(x, y) for x in cases for y in cases]
    generator = random.Random(width(name))
    low, high = limits(name)
    return (found + [(generator.randint(low, high), generator.randint(low, high)) for _ in range(60)])


def swap_bytes(name, x):
    return int.from_bytes((x & (1 << width(name)) - 1).to_bytes(width(name) // 8, "little"), "big")


def reverse_bits(name, x):
    return int(format(x & (1 << width(name)) - 1, f"0{width(name)}b")[::-1], 2)


def arithmetic(name, x, y):
    low, high = limits(name)
    sign = (x > 0) - (x < 0)
    results = [x + y, x - y, x * y, -x, abs(x), ~x, x & y, x | y, x ^ y, min(x, y), max(x, y), min(max(x, min(y, 1)), max(y, 1)), sign, x**2, x**3, x**(y & 7),
               swap_bytes(name, x), reverse_bits(name, x), x * y + x, x, max(x, y), high + y, low - y, y]
    power_of_two = x > 0 and x & (x - 1) == 0
    predicates = [x < y, x <= y, x == y, x != y, x > y, x >= y, x < y, x % 2 == 1, x % 2 == 0, x < 0, x == 0, power_of_two, x == y, x == y, x in (y, 1), x == y]
    return [wrap(name, r) for r in results], predicates


def division(name, x, y):
    q = quotient(x, y)
    r = x - q * y
    m1 = y if x % y == 0 else x % y
    f1 = (x - m1) // y + 1
    return [q, r, x % y, x // y, -(-x // y), m1, f1, q, r, x // y, x % y, f1, m1, math.gcd(x, y), q, r, q, y - quotient(y, 7) * 7]


def shifted(name, x, n):
    """x << n; n < 0 shifts right, arithmetically. Amounts above 200 do what 200 does, and would need memory here."""
    n = max(-200, min(n, 200))
    return wrap(name, x << n) if n >= 0 else x >> -n


def logical(name, x, n):
    """x >>> n"""
    return shifted(name, wrap(name, x), -n) if n < 0 else wrap(name, (x & (1 << width(name)) - 1) >> min(n, 200))


def shifts(name, x, n):
    wide = n & (1 << 64) - 1                 # unsigned(n)
    n8, n32 = wrap("Int8", n), wrap("Int32", n)
    bits, k = width(name), n % width(name)
    u = x & (1 << bits) - 1
    low32 = n & 0xffffffff
    return [shifted(name, x, n), shifted(name, x, -n), logical(name, x, n), shifted(name, x, wide), shifted(name, x, -wide), logical(name, x, wide), shifted(name, x, n8),
            shifted(name, x, -n32), shifted(name, x, 3), x >> 1, x >> 64, 0, shifted(name, x, 2), logical(name, x, 7), wrap(name, u << k | u >> (bits - k)),
            shifted(name, x, 2), shifted(name, x, 2) >> 1, shifted(name, x, n) if 0 <= n < 64 else 0, shifted(name, x, -low32) if wide < 64 else 0,
            logical(name, x, low32)]


def bit_counts(name, x):
    bits = width(name)
    text = format(x & (1 << bits) - 1, f"0{bits}b")
    ones = text.count("1")
    return [len(text) - len(text.lstrip("0")), len(text) - len(text.rstrip("0")), ones, bits - ones, len(text) - len(text.lstrip("1")), len(text) - len(text.rstrip("1")), bits // 8, bits]


def table(checks, name, result, expected, inputs, what):
    for i, (wanted, given) in enumerate(zip(expected, inputs)):
        for k, (got, value) in enumerate(zip(result.column(i), wanted)):
            checks.equal(name, got, value, f"{what} of {name}, row {k + 1}, {given}")


def check_type(kiln, checks, name):
    dtype = DTYPES[name]
    both = pairs(name)
    x = kiln.write(f"x{name}", npy.vector(dtype, [p[0] for p in both]))
    y = kiln.write(f"y{name}", npy.vector(dtype, [p[1] for p in both]))
    expected = [arithmetic(name, *p) for p in both]
    numbers, predicates = kiln.run(["ints.jl"], "arithmetic", [f"zeros({name}, 24, {len(both)})", f"zeros(Bool, 16, {len(both)})", x, y], threads=len(both), out=[1, 2])
    table(checks, name, numbers, [e[0] for e in expected], both, "arithmetic")
    table(checks, "Bool", predicates, [e[1] for e in expected], both, f"predicates ({name})")

    low = limits(name)[0]
    divisible = [p for p in both if p[1] != 0 and not (signed(name) and p[1] == -1 and p[0] in (low, low + 1)) and
                 all(limits(name)[0] <= v <= limits(name)[1] for v in division(name, *p))]
    x = kiln.write(f"n{name}", npy.vector(dtype, [p[0] for p in divisible]))
    y = kiln.write(f"d{name}", npy.vector(dtype, [p[1] for p in divisible]))
    result, = kiln.run(["ints.jl"], "division", [f"zeros({name}, 18, {len(divisible)})", x, y], threads=len(divisible), out=[1])
    table(checks, name, result, [division(name, *p) for p in divisible], divisible, "division")

    bits = width(name)
    counts = [0, 1, 2, bits - 1, bits, bits + 1, 63, 64, 65, 127, -1, -2, -bits + 1, -bits, -bits - 1, -64, -100,
              1 << 32, (1 << 32) + 1, (1 << 33) + bits - 1, (1 << 40) + 3, (1 << 62) + 2, (1 << 63) - 1, -(1 << 32), -(1 << 32) - 1, 1 - (1 << 40), -(1 << 63)]
    moved = [(v, n) for v in edge_cases(name) for n in counts]
    x = kiln.write(f"s{name}", npy.vector(dtype, [p[0] for p in moved]))
    n = kiln.write(f"c{name}", npy.vector("<i8", [p[1] for p in moved]))
    result, = kiln.run(["ints.jl"], "shifts", [f"zeros({name}, 20, {len(moved)})", x, n], threads=len(moved), out=[1])
    table(checks, name, result, [shifts(name, *p) for p in moved], moved, "shifts")

    cases = edge_cases(name)
    x = kiln.write(f"b{name}", npy.vector(dtype, cases))
    result, = kiln.run(["ints.jl"], "bit_counts", [f"zeros(Int64, 8, {len(cases)})", x], threads=len(cases), out=[1])
    table(checks, "Int64", result, [bit_counts(name, v) for v in cases], cases, f"bits ({name})")
    targets = ["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64"]
    results = kiln.run(["ints.jl"], "to_all", [f"zeros({t}, {len(cases)})" for t in targets] + [x], threads=len(cases), out=range(1, 11))
    for t, got in zip(targets, results):
        for v, r in zip(cases, got):
            checks.equal(t, r, rounded(t, v) if t[0] == "F" else wrap(t, v), f"{name} {v} as {t}")


def check(kiln, checks):
    for name in INTS:
        check_type(kiln, checks, name)
