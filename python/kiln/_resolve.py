# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Answers questions of the C++ conversion about unknown objects in kernels."""

from __future__ import annotations

import sys
import types as python_types

from . import _kiln, _types
from ._arguments import view
from ._elements import element_type
from ._names import function as _library


def _enum():
    import enum

    return enum.Enum


def _is_cffi(value) -> bool:
    """True for an FFI object of cffi, whose from_buffer returns an array's pointer."""
    return type(value).__name__ == "FFI" and type(value).__module__.partition(".")[0] in ("cffi", "_cffi_backend")


def has_fixed_attributes(base) -> bool:
    """True if attributes of the object are constants at compile time: for enumerations, named tuples and namespaces, as for modules."""
    if isinstance(base, tuple) and hasattr(type(base), "_fields"):
        return True
    if _is_cffi(base):
        return True
    return isinstance(base, (_enum(), _types.Type, python_types.SimpleNamespace)) or hasattr(type(base), "_kiln_namespace_")


_pointer = _library("from_buffer")
_kept: dict = {}  # arrays whose address is in compiled code, by address: never freed


def from_buffer(array):
    """Replaces cffi's ``ffi.from_buffer(array)`` in kernels: the pointer of an array, for linked functions."""
    return _pointer(array)


def _captured(array):
    """A device array as a free name: its address and shape are constants of the code, but its elements are read at run time."""
    _, element, address, shape, strides, _, layout = view(array)
    _kept[address] = array
    return ("placed", element, address, tuple(shape), tuple(strides) if layout == "A" else layout)


def describe(value):
    """A tuple that C++ reads: freeze.cpp. What the object itself raises, or an array of no element of kernels, is an error at its name."""
    try:
        return _describe(value)
    except (TypeError, ValueError, AttributeError) as error:
        kind = type(value)
        return ("error", f"an object of class `{kind.__module__}.{kind.__qualname__}` cannot be frozen in a kernel: {error}")


def _describe(value):
    if isinstance(value, _kiln.Dispatcher):
        return ("function", value.in_kernels() if hasattr(value, "in_kernels") else value.py_func)
    held = getattr(type(value), "_kiln_constant_", None)
    if held is not None:
        return held(value)
    if isinstance(value, (_types.Number, _types.CPointer, _types.Record)):
        return ("type", value.engine_type)
    if isinstance(value, _enum()):
        return ("value", int(value) if isinstance(value, int) else value.value)
    if isinstance(value, bool):
        return ("value", bool(value))
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        if isinstance(value, numpy.generic):
            return ("number", element_type(value.dtype), value.tobytes())
        if isinstance(value, numpy.ndarray):
            return ("array", element_type(value.dtype), tuple(value.shape), value.tobytes())
        if isinstance(value, numpy.dtype) or (isinstance(value, type) and issubclass(value, numpy.generic)):
            return ("type", element_type(numpy.dtype(value)))
    if isinstance(value, int):
        return ("value", int(value))
    if isinstance(value, float):
        return ("value", float(value))
    if isinstance(value, tuple):
        return ("value", tuple(value))
    if hasattr(value, "__cuda_array_interface__"):
        return _captured(value)
    if type(value).__name__ == "partial":
        return ("error", "functools.partial is not for kernels: write a function")
    wrapped = getattr(value, "py_func", None) or getattr(value, "__wrapped__", None)
    if wrapped is not None and hasattr(wrapped, "__code__"):
        return ("function", wrapped)
    kind = type(value)
    if getattr(value, "__name__", "") == "from_buffer" and _is_cffi(getattr(value, "__self__", None)):
        return ("function", from_buffer)
    if isinstance(value, python_types.MethodType):
        return ("error", f"the method `{value.__qualname__}` of an object is not for kernels: write a function")
    if kind.__module__ == "builtins" and callable(value) and not isinstance(value, type):
        return ("error", f"the function `{getattr(value, '__qualname__', value)}` is not supported in kernels")
    if isinstance(value, python_types.ModuleType):
        return ("error", f"the module `{value.__name__}` is no value: name something in it")
    if isinstance(value, (dict, list, set)):
        return ("error", f"a {kind.__name__} of the program cannot be frozen in a kernel: use a tuple, a NumPy array, or an argument")
    if isinstance(value, type):
        return ("error", f"the class `{value.__qualname__}` is not supported in kernels")
    return ("error", f"an object of class `{kind.__module__}.{kind.__qualname__}` cannot be frozen in a kernel: there are numbers, tuples, NumPy arrays and functions")
