# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks each field of an object's ``__cuda_array_interface__`` before its use."""

from __future__ import annotations

import operator
import re

_NEWEST = 3  # version of the protocol
_LIMIT = 1 << 63  # limit for bytes and extents
_END = 1 << 57  # end of the address range that x86-64, AArch64 and CUDA give to programs
_MOST_DIMENSIONS = 64
_TYPESTR = re.compile(r"([<>|=])([biufcmMSUV])(\d{1,9})(\[\w+\])?\Z")


class Described:
    """A checked interface: typestr, shape, strides (in bytes, or None), address, read-only flag, stream."""

    __slots__ = ("typestr", "itemsize", "shape", "strides", "address", "read_only", "stream")


def _wrong(field: str, why: str, error=ValueError) -> Exception:
    return error(f"field {field!r} of __cuda_array_interface__ {why}")


def _integers(field: str, value) -> tuple:
    if not isinstance(value, (tuple, list)):
        raise _wrong(field, f"has to be a tuple of integers, not {value!r}", TypeError)
    if len(value) > _MOST_DIMENSIONS:
        raise _wrong(field, f"has {len(value)} dimensions: at most {_MOST_DIMENSIONS} are possible")
    made = []
    for n in value:
        try:
            n = operator.index(n)
        except TypeError:
            raise _wrong(field, f"has to be a tuple of integers, not {value!r}", TypeError) from None
        if not -_LIMIT < n < _LIMIT:
            raise _wrong(field, f"holds {n}, which does not fit 64 bits")
        made.append(n)
    return tuple(made)


def _read_type(interface, made) -> int:
    """Sets the type; returns the alignment of an element."""
    typestr = interface["typestr"]
    if not isinstance(typestr, str):
        raise _wrong("typestr", f"has to be a text such as '<f4', not {typestr!r}", TypeError)
    found = _TYPESTR.match(typestr)
    if found is None:
        raise _wrong("typestr", f"is {typestr!r}: write it as NumPy does, '<f4'", TypeError)
    made.typestr, made.itemsize = typestr, int(found[3]) * (4 if found[2] == "U" else 1)
    if made.itemsize > _LIMIT >> 1:
        raise _wrong("typestr", f"names elements of {made.itemsize} bytes")
    descr = interface.get("descr")
    if descr is not None and not (isinstance(descr, (list, tuple)) and all(isinstance(part, (tuple, list)) and len(part) in (2, 3) for part in descr)):
        raise _wrong("descr", f"has to be a list of (name, typestr), not {descr!r}", TypeError)
    if found[2] in "SV" or made.itemsize & made.itemsize - 1 or not made.itemsize:
        return 1
    return 4 if found[2] == "U" else made.itemsize // 2 if found[2] == "c" else made.itemsize


def _read_place(interface, made) -> None:
    data = interface["data"]
    if not isinstance(data, (tuple, list)) or len(data) != 2:
        raise _wrong("data", f"has to be (address, is read-only), not {data!r}", TypeError)
    address, read_only = data
    try:
        made.address = operator.index(address) if address is not None else 0
    except TypeError:
        raise _wrong("data", f"has to begin with an address, an integer, not {address!r}", TypeError) from None
    if not 0 <= made.address < 1 << 64:
        raise _wrong("data", f"has the address {made.address}, which is none of 64 bits")
    if not isinstance(read_only, (bool, int)) and type(read_only).__name__ not in ("bool_", "bool"):
        raise _wrong("data", f"has to end with True for memory that is read-only, else False, not {read_only!r}", TypeError)
    made.read_only = bool(read_only)


def _check_extent(made, align: int) -> None:
    """Checks that all elements are in addressable memory, and aligned for their type."""
    count = 1
    for n in made.shape:
        if n < 0:
            raise _wrong("shape", f"has the negative size {n}")
        count *= n
    if count * made.itemsize >= _LIMIT or any(n >= _LIMIT // max(made.itemsize, 1) for n in made.shape):
        raise _wrong("shape", f"asks for {count} elements of {made.itemsize} bytes, more than 64 bits address")
    if made.strides is not None and len(made.strides) != len(made.shape):
        raise _wrong("strides", f"has {len(made.strides)} dimensions, and shape has {len(made.shape)}")
    if not count:
        return
    if not made.address:
        raise _wrong("data", f"has no address, but the array has {count} elements")
    low, high = made.address, made.address + (count * made.itemsize if made.strides is None else made.itemsize)
    for n, step in zip(made.shape, made.strides or ()):
        if step < 0:
            low += (n - 1) * step
        else:
            high += (n - 1) * step
    if low < 0 or high > _END:
        field = "data" if made.address >= _END else "shape" if made.strides is None else "strides"
        raise _wrong(field, "leads to elements outside of the addresses that a process has")
    if made.address % align:
        raise _wrong("data", f"has the address {made.address:#x}, where no element of {made.itemsize} bytes may lie: pass a copy of the array")
    if any(n > 1 and step % align for n, step in zip(made.shape, made.strides or ())):
        raise _wrong("strides", f"leads to elements of {made.itemsize} bytes that are not aligned: pass a copy of the array")


def _read_stream(stream):
    if stream is None:
        return None
    try:
        made = operator.index(stream)
    except TypeError:
        raise _wrong("stream", f"has to be a CUstream as an integer, or None, not {stream!r}", TypeError) from None
    if made == 0:
        raise _wrong("stream", "is the stream 0, which the protocol forbids: 1 is the legacy default stream, 2 the thread's own")
    if not 0 < made < 1 << 64:
        raise _wrong("stream", f"is {made}, which is no CUstream")
    return made


def read(interface) -> Described:
    """The checked interface. TypeError, ValueError and NotImplementedError name the faulty field."""
    if not isinstance(interface, dict):
        raise TypeError(f"__cuda_array_interface__ has to be a dictionary, not {interface!r}")
    for field in ("shape", "typestr", "data"):
        if field not in interface:
            raise _wrong(field, "is missing", TypeError)
    version = interface.get("version", _NEWEST)
    if isinstance(version, bool) or not isinstance(version, int):
        raise _wrong("version", f"has to be an integer, not {version!r}", TypeError)
    if not 0 <= version <= _NEWEST:
        raise _wrong("version", f"is {version}: versions 0 to {_NEWEST} of the protocol are known")
    if interface.get("mask") is not None:
        raise _wrong("mask", "is set: Masked arrays are not supported, so apply the mask first", NotImplementedError)
    made = Described()
    align = _read_type(interface, made)
    made.shape = _integers("shape", interface["shape"])
    strides = interface.get("strides")
    made.strides = None if strides is None else _integers("strides", strides)
    _read_place(interface, made)
    _check_extent(made, align)
    made.stream = _read_stream(interface.get("stream"))
    return made
