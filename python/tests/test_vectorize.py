# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda.reduce and vectorize; expected values are NumPy's own."""

import numpy as np
import pytest

import kiln
from kiln import cuda, float32, float64

total = cuda.reduce(lambda a, b: a + b)


@pytest.mark.parametrize("count", [1, 2, 3, 31, 255, 256, 257, 1000, 70001, 512 * 256 + 1])
def test_reduce_of_any_size(count):
    values = np.arange(count, dtype=np.int64) * 7 - 3
    assert total(values) == values.sum()
    assert total(cuda.to_device(values)) == values.sum()


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.float32, np.float64, np.complex64])
def test_reduce_keeps_the_type(dtype):
    values = np.ones(100, dtype)
    made = total(values)
    assert made.dtype == dtype and made == 100


def test_reduce_of_other_functions():
    values = np.random.default_rng(3).integers(-1000, 0, 777)
    assert cuda.Reduce(lambda a, b: max(a, b))(values, init=-5000) == values.max()
    # As in Numba the default init 0 takes part.
    assert cuda.Reduce(lambda a, b: max(a, b))(values) == 0
    small = np.array([1, 2, 3, 4, 5], np.float64)
    assert cuda.reduce(lambda a, b: a * b)(small, init=1) == 120


def test_reduce_size_init_res():
    values = np.arange(10, dtype=np.int64)
    assert total(values, size=4) == 6
    assert total(values, init=100) == 145
    assert total(values[:0], init=12) == 12
    res = cuda.to_device(np.zeros(1, np.int64))
    assert total(values, res=res) is None
    assert res.copy_to_host()[0] == 45
    assert total(values[::2]) == 20


def test_reduce_refuses():
    with pytest.raises(TypeError, match="1D"):
        total(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="size=11"):
        total(np.zeros(10), size=11)


@cuda.vectorize(["int64(int64, int64)", float32(float32, float32), "float64(float64, float64)"], target="cuda")
def axpy(a, b):
    return 2 * a + b


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.float64])
def test_vectorize(dtype):
    a, b = np.arange(1000, dtype=dtype), np.arange(1000, dtype=dtype)[::-1]
    made = axpy(a, b)
    assert made.dtype == dtype
    np.testing.assert_array_equal(made, 2 * a + b)


def test_vectorize_broadcasts_and_converts():
    a, b = np.arange(12, dtype=np.float32).reshape(3, 4), np.arange(4, dtype=np.int16)
    made = axpy(a, b)
    assert made.shape == (3, 4) and made.dtype == np.float32
    np.testing.assert_array_equal(made, 2 * a + b)
    np.testing.assert_array_equal(axpy(a.T, a.T), 3 * a.T)
    assert axpy(3, 4) == 10
    assert axpy(np.zeros((0, 3)), 1.0).shape == (0, 3)


def test_vectorize_on_the_device():
    a = cuda.to_device(np.arange(100.0))
    made = axpy(a, a)
    assert cuda.is_cuda_array(made)
    np.testing.assert_array_equal(made.copy_to_host(), np.arange(100.0) * 3)
    out = cuda.device_array(100)
    assert axpy(a, 1.0, out=out) is out
    np.testing.assert_array_equal(out.copy_to_host(), np.arange(100.0) * 2 + 1)
    host = np.zeros(100)
    assert axpy(a, 1.0, out=host) is host
    np.testing.assert_array_equal(host, np.arange(100.0) * 2 + 1)


def test_vectorize_reduce():
    add = kiln.vectorize([float64(float64, float64)], target="cuda")(lambda a, b: a + b)
    values = np.arange(1000.0)
    assert add.reduce(values) == values.sum()


def test_vectorize_refuses():
    with pytest.raises(TypeError, match="no signature"):
        axpy(np.zeros(2, complex), 1)
    with pytest.raises(TypeError, match="takes 2"):
        axpy(1.0)
    with pytest.raises(ValueError, match="out has shape"):
        axpy(np.zeros(3), 1.0, out=np.zeros(2))
    with pytest.raises(ValueError, match="target"):
        cuda.vectorize(["f4(f4)"], target="roc")
    with pytest.raises(TypeError, match="signatures of numbers"):
        cuda.vectorize(["f4(f4[:])"])(lambda a: a)


def test_numbers_take_the_types_of_the_signature():
    """Python's numbers do not choose a signature in Numba: arrays do. Expected values: float32 arithmetic of NumPy."""

    @cuda.vectorize(["float32(float32, float32)"], target="parallel")
    def divide(x, y):
        return x / y

    x = np.linspace(1, 2, 5, dtype=np.float32)
    made = divide(x, 0.1)
    assert made.dtype == np.float32 and (made == x / np.float32(0.1)).all()
    made = divide(2.3, 4.5)
    assert made.dtype == np.float32 and made == np.float32(2.3) / np.float32(4.5)
    with pytest.raises(TypeError, match=r"no signature for \(float64, float64\)"):
        divide(x.astype(np.float64), 0.1)

    @cuda.vectorize(["int8(int8, int8)", "int16(int16, int16)"])
    def add(x, y):
        return x + y

    for dtype in (np.int8, np.int16):
        made = add(np.arange(3, dtype=dtype), 4)
        assert made.dtype == dtype and made.tolist() == [4, 5, 6]
    with pytest.raises(TypeError, match="no signature"):
        add(2, 4)  # int64 fits neither, and both take numbers
