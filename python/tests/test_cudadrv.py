# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of numba.cuda.cudadrv, transfers of arguments, what is known of compiled kernels, vectorize without signatures."""

import ctypes

import numpy as np
import pytest

from kiln import cuda, errors, types
from kiln.cuda.cudadrv import devicearray, devices, driver


def test_arrays_by_numba_s_constructor():
    made = devicearray.DeviceNDArray((1, 10), (800, 8), np.float64)
    assert made.flags["C_CONTIGUOUS"] and made.flags["F_CONTIGUOUS"] and isinstance(made, devicearray.DeviceNDArray)
    assert not isinstance(np.zeros(3), devicearray.DeviceNDArray)
    devicearray.verify_cuda_ndarray_interface(made)
    with pytest.raises(ValueError, match="to_device"):
        devicearray.verify_cuda_ndarray_interface(np.zeros(3))


def test_records_on_the_device():
    dtype = np.dtype([("a", np.int32), ("b", np.float32)], align=True)
    host = np.array([(3, 2.5)], dtype)[0]
    record, is_new = devicearray.auto_device(host)
    assert is_new and record.shape == () and record.alloc_size == dtype.itemsize and record._numba_type_ == types.from_dtype(dtype)
    back = np.zeros(1, dtype)[0]
    record.copy_to_host(back)
    assert back == host and record.copy_to_host() == host
    array, is_new = devicearray.auto_device(cuda.to_device(np.arange(3)))
    assert not is_new and array.copy_to_host().tolist() == [0, 1, 2]


@pytest.mark.parametrize("make", [lambda: np.zeros((4, 6)), lambda: np.zeros((4, 6))[:, ::2], lambda: np.zeros((4, 6)).T, lambda: np.broadcast_to(np.zeros(6), (4, 6))])
def test_contiguous(make):
    array = make()
    assert devicearray.is_contiguous(array) == devicearray.array_core(array).flags.c_contiguous


def test_host_memory():
    array = np.arange(12.0).reshape(3, 4)
    low, end = driver.host_memory_extents(array)
    assert low == array.ctypes.data and end - low == array.nbytes == driver.host_memory_size(array)
    assert driver.host_memory_size(ctypes.c_double(1)) == 8
    assert driver.host_memory_size(array[:, ::2]) == array.nbytes - 8
    assert driver.is_device_memory(cuda.to_device(array)) and devices.get_context().device == cuda.get_current_device()
    with pytest.raises(TypeError, match="to_device"):
        driver.require_device_memory(array)


@cuda.jit
def three(x):
    x[0] = 3


def test_transfers_of_arguments():
    for wrap, wanted in ((cuda.In, 0), (cuda.InOut, 3), (cuda.Out, 3), (lambda x: x, 3)):
        x = np.zeros(4, np.int64)
        three[1, 1](wrap(x))
        assert x[0] == wanted, wrap
    record = np.zeros(1, [("b", np.int32)])

    @cuda.jit
    def set_field(r):
        r[0]["b"] = 3

    set_field[1, 1](cuda.In(record))
    assert record["b"][0] == 0
    set_field[1, 1](cuda.InOut(record))
    assert record["b"][0] == 3


def test_specialized_kernels():
    @cuda.jit
    def kernel(x):
        x[0] = 1

    first = kernel.specialize(types.float32[::1])
    assert kernel.specialize(np.zeros(3, np.float32)) is first and len(kernel.specializations) == 1
    assert kernel.specialize(types.int32[::1]) is not first and len(kernel.specializations) == 2
    assert isinstance(first.get_shared_mem_per_block(), int) and isinstance(kernel.get_shared_mem_per_block(), dict)
    with pytest.raises(RuntimeError, match="already specialized"):
        first.specialize(types.int32[::1])


def test_cooperative_grids():
    @cuda.jit("void(int32[::1])")
    def kernel(x):
        x[cuda.grid(1)] = 1
        cuda.cg.this_grid().sync()

    overload = kernel.overloads[types.int32[::1],]
    assert overload.max_cooperative_grid_blocks(64) == overload.max_cooperative_grid_blocks((8, 8)) > 0


def test_streams_and_the_array_interface():
    s = cuda.stream()
    array = cuda.device_array(10, stream=s)
    assert array.__cuda_array_interface__["stream"] == int(s) and not s.external
    seen = cuda.as_cuda_array(array)
    assert seen.stream.external and int(seen.stream) == int(s)
    assert cuda.device_array(0).__cuda_array_interface__["data"][0] == 0
    held = cuda.to_device(np.arange(6).reshape(2, 3))  # a description keeps nothing alive
    described = dict(held.__cuda_array_interface__)
    assert cuda.from_cuda_array_interface(described).copy_to_host().tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(NotImplementedError, match="Masked"):
        cuda.from_cuda_array_interface({**described, "mask": array})
    for shape in (1.5, (1.5,), np.array([2.0])):
        with pytest.raises(TypeError, match="integer"):
            cuda.device_array(shape)
    with pytest.raises(ValueError, match="copy=False"):
        np.array(array, copy=False)


def test_vectorize_without_signatures():
    @cuda.jit(device=True)
    def twice(x):
        return 2 * x

    @cuda.vectorize
    def f(a, b):
        return twice(a) + b

    @cuda.vectorize(target="cuda")
    def greater(a, b):
        return a > b

    x = np.arange(5, dtype=np.float32)
    assert f(x, x).dtype == np.float64 and f(x, x).tolist() == (3 * x).tolist()  # numba: a literal is int64
    assert f(np.arange(3), 1).dtype == np.int64 and f(np.arange(3), 1).tolist() == [1, 3, 5]
    assert f(np.array([1j]), 2).tolist() == [2 + 2j]
    assert f(2, 3) == 7 and len(f.types) == 3
    assert greater(x, 2).dtype == np.bool_ and greater(x, 2).tolist() == (x > 2).tolist()
    assert f(np.zeros((0, 3)), 1).shape == (0, 3)
    on_device = f(cuda.to_device(x), x)
    assert on_device.copy_to_host().tolist() == (3 * x).tolist()
    with pytest.raises(TypeError, match="takes 2 arrays"):
        f(x)


def test_vectorize_of_a_function_that_gives_no_number():
    @cuda.vectorize
    def pair(a):
        return a, a

    with pytest.raises(errors.TypingError, match="gives a number"):
        pair(np.zeros(3))


def test_records_of_a_device_array_are_written_by_field():
    inner = np.dtype([("i", np.int32), ("j", np.float32, (2, 2))])
    dtype = np.dtype([("a", np.float64), ("text", "U3"), ("y", inner)])
    array = cuda.to_device(np.zeros(3, dtype))
    array[1]["a"] = 2.5
    array[1]["text"] = "abc"
    array[1]["y"]["i"] = 7
    array[1]["y"]["j"][0, 1] = 4
    array[2] = (1.5, "x", (3, [[1, 2], [3, 4]]))
    array["a"][0] = -1
    wanted = np.zeros(3, dtype)
    wanted[1] = (2.5, "abc", (7, [[0, 4], [0, 0]]))
    wanted[2] = (1.5, "x", (3, [[1, 2], [3, 4]]))
    wanted["a"][0] = -1
    assert (array.copy_to_host() == wanted).all()
    assert array[1]["a"] == 2.5 and array[1]["text"] == "abc" and array[1]["y"]["j"][0, 1] == 4
    assert array["y"]["i"].copy_to_host().tolist() == [0, 7, 3]
