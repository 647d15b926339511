# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of sm_100, on the CPU and on GPUs that have others for them. The values of small floats are enumerated from their formats'
definition (OCP Microscaling Formats 1.0, tables 1 to 7; the fp8 formats of OCP 8-bit Floating Point 1.0); what a Float32 converts to is the nearest of them."""
import bisect
import random
import struct
from fractions import Fraction

import npy

FILE = ["blackwell.jl"]
UNIT = 149  # all values of Float32 are integers in units of 2^-149


class Format:
    """Bits of exponent and mantissa, bias; codes of infinity and NaN, which are no numbers."""

    def __init__(self, exponent, mantissa, bias, specials=(), nan=None, infinity=None):
        self.bits, self.mantissa, self.bias = 1 + exponent + mantissa, mantissa, bias
        self.nan, self.infinity, self.specials = nan, infinity, specials
        self.numbers = [self.value(c) for c in range(1 << exponent + mantissa) if c not in specials]  # rises with the code
        units = [v * 2 ** UNIT for v in self.numbers]
        self.middles = [(a + b) / 2 for a, b in zip(units, units[1:])]
        assert all(m.denominator == 1 for m in self.middles)
        self.middles = [int(m) for m in self.middles]

    def value(self, code):
        exponent, fraction = code >> self.mantissa, code & (1 << self.mantissa) - 1
        if exponent == 0:
            return Fraction(fraction, 1 << self.mantissa) * Fraction(2) ** (1 - self.bias)
        return (1 + Fraction(fraction, 1 << self.mantissa)) * Fraction(2) ** (exponent - self.bias)

    def code(self, bits):
        """Of a Float32's bits: the nearest number, ties to the even code, the largest for what is beyond it."""
        magnitude = bits & 0x7fffffff
        if magnitude > 0x7f800000:  # the manual: NaN becomes NaN, or the largest number of a format without it; positive
            return self.nan if self.nan is not None else len(self.numbers) - 1
        sign = bits >> 31 << self.bits - 1
        if magnitude == 0x7f800000:
            return len(self.numbers) - 1 | sign
        units = in_units(magnitude)
        below = bisect.bisect_left(self.middles, units)  # middles below it
        if below < len(self.middles) and self.middles[below] == units and below & 1:
            below += 1
        return below | sign

    def half(self, code):
        """The bits of the Float16 of that value."""
        magnitude, sign = code & (1 << self.bits - 1) - 1, code >> self.bits - 1 & 1
        if magnitude == self.infinity:
            return 0x7c00 | sign << 15
        if magnitude in self.specials:
            return 0x7fff
        value = float(self.value(magnitude))
        found = struct.unpack("<H", struct.pack("<e", value))[0]
        assert struct.unpack("<e", struct.pack("<e", value))[0] == value
        return found | sign << 15


def in_units(magnitude):
    exponent, fraction = magnitude >> 23, magnitude & 0x7fffff
    return fraction if exponent == 0 else (fraction | 0x800000) << exponent - 1


FORMATS = {"e4m3": Format(4, 3, 7, (0x7f,), nan=0x7f), "e5m2": Format(5, 2, 15, (0x7c, 0x7d, 0x7e, 0x7f), nan=0x7f, infinity=0x7c),
           "e2m3": Format(2, 3, 1), "e3m2": Format(3, 2, 3), "e2m1": Format(2, 1, 1)}
assert [float(FORMATS[f].numbers[-1]) for f in FORMATS] == [448.0, 57344.0, 7.5, 28.0, 6.0]
assert [float(v) for v in FORMATS["e2m1"].numbers] == [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]


def scale(bits, up):
    """ue8m0: the exponent of the power of two at or below |x|, or at or above."""
    magnitude = bits & 0x7fffffff
    if magnitude > 0x7f800000:
        return 0xff
    if magnitude == 0x7f800000:
        return 0xfe
    units, least = in_units(magnitude), 1 << UNIT - 127
    code = 0
    while code < 0xfe and (units > least << code if up else units >= least << code + 1):
        code += 1
    return code


def floats():
    """Bits of Float32: every Float16, and many others: around each power of two and halfway between its neighbours, NaN, infinity, subnormals."""
    found = [half_to_single(h) for h in range(1 << 16)]
    generator = random.Random(20)
    for exponent in range(256):
        for digits in (0, 1, 2, 3, 4, 5):
            edge = generator.getrandbits(digits) << 23 - digits
            found += [exponent << 23 | f & 0x7fffff for f in (edge, edge + 1, edge - 1, edge + (1 << 22 - digits), edge + (1 << 22 - digits) - 1)]
    found += [generator.getrandbits(32) for _ in range(20000)]
    found += [generator.randint(110, 145) << 23 | generator.getrandbits(23) | generator.getrandbits(1) << 31 for _ in range(40000)]
    found += [0x7f800000, 0xff800000, 0x7f800001, 0xffc12345, 0x7fffffff, 1, 0x80000001, 0x007fffff, 0x00400000, 0x00400001, 0x00800000, 0x7f7fffff]
    return found + [b | 0x80000000 for b in found[-12:]]


def half_to_single(h):
    exponent, fraction, sign = h >> 10 & 31, h & 0x3ff, h >> 15 << 31
    if exponent == 31:
        return sign | 0x7f800000 | fraction << 13
    return sign | struct.unpack("<I", struct.pack("<f", struct.unpack("<e", struct.pack("<H", h & 0x7fff))[0]))[0]


def check(kiln, checks):
    conversions(kiln, checks)
    packed(kiln, checks)


def conversions(kiln, checks):
    bits = floats()
    bits += bits[-1:] * (len(bits) & 1)
    source = kiln.write("bits", npy.vector("<u4", bits))
    count, where = len(bits) // 2, {"threads": 128, "blocks": 8, "out": [1]}
    for name, form in FORMATS.items():
        width, word = (4, "UInt8") if name == "e2m1" else (8, "UInt16")
        got, = kiln.run(FILE, name, [f"zeros({word}, {count})", source], **where)
        mask = (1 << width) - 1
        pairs(checks, name, bits, [c >> s & mask for c in got.items for s in (0, width)], form.code)
        codes = 1 << 2 * width
        got, = kiln.run(FILE, "from_" + name, [f"zeros(UInt32, {codes})"], **where)
        known = [form.half(c) for c in range(1 << form.bits)]
        wrong = [hex(c) for c in range(codes) if max(c & mask, c >> width) < len(known) and got[c] != known[c & mask] | known[c >> width] << 16]
        checks.true(not wrong, f"from {name}: {len(wrong)} pairs of codes differ, first {wrong[:3]}")
    for mode in ("rz", "rp"):
        got, = kiln.run(FILE, "ue8m0_" + mode, [f"zeros(UInt16, {count})", source], **where)
        pairs(checks, "ue8m0 " + mode, bits, [c >> s & 0xff for c in got.items for s in (0, 8)], lambda b, up=mode == "rp": scale(b, up))
    got, = kiln.run(FILE, "from_ue8m0", ["zeros(UInt32, 65536)"], **where)
    known = [struct.unpack("<I", struct.pack("<f", 2.0 ** (c - 127)))[0] >> 16 for c in range(255)] + [0x7fff]
    wrong = [hex(c) for c in range(1 << 16) if got[c] != known[c & 0xff] | known[c >> 8] << 16]
    checks.true(not wrong, f"from ue8m0: {len(wrong)} pairs of codes differ, first {wrong[:3]}")


def pairs(checks, name, bits, got, wanted):
    wrong = [(hex(b), hex(g), hex(wanted(b))) for b, g in zip(bits, got) if g != wanted(b)]
    checks.true(not wrong and len(got) == len(bits), f"to {name}: {len(wrong)} of {len(bits)} differ, first (Float32, got, expected) {wrong[:3]}")


def nearest(x):
    """The Float32 nearest to a fraction that is neither too large nor subnormal."""
    return struct.unpack("<f", struct.pack("<f", rounded_fraction(x)))[0]


def rounded_fraction(x):
    if x == 0:
        return 0.0
    exponent = abs(x.numerator).bit_length() - x.denominator.bit_length()
    exponent += -1 if abs(x) < Fraction(2) ** exponent else 0
    unit = Fraction(2) ** (exponent - 23)
    return float(round(x / unit) * unit)  # Python rounds a fraction's ties to even


def packed(kiln, checks):
    generator = random.Random(5)
    count = 512
    a, b, c = ([struct.unpack("<f", struct.pack("<f", generator.uniform(-2, 2) * 2.0 ** generator.randint(-20, 20)))[0] for _ in range(count)] for _ in range(3))
    for i in range(0, count, 2):  # a sum that one rounding and two do not agree on
        c[i] = -nearest(Fraction(a[i]) * Fraction(b[i]))
    files = [kiln.write(n, npy.vector("<f4", x)) for n, x in (("a", a), ("b", b), ("c", c))]
    got = kiln.run(FILE, "packed", [f"zeros(Float32, {count})"] * 4 + files, threads=64, blocks=4, out=[1, 2, 3, 4])
    two = kiln.run(FILE, "unfused", [f"zeros(Float32, {count})"] + files, threads=256, out=[1])
    exact = [[Fraction(x) for x in values] for values in (a, b, c)]
    wanted = {"add": [x + y for x, y, _ in zip(*exact)], "sub": [x - y for x, y, _ in zip(*exact)], "mul": [x * y for x, y, _ in zip(*exact)],
              "fma": [x * y + z for x, y, z in zip(*exact)], "add of mul": [Fraction(nearest(x * y)) + z for x, y, z in zip(*exact)]}
    for (name, values), found in zip(wanted.items(), got + two):
        wrong = [i for i, v in enumerate(values) if found[i] != nearest(v)]
        checks.true(not wrong, f"{name}_f32x2: {len(wrong)} elements differ, first {[(a[i], b[i], c[i], found[i]) for i in wrong[:1]]}")
