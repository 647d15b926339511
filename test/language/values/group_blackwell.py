# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of sm_100, on the CPU and on GPUs that have others for them. The values of small floats are enumerated from their formats'
definition (OCP Microscaling Formats 1.0, tables 1 to 7; the fp8 formats of OCP 8-bit Floating Point 1.0); what a Float32 converts to is the nearest of them."""
import bisect
import os
import random
import struct
from fractions import Fraction

import npy
from group_hopper import BYTES, encoded, layout, memory

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


ON_CPU = os.environ.get("KILN_VALUES_DEVICE", "cpu") == "cpu"


def check(kiln, checks):
    conversions(kiln, checks)
    packed(kiln, checks)
    wide(kiln, checks)
    if ON_CPU or has(kiln, CLUSTER_LAUNCH, "stolen", ["zeros(Int64, 1)"] * 2):
        cancellation(kiln, checks)
    if ON_CPU or has(kiln, TENSOR_MEMORY, "each_block", ["zeros(UInt32, 1)"], "32"):
        tensor_memory(kiln, checks)
        products(kiln, checks, ON_CPU or has(kiln, INTEGERS, "integers", ["zeros(UInt32, 1)"], "32"))


# Refusals of runtime/library/device/ptx/tcgen05.jl, and the GPUs that have the instructions; skips.py checks both.
CLUSTER_LAUNCH = "cluster launch control needs sm_100 or newer", ("sm_100", "sm_103", "sm_110", "sm_120", "sm_121")
TENSOR_MEMORY = "tcgen05 and tensor memory need an architecture with a or f: compile for sm_100f or sm_110f", ("sm_100", "sm_103", "sm_110")
INTEGERS = "tcgen05_mma of Int8 and UInt8 is of two chips: compile for sm_100a or sm_110a", ("sm_100", "sm_110")


def has(kiln, feature, entry, args, threads="1"):
    """False only if the compiler refuses the instructions and the GPU is none of those that have them."""
    refusal, owners = feature
    _, _, err, status = kiln.start(FILE, entry, args, threads=threads)
    if not status or refusal not in err or kiln.gpu_architecture() in owners:
        return True
    print(f"blackwell: skipped: {refusal}")
    return False


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


def wide(kiln, checks):
    generator = random.Random(8)
    for words, word, width, hints in ((8, "UInt32", 32, ("plain", "streaming", "once")), (4, "UInt64", 64, ("plain", "streaming", "once"))):
        count = 37
        source = [generator.getrandbits(width) for _ in range(words * count)]
        wanted = [(x + i % words + 1) % (1 << width) for i, x in enumerate(source)]
        file = kiln.write("wide", npy.Array("<u%d" % (width // 8), (words * count,), source))
        for hint in hints:
            got, = kiln.run(FILE, "wide", [f"zeros({word}, {words * count})", file, f"NTuple{{{words},{word}}}", f"Val(:{hint})", str(count)], threads=16, blocks=3, out=[1])
            checks.true(list(got.items) == wanted, f"wide: {words} {word}, hint {hint}: differ")


def cancellation(kiln, checks):
    for blocks, threads in ((1, 1), (7, 32), (500, 64)):
        got, granted = kiln.run(FILE, "stolen", [f"zeros(Int64, {blocks})", "zeros(Int64, 1)"], threads=threads, blocks=blocks, out=[1, 2])
        wanted = [(b + 1) * threads * (threads + 1) // 2 for b in range(blocks)]
        checks.true(list(got.items) == wanted, f"stolen: {blocks} blocks: not each did its work once")
        checks.true(0 <= granted[0] < blocks, f"stolen: {granted[0]} of {blocks} granted")
    if ON_CPU:
        for entry, message in (("crooked_answer", "at a multiple of 16 bytes"), ("ungranted", "the request was not granted")):
            _, _, err, status = kiln.start(FILE, entry, ["zeros(Int64, 1)"])
            checks.true(status == 1 and message in err and "blackwell.jl:" in err, f"{entry}: status {status}\n{err}")


def tensor_memory(kiln, checks):
    for name in ("UInt32", "Int32", "Float32"):
        for n in (1, 2, 8, 32, 128):
            blocks = 3
            got, = kiln.run(FILE, "rows", [f"zeros({name}, {(n + 2) * 128 * blocks})", name, f"Val({n})"], threads=128, blocks=blocks, out=[1])
            wanted = [x for b in range(blocks) for t in range(128) for x in [128 * t + k + 1 for k in range(n)] + [128 * t + n // 2 + 1, 1000 * (b + 1) + t]]
            checks.true(list(got.items) == wanted, f"rows: {n} columns of {name} differ")
    got, = kiln.run(FILE, "each_block", ["zeros(UInt32, 300)"], threads=32, blocks=300, out=[1])
    checks.true(list(got.items) == list(range(1, 301)), "each_block: a block found another's columns")
    if ON_CPU:
        faults(kiln, checks)


def faults(kiln, checks):
    access, free = "an access of columns that are not allocated", "tcgen05_dealloc frees what tcgen05_alloc gave"
    known = {"leak": "the block ended with columns of tensor memory allocated", "full": "finds too few free columns", "closed": "tcgen05_alloc after tcgen05_relinquish_alloc_permit",
             "load": access, "store": access, "beyond": access, "product": access, "operand": access, "less": free, "inside": free, "twice": free,
             "lane": "its address names lane 32w", "row": "begin in lane 0"}
    for what, message in known.items():
        _, _, err, status = kiln.start(FILE, "faulty", ["zeros(UInt32, 1)", f"Val(:{what})"], threads=32)
        checks.true(status == 1 and message in err and (what == "leak" or "blackwell.jl:" in err), f"faulty {what}: status {status}\n{err}")
    got, = kiln.run(FILE, "faulty", ["zeros(UInt32, 1)", "Val(:none)"], threads=32, out=[1])
    checks.true(got[0] == 1, "faulty none: it has no fault")
    _, _, err, status = kiln.start(FILE, "plain", options=["--no-kernel"])
    checks.true(status == 1 and "tensor memory belongs to a block" in err, f"plain: status {status}\n{err}")


SMALL = {"Blackwell.E4M3": "e4m3", "Blackwell.E5M2": "e5m2"}


def products(kiln, checks, with_integers):
    if with_integers:
        got, = kiln.run(FILE, "integers", ["zeros(UInt32, 1)"], threads=32, out=[1])
        checks.true(got[0] == 1, "integers: it did not end")
    generator = random.Random(12)
    for t in ("Float16", "BFloat16"):
        for along in ("kk", "ik", "ki", "ii"):
            for swizzle in (0, 32, 64, 128):
                n = generator.choice([16, 48, 64, 128]) if (along, swizzle) != ("ki", 64) else 256
                product(kiln, checks, generator, t, t, along, swizzle, n, keep=generator.random() < 0.5)
    pairs_of = [("Float32", "Float32")] + [(a, b) for a in SMALL for b in SMALL] + [("Int8", "Int8"), ("UInt8", "UInt8")] * with_integers
    for a, b in pairs_of:
        for swizzle in (0, 128, 32):
            product(kiln, checks, generator, a, b, "kk", swizzle, generator.choice([16, 32, 80]), keep=swizzle != 0)
        if a != "Float32":
            for along, swizzle in (("ii", 128), ("ki", 0), ("ik", 64)):
                product(kiln, checks, generator, a, b, along, swizzle, 64, keep=True)
        product(kiln, checks, generator, a, b, "kk", 0, 32, keep=True, in_tensor=True)
    product(kiln, checks, generator, "BFloat16", "BFloat16", "ki", 0, 64, keep=False, in_tensor=True)


def numbers_of(t):
    """Of which products and sums are exact."""
    if t in SMALL:
        return [s * v for v in (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 0.25) for s in (1, -1)]
    return list(range(256)) if t == "UInt8" else list(range(-128, 128)) if t == "Int8" else list(range(-9, 10))


def element(t, x):
    return bytes([FORMATS[SMALL[t]].code(struct.unpack("<I", struct.pack("<f", x))[0])]) if t in SMALL else encoded(t, x)


def product(kiln, checks, generator, ta, tb, along, swizzle, n, keep, in_tensor=False):
    size = BYTES.get(ta, 1)
    instruction = 32 // size
    steps = max(swizzle // 32, 1) if along == "kk" and not in_tensor else 1 if "k" in along and swizzle == 32 else 2
    depth = steps * instruction
    a = [[generator.choice(numbers_of(ta)) for _ in range(depth)] for _ in range(128)]
    b = [[generator.choice(numbers_of(tb)) for _ in range(depth)] for _ in range(n)]
    d = [[generator.randint(-50, 50) for _ in range(n)] for _ in range(128)]
    stride_a, lead_a, step_a, size_a, place_a = layout(128, depth, size, along[0], swizzle)
    stride_b, lead_b, step_b, size_b, place_b = layout(n, depth, size, along[1], swizzle)
    step_a, step_b = (step * 2 if side == "i" and size == 1 else step for step, side in zip((step_a, step_b), along))  # layout's are of 16 bits: 16 deep
    size_a = (size_a + 1023) // 1024 * 1024
    files = [kiln.write(name, npy.vector("|u1", list(memory(t, x, bytes_, place, swizzle, element)))) for name, t, x, bytes_, place in (("a", ta, a, size_a, place_a), ("b", tb, b, size_b, place_b))]
    file_d = kiln.write("d", npy.Array("<i4" if "Int" in ta else "<f4", (128, n), [d[i][j] for j in range(n) for i in range(128)]))
    args = [file_d] + files + [ta, tb, f"Val((:{along[0]}, :{along[1]}))", f"Val({swizzle})", f"({stride_a}, {lead_a}, {stride_b}, {lead_b}, {step_a}, {step_b})",
                               f"Val({n})", str(steps), str(keep).lower(), f"Val({str(in_tensor).lower()})"]
    out, = kiln.run(FILE, "product", args, threads=128, out=[1], options=["--shmem", str(size_a + size_b + 1024)])
    wrong = [(i, j) for i in range(128) for j in range(n) if out[i, j] != sum(x * y for x, y in zip(a[i], b[j])) + (d[i][j] if keep else 0)]
    checks.true(not wrong, f"tcgen05 {ta} by {tb} along {along}, swizzle {swizzle}, {n} columns{', A in tensor memory' * in_tensor}: {len(wrong)} differ, first {wrong[:1]}")
