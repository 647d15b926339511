# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts launch arguments that the C++ code does not know: to views of arrays, or to other values."""

from __future__ import annotations

from . import _kiln
from ._elements import BFLOAT16, BY_TYPESTR, element_type, time_type

stream_class = None  # kiln.cuda.Stream, once it is imported


def _is_compact(shape, strides, size, order) -> bool:
    for n, stride in order(list(zip(shape, strides))):
        if n != 1 and stride != size:
            return False
        size *= n
    return True


def layout_of(shape, strides, itemsize: int) -> str:
    """The layout 'C', 'F' or 'A' of strides in bytes; None means row-major."""
    if strides is None or 0 in shape:
        return "C"
    if _is_compact(shape, strides, itemsize, reversed):
        return "C"
    return "F" if _is_compact(shape, strides, itemsize, iter) else "A"


def has_layout(shape, strides, itemsize: int, layout: str) -> bool:
    """True if an array with these strides has the layout 'C', 'F' or 'A'."""
    if layout == "A" or 0 in shape:
        return True
    if strides is None:
        return layout == "C" or len(shape) < 2
    return _is_compact(shape, strides, itemsize, reversed if layout == "C" else iter)


def enum_class():
    """enum.Enum, which is already imported if an argument is one."""
    import enum

    return enum.Enum


def view(argument):
    """Describes an argument as ("host" or "device", element Type, address, shape, strides, is read-only, layout), or ("value", another object)."""
    described = getattr(type(argument), "_kiln_view_", None)
    if described is not None:
        return described(argument)
    interface = getattr(argument, "__cuda_array_interface__", None)
    if interface is None and hasattr(type(argument), "__dlpack__"):
        return view_of_dlpack(argument)
    if interface is not None:
        from . import _interface  # imports re, which takes milliseconds

        described = _interface.read(interface)
        wait_for_producer(described.stream)
        typestr, size = described.typestr, described.itemsize
        element = BY_TYPESTR.get(typestr[1:])
        if typestr[1] in "mM":
            import numpy

            element, typestr = time_type(numpy.dtype(typestr)), "<M8"
        if size == 2 and str(getattr(argument, "dtype", "")) == "bfloat16":  # typestr has only its size
            element = BFLOAT16
        if element is None or typestr[0] == ">":
            raise TypeError(f"field 'typestr' of __cuda_array_interface__ is {typestr!r}: arrays of this type are no arguments of kernels")
        layout = layout_of(described.shape, described.strides, size)
        return ("device", element, described.address, described.shape, described.strides, described.read_only, layout)
    if isinstance(argument, int):
        import enum

        if isinstance(argument, enum.IntEnum):
            return ("value", int(argument))
    if isinstance(argument, enum_class()):
        return ("value", argument.value)
    if isinstance(argument, tuple):
        names = getattr(type(argument), "_fields", None)
        return ("named", tuple(argument), names) if names else ("value", tuple(argument))
    kind = type(argument)
    raise TypeError(f"{kind.__module__}.{kind.__qualname__} is no type of a kernel's argument: there are numbers, NumPy arrays, arrays of a device, and tuples of these")


def view_of_dlpack(argument):
    """As `view`, for a DLPack exporter: without a copy. Its library makes our stream wait for its pending work."""
    import sys

    module = sys.modules.get(type(argument).__module__.partition(".")[0])
    place = argument.__dlpack_device__()
    if module is not None and hasattr(module, "ndarray") and isinstance(argument, getattr(module, "generic", ())):
        raise TypeError("no array")
    # DLPack's number 1 means CUDA's legacy default stream, which launches use. A CPU array has no stream.
    stream = 1 if int(place[0]) in (2, 13) else None
    try:
        capsule = argument.__dlpack__(stream=stream, max_version=(1, 0))
    except TypeError:  # libraries from before DLPack 1.0 do not know the argument max_version
        capsule = argument.__dlpack__(stream=stream)
    return _kiln.dlpack_view(capsule)


def wait_for_producer(stream) -> None:
    """Waits for the stream in __cuda_array_interface__, as version 3 requires. KILN_CUDA_ARRAY_INTERFACE_SYNC=0 leaves that to the program."""
    if stream is not None and waits_for_producers():
        device = _kiln.current_device()
        if device >= 0:
            _kiln.wait_for(device, stream)
        else:  # a stream of Kiln's own: there are no others on the CPU
            stream_class(stream).synchronize()


def waits_for_producers() -> bool:
    """True if launches wait for streams of `__cuda_array_interface__`."""
    import os

    from . import _config

    if _config.CUDA_ARRAY_INTERFACE_SYNC is not None:
        return bool(_config.CUDA_ARRAY_INTERFACE_SYNC)
    return os.environ.get("KILN_CUDA_ARRAY_INTERFACE_SYNC", os.environ.get("NUMBA_CUDA_ARRAY_INTERFACE_SYNC", "1")) != "0"


def view_of_record(argument):
    """As `view`, for a record: an array without dimensions at its address."""
    return ("host", element_type(argument.dtype), argument.__array_interface__["data"][0], (), (), False, "C")


def view_of_array(argument):
    """As `view`, for any array; TypeError for other objects."""
    import numpy

    if not isinstance(argument, numpy.ndarray):
        described = view(argument)
        if described[0] == "value":
            raise TypeError("no array")
        return described
    element = element_type(argument.dtype)
    layout = layout_of(argument.shape, argument.strides, argument.itemsize)
    return ("host", element, argument.ctypes.data, argument.shape, argument.strides, not argument.flags.writeable, layout)


class Pointer:
    """Types an address as a pointer to values of a type."""

    def __init__(self, type_, address):
        import operator

        self.described = ("pointer", type_, operator.index(address))

    def _kiln_view_(self):
        return self.described


class Reinterpreted:
    """Passes an array as another array type: read-only, with arbitrary strides, or with another element type."""

    def __init__(self, held, view, element, read_only: bool, layout: str):
        kind, given, address, shape, strides, *_ = view
        self.held = held
        if strides is None:
            strides, size = [], given.size
            for n in reversed(shape):
                strides.insert(0, size)
                size *= n
        self.described = (kind, element, address, shape, tuple(strides), read_only, layout)

    def _kiln_view_(self):
        return self.described


def stream_handle(stream) -> int:
    """The CUstream of a stream object, as a number."""
    if isinstance(stream, int):
        return stream
    shared = getattr(stream, "__cuda_stream__", None)
    if shared is not None:
        return int((shared() if callable(shared) else shared)[1])
    handle = getattr(stream, "handle", None)
    if handle is not None:
        return int(getattr(handle, "value", handle) or 0)
    raise TypeError(f"{stream!r} is no stream")
