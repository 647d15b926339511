# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on an OpenCL device; expected values are NumPy's. Skipped where no OpenCL device accepts SPIR-V."""

import numpy as np
import pytest

import kiln

pytestmark = pytest.mark.skipif("opencl:0" not in kiln.devices(), reason="no OpenCL device accepts SPIR-V")


def test_a_kernel_writes_arrays_of_numpy():
    from kiln import cuda

    @kiln.jit(device="opencl")
    def saxpy(y, x, a):
        i = cuda.grid(1)
        if i < y.size:
            y[i] += a * x[i]

    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    saxpy[4, 256](y, x, np.float32(2))
    np.testing.assert_array_equal(y, 1 + 2 * x)


def test_threads_of_a_block_share_memory_and_wait():
    from kiln import cuda

    @kiln.jit(device="opencl:0")
    def turned(out, values):
        part = cuda.shared.array(64, kiln.int64)
        i = cuda.threadIdx.x
        part[i] = values[i]
        cuda.syncthreads()
        out[i] = part[63 - i]

    values, out = np.random.default_rng(1).integers(-(2**60), 2**60, 64), np.zeros(64, np.int64)
    turned[1, 64](out, values)
    np.testing.assert_array_equal(out, values[::-1])


def test_threads_add_to_one_number():
    from kiln import cuda

    @kiln.jit(device="opencl")
    def count(total, values):
        i = cuda.grid(1)
        if i < values.size and values[i] % 3 == 0:
            cuda.atomic.add(total, 0, values[i])

    values, total = np.arange(10_000, dtype=np.int32), np.zeros(1, np.int32)
    count[40, 256](total, values)
    assert total[0] == values[values % 3 == 0].sum()


def test_an_exception_of_a_kernel_is_raised():
    @kiln.jit(device="opencl", debug=True)
    def first(out):
        if out[0] == 0:
            raise ValueError("nothing there")

    with pytest.raises(ValueError, match="nothing there"):
        first[1, 1](np.zeros(1, np.int32))


def test_a_device_that_is_not_there_is_an_error():
    @kiln.jit(device="opencl:1000")
    def nothing(out):
        out[0] = 1

    with pytest.raises(Exception, match="there is no OpenCL device 1000"):
        nothing[1, 1](np.zeros(1, np.int32))
