# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in managed memory: NumPy arrays on the host, device arrays in kernels."""

from __future__ import annotations

import ctypes
import operator

import numpy as np

from .. import _arguments, _kiln
from .._elements import element_type
from . import _memory


def _stream_of(stream):
    """The stream for `__cuda_array_interface__`: None for the default stream."""
    handle = _arguments.stream_handle(stream) if stream else 0
    return handle or None


class ManagedNDArray(np.ndarray):
    """An array in managed memory, made by :func:`kiln.cuda.managed_array`. So are its slices and views."""

    __cuda_ndarray__ = __cuda_memory__ = True
    stream = 0
    device_pointer_value = gpu_data = property(lambda self: self.ctypes.data)
    __cuda_array_interface__ = property(lambda self: {**self.__array_interface__, "stream": _stream_of(self.stream), "version": 3})
    device_ctypes_pointer = property(lambda self: ctypes.c_size_t(self.ctypes.data))

    def _is_managed(self) -> bool:
        held = self
        while isinstance(held, np.ndarray) and held.base is not None:
            held = held.base
        return isinstance(held, _memory._HostMemory) or isinstance(getattr(held, "obj", None), _memory._HostMemory)

    def _kiln_view_(self):
        element = element_type(self.dtype)
        kind = "device" if self._is_managed() else "host"  # NumPy's results from a managed array have this class too, but ordinary memory
        return (kind, element, self.ctypes.data, self.shape, self.strides, not self.flags.writeable, _arguments.layout_of(self.shape, self.strides, self.itemsize))

    def copy_to_host(self, ary=None, stream=0):
        """A copy in ordinary host memory, in `ary` if given."""
        _kiln.synchronize()
        if ary is None:
            return np.array(self, subok=False)
        ary[...] = self
        return ary

    def copy_to_device(self, ary, stream=0):
        """Copies the values of another array."""
        _kiln.synchronize()
        self[...] = ary.copy_to_host() if hasattr(ary, "copy_to_host") else ary


def made(shape, dtype, order, attach_global, stream=0):
    """An array of the current device's managed memory."""
    shape = (operator.index(shape),) if np.ndim(shape) == 0 else tuple(map(operator.index, shape))
    size = dtype.itemsize * int(np.prod(shape, dtype=object))
    device = _kiln.current_device()
    address, owner = _memory.allocate_managed(device, size, attach_global)
    memory = _memory._host_memory("ManagedMemory", address, size, owner)
    array = np.ndarray(shape, dtype, memory, order=order).view(ManagedNDArray)
    array.stream = stream
    return array
