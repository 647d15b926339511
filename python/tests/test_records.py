# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records and complex numbers as arguments of kernels."""

import numpy as np
import pytest

from kiln import cuda


def test_records_as_values():
    """A record argument is stored as an element, and its fields have numbers. Expected values: NumPy's."""
    nested = np.dtype([("i", np.int32), ("j", np.float32, (3, 2))])
    flat = np.dtype([("a", np.int32), ("b", np.float64)])

    @cuda.jit
    def store(out, record):
        out[1] = record

    for dtype in (nested, flat):
        given, out = np.ones(2, dtype), np.zeros(2, dtype)
        store[1, 1](out, given[0])
        assert out[1] == given[0] and out[0] == np.zeros(1, dtype)[0]

    @cuda.jit
    def by_number(record, out):
        out[0], out[1] = record[0], record[1]

    out = np.zeros(2)
    by_number[1, 1](np.array([(3, 4.5)], flat)[0], out)
    assert out.tolist() == [3, 4.5]


def test_a_complex_number_is_no_real_argument():
    @cuda.jit("(f8[::1], f8)")
    def kernel(out, x):
        out[0] = x

    with pytest.raises(TypeError, match="argument 2 `x` has type complex128"):
        kernel[1, 1](np.zeros(1), 4j)
