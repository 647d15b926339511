# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests run on the CPU device, in this process; expected values are Python's and NumPy's own."""

import numpy as np
import pytest

from kiln import cuda


@pytest.fixture
def evaluate():
    """evaluate(function, *arguments): what the function gives in a kernel, with its dtype."""

    def run(function, *args):
        # The result's type: of the value, found by the width and kind that an array of each type keeps.
        inner = function

        @cuda.jit
        def kernel(kind, as_int, as_uint, as_float, args):
            value = inner(*args)
            kind[0] = type_code(value)
            as_int[0] = value
            as_uint[0] = value
            as_float[0] = value

        kind = np.zeros(1, np.int64)
        results = np.zeros(1, np.int64), np.zeros(1, np.uint64), np.zeros(1, np.float64)
        kernel[1, 1](kind, *results, args)
        code = int(kind[0])
        dtype = _DTYPES[code]
        pick = {"i": 0, "u": 1, "f": 2, "b": 0}[dtype.kind]
        return results[pick].astype(dtype)[0]

    return run


def type_code(value):
    """The number of a value's type, in kernels alone."""
    raise NotImplementedError


_DTYPES = [np.dtype(t) for t in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?")]


def pytest_configure():
    from kiln import _kiln

    _kiln.register(type_code, "function", "type_code", [])
