# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams, events, and where host memory lies, under Numba's names."""

from __future__ import annotations

from .._api import Device, Event, Stream  # noqa: F401
from .error import CudaAPIError, CudaDriverError  # noqa: F401


def host_memory_extents(obj):
    """The first byte of an array in host memory, and the byte after its last."""
    import numpy as np

    from .._arrays import _span

    low, count = _span(np.asarray(obj))
    return low, low + count


def host_memory_size(obj) -> int:
    """Bytes from the first to the last element of an array, or of an object that exports a buffer."""
    if hasattr(obj, "__array_interface__"):
        low, end = host_memory_extents(obj)
        return end - low
    return memoryview(obj).nbytes


def is_device_memory(obj) -> bool:
    """Whether the object is memory of a device, such as a device array."""
    return getattr(obj, "__cuda_memory__", False) or getattr(obj, "__cuda_ndarray__", False)


def require_device_memory(obj) -> None:
    """Raises unless :func:`is_device_memory`."""
    if not is_device_memory(obj):
        raise TypeError("not memory of a device: it is made by cuda.to_device or cuda.device_array")
