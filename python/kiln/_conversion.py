# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts arguments of other types than a kernel's signatures as Numba does, or raises an error that names the mismatch."""

from __future__ import annotations

from . import _arguments, _kiln, _types


def convert(dispatcher, args):
    """Converts for the signature with the fewest lossy conversions, then the fewest conversions."""
    best, found = None, None
    is_only = len(dispatcher._signatures) == 1
    for types in dispatcher._signatures:
        if len(types) != len(args):
            continue
        try:
            converted = [converted_to(arg, wanted, is_only) for arg, wanted in zip(args, types)]
        except TypeError:
            continue
        costs = [cost for arg, wanted in zip(args, types) for cost in _costs(arg, wanted)]
        rank = costs.count(2), costs.count(1)
        given = [_kiln.type_of_value(arg) for arg in converted]
        if given in dispatcher._specialisations() and (best is None or rank < best):
            best, found = rank, converted
    if found is None:
        raise TypeError(_mismatch(dispatcher, args, is_only))
    return found


def converted_to(arg, wanted, is_only=False):
    """Converts an argument to the type, tuples item by item; TypeError if that is impossible. `is_only`: accepts arrays of other elements of the same size."""
    if isinstance(wanted, _types.Tuple):
        if not isinstance(arg, tuple) or len(arg) != len(wanted.types):
            raise TypeError(f"a tuple of {len(wanted.types)}")
        return tuple(converted_to(item, type_, is_only) for item, type_ in zip(arg, wanted.types))
    if isinstance(wanted, _types.Number):
        if getattr(arg, "shape", None) or isinstance(arg, (tuple, list, str, bytes)):
            raise TypeError("a number")
        import numpy

        number = numpy.asarray(arg)
        if number.dtype.kind == "c" and not isinstance(wanted, _types.Complex):
            raise TypeError("no complex number")
        return number.astype(wanted.typestr)[()]  # integers wrap, as in Numba
    if isinstance(wanted, _types.CPointer):
        return _arguments.Pointer(wanted.engine_type, arg)
    if isinstance(wanted, _types.Array):
        return _converted_array(arg, wanted, is_only)
    return arg


def _converted_array(arg, wanted, is_only: bool):
    view = _arguments.view_of_array(arg)
    _, given, _, shape, strides, *_ = view
    element = wanted.dtype.engine_type
    is_same = given is element or is_only and (given.size == element.size or _are_low_bits(given, wanted))
    if len(shape) != wanted.ndim or not is_same or not _arguments.has_layout(shape, strides, given.size, wanted.layout):
        raise TypeError("an array")
    return _arguments.Reinterpreted(arg, view, element, not wanted.mutable, wanted.layout)


def _are_low_bits(given, wanted) -> bool:
    """True if elements of the type `wanted` are the low bits of integers `given`. The strides remain those of the argument, as in Numba."""
    integers = {number.engine_type for number in _types.integer_domain}
    element = wanted.dtype.engine_type
    return wanted.layout == "A" and given in integers and element in integers and element.size < given.size


def _costs(arg, wanted):
    """Cost of the conversion of each number: 0 none, 1 lossless, 2 lossy."""
    if isinstance(wanted, _types.Tuple):
        return [cost for item, type_ in zip(arg, wanted.types) for cost in _costs(item, type_)]
    if not isinstance(wanted, _types.Number):
        return []
    import numpy

    given, to = numpy.asarray(arg).dtype, numpy.dtype(wanted.typestr)
    return [0 if given == to else 1 if numpy.can_cast(given, to, "safe") else 2]


# ---- the error


def _given_type(arg) -> str:
    if isinstance(arg, tuple):
        return f"Tuple({', '.join(map(_given_type, arg))})"
    try:
        return repr(_kiln.type_of_value(arg))
    except (TypeError, ValueError, OverflowError, NotImplementedError):
        return f"{type(arg).__module__}.{type(arg).__qualname__}"


def _mismatch(dispatcher, args, is_only: bool) -> str:
    """Kernel, argument, given type and expected types."""
    lines = [f"No matching definition of kernel `{dispatcher.__name__}` for argument type(s) {', '.join(map(_given_type, args))}"]
    code = dispatcher.py_func.__code__
    names = code.co_varnames[: code.co_argcount]
    expected: dict = {}  # for each argument position that a signature rejects: the types accepted there
    for types in dispatcher._signatures:
        if len(types) != len(args):
            lines.append(f"  the signature ({', '.join(map(str, types))}) takes {len(types)} argument{'s' if len(types) != 1 else ''}, not {len(args)}")
            continue
        for k, (arg, wanted) in enumerate(zip(args, types)):
            try:
                converted_to(arg, wanted, is_only)
            except (TypeError, ValueError):
                expected.setdefault(k, []).append(wanted)
                break
    for k, types in sorted(expected.items()):
        name = f" `{names[k]}`" if k < len(names) else ""
        texts = " or ".join(dict.fromkeys(map(str, types)))
        lines.append(f"  argument {k + 1}{name} has type {_given_type(args[k])}; expected {texts}{_advice(args[k], types)}")
    return "\n".join(lines)


def _advice(arg, types) -> str:
    wanted = next((item for item in types if isinstance(item, _types.Array)), None)
    if wanted is None or not hasattr(arg, "dtype") or not isinstance(wanted.dtype, _types.Number):
        return ""
    if len(getattr(arg, "shape", ())) != wanted.ndim:
        return f", of {wanted.ndim} dimension{'s' if wanted.ndim != 1 else ''}"
    if wanted.dtype.name != str(arg.dtype):
        return f": convert it with .astype('{wanted.dtype.name}'), or add a signature"
    return ": pass numpy.ascontiguousarray(x)" if wanted.layout == "C" else ": pass numpy.asfortranarray(x)" if wanted.layout == "F" else ""
