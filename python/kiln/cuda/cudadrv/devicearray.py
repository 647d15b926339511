# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays and records on a device, under Numba's names."""

from __future__ import annotations

import numpy as np

from ..._types import from_dtype
from .. import _api
from .._arrays import CONTIGUOUS_MESSAGE as errmsg_contiguous_buffer  # noqa: F401
from .._arrays import DeviceNDArray as _DeviceNDArray
from .._arrays import empty


class _Made(type):
    """DeviceNDArray(shape, strides, dtype) makes an array; its instances are Kiln's device arrays."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, _DeviceNDArray)

    def __call__(cls, shape, strides, dtype, stream=0, gpu_data=None):
        made = empty(shape, dtype, tuple(strides) if np.ndim(strides) else (strides,))
        made.stream = stream
        return made


class DeviceNDArray(metaclass=_Made):
    """A device array with Numba's constructor: shape, strides in bytes, dtype."""


DeviceNDArrayBase = DeviceNDArray


class DeviceRecord(_DeviceNDArray):
    """A device record: an array of its dtype without dimensions."""

    def __init__(self, dtype, stream=0, gpu_data=None):
        made = empty((), dtype)
        super().__init__(made._layout, made._memory, made._device)
        self.stream = stream

    @property
    def _numba_type_(self):
        return from_dtype(self.dtype)

    def copy_to_host(self, ary=None, stream=0):
        """Copies the record to host memory, into `ary` if given."""
        made = super().copy_to_host(stream=stream)
        if ary is None:
            return made[()]
        for name in ary.dtype.names:
            ary[name] = made[name]
        return ary


def is_cuda_ndarray(obj) -> bool:
    """True for a device array."""
    return getattr(obj, "__cuda_ndarray__", False)


def require_cuda_ndarray(obj) -> None:
    """Raises unless :func:`is_cuda_ndarray`."""
    if not is_cuda_ndarray(obj):
        raise ValueError("require a device array: cuda.to_device makes one")


def verify_cuda_ndarray_interface(obj) -> None:
    """Raises unless the object has the attributes of a device array."""
    require_cuda_ndarray(obj)
    for name, kind in (("shape", tuple), ("strides", tuple), ("dtype", np.dtype), ("size", int)):
        if not isinstance(getattr(obj, name, None), kind):
            raise AttributeError(f"{name} of a device array has to be of class {kind.__name__}")


def array_core(ary):
    """The distinct elements of an array: index 0 of dimensions with stride 0."""
    if not ary.strides or not ary.size:
        return ary
    return ary[tuple(0 if stride == 0 else slice(None) for stride in ary.strides)]


def is_contiguous(ary) -> bool:
    """True if the elements of :func:`array_core` are row-major, without gaps."""
    size = ary.dtype.itemsize
    for n, stride in zip(reversed(ary.shape), reversed(ary.strides)):
        if n > 1 and stride != 0:
            if size != stride:
                return False
            size *= n
    return True


def from_array_like(ary, stream=0, gpu_data=None):
    """A device array with the shape, strides and dtype of another."""
    return DeviceNDArray(ary.shape, ary.strides, ary.dtype, stream)


def from_record_like(rec, stream=0, gpu_data=None):
    """A device record with the dtype of another."""
    return DeviceRecord(rec.dtype, stream)


def auto_device(obj, stream=0, copy=True, user_explicit=False):
    """(the device object, True if it was copied there)."""
    if _api.is_cuda_array(obj):
        return _api.as_cuda_array(obj), False
    if isinstance(obj, np.void):
        made = from_record_like(obj, stream)
    else:
        obj = np.asarray(obj)
        if not copy:
            return _api.device_array_like(obj, stream), True
        return _api.to_device(obj, stream), True
    if copy:
        made.copy_to_device(np.asarray(obj), stream)
    return made, True
