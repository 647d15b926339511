# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of the generated programs as the evaluator holds them."""
from fractions import Fraction
import math

from numbers_of import FLOATS, bits, rounded, wrap
from types_of import Ambiguous


class Num:
    """A number of type t. `product` says that it is a rounded product: code for a device may fuse a sum with it, so what
    such a sum gives is left open."""
    __slots__ = ("t", "v", "product")

    def __init__(self, t, v, product=False):
        self.t, self.v, self.product = t, float(v) if t in FLOATS else v, product

    def __repr__(self):
        return f"{self.t}({self.v})"


class Tup:
    __slots__ = ("items",)

    def __init__(self, items):
        self.items = list(items)


class Named:
    __slots__ = ("names", "items")

    def __init__(self, names, items):
        self.names, self.items = tuple(names), list(items)


class Struct:
    """An instance; objects of mutable structs are told apart by identity."""
    __slots__ = ("d", "args", "items")

    def __init__(self, d, args, items):
        self.d, self.args, self.items = d, tuple(args), list(items)


class Range:
    """start:step:stop over elements of type T; `step` is None in a UnitRange. Holds Python's range of the elements."""
    __slots__ = ("T", "S", "r")

    def __init__(self, T, S, r):
        self.T, self.S, self.r = T, S, r


class Array:
    """An array that is written in place: an argument, a view of one, or a static array. `static` is its length then."""
    __slots__ = ("T", "items", "static")

    def __init__(self, T, items, static=None):
        self.T, self.items, self.static = T, items, static


class Fn:
    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name


class Lambda:
    __slots__ = ("node", "env")

    def __init__(self, node, env):
        self.node, self.env = node, env


class TypeValue:
    __slots__ = ("t",)

    def __init__(self, t):
        self.t = t


class Val:
    __slots__ = ("v",)

    def __init__(self, v):
        self.v = v


class Thrown(Exception):
    """An exception of the program, by its kind."""


NOTHING = None


def type_of(x):
    if isinstance(x, Num):
        return x.t
    if isinstance(x, Tup):
        return ("Tuple",) + tuple(type_of(i) for i in x.items)
    if x is None:
        return "Nothing"
    if isinstance(x, Named):
        return ("NamedTuple", x.names, tuple(type_of(i) for i in x.items))
    if isinstance(x, Struct):
        return ("Struct", x.d.name) + x.args
    if isinstance(x, Range):
        return ("UnitRange", x.T) if x.S is None else ("StepRange", x.T, x.S)
    if isinstance(x, Array):
        return ("Vector", x.T) if x.static is None else ("MVector", x.static, x.T)
    if isinstance(x, Fn):
        return ("Fn", x.name)
    if isinstance(x, Lambda):
        return ("Lambda", id(x.node))
    if isinstance(x, TypeValue):
        return ("Type", x.t)
    if isinstance(x, Val):
        return ("Val", x.v)
    raise AssertionError(x)


def integer(t, v):
    return Num(t, wrap(t, v))


def boolean(b):
    return Num("Bool", bool(b))


def floating(t, v):
    return Num(t, rounded(t, v))


def as_type(t, x):
    """x as promotion makes it: to a wider number type, or by the low bits to an integer of another sign."""
    if x.t == t:
        return x
    if t in FLOATS:
        return Num(t, rounded(t, int(x.v) if isinstance(x.v, bool) else x.v), x.product)
    return integer(t, int(x.v))


def exact_product(t, a, b):
    """The product of two floats of one type; marked where it was rounded."""
    v = rounded(t, a * b) if t != "Float64" else a * b
    open_ = not (math.isnan(v) or math.isinf(a) or math.isinf(b)) and (math.isinf(v) or Fraction(a) * Fraction(b) != Fraction(v))
    return Num(t, v, open_)


def settled(x):
    """x, where it may be added to."""
    if x.product:
        raise Ambiguous("a product that may be fused with a sum")
    return x


def egal(a, b):
    """===: objects of mutable structs by identity, all else by type and content; NaN bits are left open."""
    if type_of(a) != type_of(b):
        return False
    if isinstance(a, Num):
        if a.t in FLOATS and (a.v != a.v or b.v != b.v):
            raise Ambiguous("bits of NaN")
        return bits(a.t, a.v) == bits(b.t, b.v)
    if isinstance(a, Struct) and a.d.mutable or isinstance(a, (Array, Lambda)):
        return a is b
    if isinstance(a, Range):
        raise Ambiguous("identity of ranges")
    if hasattr(a, "items"):
        return all(egal(x, y) for x, y in zip(a.items, b.items))
    return True
