# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types and values of operations on numbers, by Numba's rules (those of its documentation and typing tables)."""

import math
import operator

import numpy as np
import pytest

from kiln import cuda

INTS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float32, np.float64]
KEEPS_FLOAT32 = {np.dtype(t) for t in ("i1", "i2", "u1", "?")}


def meet(a, b):
    """The dtype of + - * of two numbers."""
    a, b = np.dtype(a), np.dtype(b)
    if a.kind == "f" or b.kind == "f":
        if a == b:
            return a
        other = {a, b} - {np.dtype("f4")}
        return np.dtype("f4") if len(other) == 1 and other <= KEEPS_FLOAT32 else np.dtype("f8")
    return np.dtype("u8") if a.kind == b.kind == "u" else np.dtype("i8")


def exact(value, dtype):
    """Python's own number in a dtype, wrapped as two's complement."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        bits = dtype.itemsize * 8
        value = int(value) % (1 << bits)
        if dtype.kind == "i" and value >= 1 << (bits - 1):
            value -= 1 << bits
    return dtype.type(value)


SAMPLES = [(7, 3), (100, 9), (1, 0), (5, 5)]


@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.mul], ids=lambda f: f.__name__)
@pytest.mark.parametrize("left", INTS + FLOATS, ids=lambda t: t.__name__)
def test_arithmetic(evaluate, op, left):
    for right in INTS + FLOATS:
        for a, b in SAMPLES[:2]:
            wanted = meet(left, right)
            got = evaluate(FUNCTIONS[op.__name__], left(a), right(b))
            assert got.dtype == wanted, (left, right)
            assert got == exact(op(a, b), wanted)


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def and_(a, b):
    return a & b


def or_(a, b):
    return a | b


def xor(a, b):
    return a ^ b


def lshift(a, b):
    return a << b


def rshift(a, b):
    return a >> b


def power(a, b):
    return a**b


FUNCTIONS = {f.__name__: f for f in (add, sub, mul, truediv, floordiv, mod, and_, or_, xor, lshift, rshift)}


@pytest.mark.parametrize("op", [operator.and_, operator.or_, operator.xor], ids=lambda f: f.__name__)
def test_bits(evaluate, op):
    for left in INTS:
        for right in INTS:
            got = evaluate(FUNCTIONS[op.__name__], left(0b1100), right(0b1010))
            assert got.dtype == meet(left, right)
            assert got == op(0b1100, 0b1010)
    assert evaluate(FUNCTIONS[op.__name__], True, False).dtype == np.bool_


def test_division_of_integers_is_float64(evaluate):
    for left in INTS:
        for right in INTS:
            got = evaluate(truediv, left(7), right(2))
            assert got.dtype == np.float64 and got == 3.5
    assert evaluate(truediv, np.float32(1), np.float32(3)) == np.float32(1) / np.float32(3)
    assert evaluate(truediv, np.float32(1), np.float32(3)).dtype == np.float32


PAIRS = [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-6, 3), (0, 5), (0, -5)]


@pytest.mark.parametrize("a,b", PAIRS)
def test_floor_division(evaluate, a, b):
    assert evaluate(floordiv, a, b) == a // b and evaluate(mod, a, b) == a % b
    assert evaluate(floordiv, np.int32(a), np.int16(b)).dtype == np.int64
    for scale in (1.0, 0.5, 1.25):
        x, y = a * scale, b * scale
        assert evaluate(floordiv, x, y) == x // y
        assert evaluate(mod, x, y) == x % y
        assert math.copysign(1, evaluate(mod, x, y)) == math.copysign(1, x % y)


def test_floor_division_by_zero(evaluate):
    assert evaluate(floordiv, 5, 0) == 0 and evaluate(mod, 5, 0) == 0
    assert evaluate(floordiv, np.uint32(5), np.uint32(0)) == 0
    assert evaluate(floordiv, -(2**63), -1) == 0
    assert evaluate(floordiv, 5.0, 0.0) == math.inf and math.isnan(evaluate(mod, 5.0, 0.0))


def test_shifts_have_the_left_sides_sign(evaluate):
    for left in INTS:
        for right in INTS:
            got = evaluate(lshift, left(3), right(4))
            assert got.dtype == (np.uint64 if np.dtype(left).kind == "u" else np.int64) and got == 48
    assert evaluate(rshift, -16, 2) == -4
    assert evaluate(rshift, np.int8(-16), np.uint8(2)) == -4


def neg(a):
    return -a


def pos(a):
    return +a


def invert(a):
    return ~a


def absolute(a):
    return abs(a)


def test_unary(evaluate):
    assert evaluate(neg, np.uint8(3)) == 253 and evaluate(neg, np.uint8(3)).dtype == np.uint64
    assert evaluate(invert, np.uint8(3)) == 252 and evaluate(invert, np.uint8(3)).dtype == np.uint64
    assert evaluate(invert, True).dtype == np.bool_ and not evaluate(invert, True)
    assert evaluate(neg, True) == -1 and evaluate(neg, True).dtype == np.int64
    assert evaluate(neg, np.int32(5)).dtype == np.int64
    assert evaluate(neg, np.float32(5)).dtype == np.float32
    assert evaluate(absolute, np.int8(-3)).dtype == np.int8 and evaluate(absolute, np.int8(-3)) == 3


def test_powers(evaluate):
    for a in (-3, -1, 0, 1, 2, 7):
        for b in (0, 1, 2, 5, 11):
            assert evaluate(power, a, b) == a**b
    assert evaluate(power, 1, -3) == 1 and evaluate(power, -1, -3) == -1 and evaluate(power, 2, -1) == 0
    assert evaluate(power, 0, -1) == -(2**63)
    assert evaluate(power, np.float32(3), 2).dtype == np.float32 and evaluate(power, np.float32(3), 2) == 9
    assert evaluate(power, 2.0, 0.5) == pytest.approx(2**0.5, rel=1e-15)
    assert evaluate(power, 2.0, -3) == 0.125


def less(a, b):
    return a < b


def equal(a, b):
    return a == b


def test_comparisons(evaluate):
    assert evaluate(less, -1, np.uint64(1)) and evaluate(less, np.int32(-1), np.uint32(1))
    assert not evaluate(less, np.uint64(1), -1)
    assert evaluate(equal, 2**53 + 1, np.uint64(2**53))  # as float64
    assert evaluate(less, 1, 1.5) and not evaluate(less, math.nan, 1.0)
    assert evaluate(less, 1, 2).dtype == np.bool_


def chained(a, b, c):
    return a < b <= c != 7


def test_chained_comparison(evaluate):
    for a, b, c in [(1, 2, 3), (2, 1, 3), (1, 3, 3), (1, 2, 7), (1, 9, 7)]:
        assert evaluate(chained, a, b, c) == (a < b <= c != 7)


def to_int(a):
    return int(a)


def to_float(a):
    return float(a)


def rounded(a):
    return round(a)


def test_conversions(evaluate):
    assert evaluate(to_int, np.int16(3)).dtype == np.int16
    assert evaluate(to_int, -2.7) == -2 and evaluate(to_int, 2.7).dtype == np.int64
    assert evaluate(to_float, np.float32(3)).dtype == np.float32 and evaluate(to_float, 3).dtype == np.float64
    for x in (0.5, 1.5, 2.5, -0.5, -1.5, 2.4, 2.6):
        assert evaluate(rounded, x) == round(x) and evaluate(rounded, x).dtype == np.int64


def smaller(a, b):
    return min(a, b)


def larger(a, b, c):
    return max(a, b, c)


def either(c, a, b):
    return a if c else b


def conjunction(a, b):
    return a and b


def test_unified_types(evaluate):
    assert evaluate(smaller, np.int32(3), np.float32(2)).dtype == np.float64
    assert evaluate(smaller, np.uint64(3), 2).dtype == np.float64
    assert evaluate(smaller, np.int8(3), np.int32(2)).dtype == np.int32
    assert evaluate(larger, 1, 5, 3) == 5
    assert evaluate(either, True, np.int32(3), np.float32(2)).dtype == np.float64
    assert evaluate(either, True, True, np.int32(2)).dtype == np.int32
    assert evaluate(either, False, np.uint8(3), np.int8(2)).dtype == np.int16
    assert evaluate(either, False, 1, np.uint64(2)).dtype == np.float64
    assert evaluate(conjunction, 0, 5) == 0 and evaluate(conjunction, 3, 5) == 5
    assert evaluate(smaller, math.nan, 1.0) == 1.0


def literal_times(a):
    return a * 2


def test_literals_are_64_bits(evaluate):
    assert evaluate(literal_times, np.float32(1.5)).dtype == np.float64
    assert evaluate(literal_times, np.int8(100)) == 200 and evaluate(literal_times, np.int8(1)).dtype == np.int64


def accumulate(n, x):
    s = 0
    for _ in range(n):
        s += x
    return s


def last_of(n):
    i = 7
    for i in range(n):
        pass
    return i


def test_joins(evaluate):
    assert evaluate(accumulate, 3, np.float32(0.5)) == 1.5 and evaluate(accumulate, 3, np.float32(0.5)).dtype == np.float64
    assert evaluate(accumulate, 0, np.float32(0.5)).dtype == np.float64
    assert evaluate(last_of, np.int32(0)) == 7 and evaluate(last_of, np.int32(4)) == 3


def ranged(a, b, c):
    s = 0
    for i in range(a, b, c):
        s = s * 31 + i
    return s


def range_item(n):
    r = 0
    for i in range(n):
        return i
    return r


@pytest.mark.parametrize("bounds", [(0, 5, 1), (5, 0, -1), (5, 0, -2), (0, 10, 3), (3, 3, 1), (0, -3, 1), (10, -11, -7)])
def test_range(evaluate, bounds):
    s = 0
    for i in range(*bounds):
        s = s * 31 + i
    assert evaluate(ranged, *bounds) == s


def first_type(n):
    for i in range(n):
        x = i
    return x


def test_range_types(evaluate):
    assert evaluate(first_type, np.int32(3)).dtype == np.int32
    assert evaluate(first_type, 3).dtype == np.int64
    assert evaluate(first_type, np.uint64(3)).dtype == np.uint64
    assert evaluate(first_type, np.uint8(3)).dtype == np.int32


MATH = "sqrt exp log log2 log10 log1p expm1 sin cos tan asin acos atan sinh cosh tanh erf erfc gamma lgamma floor ceil trunc fabs radians degrees".split()


@pytest.mark.parametrize("name", MATH)
def test_math(evaluate, name):
    f = getattr(math, name)

    def call(x):
        return f(x)

    for x in (0.25, 0.75):
        got = evaluate(call, x)
        assert got.dtype == np.float64 and got == pytest.approx(f(x), rel=1e-14)
        got = evaluate(call, np.float32(x))
        assert got.dtype == np.float32 and got == pytest.approx(f(x), rel=3e-6)
    assert evaluate(call, np.int32(1)).dtype == np.float64


def test_math_of_two(evaluate):
    for name in ("atan2", "hypot", "copysign", "fmod", "pow", "remainder", "gcd"):
        f = getattr(math, name)

        def call(x, y):
            return f(x, y)

        arguments = (12, 18) if name == "gcd" else (2.5, -1.5)
        if name == "pow":
            arguments = (2.5, 1.5)
        assert evaluate(call, *arguments) == pytest.approx(f(*arguments), rel=1e-14)


def test_numpy_functions(evaluate):
    for name in ("sqrt", "exp", "abs", "floor", "sign", "square", "sin", "log1p", "rint", "arctan"):
        f = getattr(np, name)

        def call(x):
            return f(x)

        for x in (2.5, 0.25):
            assert evaluate(call, x) == pytest.approx(float(f(x)), rel=1e-14)

    def where(c, a, b):
        return np.where(c, a, b)

    assert evaluate(where, True, 1.5, 2.5) == 1.5


def test_float64_to_float16_rounds_once():
    @cuda.jit
    def kernel(y, x):
        i = cuda.grid(1)
        if i < x.size:
            y[i] = x[i]

    halves = np.arange(0, 1 << 16, 7, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)].astype(np.float64)
    steps = np.spacing(halves.astype(np.float16)).astype(np.float64)
    # Halfway between two, and a little to either side of it: less than float32 can hold.
    x = np.concatenate([halves, *(halves + steps * (0.5 + d) for d in (0, 1e-12, -1e-12))])
    x = np.concatenate([x, -x, [np.inf, -np.inf, np.nan, 1e300, -1e300, 65519.999999, 65520.0, 1e-300, 2.0**-25, 2.0**-25 * (1 + 1e-12)]])
    y = np.zeros(x.size, np.float16)
    kernel[(x.size + 255) // 256, 256](y, x)
    with np.errstate(over="ignore"):
        wanted = x.astype(np.float16)
    assert np.array_equal(y, wanted, equal_nan=True) and np.array_equal(np.signbit(y[~np.isnan(y)]), np.signbit(wanted[~np.isnan(y)]))
