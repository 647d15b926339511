# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device arrays. On the CPU device, NumPy owns their memory.

The place and strides of an array are those of a NumPy array that is never read where the memory is a GPU's: slices, reshapes and views of it
are computed by NumPy, which looks at no element for them."""

from __future__ import annotations

import math
import operator
import os
import struct

from typing import Any

import numpy as np

from .. import _arguments, _device_data, _kiln, _types
from . import _devices, _memory
from .._elements import element_type
from ..errors import NumbaPerformanceWarning  # noqa: F401


CONTIGUOUS_MESSAGE = "Array contains non-contiguous buffer and cannot be transferred as a single memory region. Please ensure contiguous buffer with numpy.ascontiguousarray()"


class _Place:
    """An object that numpy.asarray accepts for an array at an address, without reading it."""

    def __init__(self, address, shape, dtype, strides, readonly=False):
        self.__array_interface__ = {"data": (address, readonly), "shape": shape, "typestr": np.dtype(dtype).str, "strides": strides, "version": 3}


def _address(layout) -> int:
    return layout.__array_interface__["data"][0]


def _span(layout):
    """The memory of an array's elements, as (low, bytes)."""
    low, high = 0, layout.itemsize
    if layout.size == 0:
        return _address(layout), 0
    for n, stride in zip(layout.shape, layout.strides):
        if stride < 0:
            low += (n - 1) * stride
        else:
            high += (n - 1) * stride
    return _address(layout) + low, high - low


def _handle(stream) -> int:
    return _arguments.stream_handle(stream) if stream else 0


def _at(address, shape, dtype, strides):
    made = np.asarray(_Place(address, shape, dtype, strides))
    return made if made.dtype == dtype else made.view(dtype)  # records and foreign types (bfloat16) lose their dtype in the type string; a view restores it


class _DataAddress(int):
    """The address of an array: a number with Numba's attributes."""

    device_pointer = device_ctypes_pointer = device_pointer_value = property(int)


class DeviceNDArray:
    """An array on a device.

    Made by :func:`kiln.cuda.to_device`, :func:`kiln.cuda.device_array` and their kin. Slices, ``T``, ``reshape`` and ``view`` share its memory.
    """

    __cuda_ndarray__ = True

    def __init__(self, layout: Any, memory: Any, device: int) -> None:
        self._layout, self._memory, self._device = layout, memory, device
        self._packed = None
        self._owner = None

    # ---- properties

    shape = property(lambda self: self._layout.shape)
    strides = property(lambda self: self._layout.strides)
    dtype = property(lambda self: self._layout.dtype)
    ndim = property(lambda self: self._layout.ndim)
    size = property(lambda self: self._layout.size)
    itemsize = property(lambda self: self._layout.itemsize)
    nbytes = property(lambda self: self._layout.nbytes)
    alloc_size = property(lambda self: self._layout.nbytes)
    _numba_type_ = property(lambda self: _types.typeof(self))
    gpu_data = property(lambda self: _DataAddress(_address(self._layout)))
    flags = property(lambda self: {"C_CONTIGUOUS": self.is_c_contiguous(), "F_CONTIGUOUS": self.is_f_contiguous()})
    stream = 0

    def is_c_contiguous(self) -> bool:
        """True if elements are row-major, without gaps."""
        return bool(self._layout.flags.c_contiguous)

    def is_f_contiguous(self) -> bool:
        """True if elements are column-major, without gaps."""
        return bool(self._layout.flags.f_contiguous)

    @property
    def is_contiguous(self) -> bool:
        return self.is_c_contiguous() or self.is_f_contiguous()

    def __len__(self) -> int:
        return len(self._layout)

    def __repr__(self) -> str:
        where = _device_data.place(self._device)
        return f"<DeviceNDArray of {self.dtype}, shape {self.shape}, {where}>"

    @property
    def device_ctypes_pointer(self):
        import ctypes

        return ctypes.c_void_p(_address(self._layout))

    def get_ipc_handle(self):
        """A handle of the array for other processes, if the program's memory manager supports it."""
        return _memory.IpcArrayHandle(_devices.current_context().get_ipc_handle(self._memory), self)

    @property
    def __cuda_array_interface__(self):
        strides = None if self.is_c_contiguous() else self.strides
        return {"shape": self.shape, "strides": strides, "data": (_address(self._layout) if self.size else 0, False), "typestr": self.dtype.str, "stream": _handle(self.stream) or None, "version": 3}

    def __dlpack_device__(self):
        if self._device >= _device_data.FIRST_OPENCL:
            raise BufferError("an array on an OpenCL device is not exported: copy_to_host() copies it")
        return (1, 0) if self._device < 0 else (2, self._device)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A DLPack capsule that shares this memory. Earlier launches on it precede the consumer's work in `stream`."""
        if dl_device is not None and tuple(map(int, dl_device)) != self.__dlpack_device__():
            raise BufferError(f"an array on {self.__dlpack_device__()} is not exported to another device: copy_to_host() copies it")
        if copy:
            raise BufferError("DLPack exports share the memory: copy_to_host() copies it")
        if self._device >= 0 and stream != -1:
            _kiln.wait_for(self._device, _handle(self.stream))
        strides = [step // self.itemsize for step in self.strides]
        is_versioned = max_version is not None and max_version[0] >= 1
        element = element_type(self.dtype)
        return _kiln.dlpack_capsule(self, _address(self._layout), list(self.shape), strides, element, self._device, False, is_versioned)

    @property
    def _kiln_packed(self):
        if self._packed is None:
            layout = _arguments.layout_of(self.shape, self.strides, self.itemsize)
            words = (_address(self._layout), *self.shape, *(self.strides if layout == "A" else ()))
            type_ = _kiln.Type.array(element_type(self.dtype), self.ndim, layout)
            self._packed = type_, struct.pack(f"={len(words)}q", *words)
        return self._packed

    def _kiln_view_(self):
        layout = _arguments.layout_of(self.shape, self.strides, self.itemsize)
        return ("device", element_type(self.dtype), _address(self._layout), self.shape, self.strides, False, layout)

    # ---- copies

    def _check_memory(self):
        """That of others may be gone."""
        if self._device >= 0 and self.size and self._memory is None:
            _memory.check_foreign(self._device, _address(self._layout))

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        """A copy in host memory, in `ary` if that is given."""
        if ary is not None and (ary.shape != self.shape and ary.size != self.size or ary.dtype != self.dtype):
            raise ValueError(f"an array of shape {ary.shape} and {ary.dtype} cannot hold one of {self.shape} and {self.dtype}")
        self._check_memory()
        if self._device < 0:
            made = self._layout.copy(order="K")
        elif self.is_contiguous:
            made = np.empty(self.shape, self.dtype, "C" if self.is_c_contiguous() else "F")
            if self.size:
                _kiln.copy(self._device, _address(made), _address(self._layout), self.nbytes, _handle(stream))
        else:
            low, count = _span(self._layout)
            held = np.empty(max(count, 1), np.uint8)
            if count:
                _kiln.copy(self._device, _address(held), low, count, _handle(stream))
            made = np.ndarray(self.shape, self.dtype, held, _address(self._layout) - low, self.strides).copy()
        if ary is None:
            return made
        ary[...] = made.reshape(ary.shape)
        return ary

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copies a host or device array of the same shape into this one."""
        if self.size == 0:
            return
        self._check_memory()
        if isinstance(ary, DeviceNDArray):
            ary._check_memory()
            same = ary.shape == self.shape and ary.dtype == self.dtype and ary.strides == self.strides and self.is_contiguous
            if same and self._device >= 0:
                _kiln.copy(self._device, _address(self._layout), _address(ary._layout), self.nbytes, _handle(stream))
                return
            ary = ary.copy_to_host(stream=stream)
        ary = np.asarray(ary)
        if ary.size != self.size:
            raise ValueError(f"an array of shape {ary.shape} does not fit one of shape {self.shape}")
        if ary.dtype != self.dtype:
            raise TypeError(f"incompatible dtype: {ary.dtype} and {self.dtype}")
        if self._device < 0:
            self._layout[...] = ary.reshape(self.shape)
        elif self.is_contiguous:
            held = np.array(ary.reshape(self.shape), order="C" if self.is_c_contiguous() else "F", copy=None)
            _kiln.copy(self._device, _address(self._layout), _address(held), self.nbytes, _handle(stream))
        else:
            whole = self.copy_to_host(stream=stream)
            whole[...] = ary.reshape(self.shape)
            low, count = _span(self._layout)
            held = np.empty(count, np.uint8)
            _kiln.copy(self._device, _address(held), low, count, _handle(stream))
            np.ndarray(self.shape, self.dtype, held, _address(self._layout) - low, self.strides)[...] = whole
            _kiln.copy(self._device, low, _address(held), count, _handle(stream))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError("`copy=False` is not for device arrays: a NumPy array of one is a copy of it")
        made = self.copy_to_host()
        return made if dtype is None else made.astype(dtype)

    # ---- views of parts

    def _part(self, layout):
        made = DeviceNDArray(layout, self._memory, self._device)
        made._owner, made.stream = self, self.stream
        return made

    @property
    def T(self) -> DeviceNDArray:
        return self._part(self._layout.T)

    def transpose(self, axes: Any = None) -> DeviceNDArray:
        """The same memory with axes in another order, as NumPy's."""
        return self._part(self._layout.transpose(axes))

    def reshape(self, *newshape: Any, order: Any = "C") -> DeviceNDArray:
        """The same memory in another shape; of arrays without gaps."""
        shape = newshape[0] if len(newshape) == 1 and isinstance(newshape[0], (tuple, list)) else newshape
        made = self._layout
        if not self.is_c_contiguous() and (order == "C" or not self.is_f_contiguous()):
            raise NotImplementedError("reshape of an array whose elements do not lie in that order without gaps")
        return self._part(made.reshape(shape, order=order))

    def ravel(self, order: str = "C") -> DeviceNDArray:
        """The same memory in one dimension."""
        if not self.is_contiguous:
            raise NotImplementedError("ravel of an array that is not contiguous")
        return self._part(self._layout.ravel(order="K" if order == "C" and not self.is_c_contiguous() else order))

    def squeeze(self, axis: Any = None) -> DeviceNDArray:
        """The same memory without axes of length 1."""
        return self._part(self._layout.squeeze(axis))

    def view(self, dtype: Any) -> DeviceNDArray:
        """The same memory as elements of another type."""
        return self._part(self._layout.view(dtype))

    def split(self, section: int, stream: Any = 0) -> Any:
        """Parts of at most `section` elements, one after the other."""
        for begin in range(0, self.size, section):
            yield self[begin : begin + section]

    def bind(self, stream: Any = 0) -> DeviceNDArray:
        """Returns itself; for compatibility."""
        return self

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):  # a field of records
            return self._item_or_part(self._layout[index], self.ndim == 0)
        index = index if isinstance(index, tuple) else (index,)
        if any(isinstance(i, (list, np.ndarray)) for i in index):
            raise NotImplementedError("indices of device arrays are integers and slices")
        part = self._layout[(*index, ...)] if Ellipsis not in index else self._layout[index]
        whole = sum(not (i is None or i is Ellipsis) for i in index) == self.ndim and all(isinstance(i, (int, np.integer)) for i in index)
        return self._item_or_part(part, whole)

    def _item_or_part(self, part, is_one):
        """Returns a number by value, and a record by reference, so that its fields can be written."""
        made = self._part(part)
        return made.copy_to_host()[()] if is_one and not part.dtype.fields and part.ndim == 0 else made

    def getitem(self, index, stream=0):
        """``a[item]``, with a stream."""
        return self[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        index = index if isinstance(index, (tuple, str)) else (index,)
        part = self._part(self._layout[index if isinstance(index, str) or Ellipsis in index else (*index, ...)])
        value = value.copy_to_host() if isinstance(value, DeviceNDArray) else value
        value = np.asarray(value, part.dtype)
        while value.ndim > part.ndim and value.shape[0] == 1:  # as in NumPy's assignments
            value = value[0]
        try:
            spread = np.broadcast_to(value, part.shape)
        except ValueError:
            shapes = [str(shape).replace(" ", "") for shape in (value.shape, part.shape)]
            raise ValueError("could not broadcast input array from shape {} into shape {}".format(*shapes)) from None
        part.copy_to_device(spread)

    def setitem(self, index, value, stream=0):
        """``a[key] = value``, with a stream."""
        self[index] = value


_kiln.set_array_class(DeviceNDArray)


_CHECKS_UNSET = os.environ.get("KILN_CHECK_UNSET", "0") not in ("", "0")


def _unset_byte(dtype) -> int:
    """Fill values for KILN_CHECK_UNSET (library/unset.jl): NaN with all bits set, unlikely numbers, zero for others."""
    return 0xFF if dtype.kind in "fc" else 0xCD if dtype.kind in "iu" and dtype.itemsize >= 4 else 0


def empty(shape, dtype, strides=None, order="C", is_written=False):
    """An array of the current device; zeros on the CPU device, unless `is_written`: the caller writes all of it."""
    device = _kiln.current_device()
    try:
        shape = (operator.index(shape),) if np.ndim(shape) == 0 else tuple(operator.index(n) for n in shape)
    except TypeError:
        raise TypeError(f"a shape is an integer or a tuple of integers, not {shape!r}") from None
    if any(n < 0 for n in shape):
        raise ValueError(f"a shape has no negative sizes: {shape}")
    byte = _unset_byte(np.dtype(dtype)) if _CHECKS_UNSET and not is_written else 0
    if _memory.may_be_plugged() and (manager := _memory.plugged(_devices.current_context())) is not None:
        like = np.empty(shape, dtype, order)
        memory = manager.memalloc(like.nbytes)
        return DeviceNDArray(_at(memory.device_pointer_value, shape, dtype, strides or like.strides) if like.size else like, memory, device)
    if device < 0:  # the CPU; sizes are multiples of 256 bytes, because CUDA aligns so and programs may rely on it
        count = np.dtype(dtype).itemsize * math.prod(shape)
        memory = (np.empty if is_written else np.zeros)(-(-count // 256) * 256, np.uint8) if count else None
        if byte and count:
            memory.fill(byte)
        return DeviceNDArray(np.ndarray(shape, dtype, memory, order=order), None, device)
    like = np.empty(shape, dtype) if strides else np.empty(shape, dtype, order)
    memory = _kiln.allocate(device, max(1, like.nbytes))
    if byte and like.nbytes:
        _kiln.fill(device, memory.address, byte, like.nbytes, 0)
    place = _at(memory.address, shape, dtype, strides or like.strides) if like.size else like
    return DeviceNDArray(place, memory, device)


def place(address, shape, dtype, strides, owner, device):
    """An array in foreign memory."""
    made = DeviceNDArray(_at(address, shape, dtype, strides), None, device)
    made._owner = owner
    return made


