# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Meanings of LLVM's integer operations, computed with Python's integers. No part of Kiln or LLVM takes part.

Values are non-negative: an iN is its N bits. Callers keep shift amounts, divisors and conversions in range.
"""
import math
import struct


def cut(value, width):
    return value & ((1 << width) - 1)


def signed(value, width):
    return value - (1 << width) if value >> (width - 1) else value


def quotient(x, y):
    """Rounds toward zero, as sdiv does."""
    return -(-x // y) if (x < 0) != (y < 0) and x % y else x // y


BINARY = {
    "add": lambda x, y, w: x + y,
    "sub": lambda x, y, w: x - y,
    "mul": lambda x, y, w: x * y,
    "and": lambda x, y, w: x & y,
    "or": lambda x, y, w: x | y,
    "xor": lambda x, y, w: x ^ y,
    "shl": lambda x, y, w: x << y,
    "lshr": lambda x, y, w: x >> y,
    "ashr": lambda x, y, w: signed(x, w) >> y,
    "udiv": lambda x, y, w: x // y,
    "urem": lambda x, y, w: x % y,
    "sdiv": lambda x, y, w: quotient(signed(x, w), signed(y, w)),
    "srem": lambda x, y, w: signed(x, w) - signed(y, w) * quotient(signed(x, w), signed(y, w)),
}

COMPARE = {
    "eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y, "lt": lambda x, y: x < y, "le": lambda x, y: x <= y,
}


def compare(predicate, x, y, width):
    if predicate[0] == "s":
        x, y = signed(x, width), signed(y, width)
    return int(COMPARE[predicate if predicate in COMPARE else predicate[1:]](x, y))


def exact(name, x, y, width):
    """The mathematical result of add, sub or mul, as name[0] ('s' or 'u') reads the operands."""
    if name[0] == "s":
        x, y = signed(x, width), signed(y, width)
    return {"add": x + y, "sub": x - y, "mul": x * y}[name[1:4]]


def bounds(name, width):
    return (-(1 << width - 1), (1 << width - 1) - 1) if name[0] == "s" else (0, (1 << width) - 1)


def overflows(name, x, y, width):
    low, high = bounds(name, width)
    return int(not low <= exact(name, x, y, width) <= high)


def saturate(name, value, width):
    low, high = bounds(name, width)
    return cut(min(max(value, low), high), width)


def reverse(value, width, unit):
    """The units of `unit` bits in reverse order."""
    parts = [value >> at & ((1 << unit) - 1) for at in range(0, width, unit)]
    return sum(part << unit * i for i, part in enumerate(reversed(parts)))


UNARY_INTRINSICS = {
    "ctpop": lambda x, w: bin(x).count("1"),
    "ctlz": lambda x, w: w - x.bit_length(),
    "cttz": lambda x, w: (x & -x).bit_length() - 1 if x else w,
    "bitreverse": lambda x, w: reverse(x, w, 1),
    "bswap": lambda x, w: reverse(x, w, 8),
    "abs": lambda x, w: abs(signed(x, w)),
}

BINARY_INTRINSICS = {
    "umin": lambda x, y, w: min(x, y),
    "umax": lambda x, y, w: max(x, y),
    "smin": lambda x, y, w: min(signed(x, w), signed(y, w)),
    "smax": lambda x, y, w: max(signed(x, w), signed(y, w)),
    **{name: lambda x, y, w, name=name: saturate(name, exact(name, x, y, w), w)
       for name in ("uadd.sat", "sadd.sat", "usub.sat", "ssub.sat")},
}


def funnel(name, x, y, amount, width):
    amount %= width
    whole = x << width | y
    return whole >> (width - amount) if name == "fshl" else whole >> amount


# Floats: bits of the significand, greatest exponent, bits of the whole, struct's letter.
FLOATS = {"half": (11, 15, 16, "e"), "float": (24, 127, 32, "f"), "double": (53, 1023, 64, "d")}


def to_float(value, kind):
    """The bits of an integer as a float, rounded to nearest, ties to even."""
    digits, top, width, _ = FLOATS[kind]
    sign, value = value < 0, abs(value)
    if value == 0:
        return 0
    exponent = value.bit_length() - 1
    if exponent >= digits:
        shift = exponent + 1 - digits
        kept, rest, tie = value >> shift, value & ((1 << shift) - 1), 1 << (shift - 1)
        kept += rest > tie or (rest == tie and kept & 1)
        exponent += kept >> digits
        significand = kept >> 1 if kept >> digits else kept
    else:
        significand = value << (digits - 1 - exponent)
    if exponent > top:
        exponent, significand = top + 1, 0
    bits = (exponent + top) << (digits - 1) | (significand & ((1 << digits - 1) - 1))
    return bits | sign << (width - 1)


def float_of(bits, kind):
    _, _, width, letter = FLOATS[kind]
    return struct.unpack("<" + letter, bits.to_bytes(width // 8, "little"))[0]


def bits_of(number, kind):
    """The bits of a number that the kind of float represents exactly."""
    return int.from_bytes(struct.pack("<" + FLOATS[kind][3], number), "little")


def saturated_integer(number, name, width):
    """llvm.fptoui.sat and llvm.fptosi.sat; name[0] is 'u' or 's'."""
    if math.isnan(number):
        return 0
    low, high = bounds(name, width)
    if math.isinf(number):
        return cut(high if number > 0 else low, width)
    return cut(min(max(int(number), low), high), width)


# Memory, by the data layout of SPIR-V: an iN has the alignment of the next larger of i8, i16, i32 and i64, else of i64.
def store_size(width):
    return (width + 7) // 8


def alignment(type_):
    if isinstance(type_, int):
        return next((w // 8 for w in (8, 16, 32, 64) if type_ <= w), 8)
    return max(alignment(part) for part in type_)


def round_up(value, unit):
    return (value + unit - 1) // unit * unit


def layout(types):
    """The offsets of a struct's integers, and its size."""
    at, offsets = 0, []
    for part in types:
        at = round_up(at, alignment(part))
        offsets.append(at)
        at += round_up(store_size(part), alignment(part))
    return offsets, round_up(at, alignment(types))


def load(memory, at, width):
    return cut(int.from_bytes(memory[at:at + store_size(width)], "little"), width)


def store(memory, at, width, value):
    memory[at:at + store_size(width)] = value.to_bytes(store_size(width), "little")
