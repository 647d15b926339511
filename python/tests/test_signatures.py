# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with explicit signatures: what is converted, within tuples too, and the error where nothing fits. Values are NumPy's casts."""

import numpy as np
import pytest

from kiln import boolean, cuda, float32, float64, int8, int32, int64, types, void


def test_tuples_of_arrays():
    @cuda.jit(void(types.UniTuple(float32[:], 2), float32[:]))
    def add(pair, out):
        out[0] = pair[0][0] + pair[1][0]

    for pair in (
        (np.ones(1, np.float32), np.full(1, 3, np.float32)),  # contiguous ones for [:]
        (np.ones(4, np.float32)[::2], np.full(6, 3, np.float32)[::3]),
        (cuda.to_device(np.ones(2, np.float32)), np.full(1, 3, np.float32)),
    ):
        out = np.zeros(1, np.float32)
        add[1, 1](pair, out)
        assert out[0] == 4


def test_tuples_of_numbers():
    @cuda.jit(void(types.Tuple((float32, int8, boolean)), types.UniTuple(float64, 2), float64[:]))
    def kernel(mixed, pair, out):
        out[0] = mixed[0]
        out[1] = mixed[1]
        out[2] = mixed[2]
        out[3] = pair[0] + pair[1]

    for mixed, pair in (((1, 2, 3), (4, 5)), ((0.1, 300, 0), (np.float32(0.5), True)), ((np.int8(-1), 2.9, 0.5), (1.5, np.int64(2)))):
        out = np.zeros(4)
        kernel[1, 1](mixed, pair, out)
        wanted = [np.float32(mixed[0]), np.asarray(mixed[1]).astype(np.int8), bool(mixed[2]), float(pair[0]) + float(pair[1])]
        assert out.tolist() == [float(x) for x in wanted]


def test_tuples_in_tuples():
    @cuda.jit(void(types.Tuple((types.UniTuple(float32[:], 2), int32)), float32[:]))
    def kernel(nested, out):
        out[0] = nested[0][0][nested[1]] + nested[0][1][nested[1]]

    out = np.zeros(1, np.float32)
    kernel[1, 1](((np.arange(4, dtype=np.float32), np.arange(8, dtype=np.float32)[::2]), np.int64(3)), out)
    assert out[0] == 3 + 6


@cuda.jit([void(float32[::1], int64), void(float64[:, :], int64)])
def several(x, n):
    x[0] = n


@cuda.jit(void(float32[::1], int64))
def single(x, n):
    x[0] = n


def error_of(kernel, *args):
    with pytest.raises(TypeError) as caught:
        kernel[1, 1](*args)
    return str(caught.value)


def test_the_error_names_kernel_argument_and_types():
    text = error_of(single, np.zeros(3), 1)
    assert text.startswith("No matching definition of kernel `single` for argument type(s) array(float64, 1d, C), int64")
    assert "argument 1 `x` has type array(float64, 1d, C); expected array(float32, 1d, C)" in text and "astype('float32')" in text
    text = error_of(several, np.zeros(3, np.int32), 1)
    assert "argument 1 `x`" in text and "array(int32, 1d, C); expected array(float32, 1d, C) or array(float64, 2d, A)" in text
    text = error_of(single, np.zeros((3, 3), np.float32), 1)
    assert "array(float32, 2d, C); expected array(float32, 1d, C), of 1 dimension" in text
    text = error_of(single, np.zeros(6, np.float32)[::2], 1)
    assert "array(float32, 1d, A); expected array(float32, 1d, C): pass numpy.ascontiguousarray(x)" in text
    text = error_of(single, np.zeros(3, np.float32), np.zeros(2))
    assert "argument 2 `n` has type array(float64, 1d, C); expected int64" in text
    text = error_of(single, np.zeros(3, np.float32), (1, 2))
    assert "argument 2 `n` has type Tuple(int64, int64); expected int64" in text
    text = error_of(single, 3, 1)
    assert "argument 1 `x` has type int64; expected array(float32, 1d, C)" in text
    assert "builtins.str" in error_of(single, "text", 1)
    assert "missing a required argument: 'n'" in error_of(single, np.zeros(3, np.float32))
    assert "too many positional arguments" in error_of(single, np.zeros(3, np.float32), 1, 2)


def test_tuples_that_do_not_fit():
    @cuda.jit(void(types.UniTuple(float32[:], 2)))
    def kernel(pair):
        pair[0][0] = 1

    ones = np.ones(1, np.float32)
    for wrong in ((ones,), (ones, ones, ones), (ones, 1), ones, (ones, np.ones((1, 1), np.float32)), (ones, np.ones(1))):
        text = error_of(kernel, wrong)
        assert "argument 1 `pair`" in text and "UniTuple(array(float32, 1d, A) x 2)" in text


def test_ptx_of_overloads():
    overload = single.overloads[types.float32[::1], types.int64]
    assert ".visible .entry" in overload.ptx and overload.ptx == single.ptx[types.float32[::1], types.int64]
    assert "define" in overload.inspect_llvm() and overload.inspect_asm()


def test_low_bits_of_integers():
    """One signature, layout A: Numba keeps the strides of a wider integer array, so the kernel uses its low bits (little-endian)."""

    @cuda.jit("void(int32[:], int16[:, :], int32[:])")
    def kernel(x, y, out):
        i = cuda.grid(1)
        out[i] = x[i] + y[i, 1]
        x[i] = 7

    wide = np.array([5, -6, (1 << 32) + 7], np.int64)
    pairs = np.array([[1, 2], [3, -4], [5, 1 << 20]], np.int64)
    out = np.zeros(3, np.int32)
    kernel[1, 3](wide, pairs, out)
    assert out.tolist() == [5 + 2, -6 - 4, 7 + 0]
    assert wide.view(np.int32)[::2].tolist() == [7, 7, 7] and wide.view(np.int32)[1::2].tolist() == [0, -1, 1]
    device = cuda.to_device(wide)  # without strides
    kernel[1, 3](device, pairs, out)
    assert out.tolist() == [7 + 2, 7 - 4, 7 + 0]
    assert "expected array(int32, 1d, A)" in error_of(kernel, np.zeros(3), pairs, out)
    assert "expected array(int32, 1d, A)" in error_of(kernel, np.zeros(3, np.int8), pairs, out)
