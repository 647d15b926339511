# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on literals are what Python's own compiler makes of them, as Numba sees them in the bytecode; and arguments and shapes that kernels refuse."""

import numpy as np
import pytest

import kiln
from kiln import cuda, errors

FOLDED = [
    "2**-1", "7 // 2", "7 / 2", "-7 // 2", "-7 % 3", "10**2 + 1", "(1 << 63) >> 1", "-(2**62)", "-2**63 + 1", "~0", "~5 & 0xFF", "0.1 + 0.2", "2**64 - 1", "1 << 63", "0xFFFFFFFF << 32",
    "-9223372036854775808", "True + 1", "-True", "2**0.5", "(-8)**3", "3 - 2 * 4 ^ 1", "1e308 * 10",
]  # fmt: skip


def kernel_of(text):
    scope = {"cuda": cuda}
    exec(compile(text, "<a kernel of a test>", "exec"), scope)
    return kiln.jit(scope["k"], device="cpu")


@pytest.mark.parametrize("text", FOLDED)
def test_literals_are_folded_as_python_does(text):
    expected = eval(text)
    dtype = np.float64 if isinstance(expected, float) else np.uint64 if expected >= 2**63 else np.int64
    out = np.zeros(1, dtype)
    kernel_of(f"def k(out):\n    out[0] = {text}\n")[1, 1](out)
    assert out[0] == dtype(expected)


def test_complex_literals():
    out = np.zeros(1, np.complex128)
    kernel_of("def k(out):\n    out[0] = (1 + 2j) * 2 - 1j\n")[1, 1](out)
    assert out[0] == 2 + 3j


def test_a_folded_shape():
    out = np.zeros(1)
    kernel_of("def k(out):\n    out[0] = cuda.local.array(10**2 - 1, 'f4').size\n")[1, 1](out)
    assert out[0] == 99


def test_what_python_cannot_fold_is_left():
    out = np.ones(2)
    kernel_of("def k(out):\n    out[0] = 1 // 0\n    out[1] = 2**300\n")[1, 1](out)
    assert list(out) == [0, 0]


@pytest.mark.parametrize(
    "line, made, text",
    [
        ("a[0] = 2**70", errors.TypingError, "an integer of more than 64 bits"),
        ("a[0] = cuda.shared.array(-1, 'f4')[0]", ValueError, "a shape cannot be negative: -1"),
        ("a[0] = cuda.local.array((2, -3), 'f4')[0, 0]", ValueError, "a shape cannot be negative: -3"),
        ("a[0] = cuda.shared.array(1.5, 'f4')[0]", errors.TypingError, "a shape is made of integers, not of a value of type float64"),
        ("a[0] = cuda.local.array((2, 1.5), 'f4')[0, 0]", errors.TypingError, "a shape is made of integers, not of a value of type float64"),
        ("a[0] = (True, (1, 2))[cuda.grid(1) + 1]", errors.TypingError, "a tuple cannot be stored in an array of float64: store its items"),
        ("cuda.atomic.add(a, (0, 0), 1)", errors.TypingError, "too many indices for an array of 1 dimensions"),
    ],
)
def test_errors_name_what_is_wrong(line, made, text):
    with pytest.raises(made) as error:
        kernel_of(f"def k(a):\n    {line}\n")[1, 1](np.zeros(2))
    assert text in str(error.value) and "line 2" in str(error.value)


def test_an_atomic_of_a_row_names_the_index():
    with pytest.raises(errors.TypingError, match="an index of each dimension, here 2"):
        kernel_of("def k(a):\n    cuda.atomic.add(a, (0,), 1)\n")[1, 1](np.zeros((2, 2)))


def test_a_lambda_that_gives_a_value_is_no_kernel():
    with pytest.raises(errors.TypingError, match="a kernel returns nothing: it has to write its results into arrays") as error:
        kiln.jit(lambda a: a[0], device="cpu")[1, 1](np.zeros(1))
    assert "nothing`" not in str(error.value)


def test_masked_arrays_are_refused():
    with pytest.raises(TypeError, match="a masked array is no argument of kernels"):
        kernel_of("def k(a):\n    a[0] = 1\n")[1, 1](np.ma.array([1.0, 2.0], mask=[True, False]))
