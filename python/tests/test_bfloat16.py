# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bfloat16: conversions, arithmetic, the functions of cuda.bf16, arrays. Expected values are ml_dtypes' and exact rationals, rounded here."""

import math
from fractions import Fraction

import numpy as np
import pytest

from kiln import cuda, errors
from kiln.cuda import bf16

CASES = [0.0, -0.0, 1.0, -2.5, 3.14, 1e-3, 65280.0, 3.3895314e38, 1e38, 1.17549435e-38, 1e-40, 257.0, 257.5, 258.5, -259.0, 1 + 2**-8, 1 + 2**-8 + 2**-30, 1 + 3 * 2**-8, math.inf, -math.inf]


def rounded(value, mode="rn"):
    """The bits of the bfloat16 of an exact value."""
    value = float(value) if not isinstance(value, Fraction) and not math.isfinite(value) else Fraction(value) if value else value
    if isinstance(value, float) or not value:
        return {math.inf: 0x7F80, -math.inf: 0xFF80}.get(value, 0x8000 if math.copysign(1, value) < 0 else 0)
    sign, m = value < 0, abs(value)
    e = -126
    while m >= Fraction(2) ** (e + 1):
        e += 1
    units = m / Fraction(2) ** (e - 7)  # of the last place
    kept, rest = math.floor(units), units - math.floor(units)
    up = {"rn": rest > Fraction(1, 2) or rest == Fraction(1, 2) and kept % 2, "rz": False, "rd": sign and rest, "ru": not sign and rest}[mode]
    bits = (e + 126 << 7) + kept + bool(up) if kept >= 128 else kept + bool(up)
    return min(bits, 0x7F80) + 0x8000 * sign


def of_bits(bits):
    return np.array([bits], np.uint16).astype(np.uint32).__lshift__(16).astype(np.uint32).view(np.float32)[0]


def test_from_float64_rounds_once():
    @cuda.jit
    def kernel(out, x):
        for i in range(x.size):
            out[i] = bf16.bfloat16_as_uint16(bf16.bfloat16(x[i]))

    random = np.random.default_rng(1)
    x = np.concatenate([CASES, random.standard_normal(500) * 10.0 ** random.integers(-44, 38, 500), [float(np.float32(of_bits(b)) + (2.0**-60)) for b in (0x3F80, 0x4049)]])
    out = np.zeros(x.size, np.uint16)
    kernel[1, 1](out, x)
    assert [hex(b) for b in out] == [hex(rounded(v)) for v in x]


@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
def test_from_float32_in_four_roundings(mode):
    convert = getattr(bf16, f"float32_to_bfloat16_{mode}")

    @cuda.jit
    def kernel(out, x):
        for i in range(x.size):
            out[i] = bf16.bfloat16_as_uint16(convert(x[i]))

    x = np.concatenate([CASES, np.random.default_rng(2).standard_normal(300)]).astype(np.float32)
    out = np.zeros(x.size, np.uint16)
    kernel[1, 1](out, x)
    assert [hex(b) for b in out] == [hex(rounded(float(v), mode)) for v in x]


@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
@pytest.mark.parametrize("dtype", ["int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integers_both_ways(dtype, mode):
    there, back = getattr(bf16, f"{dtype}_to_bfloat16_{mode}"), getattr(bf16, f"bfloat16_to_{dtype}_{mode}")

    @cuda.jit
    def kernel(out, x, whole, halves):
        for i in range(x.size):
            out[i] = bf16.bfloat16_as_uint16(there(x[i]))
        for i in range(halves.size):
            whole[i] = back(bf16.bfloat16(halves[i]))

    info = np.iinfo(dtype)
    x = np.array([v for v in (0, 1, -1, 255, 256, 257, 259, 789, -789, 65535, 2**24 + 1, 2**31 + 2**23 + 1, 2**62 + 1, 2**63 + 2**55, info.min, info.max) if info.min <= v <= info.max], dtype)
    halves = np.array([0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 200.5, 1e30, -1e30, math.nan])
    out, whole = np.zeros(x.size, np.uint16), np.zeros(halves.size, dtype)
    kernel[1, 1](out, x, whole, halves)
    assert [hex(b) for b in out] == [hex(rounded(Fraction(int(v)), mode)) for v in x]
    to_integer = {"rn": round, "rz": math.trunc, "rd": math.floor, "ru": math.ceil}[mode]
    held = [of_bits(rounded(v)) if v == v else math.nan for v in halves]
    assert whole.tolist() == [0 if v != v else min(max(to_integer(float(v)), info.min), info.max) for v in held]


def test_arithmetic_rounds_once():
    @cuda.jit
    def kernel(out, x, y):
        for i in range(x.size):
            a, b = bf16.bfloat16(x[i]), bf16.bfloat16(y[i])
            out[0, i], out[1, i], out[2, i], out[3, i] = a + b, a - b, a * b, a / b
            out[4, i], out[5, i], out[6, i] = bf16.hfma(a, b, b), -a, abs(a)
            a += b
            out[7, i] = a

    random = np.random.default_rng(3)
    x, y = (np.array([of_bits(rounded(v)) for v in random.standard_normal(200) * 10.0 ** random.integers(-3, 4, 200)]) for _ in range(2))
    out = np.zeros((8, x.size), np.float32)
    kernel[1, 1](out, x, y)
    for k, f in enumerate([lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b, lambda a, b: a * b + b, lambda a, b: -a, lambda a, b: abs(a), lambda a, b: a + b]):
        assert out[k].tolist() == [of_bits(rounded(f(Fraction(float(a)), Fraction(float(b))))) for a, b in zip(x, y)], k


def test_types_that_it_meets():
    @cuda.jit
    def kernel(out):
        a = bf16.bfloat16(1.0 / 3)
        out[0] = a + np.int8(1)
        out[1] = a + np.float32(1)
        out[2] = a + 1
        out[3] = 2.0 * a
        out[4] = a + np.float16(1)
        out[5] = a**2
        out[6] = min(a, bf16.bfloat16(0.25))
        out[7] = a if out[0] > 0 else bf16.bfloat16(0)

    out = np.zeros(8)
    kernel[1, 1](out)
    a = Fraction(float(of_bits(rounded(Fraction(1 / 3)))))
    assert out.tolist() == [of_bits(rounded(a + 1)), float(np.float32(float(a)) + np.float32(1)), float(a + 1), float(2 * a), float(a + 1), of_bits(rounded(a * a)), 0.25, float(a)]


def test_comparisons_and_nan():
    names = ["heq", "hne", "hge", "hgt", "hle", "hlt"]
    plain = [getattr(bf16, name) for name in names]
    unordered = [getattr(bf16, name + "u") for name in names]

    @cuda.jit
    def kernel(out, x, y):
        a, b = bf16.bfloat16(x), bf16.bfloat16(y)
        out[0], out[1], out[2], out[3], out[4], out[5] = plain[0](a, b), plain[1](a, b), plain[2](a, b), plain[3](a, b), plain[4](a, b), plain[5](a, b)
        out[6], out[7], out[8], out[9], out[10], out[11] = unordered[0](a, b), unordered[1](a, b), unordered[2](a, b), unordered[3](a, b), unordered[4](a, b), unordered[5](a, b)
        out[12], out[13], out[14], out[15], out[16], out[17] = a == b, a != b, a >= b, a > b, a <= b, a < b

    plain, unordered = tuple(plain), tuple(unordered)
    for x, y in [(1.0, 1.0), (1.0, 2.0), (2.0, 1.0), (math.nan, 1.0), (1.0, math.nan)]:
        out = np.zeros(18, np.bool_)
        kernel[1, 1](out, x, y)
        wanted = [x == y, x != y and x == x and y == y, x >= y, x > y, x <= y, x < y]
        assert out[:6].tolist() == wanted
        assert out[6:12].tolist() == [each or x != x or y != y for each in wanted]
        assert out[12:].tolist() == [x == y, x != y, x >= y, x > y, x <= y, x < y]


def test_extremes_saturation_and_classes():
    @cuda.jit
    def kernel(out, whole):
        nan, two, three = bf16.bfloat16(math.nan), bf16.bfloat16(2.0), bf16.bfloat16(3.0)
        out[0], out[1] = bf16.hmax(nan, two), bf16.hmin(three, two)
        out[2], out[3] = bf16.hmax_nan(nan, two), bf16.hmin_nan(three, two)
        out[4], out[5], out[6] = bf16.hadd_sat(two, three), bf16.hsub_sat(two, three), bf16.hmul_sat(nan, two)
        out[7] = bf16.hfma_relu(-two, three, two)
        out[8] = bf16.hfma_sat(two, three, two)
        whole[0], whole[1], whole[2] = bf16.hisnan(nan), bf16.hisinf(bf16.bfloat16(-math.inf)), bf16.hisinf(two)
        whole[3] = math.isinf(bf16.bfloat16(math.inf))

    out, whole = np.zeros(9, np.float32), np.zeros(4, np.int32)
    kernel[1, 1](out, whole)
    assert np.array_equal(out, np.array([2, 2, math.nan, 2, 1, 0, 0, 0, 1], np.float32), equal_nan=True)
    assert whole.tolist() == [1, -1, 0, 1]


@pytest.mark.parametrize("name", "htrunc hceil hfloor hrint hsqrt hrsqrt hrcp hlog hlog2 hlog10 hcos hsin hexp hexp2 hexp10 htanh".split())
def test_functions(name):
    function = getattr(bf16, name)

    @cuda.jit
    def kernel(out, x):
        for i in range(x.size):
            out[i] = bf16.bfloat16_as_uint16(function(bf16.bfloat16(x[i])))

    reference = {"htrunc": np.trunc, "hceil": np.ceil, "hfloor": np.floor, "hrint": np.rint, "hrsqrt": lambda v: 1 / np.sqrt(v), "hrcp": lambda v: 1 / v, "hexp10": lambda v: 10.0**v}
    x = np.array([of_bits(rounded(v)) for v in np.random.default_rng(4).uniform(0.01, 9, 200)], np.float64)
    out = np.zeros(x.size, np.uint16)
    kernel[1, 1](out, x)
    wanted = (reference.get(name) or getattr(np, name[1:]))(x)
    differs = [abs(int(a) - rounded(b)) for a, b in zip(out, wanted)]
    assert max(differs) <= 1 and sum(differs) <= 2  # a value beside a tie


def test_arrays_of_ml_dtypes_and_shared_memory():
    ml_dtypes = pytest.importorskip("ml_dtypes")

    @cuda.jit
    def kernel(y, x, a):
        part = cuda.shared.array(32, bf16.bfloat16)
        i = cuda.grid(1)
        part[31 - i] = x[i]
        cuda.syncthreads()
        y[i] = part[i] * a + ml_dtypes.bfloat16(1)

    x = np.arange(32).astype(ml_dtypes.bfloat16)
    for place in (lambda v: v, cuda.to_device):
        y = place(np.zeros(32, ml_dtypes.bfloat16))
        kernel[1, 32](y, place(x), ml_dtypes.bfloat16(0.5))
        got = y if isinstance(y, np.ndarray) else y.copy_to_host()
        assert got.dtype == ml_dtypes.bfloat16
        assert np.array_equal(got, (x[::-1] * ml_dtypes.bfloat16(0.5) + ml_dtypes.bfloat16(1)))


def test_what_it_does_not_take():
    @cuda.jit
    def kernel(out):
        out[0] = bf16.bfloat16(1.0) << 1

    with pytest.raises(errors.TypingError):
        kernel[1, 1](np.zeros(1))
    with pytest.raises(NotImplementedError, match="for kernels"):
        bf16.hadd(1, 2)
    assert cuda.is_bfloat16_supported() in (True, False)
