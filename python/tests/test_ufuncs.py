# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's ufuncs in kernels; expected values and dtypes are NumPy's own."""

import numpy as np
import pytest

from kiln import _names, cuda, errors

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.75, np.inf, -np.inf, np.nan]
TYPES = [np.int8, np.int32, np.int64, np.uint8, np.uint64, np.float32, np.float64]
INTEGERS = {"gcd", "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "bitwise_not", "left_shift", "right_shift"}
# Base functions of the target, and NumPy's own, are right to some units in the last place.
EXACT = set("""add subtract multiply true_divide divide negative positive absolute abs sign square conjugate logical_not logical_and logical_or logical_xor isnan isinf isfinite signbit
less less_equal equal not_equal greater greater_equal maximum minimum fmax fmin floor ceil trunc rint fabs copysign nextafter fmod reciprocal""".split()) | INTEGERS  # fmt: skip


def kernel_of(name, inputs):
    names = ", ".join("abc"[:inputs])
    scope = {"np": np}
    text = f"def use({names}, out):\n    np.{name}({names}, out)\n"
    exec(text, scope)
    return cuda.jit(scope["use"])


def values(dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return np.array(SPECIAL, dtype)
    limits = np.iinfo(dtype)
    return np.array([0, 1, 2, 3, 7, limits.max, limits.min, limits.max - 1], dtype)


def same(name, got, wanted):
    if name in EXACT or got.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, wanted, err_msg=name)
        if got.dtype.kind == "f" and name[:2] not in ("ma", "mi", "fm"):  # of two zeros max and min may give either
            np.testing.assert_array_equal(np.signbit(got[got == 0]), np.signbit(wanted[wanted == 0]), err_msg=name)
    else:
        np.testing.assert_allclose(got, wanted, rtol=4e-6 if got.dtype in ("f4", "c8") else 1e-13, err_msg=name)


UNARY = sorted({*_names._UFUNCS1, *(a for a, b in _names._UFUNC_ALIASES.items() if b not in _names._UFUNCS2)})
BINARY = sorted({*_names._UFUNCS2, "divide", "mod"})


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", UNARY)
def test_of_one_array(name):
    f, kernel = getattr(np, name), kernel_of(name, 1)
    for dtype in TYPES:
        if np.dtype(dtype).kind == "f" and name in INTEGERS:
            continue
        x = values(dtype)
        wanted = f(x)
        if wanted.dtype == np.float16:  # NumPy's loop for 8 bits: Numba computes it in float32
            wanted = f(x.astype(np.float32))
        if name == "reciprocal" and x.dtype.kind in "iu":
            wanted[x == 0] = 0  # NumPy divides by zero
        got = np.zeros(x.shape, wanted.dtype)
        kernel[1, 1](x, got)
        same(name, got, wanted)


def skips(name, x, y, wanted):
    """Where NumPy raises, or its result is C's undefined one."""
    if name == "power" and wanted.dtype.kind in "iu":
        return y < 0
    if name in ("floor_divide", "remainder", "mod", "fmod"):
        return (y == 0) | np.isinf(x.astype(float)) | ((y.astype(float) == -1) & (wanted.dtype.kind == "i"))
    if name in ("left_shift", "right_shift"):
        return (y < 0) | (y.astype(float) >= wanted.dtype.itemsize * 8)
    return np.zeros(wanted.shape, bool)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", BINARY)
def test_of_two_arrays(name):
    f, kernel = getattr(np, name), kernel_of(name, 2)
    for left in (np.int8, np.int64, np.uint64, np.float32, np.float64):
        for right in (left, np.uint64 if np.dtype(left).kind == "i" else np.int8):
            kinds = {np.dtype(left).kind, np.dtype(right).kind}
            if name in INTEGERS and ("f" in kinds or (kinds == {"i", "u"} and 8 in (np.dtype(left).itemsize, np.dtype(right).itemsize))):
                continue
            x, y = (a.reshape(-1) for a in np.broadcast_arrays(values(left)[:, None], values(right)))
            safe = y if name != "power" or right in (np.float32, np.float64) else np.where(y < 0, 1, y).astype(right)
            wanted = f(x, safe)
            if wanted.dtype == np.float16:
                wanted = f(x.astype(np.float32), safe)
            got = np.zeros(x.shape, wanted.dtype)
            kernel[1, 1](x, np.ascontiguousarray(safe), got)
            keep = ~skips(name, x, safe, wanted)
            same(name, got[keep], wanted[keep])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh",
                                  "square", "reciprocal", "negative", "absolute", "conjugate", "isnan", "isinf", "isfinite", "exp2"])  # fmt: skip
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_of_complex_arrays(name, dtype):
    x = np.array([0.5 + 0.5j, -0.5 - 0.25j, 2 - 3j, -1.5 + 0.125j, 0.25j, 1.25], dtype)
    wanted = getattr(np, name)(x)
    got = np.zeros(x.shape, wanted.dtype)
    kernel_of(name, 1)[1, 1](x, got)
    np.testing.assert_allclose(got, wanted, rtol=1e-5 if dtype == np.complex64 else 1e-13)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "power", "less", "less_equal", "equal", "greater", "maximum", "minimum", "fmax", "fmin"])
def test_of_two_complex_arrays(name):
    values = [0.5 + 0.5j, 0.5 - 1j, -2 + 3j, complex(np.nan, 1), complex(1, np.nan)][: 3 if name in ("power", "divide", "multiply") else 5]
    x, y = (np.ascontiguousarray(a) for a in np.broadcast_arrays(np.array(values)[:, None], np.array(values)))
    wanted = getattr(np, name)(x, y)
    got = np.zeros(x.shape, wanted.dtype)
    kernel_of(name, 2)[1, 1](x, y, got)
    np.testing.assert_allclose(got, wanted, rtol=1e-13)


def test_shapes_are_broadcast():
    kernel = kernel_of("subtract", 2)
    for a, b in [((2, 1, 4), (3, 1)), ((4,), (2, 3, 4)), ((), (3, 4)), ((1, 1), (5,))]:
        x, y = np.arange(np.prod(a, dtype=int)).reshape(a) * 10, np.arange(np.prod(b, dtype=int)).reshape(b)
        wanted = x - y
        for order in "CF":
            got = np.zeros(wanted.shape, wanted.dtype, order)
            kernel[1, 1](x, np.asarray(y, order=order), got)
            np.testing.assert_array_equal(got, wanted)
    x = np.arange(24).reshape(4, 6)
    got = np.zeros((4, 12), np.int64)[:, ::2]
    kernel[1, 1](x[::-1], 1, got)
    np.testing.assert_array_equal(got, x[::-1] - 1)


def test_numbers_give_numbers(evaluate):
    def add32(a, b):
        return np.add(a, b)

    def out_is_none(a):
        return np.negative(a, out=None)

    assert evaluate(add32, np.int32(2**31 - 1), np.int32(1)).dtype == np.int32
    assert evaluate(add32, np.int32(2**31 - 1), np.int32(1)) == -(2**31)
    assert evaluate(add32, np.uint8(255), np.int8(1)).dtype == np.int16
    assert evaluate(out_is_none, np.float32(2)) == -2


def test_the_result_is_the_array_and_the_name_out_is_taken():
    @cuda.jit
    def kernel(x, y):
        z = np.add(x, x, out=y)
        z[0] = 7

    y = np.zeros(3)
    kernel[1, 1](np.arange(3.0), y)
    assert y.tolist() == [7, 2, 4]


def refused(text, *args):
    def use(kernel):
        with pytest.raises(errors.TypingError, match=text):
            kernel[1, 1](*args)

    return use


def test_what_is_refused():
    x, y = np.arange(3), np.zeros(3)
    frozen = np.zeros(3)
    frozen.setflags(write=False)
    refused("would have to allocate", x)(cuda.jit(lambda x: np.sin(x)))
    refused("not into a value of type float64", x, 1.0)(kernel_of("sin", 1))
    refused("does not cast a result of type float64 to int64", x, x)(kernel_of("sin", 1))
    refused("read-only", x, frozen)(kernel_of("sin", 1))
    refused("takes 2 arguments", x, y)(cuda.jit(lambda x, y: np.add(x, x, x, y)))
    refused("2 dimensions does not fit", np.zeros((2, 3)), y)(kernel_of("sin", 1))
    refused(r"no implementation of np.invert for argument types \(float64\)", y, y)(kernel_of("invert", 1))
    refused("takes no bool", x != 1, x != 1)(kernel_of("negative", 1))


def test_shapes_that_do_not_fit():
    @cuda.jit(debug=True, opt=False)
    def kernel(x, out):
        np.sin(x, out)

    with pytest.raises(ValueError, match="unable to broadcast"):
        kernel[1, 1](np.zeros(2), np.zeros(3))
        cuda.synchronize()
