# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of the kernel language as Python computes them: fixed-width integers and floats, typed results."""
import math
import struct

INTS = ["Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64"]
FLOATS = ["Float16", "Float32", "Float64"]
CODES = {name: i + 1 for i, name in enumerate(["Bool"] + INTS + FLOATS + ["Nothing", "Other"])}
NAMES = {code: name for name, code in CODES.items()}
DTYPES = {"Bool": "|b1", "Int8": "|i1", "UInt8": "|u1", "Float16": "<f2", "Float32": "<f4", "Float64": "<f8"}
DTYPES.update({name: "<%s%d" % ("i" if name[0] == "I" else "u", int(name.lstrip("UInt")) // 8) for name in INTS[2:]})
FLOAT_FORMS = {"Float16": ("<e", "<H"), "Float32": ("<f", "<I"), "Float64": ("<d", "<Q")}


def width(name):
    return 8 if name == "Bool" else int(name.lstrip("UIntFloa"))


def signed(name):
    return name.startswith("Int")


def limits(name):
    n = width(name)
    return (-(1 << n - 1), (1 << n - 1) - 1) if signed(name) else (0, (1 << n) - 1)


def wrap(name, x):
    """x as the low bits of an integer of this type."""
    n = width(name)
    x &= (1 << n) - 1
    return x - (1 << n) if signed(name) and x >> (n - 1) else x


def rounded(name, x):
    """The number of this float type that is nearest to the Python float (or integer) x."""
    if isinstance(x, int):
        x = int_to_float(name, x)
    if name == "Float64" or x != x or math.isinf(x):
        return float(x)
    try:
        return struct.unpack(FLOAT_FORMS[name][0], struct.pack(FLOAT_FORMS[name][0], x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def int_to_float(name, x):
    """One rounding, to nearest even, of an integer of any size."""
    digits = {"Float16": 11, "Float32": 24, "Float64": 53}[name]
    n, extra = abs(x), max(abs(x).bit_length() - digits, 0)
    low = n & ((1 << extra) - 1)
    n >>= extra
    half = (1 << extra) >> 1
    if extra and (low > half or (low == half and n & 1)):
        n += 1
    return math.copysign(float(n << extra), x) if x else 0.0


def bits(name, x):
    """The bits of a value of this type, as an unsigned integer."""
    if name in FLOAT_FORMS:
        form, unsigned = FLOAT_FORMS[name]
        return struct.unpack(unsigned, struct.pack(form, rounded(name, x)))[0]
    return int(x) & ((1 << width(name)) - 1)


def from_bits(name, b):
    if name in FLOAT_FORMS:
        form, unsigned = FLOAT_FORMS[name]
        return struct.unpack(form, struct.pack(unsigned, b & ((1 << width(name)) - 1)))[0]
    return bool(b) if name == "Bool" else wrap(name, b)


def ordered(name, x):
    """Floats counted in order: the difference of two is their distance in units of the last place."""
    b = bits(name, x)
    sign = 1 << (width(name) - 1)
    return -(b ^ sign) if b & sign else b


def same(name, got, wanted, ulps=0):
    """Equal with sign of zero, all NaN alike; floats may differ by some units in the last place."""
    if name in FLOAT_FORMS:
        if got != got or wanted != wanted:
            return got != got and wanted != wanted
        wanted = rounded(name, wanted)
        return abs(ordered(name, got) - ordered(name, wanted)) <= ulps and (ulps > 0 or bits(name, got) == bits(name, wanted))
    return got == wanted


def meet(a, b):
    """promote_type of two number types."""
    if a == b:
        return a
    if a == "Bool" or b == "Bool":
        return b if a == "Bool" else a
    if a in FLOAT_FORMS or b in FLOAT_FORMS:
        if a in FLOAT_FORMS and b in FLOAT_FORMS:
            return a if width(a) > width(b) else b
        return a if a in FLOAT_FORMS else b
    if width(a) != width(b):
        return a if width(a) > width(b) else b
    return a if not signed(a) else b


def quotient(x, y):
    """Division of integers towards zero."""
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q
