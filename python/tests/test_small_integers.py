# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operators of one operand make of small integers and bool; expected values are those of numba 0.61.2."""

import numpy as np


def test_negation_of_small_integers(evaluate):
    """Numba negates in the type of the operand and then widens, unlike for the other operators (numba 0.61.2)."""
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        least = np.iinfo(dtype).min
        for value, wanted in ((least, least), (least + 1, -(least + 1)), (5, -5), (-1, 1)):
            result = evaluate(lambda x: -x, dtype(value))
            assert result == wanted and result.dtype == np.int64, (dtype, value)
    for dtype in (np.uint8, np.uint16, np.uint32, np.uint64):
        top = np.iinfo(dtype).max
        for value, wanted in ((0, 0), (1, top), (top, 1)):
            result = evaluate(lambda x: -x, dtype(value))
            assert result == wanted and result.dtype == np.uint64, (dtype, value)
    for value in (True, False):
        assert evaluate(lambda x: -x, np.bool_(value)) == -int(value)
        assert evaluate(lambda x: float(x), np.bool_(value)) == float(value)
        assert evaluate(lambda x: float(x), value) == float(value)


def test_round_of_integers(evaluate):
    for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32):
        for value in (np.iinfo(dtype).min, np.iinfo(dtype).max, 3):
            result = evaluate(lambda x: round(x), dtype(value))
            assert result == value and result.dtype == np.int64
