# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries: DLPack both ways, its C exchange interface, the streams of __cuda_array_interface__."""

import ctypes
import gc
import weakref

import numpy as np
import pytest

from kiln import _arguments, _kiln, cuda


@cuda.jit
def increment(y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] += 1


@cuda.jit
def number(y):
    i, j = cuda.grid(2)
    if i < y.shape[0] and j < y.shape[1]:
        y[i, j] = 10 * i + j


class Exporter:
    """An array of a library that knows DLPack and nothing else."""

    def __init__(self, array):
        self.array, self.asked = array, []

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        self.asked.append((stream, max_version))
        return self.array.__dlpack__(max_version=max_version)


class OldExporter(Exporter):
    """One of before DLPack 1.0."""

    def __dlpack__(self, *, stream=None):
        return self.array.__dlpack__()


@pytest.mark.parametrize("exporter", [Exporter, OldExporter])
@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8"])
def test_a_kernel_takes_what_exports_dlpack(exporter, dtype):
    array = np.arange(10).astype(dtype)
    increment[1, 32](exporter(array))
    assert np.array_equal(array, np.arange(1, 11).astype(dtype))


@pytest.mark.parametrize("lay", [lambda a: a, np.asfortranarray, lambda a: np.repeat(a, 2, 1)[:, ::2], lambda a: np.repeat(a, 2, 0)[::2].T.copy().T])
def test_strides(lay):
    array = lay(np.zeros((3, 4)))
    number[1, (4, 4)](Exporter(array))
    assert np.array_equal(array, np.add.outer(10 * np.arange(3), np.arange(4)))


def test_the_cpu_is_asked_for_no_stream():
    array = Exporter(np.zeros(3))
    increment[1, 32](array)
    assert array.asked == [(None, (1, 0))]


def test_read_only_and_unknown_elements():
    array = np.zeros(3)
    array.flags.writeable = False
    with pytest.raises(Exception, match="read-only|readonly"):
        increment[1, 32](Exporter(array))
    assert array[0] == 0

    class Elsewhere(Exporter):
        def __dlpack_device__(self):
            return (10, 0)

        def __dlpack__(self, **_):
            raise BufferError("not to be had")

    with pytest.raises(BufferError, match="not to be had"):
        increment[1, 32](Elsewhere(array))


def test_device_arrays_export_dlpack():
    device = cuda.to_device(np.arange(6, dtype=np.float32).reshape(2, 3))
    if device.__dlpack_device__() != (1, 0):
        pytest.skip("NumPy takes arrays of the CPU alone")
    shared = np.from_dlpack(device)
    assert shared.dtype == np.float32 and np.array_equal(shared, device.copy_to_host())
    part = np.from_dlpack(device.T[1:])
    assert np.array_equal(part, device.copy_to_host().T[1:])
    increment[1, 32](device.ravel())
    assert shared[1, 2] == 6 and part[1, 1] == 6
    gone = weakref.ref(device)
    del device
    gc.collect()
    assert shared[0, 0] == 1 and gone() is not None  # the export holds its owner
    del shared, part
    gc.collect()
    assert gone() is None


def test_a_capsule_that_nobody_takes_lets_its_owner_go():
    device = cuda.device_array(4)
    gone = weakref.ref(device)
    for version in (None, (1, 0)):
        device.__dlpack__(max_version=version)
    del device
    gc.collect()
    assert gone() is None
    with pytest.raises(BufferError):
        cuda.device_array(4).__dlpack__(copy=True)
    with pytest.raises(BufferError):
        cuda.device_array(4).__dlpack__(dl_device=(7, 0))


def test_as_cuda_array_of_dlpack():
    array = np.arange(6.0).reshape(2, 3)
    made = cuda.as_cuda_array(Exporter(array))
    assert made.shape == (2, 3) and made.dtype == np.float64 and np.array_equal(made.copy_to_host(), array)
    with pytest.raises(TypeError, match="neither"):
        cuda.as_cuda_array(3)


class Interface:
    def __init__(self, array, stream):
        self.array = array
        self.__cuda_array_interface__ = {**array.__array_interface__, "stream": stream, "version": 3}


def test_the_producers_stream_is_waited_for(monkeypatch):
    waited = []
    monkeypatch.setattr(_kiln, "wait_for", lambda device, stream: waited.append((device, stream)))
    monkeypatch.setattr(_kiln, "current_device", lambda: 0)
    array = np.zeros(3)
    assert cuda.as_cuda_array(Interface(array, 17)).__cuda_array_interface__["stream"] == 17
    assert waited == [(0, 17)]
    cuda.as_cuda_array(Interface(array, None))
    cuda.as_cuda_array(Interface(array, 17), sync=False)
    assert waited == [(0, 17)]
    _arguments.view(Interface(array, 5))  # what a launch asks
    assert waited == [(0, 17), (0, 5)]
    with pytest.raises(ValueError, match="stream 0"):
        cuda.as_cuda_array(Interface(array, 0))
    monkeypatch.setenv("NUMBA_CUDA_ARRAY_INTERFACE_SYNC", "0")
    cuda.as_cuda_array(Interface(array, 17))
    assert len(waited) == 2


@pytest.mark.skipif(cuda.is_available(), reason="a driver does not take handles that are no stream's")
def test_device_arrays_tell_their_stream():
    device = cuda.to_device(np.zeros((2, 3)), stream=cuda.external_stream(17))
    assert device.__cuda_array_interface__["stream"] == 17 and device.T.__cuda_array_interface__["stream"] == 17
    assert cuda.to_device(np.zeros(3)).__cuda_array_interface__["stream"] is None
    assert cuda.device_array((2, 3), order="F", stream=cuda.external_stream(2)).stream.handle == 2


# ---- the C exchange interface, of a producer written here


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


BORROW = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))


class ExchangeApi(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p), ("allocate", ctypes.c_void_p), ("from_object", ctypes.c_void_p),
        ("to_object", ctypes.c_void_p), ("borrow", BORROW), ("current_stream", ctypes.c_void_p),
    ]  # fmt: skip


@BORROW
def borrow(tensor, out):
    array, out = tensor.array, out.contents
    if tensor.fails:
        return -1
    out.data, out.device_type, out.device_id, out.ndim = array.ctypes.data - 8, 1, 0, array.ndim
    out.code, out.bits, out.lanes, out.byte_offset = 2, 32, 1, 8
    tensor.shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    tensor.strides = (ctypes.c_int64 * array.ndim)(*(step // 4 for step in array.strides))
    out.shape, out.strides = tensor.shape, tensor.strides
    tensor.borrowed += 1
    return 0


NAME = b"dlpack_exchange_api"  # a capsule does not copy its name
API = ExchangeApi(1, 3, None, None, None, None, borrow, None)
ctypes.pythonapi.PyCapsule_New.restype = ctypes.py_object
ctypes.pythonapi.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Tensor:
    __dlpack_c_exchange_api__ = ctypes.pythonapi.PyCapsule_New(ctypes.addressof(API), NAME, None)

    def __init__(self, array):
        self.array, self.fails, self.borrowed = array, False, 0


def test_the_exchange_interface():
    tensor = Tensor(np.zeros((3, 4), np.float32))
    number[1, (4, 4)](tensor)
    assert np.array_equal(tensor.array, np.add.outer(10 * np.arange(3), np.arange(4))) and tensor.borrowed == 1
    turned = Tensor(np.zeros((4, 3), np.float32).T)
    number[1, (4, 4)](turned)
    assert np.array_equal(turned.array, tensor.array)
    tensor.fails = True
    with pytest.raises(ValueError, match="DLPack"):
        number[1, (4, 4)](tensor)
