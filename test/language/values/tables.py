# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tables share: corner values of every type of number, and the comparison of a kernel's results with expected ones.

The tables' expected values follow from exact arithmetic (Python's integers and fractions) and from the rules of Julia's manual
(https://docs.julialang.org/en/v1.10), each named where it is used:
  [overflow]   manual/integers-and-floating-point-numbers, "Overflow behavior": integer arithmetic is modulo 2^N
  [promotion]  manual/conversion-and-promotion: the wider type; of equal width the unsigned one; floats before integers, Bool last
  [operations] manual/mathematical-operations: operators, numeric comparisons, rounding functions, division functions
  [docstring]  base/math, base/numbers, base/collections: the docstring of the function
Floats are rounded once, to nearest even (IEEE 754). NaN are all alike here: which payload a NaN has differs between processors.
"""
import math
import struct
from fractions import Fraction

import npy
from numbers_of import FLOATS, from_bits, limits, meet, rounded, same, signed, width, wrap

INTS = ["Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Int128", "UInt128"]
WITH_BOOL = ["Bool"] + INTS
CODES = {code + 1: name for code, name in enumerate(WITH_BOOL + FLOATS + ["Nothing"])}
INF, NAN = math.inf, math.nan
MANTISSA = {"Float16": (11, -24), "Float32": (24, -149), "Float64": (53, -1074)}     # digits, the smallest number's exponent
LARGEST = {"Float16": 65504.0, "Float32": 2.0**128 - 2.0**104, "Float64": 1.7976931348623157e308}


def corners(name, few=False):
    """Values at which integers go wrong: the ends, around zero, powers of two and their neighbours."""
    if name == "Bool":
        return [False, True]
    low, high = limits(name)
    half = 1 << width(name) // 2
    cases = {0, 1, 3, low, high, -1, -7} | (set() if few else {2, 5, 10, 100, low + 1, high - 1, high // 2, high // 2 + 1, high // 3, half, half - 1, -half, -2, -3, -100, low // 2})
    return sorted(x for x in cases if low <= x <= high)


def float_corners(name, few=False):
    digits, least = MANTISSA[name]
    tiny, big, normal = 2.0**least, LARGEST[name], 2.0**(least + digits - 1)
    cases = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, tiny, -big, INF, -INF, NAN]
    if not few:
        cases += [1.5, 2.5, -0.3, 0.1, 7.0, -7.0, 100.0, -tiny, big, normal, -normal, normal - tiny, 2.0**digits - 1, 2.0**(digits - 1) + 1, -(2.0**digits), 1 + 2.0**(1 - digits), 1 - 2.0**-digits]
    return [rounded(name, x) for x in cases]


def corner_values(name, few=False):
    return float_corners(name, few) if name in FLOATS else corners(name, few)


def round_exact(name, x):
    """A fraction as the nearest float of this type: one rounding, to even."""
    if x == 0:
        return 0.0
    digits, least = MANTISSA[name]
    x, negative = abs(x), x < 0
    exponent = x.numerator.bit_length() - x.denominator.bit_length()          # 2^(exponent-1) < x < 2^(exponent+1)
    if Fraction(2)**exponent > x:
        exponent -= 1
    unit = Fraction(2)**max(exponent - digits + 1, least)
    n = round(x / unit)                                                       # Fraction rounds to even
    result = n * unit
    value = INF if result > Fraction(LARGEST[name]) else float(result)
    return -value if negative else value


def finite(*values):
    return all(v == v and not math.isinf(v) for v in values)


def convert(name, x):
    """convert(T, x) as [promotion] uses it: an integer or float as a float of this type, one rounding; integers as they are."""
    if name in FLOATS:
        return round_exact(name, Fraction(x)) or (math.copysign(0.0, x) if isinstance(x, float) else 0.0) if finite(x) else float(x)
    return bool(x) if name == "Bool" else int(x)


def words(name, x):
    if name in FLOATS:
        form = {"Float16": "<e", "Float32": "<f", "Float64": "<d"}[name]
        return int.from_bytes(struct.pack(form, x), "little"), 0
    x = int(x) & (1 << 128) - 1
    return x & (1 << 64) - 1, x >> 64


def value_of(name, low, high):
    if name in FLOATS:
        return from_bits(name, low & (1 << width(name)) - 1)
    if name == "Bool":
        return bool(low & 1)
    return wrap(name, (low & (1 << 64) - 1) | (high & (1 << 64) - 1) << 64)


def column(kiln, label, name, values):
    """Values as an argument of a kernel of tables.jl."""
    return kiln.write(label, npy.Array("<u8", (2, len(values)), [w for v in values for w in words(name, v)]), fortran=True)


def check_table(kiln, checks, file, entry, inputs, types, rows, expected, what, options=()):
    """Runs `entry(o, columns..., types...)` of a file: inputs are (type, values), expected one list a case of (type, value),
    (type, value, ulps), or None where nothing is said."""
    count = len(inputs[0][1])
    args = [f"zeros(Int64, 3, {rows}, {count})"] + [column(kiln, f"{entry}{k}", name, values) for k, (name, values) in enumerate(inputs)] + list(types)
    threads = min(count, 128)
    arrays, _, err, status = kiln.start(["tables.jl", file], entry, args, threads=threads, blocks=-(-count // threads), out=[1], options=options)
    checks.true(status == 0, f"{what}: status {status}\n{err}")
    if status:
        return
    result = arrays[0]
    for i, wanted in enumerate(expected):
        for k, each in enumerate(wanted):
            if each is None:
                continue
            at = 3 * (k + rows * i)
            code, low, high = result.items[at:at + 3]
            got = CODES.get(code, f"code {code}")
            checks.count += 1
            ulps = each[2] if len(each) > 2 else 0
            if got != each[0] or not same(got, value_of(got, low, high), each[1], ulps):
                shown = f"{got} {value_of(got, low, high)!r}" if code in CODES and got != "Nothing" else got
                checks.failed.append(f"{what}, row {k + 1} of {', '.join(repr(v[i]) for _, v in inputs)}: expected {each[0]} {each[1]!r}, got {shown}")


def check_throws(kiln, checks, file, entry, inputs, types, error, what, options=()):
    """Every case must throw: a kernel prints `alive` and the case's number where one goes on."""
    count = len(inputs[0][1])
    if count == 0:
        return
    args = ["zeros(Int64, 3, 1, 1)"] + [column(kiln, f"{entry}{k}", name, values) for k, (name, values) in enumerate(inputs)] + list(types)
    threads = min(count, 128)
    _, text, err, status = kiln.start(["tables.jl", file], entry, args, threads=threads, blocks=-(-count // threads), options=options)
    alive = [int(line.split()[1]) for line in text.splitlines() if line.startswith("alive")]
    for i in range(1, count + 1):
        checks.true(i not in alive, f"{what}: {', '.join(repr(v[i - 1]) for _, v in inputs)} must throw {error}")
    checks.true(status == 1 and error in err, f"{what}: status {status}, expected 1 and {error}\n{err[:400]}")
