# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Int128 and UInt128 against Python's integers: conversions from and to floats with one rounding to nearest even (IEEE 754), arithmetic modulo 2^128."""
import math
import random

import npy
from numbers_of import int_to_float, rounded

MASK = (1 << 128) - 1
WORD = (1 << 64) - 1


def signed(x):
    return x - (1 << 128) if x >> 127 else x


def interesting():
    """Around each power of two, halfway between floats of each precision, and one beside that."""
    found = {0, 1, 2, 3, MASK, MASK - 1, 1 << 127, (1 << 127) - 1, (1 << 127) + 1, 2047, 2048, 2049, 2051, 65503, 65504, 65505, 65519, 65520, 65521, 65535, 65536, 131071, 131072}
    for bits in range(1, 129):
        top = 1 << (bits - 1)
        found |= {top, top | 1, 2 * top - 1}
        for digits in (11, 24, 53):
            if bits > digits + 1:
                unit = 1 << (bits - digits)
                for odd in (0, unit):
                    found |= {top + odd + unit // 2, top + odd + unit // 2 - 1, top + odd + unit // 2 + 1, 2 * top - unit // 2, 2 * top - unit // 2 - 1}
    generator = random.Random(128)
    found |= {generator.getrandbits(generator.randint(1, 128)) for _ in range(400)}
    found |= {-x & MASK for x in found}
    return sorted(found)


def float32_or_infinite(x):
    value = int_to_float("Float32", x)
    return math.copysign(math.inf, value) if abs(value) >= 2.0 ** 128 else value


def float16_or_infinite(x):
    return math.copysign(math.inf, x) if abs(x) >= 65520 else int_to_float("Float16", x)


def to_floats(kiln, checks):
    values = interesting()
    n = len(values)
    halves = npy.Array("<u8", (2, n), [h for x in values for h in (x & WORD, x >> 64)])
    args = [f"zeros(Float64, 2, {n})", f"zeros(Float32, 3, {n})", f"zeros(Float16, 2, {n})", kiln.write("integers", halves)]
    for options in ([], ["-O0"]):
        outs = kiln.run(["wide.jl"], "wide_to_floats", args, out=[1, 2, 3], options=options)
        for name, out, exact in zip(("Float64", "Float32", "Float16"), outs, (float, float32_or_infinite, float16_or_infinite)):
            for i, x in enumerate(values):
                for row, meant in enumerate((x, signed(x))):
                    checks.equal(name, out[row, i], exact(meant), f"{name}({('UInt128', 'Int128')[row]}({meant})) {options}")
                if name == "Float32":
                    converted, largest = exact(x), 2**128 - 2**104
                    wanted = converted if converted == math.inf else float32_or_infinite(int(converted) - largest)
                    checks.equal(name, out[2, i], wanted, f"-floatmax(Float32) + Float32(UInt128({x})) {options}")


def to_integers(kiln, checks):
    generator = random.Random(127)
    for name, descr, digits, largest in (("Float64", "<f8", 53, 127), ("Float32", "<f4", 24, 127), ("Float16", "<f2", 11, 15)):
        values = {0.0, 0.25, 0.5, 0.99, 1.0, 1.5, 2.5, 5e-324, 1e-7}
        for exponent in range(-3, largest + 1):
            for _ in range(3):
                values.add(math.ldexp(generator.getrandbits(digits - 1) | 1 << (digits - 1), exponent - digits + 1))
            values |= {2.0 ** exponent, math.ldexp((1 << digits) - 1, exponent - digits + 1)}
        values = {rounded(name, v) for v in values}
        for is_signed in (False, True):
            given = sorted(v for v in values if v < 2.0 ** (127 if is_signed else 128))
            if is_signed:
                given = [-v for v in reversed(given)] + given + ([-2.0 ** 127] if largest > 100 else [])
            else:
                given = [-0.75, -0.0] + given
            n = len(given)
            args = [f"zeros(UInt64, 2, {n})", f"zeros(Int32, {n})", f"zeros(Int32, 3, {n})", kiln.write("floats", npy.vector(descr, given)), f"Val({str(is_signed).lower()})"]
            out, whole, order = kiln.run(["wide.jl"], "floats_to_wide", args, out=[1, 2, 3])
            for i, value in enumerate(given):
                wanted = math.trunc(value)
                what = f"trunc({'Int128' if is_signed else 'UInt128'}, {name}({value!r}))"
                got = out[1, i] << 64 | out[0, i]
                checks.true(got == wanted & MASK, f"{what}: expected {wanted}, got {got}")
                checks.true(whole[i] == 1, f"{what}: of a whole number it differs")
                if wanted + 1 < 1 << (127 if is_signed else 128):
                    found = [order[k, i] for k in range(3)]
                    # Julia compares integers and floats by value.
                    checks.true(found == [wanted < value, wanted == value, wanted + 1 > value], f"{what}: compared with the float: {found}")
        for text, is_signed in (("1.5", True), ("-1.0", False), ("NaN", True), ("Inf", False), ("2.0^127", True), ("2.0^128", False), ("-1.1*2.0^127", True)):
            if name == "Float64":
                _, _, err, status = kiln.start(["wide.jl"], "checked_wide", ["zeros(UInt64, 1)", text, f"Val({str(is_signed).lower()})"])
                checks.true(status == 1 and "InexactError" in err, f"checked conversion of {text}: status {status}, {err}")


def arithmetic(kiln, checks):
    generator = random.Random(126)
    pool = [0, 1, 2, 3, 7, 10, MASK, MASK - 1, 1 << 127, (1 << 127) - 1, 1 << 64, WORD, WORD << 64, 1 << 63]
    pairs = [(x, y) for x in pool for y in pool] + [(generator.getrandbits(generator.randint(1, 128)), generator.getrandbits(generator.randint(1, 128))) for _ in range(300)]
    counts = [generator.choice([0, 1, 5, 63, 64, 65, 100, 127, 128, 129, 200]) for _ in pairs]
    n = len(pairs)
    words = npy.Array("<u8", (4, n), [h for x, y in pairs for h in (x & WORD, x >> 64, y & WORD, y >> 64)])
    out, = kiln.run(["wide.jl"], "wide_arithmetic", [f"zeros(UInt64, 72, {n})", kiln.write("pairs", words), kiln.write("counts", npy.vector("<i8", counts))], out=[1])
    names = ["+", "-", "*", "div", "rem", "mod", "fld", "<<", ">>", ">>>", "&", "xor", "neg", "min", "count_ones", "leading_zeros", "trailing_zeros", "<"]
    for i, ((a, b), count) in enumerate(zip(pairs, counts)):
        for at, is_signed in ((0, False), (18, True)):
            x, y = (signed(a), signed(b)) if is_signed else (a, b)
            d = 3 if y == 0 or (is_signed and y == -1) else y
            quotient = abs(x) // abs(d) * (1 if (x < 0) == (d < 0) else -1)
            ones = a.bit_count()
            wanted = [x + y, x - y, x * y, quotient, x - quotient * d, x % d, x // d, x << count, x >> count, a >> count, x & y, x ^ y, -x, min(x, y), ones,
                      128 - a.bit_length(), (a & -a).bit_length() - 1 if a else 128, int(x < y)]
            for k, value in enumerate(wanted):
                got = out[2 * (at + k) + 1, i] << 64 | out[2 * (at + k), i]
                checks.true(got == value & MASK, f"{names[k]} of {x}, {y} (count {count}): expected {value & MASK}, got {got}")


def check(kiln, checks):
    to_floats(kiln, checks)
    to_integers(kiln, checks)
    arithmetic(kiln, checks)
