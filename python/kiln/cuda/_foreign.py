# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries as device arrays."""

from __future__ import annotations

from .. import _arguments, _interface, _kiln
from .._elements import dtype_of
from ._streams import external_stream

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from typing import Any

    from ._arrays import DeviceNDArray


def is_cuda_array(obj: Any) -> bool:
    """True for a device array."""
    return hasattr(obj, "__cuda_array_interface__")


def as_cuda_array(obj: Any, sync: bool = True) -> DeviceNDArray:
    """A view of an array of another library (CuPy, PyTorch, JAX, NumPy ...), without a copy.

    Parameters
    ----------
    obj : object
        An array with ``__cuda_array_interface__`` or ``__dlpack__``.
    sync : bool, optional
        Wait for the stream that the array names, in which its values may still be made. KILN_CUDA_ARRAY_INTERFACE_SYNC=0 turns that off for all.

    Returns
    -------
    DeviceNDArray
        It keeps `obj` alive.
    """
    import numpy as np

    from . import _arrays

    interface = getattr(obj, "__cuda_array_interface__", None)
    if interface is None:
        if not hasattr(obj, "__dlpack__"):
            raise TypeError("the object has neither __cuda_array_interface__ nor __dlpack__")
        kind, element, address, shape, strides, read_only, _ = _arguments.view_of_dlpack(obj)
        device = max(_kiln.current_device(), 0) if kind == "device" else -1
        return _arrays.place(address, shape, dtype_of(element), strides, obj, device)
    described = _interface.read(interface)
    if sync:
        _arguments.wait_for_producer(described.stream)
    try:
        dtype = np.dtype(described.typestr)
    except TypeError as error:
        raise TypeError(f"field 'typestr' of __cuda_array_interface__ is {described.typestr!r}: {error}") from None
    made = _arrays.place(described.address, described.shape, dtype, described.strides, obj, _kiln.current_device())
    if described.stream is not None:
        made.stream = external_stream(described.stream)
    return made


class _Described:
    def __init__(self, interface, owner):
        self.__cuda_array_interface__, self.owner = interface, owner


def from_cuda_array_interface(desc: Any, owner: Any = None, sync: bool = True) -> DeviceNDArray:
    """A view of the memory in a dictionary of the CUDA Array Interface. Keeps `owner` alive."""
    return as_cuda_array(desc if is_cuda_array(desc) else _Described(desc, owner), sync)
