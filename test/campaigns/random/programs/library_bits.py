# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bits of integers, and ranges: the rest of library.py's table."""
from library import BASE, base, items_of, promoted
from numbers_of import bits, width
from values import Num, Range, Thrown, TypeValue, boolean, integer, type_of


def leading(x, bit):
    n, count = width(x.t), 0
    while count < n and (bits(x.t, x.v) >> (n - 1 - count)) & 1 == bit:
        count += 1
    return Num("Int64", count)


def trailing(x, bit):
    n, count = width(x.t), 0
    while count < n and (bits(x.t, x.v) >> count) & 1 == bit:
        count += 1
    return Num("Int64", count)


BASE["leading_zeros"], BASE["leading_ones"] = lambda x: leading(x, 0), lambda x: leading(x, 1)
BASE["trailing_zeros"], BASE["trailing_ones"] = lambda x: trailing(x, 0), lambda x: trailing(x, 1)
BASE["count_ones"] = lambda x: Num("Int64", bin(bits(x.t, x.v)).count("1"))
BASE["count_zeros"] = lambda x: Num("Int64", width(x.t) - bin(bits(x.t, x.v)).count("1"))
BASE["bswap"] = lambda x: integer(x.t, int.from_bytes(bits(x.t, x.v).to_bytes(width(x.t) // 8, "little"), "big"))
BASE["bitreverse"] = lambda x: integer(x.t, int(format(bits(x.t, x.v), f"0{width(x.t)}b")[::-1], 2))


@base("bitrotate")
def bitrotate(x, k):
    n, b = width(x.t), bits(x.t, x.v)
    k = k.v % n
    return integer(x.t, (b << k) | (b >> (n - k)))


# ---- ranges
@base(":")
def colon(a, b, c=None):
    if c is None:
        a, b, t = promoted(a, b)
        return Range(t, None, range(a.v, b.v + 1))
    first, last, t = promoted(a, c)
    if b.v == 0:
        raise Thrown("ArgumentError")
    return Range(t, b.t, range(first.v, last.v + (1 if b.v > 0 else -1), b.v))


BASE["step"] = lambda r: Num(r.S or r.T, r.r.step)
BASE["isempty"] = lambda x: boolean(len(items_of(x)) == 0)
BASE["identity"] = lambda x: x
BASE["typeof"] = lambda x: TypeValue(type_of(x))
BASE["eltype"] = lambda x: TypeValue(x.T)
