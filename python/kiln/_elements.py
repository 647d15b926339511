# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types of arrays: maps NumPy's dtypes to types in kernels."""

from __future__ import annotations

from ._kiln import Type, time_units

# Number types by NumPy's type string without its byte order: "f4" for "<f4".
BY_TYPESTR = {
    typestr: Type.number(name)
    for typestr, name in {
        "b1": "bool", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
        "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128",
    }.items()
}  # fmt: skip
BFLOAT16 = Type.number("bfloat16")

# Units of datetime64 and timedelta64, coarsest first, with their names in python/library (dates.jl).
UNITS = time_units()


def element_type(dtype) -> Type:
    """The element type for a NumPy dtype; TypeError if kernels have none."""
    if dtype.fields:
        return _record(dtype)
    if dtype.kind in "mM":
        return time_type(dtype)
    if dtype.kind in "US" and dtype.itemsize and dtype.str[0] != ">":
        size = 4 if dtype.kind == "U" else 1
        return Type.text(dtype.itemsize // size, size)
    found = BFLOAT16 if dtype.name == "bfloat16" else BY_TYPESTR.get(dtype.str[1:])
    if found is None or dtype.str[0] not in "<|=":
        raise TypeError(f"arrays of dtype {dtype!r} are no arguments of kernels: there are numbers of the machine's byte order, bool, datetime64, timedelta64 and texts of a fixed length")
    return found


def time_type(dtype) -> Type:
    """The element type for a dtype of dates or time differences."""
    import numpy

    unit, count = numpy.datetime_data(dtype)
    if count != 1 or dtype.str[0] == ">":
        raise TypeError(f"arrays of dtype {dtype!r} are no arguments of kernels: times are of one unit there, in the machine's byte order")
    return Type.datetime(unit) if dtype.kind == "M" else Type.timedelta(unit)


def _record(dtype) -> Type:
    return Type.record([(name, _field_type(dtype.fields[name][0]), dtype.fields[name][1]) for name in dtype.names], dtype.itemsize)


def _field_type(dtype) -> Type:
    if dtype.subdtype is None:
        return element_type(dtype)
    element, shape = dtype.subdtype
    return Type.nested(_field_type(element), shape)


def dtype_of(type_: Type):
    """The NumPy dtype for a number, time, text, record or field; ImportError for bfloat16 without the package ml_dtypes."""
    import numpy

    if type_ is BFLOAT16:
        try:
            import ml_dtypes
        except ImportError:
            raise ImportError("NumPy has no bfloat16 of its own: install ml_dtypes, or use arrays of PyTorch or CuPy") from None
        return numpy.dtype(ml_dtypes.bfloat16)
    if type_.kind == "text":
        count, size = type_.parameters
        return numpy.dtype(f"{'U' if size == 4 else 'S'}{count}")
    if type_.kind == "nested":
        element, shape = type_.parameters
        return numpy.dtype((dtype_of(element), shape))
    if type_.kind == "record":
        names, types, offsets = zip(*type_.fields)
        return numpy.dtype({"names": list(names), "formats": list(map(dtype_of, types)), "offsets": list(offsets), "itemsize": type_.size})
    if type_.kind == "number":
        return numpy.dtype(type_.parameters[0])
    if type_.kind not in ("datetime", "timedelta"):
        raise TypeError(f"{type_} has no dtype")
    (unit,) = type_.parameters
    return numpy.dtype(("M8" if type_.kind == "datetime" else "m8") + ("" if unit == "generic" else f"[{unit}]"))
