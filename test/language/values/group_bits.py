# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integer functions of the device on random words and on those at the ends."""
import random

import npy


def signed(x, bits=32):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def pieces(x, size, is_signed):
    parts = [x >> at & (1 << size) - 1 for at in range(0, 32, size)]
    return [signed(p, size) if is_signed else p for p in parts]


def dot(a, b, c, size, first=0, signed_a=False, signed_b=False):
    return c + sum(p * q for p, q in zip(pieces(a, size, signed_a), pieces(b, 8, signed_b)[first:]))


def permuted(x, y, selector):
    from_bytes = pieces(x, 8, False) + pieces(y, 8, False)
    out = 0
    for i in range(4):
        digit = selector >> 4 * i & 15
        byte = from_bytes[digit & 7]
        out |= ((255 if byte >> 7 else 0) if digit & 8 else byte) << 8 * i
    return out


def any_of_three(x, y, z, table):
    return sum((table >> ((x >> i & 1) * 4 + (y >> i & 1) * 2 + (z >> i & 1)) & 1) << i for i in range(32))


def wanted(x, y, z):
    both, n = y << 32 | x, z & 63
    mul24 = lambda p: signed(p, 24)
    return [dot(x, y, z, 8), dot(x, y, z, 8, 0, True, True), dot(x, y, z, 8, 0, True, False), dot(x, y, z, 16), dot(x, y, z, 16, 2, True, True), permuted(x, y, z),
            both << (z & 31) >> 32, both >> (z & 31), both << min(n, 32) >> 32, both >> min(n, 32), any_of_three(x, y, z, 0xe8), any_of_three(x, y, z, 0x96),
            abs(signed(x) - signed(y)) + z, abs(x - y) + z, (x & 0xffffff) * (y & 0xffffff), mul24(x) * mul24(y), int(f"{x:032b}"[::-1], 2),
            bin(x).count("1") + 100 * (32 - x.bit_length()) + 10000 * ((x & -x).bit_length())]


def check(kiln, checks):
    generator = random.Random(23)
    words = [[generator.choice([0, 1, 2**31, 2**32 - 1, 2**31 - 1, 0x80808080, generator.getrandbits(32), generator.getrandbits(32)]) for _ in range(128)] for _ in range(3)]
    files = [kiln.write(name, npy.vector("<u4", w)) for name, w in zip("abc", words)]
    out, = kiln.run(["bits.jl"], "bits", ["zeros(UInt32, 128, 18)"] + files, threads=128, out=[1])
    for i, (x, y, z) in enumerate(zip(*words)):
        expected = [w & 0xffffffff for w in wanted(x, y, z)]
        got = [out[i, j] for j in range(18)]
        checks.true(got == expected, f"bits of {x:#x}, {y:#x}, {z:#x}: " + ", ".join(f"{j + 1}: {g:#x} for {w:#x}" for j, (g, w) in enumerate(zip(got, expected)) if g != w))
