# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What functions of Julia's base library do, by its documentation ("Mathematics", "Numbers", "Mathematical operations and
elementary functions", and the chapter on conversion and promotion of the manual). BASE maps names to Python functions of
values; each may throw Thrown, or Ambiguous where the documentation leaves the outcome open."""
import math

from numbers_of import FLOATS, INTS, bits, from_bits, limits, meet, quotient, signed, width, wrap
from types_of import Ambiguous, Invalid
from values import Num, Range, Thrown, TypeValue, Val, as_type, boolean, exact_product, floating, integer, settled

BASE = {}


def base(*names):
    def put(f):
        for name in names:
            BASE[name] = f
        return f
    return put


def is_int(x):
    return isinstance(x, Num) and x.t in INTS


def is_float(x):
    return isinstance(x, Num) and x.t in FLOATS


def need(ok, what="such arguments"):
    if not ok:
        raise Invalid(f"no method for {what}")


def both(a, b):
    """The operands after promotion, and the type they meet in."""
    need(isinstance(a, Num) and isinstance(b, Num), "these operands")
    t = meet(a.t, b.t)
    return as_type(t, a), as_type(t, b), t


def promoted(a, b):
    """The operands as `promote` gives them: converted, so an InexactError where the common type has no such number."""
    need(isinstance(a, Num) and isinstance(b, Num), "these operands")
    t = meet(a.t, b.t)
    return convert(t, a), convert(t, b), t


# ---- arithmetic
def arithmetic(name, of_ints, of_floats):
    def f(a, b):
        a, b, t = both(a, b)
        if t in FLOATS:
            return of_floats(t, a, b)
        if t == "Bool" and name != "*":
            t = "Int64"
        return boolean(a.v and b.v) if t == "Bool" else integer(t, of_ints(int(a.v), int(b.v)))
    BASE[name] = lambda *args: fold(f, args)


def fold(f, args):
    x = args[0]
    for y in args[1:]:
        x = f(x, y)
    return x


def divided(t, a, b):
    if b.v == 0:
        if a.v == 0 or a.v != a.v:
            return Num(t, math.nan)
        return Num(t, math.copysign(math.inf, a.v) * math.copysign(1, b.v))
    return floating(t, a.v / b.v) if not (math.isinf(a.v) and math.isinf(b.v)) else Num(t, math.nan)


def total(t, a, b):
    settled(a), settled(b)
    return floating(t, a.v + b.v)


arithmetic("+", lambda a, b: a + b, total)
arithmetic("*", lambda a, b: a * b, lambda t, a, b: exact_product(t, a.v, b.v))
plus = BASE["+"]


@base("-")
def minus(a, b=None):
    if b is None:
        need(isinstance(a, Num))
        return Num(a.t, -a.v, a.product) if is_float(a) else integer("Int64" if a.t == "Bool" else a.t, -int(a.v))
    a, b, t = both(a, b)
    return total(t, a, Num(t, -b.v, b.product)) if t in FLOATS else integer("Int64" if t == "Bool" else t, int(a.v) - int(b.v))


@base("/")
def slash(a, b):
    need(isinstance(a, Num) and isinstance(b, Num))
    if a.t not in FLOATS and b.t not in FLOATS:  # each by itself: mixed signs do not wrap
        a, b = as_type("Float64", a), as_type("Float64", b)
    a, b, t = both(a, b)
    return divided(t, a, b)


for op, of in (("&", lambda a, b: a & b), ("|", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
    def bitwise(a, b, of=of):
        a, b, t = both(a, b)
        need(t not in FLOATS)
        return boolean(of(bool(a.v), bool(b.v))) if t == "Bool" else integer(t, of(a.v, b.v))
    BASE[op] = lambda *args, f=bitwise: fold(f, args)
BASE["⊻"] = BASE["xor"]


@base("~")
def invert(a):
    return boolean(not a.v) if a.t == "Bool" else integer(a.t, ~a.v)


@base("!")
def negate(a):
    need(a.t == "Bool")
    return boolean(not a.v)


def shift(a, n):
    """a * 2^n in a's type, towards minus infinity; n of any size."""
    n = max(min(n, 200), -200)
    return integer(a.t, a.v << n if n >= 0 else a.v >> -n)


BASE["<<"] = lambda a, n: shift(a, int(n.v))
BASE[">>"] = lambda a, n: shift(a, -int(n.v))


@base(">>>")
def logical(a, n):
    u = Num("U" + a.t.lstrip("U"), bits(a.t, a.v))
    return integer(a.t, shift(u, -int(n.v)).v)


# ---- division
def division(name, of):
    def f(a, b):
        a, b, t = promoted(a, b)
        need(t in INTS or (name in ("rem", "mod")), name)
        if t in FLOATS:
            return float_remainder(name, t, a.v, b.v)
        if a.v == limits(t)[0] and b.v == -1 and name in ("div", "fld", "cld", "fld1"):
            raise Thrown("DivideError")
        if b.v == 0:
            raise Thrown("DivideError")
        return integer(t, of(a.v, b.v))
    BASE[name] = f


def float_remainder(name, t, a, b):
    if b == 0 or math.isinf(a) or a != a or b != b:
        return Num(t, math.nan)
    r = math.fmod(a, b)
    if name == "mod":
        if r == 0:
            return Num(t, math.copysign(0.0, b))
        if (r > 0) != (b > 0):
            if math.isinf(b):
                raise Ambiguous("mod by an infinity")
            return floating(t, r + b)
    return Num(t, math.copysign(r, a) if r == 0 else r)


division("div", quotient)
division("rem", lambda a, b: a - b * quotient(a, b))
division("mod", lambda a, b: a % b)
division("fld", lambda a, b: a // b)
division("cld", lambda a, b: -(-a // b))
division("mod1", lambda a, b: (a - 1) % b + 1 if b > 0 else (a % b or b))
BASE["÷"] = BASE["div"]


@base("%")
def percent(a, b):
    if isinstance(b, TypeValue):
        need(a.t not in FLOATS)
        return boolean(int(a.v) & 1) if b.t == "Bool" else integer(b.t, int(a.v))
    return BASE["rem"](a, b)


@base("gcd")
def gcd(a, b):
    a, b, t = promoted(a, b)
    if signed(t) and limits(t)[0] in (a.v, b.v):
        raise Ambiguous("gcd may overflow")
    return integer(t, math.gcd(a.v, b.v))


@base("^")
def power(a, n):
    """Integers by repeated squaring, wrapping; floats to literal powers 2 and 3 alone."""
    if is_float(a):
        p = exact_product(a.t, a.v, a.v)
        if int(n.v) == 2:
            return p
        need(int(n.v) == 3)
        if p.product:
            raise Ambiguous("an inexact product of three")
        return exact_product(a.t, p.v, a.v)
    if n.v < 0:
        if a.v in (1, -1):
            return integer(a.t, a.v if n.v % 2 else 1)
        raise Thrown("DomainError")
    return integer(a.t, pow(a.v, int(n.v), 1 << 64))


# ---- comparison, by value
def nans(a, b):
    return a.v != a.v or b.v != b.v


for op, of in (("<", lambda a, b: a < b), ("<=", lambda a, b: a <= b), (">", lambda a, b: a > b), (">=", lambda a, b: a >= b)):
    BASE[op] = lambda a, b, of=of: boolean(of(a.v, b.v))
BASE["≤"], BASE["≥"] = BASE["<="], BASE[">="]


def sign_of(x):
    return math.copysign(1, x) < 0 if isinstance(x, float) else x < 0


def is_less(a, b):
    """The total order: -0.0 before 0.0, NaN last."""
    if a.v != a.v:
        return False
    if b.v != b.v:
        return True
    if a.v == b.v == 0:
        return sign_of(a.v) and not sign_of(b.v)
    return a.v < b.v


def is_equal(a, b):
    if nans(a, b):
        return a.v != a.v and b.v != b.v
    return a.v == b.v and (a.v != 0 or sign_of(a.v) == sign_of(b.v))


def extreme(name, pick_second):
    def f(a, b):
        a, b, t = promoted(a, b)
        if t in FLOATS:
            if nans(a, b):
                return Num(t, math.nan)
        x = b if pick_second(a, b) else a
        return Num(t, x.v, x.product)
    BASE[name] = lambda *args: fold(f, args)


extreme("min", lambda a, b: is_less(b, a))
extreme("max", lambda a, b: is_less(a, b))


@base("cmp")
def cmp(a, b):
    return Num("Int64", -1 if is_less(a, b) else int(is_less(b, a)))


@base("clamp")
def clamp(x, lo, hi):
    t = meet(x.t, meet(lo.t, hi.t))
    return convert(t, hi if x.v > hi.v else lo if x.v < lo.v else x)


# ---- conversion
def convert(t, x):
    """T(x) and convert(T, x): the same number, or an InexactError."""
    need(isinstance(x, Num))
    if x.t == t:
        return x
    if t in FLOATS:
        return as_type(t, x)
    if x.t in FLOATS and (x.v != x.v or math.isinf(x.v) or x.v != int(x.v)):
        raise Thrown("InexactError")
    v = int(x.v)
    lo, hi = (0, 1) if t == "Bool" else limits(t)
    if not lo <= v <= hi:
        raise Thrown("InexactError")
    return boolean(v) if t == "Bool" else Num(t, v)


def whole(name, v):
    if v != v or math.isinf(v) or abs(v) >= 2.0 ** 52:
        return v
    n = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "round": round}[name](v)
    return math.copysign(float(n), v)


for name in ("floor", "ceil", "trunc", "round"):
    def rounding(*args, name=name):
        x = args[-1]
        y = Num(x.t, whole(name, x.v)) if is_float(x) else x
        return convert(args[0].t, y) if len(args) == 2 else y
    BASE[name] = rounding


@base("reinterpret")
def reinterpret(t, x):
    if x.v != x.v:
        raise Ambiguous("bits of NaN")
    need(width(t.t) == width(x.t))
    return Num(t.t, from_bits(t.t, bits(x.t, x.v)))


BASE["convert"] = lambda t, x: convert(t.t, x)
BASE["oftype"] = lambda y, x: convert(y.t, x)
BASE["float"] = lambda x: x if is_float(x) else as_type("Float64", x)
BASE["signed"] = lambda x: integer(x.t.lstrip("U"), x.v)
BASE["unsigned"] = lambda x: integer("U" + x.t.lstrip("U"), x.v)
BASE["widen"] = lambda x: as_type(WIDER[x.t], x)
BASE["widemul"] = lambda a, b: (BASE["*"])(BASE["widen"](a), BASE["widen"](b))
WIDER = {"Int8": "Int16", "Int16": "Int32", "Int32": "Int64", "UInt8": "UInt16", "UInt16": "UInt32", "UInt32": "UInt64", "Float16": "Float32", "Float32": "Float64"}


# ---- single numbers
def number_or_type(f):
    return lambda x: f(x.t)


BASE["zero"] = number_or_type(lambda t: convert(t, Num("Int64", 0)))
BASE["one"] = number_or_type(lambda t: convert(t, Num("Int64", 1)))
BASE["typemax"] = number_or_type(lambda t: Num(t, math.inf if t in FLOATS else limits(t)[1]))
BASE["typemin"] = number_or_type(lambda t: Num(t, -math.inf if t in FLOATS else limits(t)[0]))
BASE["sizeof"] = number_or_type(lambda t: Num("Int64", width(t) // 8))
BASE["iszero"] = lambda x: boolean(x.v == 0)
BASE["isone"] = lambda x: boolean(x.v == 1)
BASE["isnan"] = lambda x: boolean(x.v != x.v)
BASE["isfinite"] = lambda x: boolean(not is_float(x) or math.isfinite(x.v))
BASE["isinteger"] = lambda x: boolean(not is_float(x) or (math.isfinite(x.v) and x.v == int(x.v)))
BASE["isodd"] = lambda x: boolean(int(x.v) & 1)
BASE["iseven"] = lambda x: boolean(not int(x.v) & 1)


def sign_bit(x):
    if x.v != x.v:
        raise Ambiguous("the sign of NaN")
    return sign_of(x.v)


BASE["signbit"] = lambda x: boolean(sign_bit(x))
BASE["abs"] = lambda x: Num(x.t, abs(x.v), x.product) if is_float(x) else integer(x.t, abs(int(x.v)))
BASE["sign"] = lambda x: x if x.v != x.v or x.v == 0 else Num(x.t, type(x.v)(1 if x.v > 0 else -1))


@base("copysign")
def copysign(x, y):
    negative = sign_bit(y)
    if is_float(x):
        return Num(x.t, math.copysign(x.v, -1.0 if negative else 1.0), x.product) if x.v == x.v else x
    return x if (x.v < 0) == negative else integer(x.t, -x.v)


BASE["flipsign"] = lambda x, y: (integer(x.t, -x.v) if is_int(x) else Num(x.t, -x.v, x.product)) if sign_bit(y) else x


@base("sqrt")
def sqrt(x):
    """In a kernel it is the device's square root (CUDA.jl overrides Base's): NaN below 0, no DomainError."""
    x = BASE["float"](x)
    if x.v < 0:
        return Num(x.t, math.nan)
    return floating(x.t, math.sqrt(x.v)) if x.v == x.v else x


@base("fma")
def fma(a, b, c):
    need(a.t == b.t == c.t)
    if not all(math.isfinite(x.v) for x in (a, b, c)):
        raise Ambiguous("fma of what is not finite")
    from fractions import Fraction
    exact = Fraction(a.v) * Fraction(b.v) + Fraction(c.v)
    if exact == 0 or a.t != "Float64" or abs(exact) < Fraction(1, 1 << 900) or abs(exact) > (1 << 1000):
        raise Ambiguous("a rounding that this evaluator leaves out")
    return Num(a.t, exact.numerator / exact.denominator)


def items_of(x):
    """The elements of what can be iterated."""
    if isinstance(x, Range):
        return [Num(x.T, wrap(x.T, v)) for v in x.r]
    if isinstance(x, (Num, Val)) or x is None:
        raise Invalid("not to be iterated")
    return list(x.items)
