# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Addresses in kernels: `alignment` of shared and local arrays, `.ctypes.data`; arrays like others; float of text."""

import math

import numpy as np
import pytest

from kiln import cuda, errors, float64


@pytest.mark.parametrize("alignment", [None, 16, 64, 256])
@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_alignment_of_arrays(alignment, dtype):
    @cuda.jit
    def kernel(out, values):
        odd = cuda.local.array(3, np.uint8)
        local = cuda.local.array((3, 5), dtype, alignment=alignment)
        shared = cuda.shared.array(7, dtype, alignment=alignment)
        for i in range(3):
            odd[i] = i
            for j in range(5):
                local[i, j] = 5 * i + j
        for i in range(7):
            shared[i] = 2 * i
        out[0], out[1] = local.ctypes.data, shared.ctypes.data
        for i in range(3):
            values[i] = odd[i]
            for j in range(5):
                values[3 + 5 * i + j] = local[i, j]
        for i in range(7):
            values[18 + i] = shared[i]

    out, values = np.zeros(2, np.uint64), np.zeros(25)
    kernel[1, 1](out, values)
    assert out.all() and not (out % np.uint64(alignment or np.dtype(dtype).itemsize)).any()
    assert values.tolist() == [0, 1, 2, *range(15), *range(0, 14, 2)]


@pytest.mark.parametrize("alignment, error", [(0, ValueError), (-16, ValueError), (24, ValueError), ("16", errors.RequireLiteralValue), (16.0, errors.RequireLiteralValue)])
def test_wrong_alignments(alignment, error):
    for place in (cuda.local, cuda.shared):

        @cuda.jit
        def kernel(out):
            a = place.array(4, float64, alignment=alignment)
            out[0] = a[0]

        with pytest.raises(error, match="[Aa]lignment must be"):
            kernel[1, 1](np.zeros(1))


def test_arrays_like_others_have_their_order():
    for shape in ((4, 6), (3, 4, 5)):
        for array in (np.zeros(shape), np.zeros(shape, order="F"), np.zeros(shape, order="F")[::2, ::2], np.zeros(shape)[::2, ::2]):
            for like in (cuda.device_array_like, cuda.mapped_array_like, cuda.pinned_array_like):
                assert like(array).strides == np.zeros_like(array).strides


def test_managed_arrays_have_the_interface():
    array = cuda.managed_array(6)
    interface = array.__cuda_array_interface__
    assert interface["stream"] is None and interface["data"][0] == array.ctypes.data and interface["version"] == 3
    stream = cuda.stream()
    assert cuda.managed_array(6, stream=stream).__cuda_array_interface__["stream"] == stream.handle


def test_float_of_text():
    @cuda.jit
    def kernel(out):
        out[0], out[1], out[2] = float("nan"), float("-inf"), float("inf")

    out = np.zeros(3)
    kernel[1, 1](out)
    assert math.isnan(out[0]) and out[1] == -math.inf and out[2] == math.inf

    @cuda.jit
    def wrong(out):
        out[0] = float("one")

    with pytest.raises(errors.TypingError, match="no implementation of float"):
        wrong[1, 1](out)


@pytest.mark.parametrize("shape", [(2, 3), (16, 17), (33, 16), (70, 5), (0, 4)])
def test_the_transposing_kernel(shape):
    from kiln.cuda.kernels.transpose import transpose

    record = np.dtype([("i", np.int32), ("j", np.float32, (3, 2))])
    for dtype in (np.float64, np.complex128, np.bool_, record):
        array = np.zeros(shape, dtype)
        if dtype is record:
            array["i"], array["j"] = np.arange(array.size).reshape(shape), np.arange(array.size * 6).reshape(*shape, 3, 2)
        else:
            array[:] = np.arange(array.size).reshape(shape) % 7
        given = cuda.to_device(array)
        assert np.array_equal(transpose(given).copy_to_host(), array.T)
        out = cuda.device_array_like(array.T)
        assert transpose(given, out) is out and np.array_equal(out.copy_to_host(), array.T)
    with pytest.raises(ValueError, match="does not fit"):
        transpose(given, cuda.device_array((9, 9), record))
    with pytest.raises(ValueError, match="two dimensions"):
        transpose(cuda.to_device(np.zeros(3)))
