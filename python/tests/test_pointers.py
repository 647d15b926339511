# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays at pointers, ``carray`` and ``farray``, against NumPy's two orders; and where threads wait for each other."""

import numpy as np
import pytest

import kiln
from kiln import cuda, errors, types


@pytest.mark.parametrize("function, order", [(kiln.carray, "C"), (kiln.farray, "F")], ids=["carray", "farray"])
def test_arrays_at_pointers(function, order):
    @cuda.jit(types.void(types.CPointer(types.float32), types.CPointer(types.float32)))
    def add(a_ptr, b_ptr):
        a = function(a_ptr, (2, 3), dtype=types.float32)
        b = function(b_ptr, 6)
        for i in range(2):
            for j in range(3):
                a[i, j] += 10 * i + j
        b[5] = a.shape[0] * 10 + b.size

    a, b = cuda.to_device(np.ones(6, np.float32)), cuda.to_device(np.zeros(6, np.float32))
    add[1, 1](int(a.gpu_data.device_pointer), int(b.gpu_data))
    expected = 1 + np.array([[0, 1, 2], [10, 11, 12]], np.float32)
    np.testing.assert_array_equal(a.copy_to_host().reshape((2, 3), order=order), expected)
    np.testing.assert_array_equal(b.copy_to_host(), [0, 0, 0, 0, 0, 26])


def test_wrong_pointers():
    with pytest.raises(errors.TypingError, match="mismatching dtype int64 for a pointer to float32"):

        @cuda.jit(types.void(types.CPointer(types.float32)))
        def other(a_ptr):
            kiln.carray(a_ptr, 3, dtype=np.int64)[0] = 1

        other[1, 1](int(cuda.to_device(np.ones(3, np.float32)).gpu_data))
    with pytest.raises(errors.TypingError, match="carray and farray take a pointer"):

        @cuda.jit
        def array(a):
            kiln.carray(a, 3)[0] = 1

        array[1, 1](np.ones(3))


@pytest.mark.parametrize("debug", [False, True])
def test_barriers_that_not_all_threads_reach_show_their_lines(debug):
    @kiln.jit(device="cpu", debug=debug, opt=not debug)
    def split(a):
        i = cuda.grid(1)
        if i < 16:
            cuda.syncthreads()  # the first
            a[i] = 1
        else:
            a[i] = 2
            cuda.syncthreads()  # the second

    with pytest.raises(errors.SynchronizationError) as error:
        split[1, 32](np.zeros(32))
    text = str(error.value)
    assert text.index("thread (0, 0, 0) and 15 more wait") < text.index("# the first") < text.index("thread (16, 0, 0) and 15 more wait") < text.index("# the second")
    assert __file__ in text
