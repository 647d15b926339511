# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What numba.cuda has beyond kernels of numbers: vector types, groups, libdevice, halves, records, gufuncs. Expected values are Python's and NumPy's."""

import cmath
import math
import struct

import numpy as np
import pytest

from kiln import cuda, types
from kiln.cuda import libdevice


def test_vector_types():
    @cuda.jit
    def kernel(y):
        a = cuda.float32x2(1, 2)
        b = cuda.float4(a, 3, cuda.float32x1(4))
        s = cuda.local.array(2, dtype=cuda.float4)
        s[1] = b
        y[0], y[1], y[2], y[3] = s[1].x, s[1].y, s[1].z, s[1].w

    y = np.zeros(4, np.float32)
    kernel[1, 1](y)
    assert y.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("wrong", ["cuda.float2(1, 2, 3)", "cuda.float2(1)", "cuda.float2(1, 2).z", "cuda.float4(1, (2, 3), 4)"])
def test_wrong_vectors(wrong):
    text = f"def kernel(y):\n    y[0] = {wrong}\n"
    scope = {"cuda": cuda}
    exec(text, scope)
    with pytest.raises(Exception, match="vector"):
        cuda.jit(scope["kernel"])[1, 1](np.zeros(1))


def test_groups():
    @cuda.jit
    def kernel(y):
        i = cuda.grid(1)
        y[i] = i
        cuda.cg.this_grid().sync()
        if i == 0:
            for k in range(1, y.size):
                y[0] += y[k]

    y = np.zeros(64, np.int64)
    kernel[4, 16](y)
    assert y[0] == 63 * 64 // 2


Z = [1 + 2j, 0.3 - 2j, -3 + 1j, 0.2 - 5j, 0.5 + 0.25j, -0.7 - 0.1j]


@pytest.mark.parametrize("name", "sqrt exp log log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh phase".split())
def test_cmath(name):
    function = getattr(cmath, name)

    @cuda.jit
    def kernel(r, z):
        i = cuda.grid(1)
        r[i] = function(z[i])

    z = np.array(Z)
    r = np.zeros(len(Z), np.float64 if name == "phase" else np.complex128)
    kernel[1, len(Z)](r, z)
    np.testing.assert_allclose(r, [function(complex(x)) for x in Z], rtol=1e-13, atol=1e-15)


HALVES = {
    "hadd": np.add, "hsub": np.subtract, "hmul": np.multiply, "hdiv": np.divide, "hmax": np.maximum, "hmin": np.minimum, "heq": np.equal, "hne": np.not_equal,
    "hlt": np.less, "hle": np.less_equal, "hgt": np.greater, "hge": np.greater_equal, "hneg": np.negative, "habs": np.abs, "hfloor": np.floor, "hceil": np.ceil,
    "hrint": np.rint, "htrunc": np.trunc, "hsqrt": np.sqrt,
}  # fmt: skip


@pytest.mark.parametrize("name", HALVES)
def test_fp16(name):
    function, reference = getattr(cuda.fp16, name), HALVES[name]
    x, y = np.array([1.5, 2.25, 3.75, 0.1], np.float16), np.array([0.5, 2.25, 9, 3.3], np.float16)
    args = (x, y)[: reference.nin]
    r = np.zeros(4, reference(*args).dtype)
    if reference.nin == 1:

        @cuda.jit
        def kernel(r, x):
            r[cuda.grid(1)] = function(x[cuda.grid(1)])
    else:

        @cuda.jit
        def kernel(r, x, y):
            r[cuda.grid(1)] = function(x[cuda.grid(1)], y[cuda.grid(1)])

    kernel[1, 4](r, *args)
    np.testing.assert_array_equal(r, reference(*args))


def call(function, *args, dtype=np.float64):
    r = np.zeros(1, dtype)
    if len(args) == 1:

        @cuda.jit
        def kernel(r, a):
            r[0] = function(a)
    else:

        @cuda.jit
        def kernel(r, a, b):
            r[0] = function(a, b)

    kernel[1, 1](r, *args)
    return r[0]


def test_libdevice_rounds_as_asked():
    from fractions import Fraction

    for a, b in [(1.0, 1e-30), (0.1, 0.2), (-1.0, 1e-30), (1 / 3, 7.7), (-5.5, 0.3)]:
        for op, exact in (("add", Fraction(a) + Fraction(b)), ("mul", Fraction(a) * Fraction(b)), ("div", Fraction(a) / Fraction(b))):
            down, up = (Fraction(call(getattr(libdevice, f"d{op}_{mode}"), a, b)) for mode in ("rd", "ru"))
            near, zero = (Fraction(call(getattr(libdevice, f"d{op}_{mode}"), a, b)) for mode in ("rn", "rz"))
            assert down <= exact <= up and near in (down, up) and zero == (up if exact < 0 else down)
            assert down == up or math.nextafter(float(down), math.inf) == float(up)


@pytest.mark.parametrize(
    "name, args, expected",
    [
        ("mulhi", (2**31 - 1, 2**31 - 1), (2**31 - 1) ** 2 >> 32), ("umulhi", (-1, -1), -2), ("mul64hi", (2**62 + 5, -(2**62) - 77), ((2**62 + 5) * (-(2**62) - 77)) >> 64),
        ("umul64hi", (2**62 + 5, 2**62 + 9), ((2**62 + 5) * (2**62 + 9)) >> 64), ("hadd", (2**31 - 1, 2**31 - 1), 2**31 - 1), ("rhadd", (3, 4), 4),
        ("clz", (1,), 31), ("clzll", (1,), 63), ("popc", (255,), 8), ("ffs", (8,), 4), ("brev", (1,), -(2**31)), ("double2int_rd", (-1.5,), -2),
        ("double2int_ru", (-1.5,), -1), ("double2int_rn", (2.5,), 2), ("double2int_rz", (-1.5,), -1), ("double2int_rn", (1e10,), 2**31 - 1),
        ("float2ll_rz", (-1e30,), -(2**63)), ("ilogb", (10.0,), 3), ("llround", (-2.5,), -3), ("llrint", (2.5,), 2), ("signbitd", (-0.0,), 1),
        ("double_as_longlong", (1.0,), struct.unpack("q", struct.pack("d", 1.0))[0]), ("umin", (-1, 5), 5), ("max", (-1, 5), 5),
    ],
)  # fmt: skip
def test_libdevice_integers(name, args, expected):
    assert call(getattr(libdevice, name), *args, dtype=np.int64) == expected


def test_libdevice_floats():
    for x in (0.3, 2.7, -1.9, 5.5):
        assert call(libdevice.round, x + 0.0) == math.floor(abs(x) + 0.5) * (1 if x > 0 else -1)
        assert call(libdevice.remainder, x, 0.7) == math.remainder(x, 0.7)
        assert call(libdevice.fmod, x, 0.7) == math.fmod(x, 0.7)
        assert abs(call(libdevice.normcdf, x) - 0.5 * math.erfc(-x / math.sqrt(2))) < 1e-15
    for x, y in [(5.0, 2.0), (7.0, 2.0), (-7.0, 2.0), (1e300, 3.7), (5.5, -3.0), (2.5, 1.0), (0.0, 1.0)]:
        if x < 1e300 or not cuda.is_available():  # NVIDIA's own __nv_remainder is 5.98e283 there, on an H200
            assert call(libdevice.remainder, x, y) == math.remainder(x, y)


def test_libdevice_that_is_missing():
    from kiln import errors

    with pytest.raises(errors.UnsupportedError, match="libdevice.erfinv"):
        call(libdevice.erfinv, 0.5)


INNER = np.dtype([("u", np.int16), ("v", np.float64)], align=True)
RECORD = np.dtype([("i", np.int32), ("m", np.float32, (2, 3)), ("r", INNER)], align=True)


def test_fields_that_are_arrays_and_records():
    @cuda.jit
    def kernel(a, out):
        k = cuda.grid(1)
        a[k].m[1, 2] = a[k].i
        a[k]["m"][0, 0] += 5
        a[k].r.u = a[k].m.shape[1]
        a[k].r.v = a[k].r.u + 0.5
        out[k] = a["m"][k, 1, 2] + a["i"][k]

    a = np.zeros(3, RECORD)
    a["i"] = [7, 8, 9]
    a["m"][:, 0, 0] = 1
    out = np.zeros(3)
    kernel[1, 3](a, out)
    assert a["m"][:, 1, 2].tolist() == [7, 8, 9] and a["m"][:, 0, 0].tolist() == [6, 6, 6]
    assert a["r"]["u"].tolist() == [3, 3, 3] and a["r"]["v"].tolist() == [3.5] * 3
    assert out.tolist() == [14, 16, 18]


def test_records_as_arguments():
    @cuda.jit
    def kernel(r, out):
        out[0] = r.i + r["m"][0, 1]
        r.i = 5

    a = np.zeros(2, RECORD)
    a[1]["i"], a["m"][1, 0, 1] = 4, 8
    out = np.zeros(1)
    kernel[1, 1](a[1], out)
    assert out[0] == 12 and a["i"].tolist() == [0, 5]


def test_constant_records():
    table = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", np.int64), ("b", np.float64)])

    @cuda.jit
    def kernel(out):
        c = cuda.const.array_like(table)
        out[0] = c[1].a + c[0]["b"]

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 5.5


def test_tuples_in_tuples():
    @cuda.jit
    def kernel(out, t):
        out[0], out[1], out[2] = len(t[0]), t[1][2], t[2]
        out[3] = t[3][0][0]

    out = np.zeros(4)
    kernel[1, 1](out, ((), (np.int32(1), np.int32(2), np.int32(3)), np.int32(4), ((np.int8(9),), 2.5)))
    assert out.tolist() == [0, 3, 4, 9]


def test_reductions_of_arrays():
    a = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, -6.0]])
    b = np.arange(6).reshape(2, 3)
    for name in "sum prod mean var std min max".split():
        function = getattr(np, name)
        assert call(function, b) == pytest.approx(function(b))
    for name in "nansum nanprod nanmean nanvar nanstd nanmin nanmax".split():
        function = getattr(np, name)
        assert call(function, a) == pytest.approx(function(a))
    assert math.isnan(call(np.max, a)) and call(np.argmax, b) == 5 and call(np.all, b) == 0 and call(np.any, b) == 1


def test_literal_unroll():
    parts = (np.arange(3.0), np.arange(4), 2.5)

    @cuda.jit
    def unrolled(out):
        for part in cuda.literal_unroll(parts):
            out[0] += 1

    out = np.zeros(1)
    unrolled[1, 1](out)
    assert out[0] == 3


def test_guvectorize():
    @cuda.guvectorize([types.void(types.float32[:, :], types.float32[:, :], types.float32[:, :])], "(m,n),(n,p)->(m,p)")
    def product(a, b, c):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] = 0
                for k in range(a.shape[1]):
                    c[i, j] += a[i, k] * b[k, j]

    rng = np.random.default_rng(1)
    a, b = rng.random((5, 1, 2, 3), np.float32), rng.random((4, 3, 2), np.float32)
    np.testing.assert_allclose(product(a, b), a @ b, rtol=1e-6)
    out = np.zeros((5, 4, 2, 2), np.float32)
    assert product(a, b, out=out) is out
    np.testing.assert_allclose(out, a @ b, rtol=1e-6)
    with pytest.raises(ValueError, match="dimension 'n'"):
        product(a, b[:, :2])
    with pytest.raises(TypeError, match="positional"):
        product(a)


def test_guvectorize_of_scalars():
    @cuda.guvectorize(["void(int64[:], int64, int64[:])", "void(float64[:], float64, float64[:])"], "(n),()->(n)")
    def shifted(a, s, out):
        for i in range(a.shape[0]):
            out[i] = a[i] + s

    a = np.arange(6).reshape(2, 3)
    assert shifted(a, np.array([10, 20])).tolist() == (a + [[10], [20]]).tolist()
    assert shifted(a.astype(float), 0.5).tolist() == (a + 0.5).tolist()


def test_ptx_of_a_kernel():
    def kernel(y):
        y[cuda.grid(1)] = 1

    text, result = cuda.compile(kernel, types.void(types.float32[:]), device=False, cc=(9, 0), abi="numba")
    assert ".visible .entry" in text and "sm_90" in text and result == types.void


def test_states_of_random_numbers_made_by_the_compiled_loop():
    from kiln.cuda import random

    many, few = np.zeros(400, random._dtype()), np.zeros(100, random._dtype())
    random.init_xoroshiro128p_states_cpu(many, 7, 3)
    random.init_xoroshiro128p_states_cpu(few, 7, 3)
    assert (many[:100] == few).all()


def test_hfma_is_rounded_once():
    from fractions import Fraction

    rng = np.random.default_rng(5)
    values = rng.integers(0, 0x7C00, (3, 4000)).astype(np.uint16).view(np.float16) * rng.choice([-1, 1], (3, 4000)).astype(np.float16)
    function = cuda.fp16.hfma

    @cuda.jit
    def kernel(r, a):
        i = cuda.grid(1)
        if i < r.size:
            r[i] = function(a[0, i], a[1, i], a[2, i])

    r = np.zeros(4000, np.float16)
    kernel[40, 100](r, values)
    for got, (a, b, c) in zip(r, values.T):
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        if np.isfinite(got) and got != 0:
            around = [np.nextafter(got, np.float16(-np.inf)), np.nextafter(got, np.float16(np.inf))]
            distance = abs(Fraction(float(got)) - exact)
            assert all(not np.isfinite(x) or distance <= abs(Fraction(float(x)) - exact) for x in around)


def test_signatures_of_device_functions_convert():
    @cuda.jit("int64(int64, int64)", device=True)
    def add(a, b=2):
        return a + b

    @cuda.jit(types.float32(types.float32), device=True)
    def third(a):
        return a / 3.0

    @cuda.jit
    def kernel(y):
        y[0], y[1], y[2] = add(1.5, 2.5), add(1.9), third(1.0)

    y = np.zeros(3)
    kernel[1, 1](y)
    assert y.tolist() == [3, 3, float(np.float32(1 / 3))]


def test_of_several_signatures_the_nearest_is_taken():
    @cuda.jit(["(float64[:], float32, float32)", "(float64[:], float64, float64)"])
    def kernel(y, a, b):
        y[0] = a + b

    y = np.zeros(1)
    kernel[1, 1](y, np.float32(1), 2.0**-25)
    assert y[0] == 1 + 2.0**-25


SPECIAL = [complex(x, y) for x in (0.0, -0.0, 1.5, -2.5, math.inf, -math.inf) for y in (0.0, -0.0, 0.75, -3.25, math.inf, -math.inf)]


@pytest.mark.parametrize("name", "sqrt exp sinh cosh tanh asinh acosh atan acos asin".split())
def test_cmath_at_infinity_and_on_branch_cuts(name):
    function = getattr(cmath, name)
    inputs, expected = [], []
    for z in SPECIAL:
        try:
            expected.append(function(z))
            inputs.append(z)
        except (ValueError, OverflowError):
            pass

    @cuda.jit
    def kernel(r, z):
        i = cuda.grid(1)
        r[i] = function(z[i])

    r = np.zeros(len(inputs), np.complex128)
    kernel[1, len(inputs)](r, np.array(inputs))
    for z, got, wanted in zip(inputs, r, expected):
        for a, b in ((got.real, wanted.real), (got.imag, wanted.imag)):
            assert a == pytest.approx(b, rel=1e-12, abs=1e-15, nan_ok=True) or math.isnan(b), (z, got, wanted)
