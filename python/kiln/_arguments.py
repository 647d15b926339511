# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the launch in C++ asks for objects that it does not know."""

from __future__ import annotations

from . import _kiln

_BY_TYPESTR = {
    "b1": "Bool", "i1": "Int8", "i2": "Int16", "i4": "Int32", "i8": "Int64", "u1": "UInt8", "u2": "UInt16", "u4": "UInt32", "u8": "UInt64",
    "f2": "Float16", "f4": "Float32", "f8": "Float64", "c8": "ComplexF32", "c16": "ComplexF64",
}  # fmt: skip

TYPESTR = {name: typestr for typestr, name in _BY_TYPESTR.items()}


def dtype_of(name: str):
    """The NumPy dtype of an element type in Kiln."""
    from . import _types

    return _types.as_dtype(_types.BY_KILN[name])


def element_type(dtype) -> str:
    """The element type in Kiln of a NumPy dtype."""
    if dtype.fields:
        return _record(dtype)
    if dtype.kind in "mM":
        return _time(dtype)
    if dtype.kind in "US" and dtype.itemsize and dtype.str[0] != ">":
        made = f"Text{{{dtype.itemsize // (4 if dtype.kind == 'U' else 1)},{'UInt32' if dtype.kind == 'U' else 'UInt8'}}}"
        RECORDS[made.lower()] = dtype
        return made
    name = "BFloat16" if dtype.name == "bfloat16" else _BY_TYPESTR.get(dtype.str[1:])
    if name is None or dtype.str[0] not in "<|=":
        raise TypeError(f"arrays of dtype {dtype!r} are no arguments of kernels: there are numbers of the machine's byte order, bool, datetime64, timedelta64 and texts of a fixed length")
    return name


# The units of datetime64 and timedelta64, coarse ones first, under their names in the library (dates.jl).
UNITS = {
    "Y": "year", "M": "month", "W": "week", "D": "day", "h": "hour", "m": "minute", "s": "second", "ms": "milli", "us": "micro", "ns": "nano",
    "ps": "pico", "fs": "femto", "as": "atto", "generic": "generic",
}  # fmt: skip


def _time(dtype) -> str:
    """The type of a dtype of dates or of their differences: kind and unit."""
    import numpy

    unit, count = numpy.datetime_data(dtype)
    if count != 1 or dtype.str[0] == ">":
        raise TypeError(f"arrays of dtype {dtype!r} are no arguments of kernels: times are of one unit there, in the machine's byte order")
    return f"{'Date' if dtype.kind == 'M' else 'Span'}{{:{UNITS[unit]}}}"


RECORDS: dict = {}  # dtypes by their types' text


def _record(dtype) -> str:
    """The type of a dtype with fields: their names, types and offsets, and the size."""
    names, types, offsets = [], [], []
    for name in dtype.names:
        of, offset = dtype.fields[name][:2]
        names.append('Symbol("' + name.replace("\\", "\\\\").replace('"', '\\"') + '")')
        types.append(_field_type(of))
        offsets.append(str(offset))
    comma = "," if len(names) == 1 else ""
    made = f"Record{{({', '.join(names)}{comma}), Tuple{{{', '.join(types)}}}, ({', '.join(offsets)}{comma}),{dtype.itemsize}}}"
    RECORDS[made.lower()] = dtype
    return made


def _field_type(dtype) -> str:
    if dtype.subdtype is not None:
        element, shape = dtype.subdtype
        return f"Python.Nested{{{_field_type(element)}, ({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''}), {dtype.itemsize}}}"
    name = element_type(dtype)
    if dtype.fields or dtype.kind in "mMUS":
        return "Python." + name
    return {"ComplexF32": "Complex{Float32}", "ComplexF64": "Complex{Float64}"}.get(name, name)


def _is_compact(shape, strides, size, order) -> bool:
    for n, stride in order(list(zip(shape, strides))):
        if n != 1 and stride != size:
            return False
        size *= n
    return True


def layout_of(shape, strides, itemsize: int) -> str:
    """'C', 'F' or 'A', for strides in bytes; None stands for those of rows."""
    if strides is None or 0 in shape:
        return "C"
    if _is_compact(shape, strides, itemsize, reversed):
        return "C"
    return "F" if _is_compact(shape, strides, itemsize, iter) else "A"


def has_layout(shape, strides, itemsize: int, layout: str) -> bool:
    """Whether an array with these strides is one of the layout 'C', 'F' or 'A'."""
    if layout == "A" or 0 in shape:
        return True
    if strides is None:
        return layout == "C" or len(shape) < 2
    return _is_compact(shape, strides, itemsize, reversed if layout == "C" else iter)


def enum_class():
    """enum.Enum, which is there already if an argument is one."""
    import enum

    return enum.Enum


def view(argument):
    """An argument as ("host" or "device", element type, address, shape, strides, is read-only, layout), or ("value", another object)."""
    described = getattr(type(argument), "_kiln_view_", None)
    if described is not None:
        return described(argument)
    interface = getattr(argument, "__cuda_array_interface__", None)
    if interface is None and hasattr(type(argument), "__dlpack__"):
        return view_of_dlpack(argument)
    if interface is not None:
        from . import _interface

        described = _interface.read(interface)
        wait_for_producer(described.stream)
        typestr, size = described.typestr, described.itemsize
        name = _BY_TYPESTR.get(typestr[1:])
        if typestr[1] in "mM":
            import numpy

            name, typestr = _time(numpy.dtype(typestr)), "<M8"
        if size == 2 and str(getattr(argument, "dtype", "")) == "bfloat16":  # of which typestr tells the size alone
            name = "BFloat16"
        if name is None or typestr[0] == ">":
            raise TypeError(f"field 'typestr' of __cuda_array_interface__ is {typestr!r}: arrays of this type are no arguments of kernels")
        layout = layout_of(described.shape, described.strides, size)
        return ("device", name, described.address, described.shape, described.strides, described.read_only, layout)
    if isinstance(argument, int):
        import enum

        if isinstance(argument, enum.IntEnum):
            return ("value", int(argument))
    if isinstance(argument, enum_class()):
        return ("value", argument.value)
    if isinstance(argument, tuple):
        names = getattr(type(argument), "_fields", None)
        return ("named", tuple(argument), ", ".join(names)) if names else ("value", tuple(argument))
    kind = type(argument)
    raise TypeError(f"{kind.__module__}.{kind.__qualname__} is no type of a kernel's argument: there are numbers, NumPy arrays, arrays of a device, and tuples of these")


def view_of_dlpack(argument):
    """The same of an array that exports DLPack: without a copy; its library makes our stream wait for what it still does."""
    import sys

    module = sys.modules.get(type(argument).__module__.partition(".")[0])
    place = argument.__dlpack_device__()
    if module is not None and hasattr(module, "ndarray") and isinstance(argument, getattr(module, "generic", ())):
        raise TypeError("no array")
    # 1: the legacy default stream, into which launches go; the CPU has none.
    stream = 1 if int(place[0]) in (2, 13) else None
    try:
        capsule = argument.__dlpack__(stream=stream, max_version=(1, 0))
    except TypeError:  # libraries of before DLPack 1.0 know no max_version
        capsule = argument.__dlpack__(stream=stream)
    return _kiln.dlpack_view(capsule)


def wait_for_producer(stream) -> None:
    """Waits for the stream that __cuda_array_interface__ names, as its third version asks; KILN_CUDA_ARRAY_INTERFACE_SYNC=0 leaves that to the program."""
    if stream is not None and waits_for_producers():
        from .cuda._api import external_stream

        external_stream(stream).synchronize()


def waits_for_producers() -> bool:
    """Whether streams of `__cuda_array_interface__` are waited for."""
    import os

    from .cuda import config

    if config.CUDA_ARRAY_INTERFACE_SYNC is not None:
        return bool(config.CUDA_ARRAY_INTERFACE_SYNC)
    return os.environ.get("KILN_CUDA_ARRAY_INTERFACE_SYNC", os.environ.get("NUMBA_CUDA_ARRAY_INTERFACE_SYNC", "1")) != "0"


def view_of_record(argument):
    """The same of a record, as an array of no dimensions at its place."""
    return ("host", element_type(argument.dtype), argument.__array_interface__["data"][0], (), (), False, "C")


def view_of_array(argument):
    """The same of an array of any kind; TypeError of anything else."""
    import numpy

    if not isinstance(argument, numpy.ndarray):
        described = view(argument)
        if described[0] == "value":
            raise TypeError("no array")
        return described
    name = element_type(argument.dtype)
    layout = layout_of(argument.shape, argument.strides, argument.itemsize)
    return ("host", name, argument.ctypes.data, argument.shape, argument.strides, not argument.flags.writeable, layout)


class Pointer:
    """An address as a pointer to values of a type."""

    def __init__(self, name, address):
        import operator

        self.described = ("pointer", name, operator.index(address))

    def _kiln_view_(self):
        return self.described


class Reinterpreted:
    """An array as another type of array: read-only, of any strides, of another element type."""

    def __init__(self, held, view, name, itemsize: int, read_only: bool, layout: str):
        kind, _, address, shape, strides, *_ = view
        self.held = held
        if strides is None:
            strides, size = [], itemsize
            for n in reversed(shape):
                strides.insert(0, size)
                size *= n
        self.described = (kind, name, address, shape, tuple(strides), read_only, layout)

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


def bind(function, args, kwargs) -> tuple:
    """The arguments in the order of the kernel's parameters, with its defaults."""
    import inspect

    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    positional = []
    for name, parameter in bound.signature.parameters.items():
        value = bound.arguments[name]
        positional.extend(value) if parameter.kind is parameter.VAR_POSITIONAL else positional.append(value)
    return tuple(positional)


def launch_converted(configured, args):
    """A launch of a kernel whose types were given, with arguments of other types: converted as Numba does it."""
    from ._conversion import convert

    return configured(*convert(configured.dispatcher, args))


def warn_of_grid(blocks: int) -> None:
    """With a configuration of few blocks, once."""
    from .cuda import config

    if config.is_on("CUDA_LOW_OCCUPANCY_WARNINGS"):
        _warn(f"Grid size {blocks} will likely result in GPU under-utilization due to low occupancy: launch hundreds of blocks")


def warn_of_copies() -> None:
    """With the first launch of a configuration that takes an array of the host's."""
    from .cuda import config

    if config.is_on("CUDA_WARN_ON_IMPLICIT_COPY"):
        _warn("Host array used in CUDA kernel will incur copy overhead to/from device: cuda.to_device copies it once")


def _warn(message: str) -> None:
    import warnings

    from .errors import NumbaPerformanceWarning

    warnings.warn(message, NumbaPerformanceWarning, stacklevel=3)


def warn_of_no_gpu() -> None:
    """Once a process, with the first launch that would have gone to a GPU."""
    import warnings

    from .errors import NoDeviceWarning

    warnings.warn("there is no GPU that Kiln can use: kernels of cuda.jit run on the CPU", NoDeviceWarning, stacklevel=3)


_kiln.set_argument_resolver(__import__("sys").modules[__name__])
