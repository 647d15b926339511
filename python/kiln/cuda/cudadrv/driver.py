# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams, events, and the place of host memory, under Numba's names."""

from __future__ import annotations

import ctypes

from ... import _arguments, _kiln
from .._devices import Device  # noqa: F401
from .._memory import AutoFreePointer, IpcArrayHandle, MemoryInfo, MemoryPointer, OwnedPointer  # noqa: F401
from .._streams import Event, Stream  # noqa: F401
from .error import CudaAPIError, CudaDriverError, CudaSupportError, LinkerError  # noqa: F401


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
    """True for device memory, such as a device array."""
    return getattr(obj, "__cuda_memory__", False) or getattr(obj, "__cuda_ndarray__", False)


def require_device_memory(obj) -> None:
    """Raises unless :func:`is_device_memory`."""
    if not is_device_memory(obj):
        raise TypeError("not memory of a device: it is made by cuda.to_device or cuda.device_array")


def _place(memory) -> tuple[int, int]:
    """The address of memory, and its device; -1 for host memory."""
    if is_device_memory(memory):
        pointer = getattr(memory, "device_pointer_value", None)
        return memory.gpu_data if pointer is None else pointer, _kiln.current_device()
    return host_memory_extents(memory)[0], -1


def _copied(dst, src, size, stream) -> None:
    (to, at), (source, other) = _place(dst), _place(src)
    if max(at, other) < 0:
        ctypes.memmove(to, source, size)
    else:
        _kiln.copy(max(at, other), to, source, size, _arguments.stream_handle(stream) if stream else 0, not stream)


def host_to_device(dst, src, size, stream=0) -> None:
    """Copies bytes from the host to a device."""
    require_device_memory(dst)
    _copied(dst, src, size, stream)


def device_to_host(dst, src, size, stream=0) -> None:
    """Copies bytes from a device to the host."""
    require_device_memory(src)
    _copied(dst, src, size, stream)


def device_to_device(dst, src, size, stream=0) -> None:
    """Copies bytes between places of a device."""
    require_device_memory(dst)
    require_device_memory(src)
    _copied(dst, src, size, stream)


def device_memset(dst, val, size, stream=0) -> None:
    """Sets bytes on a device."""
    require_device_memory(dst)
    address, device = _place(dst)
    if device < 0:
        ctypes.memset(address, val, size)
    else:
        _kiln.fill(device, address, val, size, _arguments.stream_handle(stream) if stream else 0)


def device_memory_size(obj) -> int:
    """Size in bytes of a device array or of device memory."""
    require_device_memory(obj)
    return obj.size if isinstance(obj, MemoryPointer) else obj.alloc_size if hasattr(obj, "alloc_size") else obj.nbytes
