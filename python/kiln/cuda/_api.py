# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays on the host, under Numba's names."""

from __future__ import annotations

import contextlib

from .. import _kiln
from ._devices import get_current_device
from ._foreign import as_cuda_array, is_cuda_array

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import numpy

    from ._arrays import DeviceNDArray


def is_available() -> bool:
    """True if there is a GPU. Without one, kernels run on the CPU."""
    return _kiln.gpu_count() > 0


def is_bfloat16_supported() -> bool:
    """True if kernels may use :mod:`kiln.cuda.bf16`: on GPUs from compute capability 8.0 on, and on the CPU."""
    return not is_available() or get_current_device().compute_capability >= (8, 0)


def is_float16_supported() -> bool:
    """True: kernels may use :func:`fp16` on every device."""
    return True


def is_supported_version() -> bool:
    """True; for compatibility."""
    return True


def synchronize() -> None:
    """Waits for all launches. Raises exceptions of kernels with ``debug=True``."""
    _kiln.synchronize()


# ---- arrays


def _arrays():
    from . import _arrays

    return _arrays


def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: DeviceNDArray | None = None) -> DeviceNDArray:
    """Copies a host array to the current device."""
    import numpy as np

    if isinstance(obj, _arrays().DeviceNDArray):
        return obj
    if is_cuda_array(obj):
        return as_cuda_array(obj)
    if to is None:
        ary = np.asarray(obj)
        order = "F" if ary.flags.f_contiguous and not ary.flags.c_contiguous else "C"
        to = _arrays().empty(ary.shape, ary.dtype, order=order, is_written=copy)
        if to._device >= 0 and order == "F":
            to = _arrays().empty(ary.shape[::-1], ary.dtype, is_written=copy).T
        obj = ary
    to.copy_to_device(obj, stream=stream)
    to.stream = stream
    return to


def device_array(shape: Any, dtype: Any = float, strides: Any = None, order: str = "C", stream: Any = 0) -> DeviceNDArray:
    """An uninitialised array on the current device."""
    if order == "F":
        shape = (shape,) if not isinstance(shape, (tuple, list)) else tuple(shape)
        made = _arrays().empty(shape[::-1], dtype).T
    else:
        made = _arrays().empty(shape, dtype, strides, order)
    made.stream = stream
    return made


def device_array_like(ary: Any, stream: Any = 0) -> DeviceNDArray:
    """An array on the current device with the shape, type and order of another."""
    return device_array(ary.shape, ary.dtype, order=_order_of(ary), stream=stream)


def _order_of(ary: Any) -> str:
    """The memory order of an array like it: that of its strides, even with gaps."""
    strides = [abs(stride) for stride in ary.strides or ()]
    return "F" if len(strides) > 1 and strides == sorted(strides) and strides[0] != strides[-1] else "C"


def _pinned(shape: Any, dtype: Any, order: Any) -> numpy.ndarray[Any, Any]:
    import numpy as np

    if _kiln.current_device() < 0:
        return np.zeros(shape, dtype, order)
    like = np.empty(shape, dtype, order)
    memory = _kiln.allocate(_kiln.current_device(), max(1, like.nbytes), True)
    made = np.asarray(_arrays()._Place(memory.address, like.shape, like.dtype, like.strides))
    _KEPT[memory.address] = memory  # pinned memory is never freed
    return made


_KEPT: dict = {}


def pinned_array(shape: Any, dtype: Any = float, strides: Any = None, order: str = "C") -> numpy.ndarray[Any, Any]:
    """An array in pinned host memory, which a GPU copies at full speed."""
    return _pinned(shape, dtype, order)


def pinned_array_like(ary: Any) -> numpy.ndarray[Any, Any]:
    """A pinned array of the shape and type of another."""
    return _pinned(ary.shape, ary.dtype, _order_of(ary))


def mapped_array(shape: Any, dtype: Any = float, strides: Any = None, order: str = "C", stream: Any = 0, portable: bool = False, wc: bool = False) -> DeviceNDArray:
    """An array in host memory that kernels can access."""
    held = _pinned(shape, dtype, order)
    made = _arrays().DeviceNDArray(held, held, _kiln.current_device())
    made.stream = stream
    return made


def mapped_array_like(ary: Any, stream: Any = 0, portable: bool = False, wc: bool = False) -> DeviceNDArray:
    """A mapped array of the shape, type and order of another."""
    return mapped_array(ary.shape, ary.dtype, order=_order_of(ary), stream=stream)


def managed_array(shape: Any, dtype: Any = float, strides: Any = None, order: str = "C", stream: Any = 0, attach_global: bool = True) -> numpy.ndarray[Any, Any]:
    """An array in managed memory: NumPy's to the host, and the same memory in kernels. Wait for them before reading it.

    Parameters
    ----------
    attach_global : bool, optional
        False: the host alone reaches it until a stream is told otherwise.
    """
    import numpy as np

    from . import _managed

    return _managed.made(shape, np.dtype(dtype), order, attach_global, stream)


@contextlib.contextmanager
def pinned(*arrays: Any) -> Iterator[None]:
    """Copies the arrays normally; for compatibility."""
    yield


@contextlib.contextmanager
def defer_cleanup() -> Iterator[None]:
    """No effect; for compatibility. Memory is freed in the order of its stream."""
    yield
