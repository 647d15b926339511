# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements of arrays: what NumPy's dtypes are in kernels."""

from __future__ import annotations

BY_TYPESTR = {
    "b1": "Bool", "i1": "Int8", "i2": "Int16", "i4": "Int32", "i8": "Int64", "u1": "UInt8", "u2": "UInt16", "u4": "UInt32", "u8": "UInt64",
    "f2": "Float16", "f4": "Float32", "f8": "Float64", "c8": "ComplexF32", "c16": "ComplexF64",
}  # fmt: skip


def element_type(dtype) -> str:
    """The element type in Kiln of a NumPy dtype."""
    if dtype.fields:
        return _record(dtype)
    if dtype.kind in "mM":
        return time_type(dtype)
    if dtype.kind in "US" and dtype.itemsize and dtype.str[0] != ">":
        made = f"Text{{{dtype.itemsize // (4 if dtype.kind == 'U' else 1)},{'UInt32' if dtype.kind == 'U' else 'UInt8'}}}"
        RECORDS[made.lower()] = dtype
        return made
    name = "BFloat16" if dtype.name == "bfloat16" else BY_TYPESTR.get(dtype.str[1:])
    if name is None or dtype.str[0] not in "<|=":
        raise TypeError(f"arrays of dtype {dtype!r} are no arguments of kernels: there are numbers of the machine's byte order, bool, datetime64, timedelta64 and texts of a fixed length")
    return name


# The units of datetime64 and timedelta64, coarse ones first, under their names in the library (dates.jl).
UNITS = {
    "Y": "year", "M": "month", "W": "week", "D": "day", "h": "hour", "m": "minute", "s": "second", "ms": "milli", "us": "micro", "ns": "nano",
    "ps": "pico", "fs": "femto", "as": "atto", "generic": "generic",
}  # fmt: skip


def time_type(dtype) -> str:
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


