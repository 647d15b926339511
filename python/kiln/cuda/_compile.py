# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles kernels and functions to PTX for other launchers and linkers: cuda.compile and others. Needs no GPU."""

from __future__ import annotations

import builtins
import itertools
import linecache
import re

from .. import _dispatch, _kiln, _types, errors
from .._device_data import describe
from .._linkable import linked_items
from ._stubs import function as _library

_array_at = _library("array_at")
_numbers = itertools.count()


def compile(pyfunc, sig, debug=None, lineinfo=False, device=True, fastmath=False, cc=None, opt=None, abi="c", abi_info=None, output="ptx", forceinline=False, launch_bounds=None, contract=None):  # fmt: skip
    """The PTX of a function or a kernel, and the type of its result.

    Parameters
    ----------
    pyfunc : function
        The function.
    sig : tuple of types, signature or text
        The types of its arguments; a signature's result is what the function's is converted to.
    device : bool
        True: a function, for code that is linked with it. False: a kernel.
    cc : tuple, optional
        The compute capability, (9, 0) unless given; (9, 0, "a") and (10, 0, "f") with the features of the chip or its family.
    abi : {'c', 'numba'}
        Of a function. 'c': it returns its result. 'numba': it gets a pointer for its result before its arguments and returns 0. In both an array is what Numba
        makes of it: two unused words, the number of elements, their size, the address, the shape, the strides in bytes.
    abi_info : dict, optional
        ``{"abi_name": "f"}``: the function's name in the code; else its own.

    Returns
    -------
    tuple
        The text, and the type of the result.
    """
    if abi not in ("numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if abi == "c" and not device:
        raise NotImplementedError("The C ABI is not supported for kernels: give abi='numba'")
    if output not in ("ptx", "ltoir"):
        raise NotImplementedError(f"Unsupported output type: {output}")
    if output == "ltoir":
        raise NotImplementedError("LTO-IR is made by NVIDIA's NVVM, which Kiln does not call: ask for output='ptx'")
    if forceinline:
        raise ValueError("Can only designate forced inlining in LTO-IR: leave forceinline out")
    if isinstance(sig, str):
        sig = _types.from_text(sig)
    major, minor, *variant = cc or (9, 0)
    sm = f"{major * 10 + minor}{''.join(variant)}"
    options = {"debug": bool(debug), "fastmath": fastmath, "opt": bool(opt is None or opt), "contract": contract}
    if device:
        return _function(pyfunc, sig, sm, abi, (abi_info or {}).get("abi_name"), options)
    kernel = _dispatch.jit(pyfunc, launch_bounds=launch_bounds, **options)
    try:
        return kernel._product([item.engine_type for item in _types.arguments_of(sig)], "asm", sm), _types.void
    except errors.TypingError as error:
        if error.diagnostics and error.diagnostics[0][6] == errors.KERNEL_RESULT:
            raise TypeError(f"CUDA kernel must have void return type: {error}") from None
        raise


def _function(pyfunc, sig, sm, abi, name, options):
    """The PTX of a device function."""
    function = pyfunc.py_func if hasattr(pyfunc, "py_func") else pyfunc
    types = _types.arguments_of(sig)
    name = name or (function.__name__ if function.__name__.isidentifier() else "function")
    wanted = sig.return_type if isinstance(sig, _types.Signature) else None
    if wanted is None:
        wrapped, given = _wrapper(function, types, None, None)
        wanted = _types.from_engine_type(_compiled(wrapped, name, options)._return_type(given, sm))
    elif not isinstance(wanted, (_types.Number, _types.NoneType)):
        raise NotImplementedError(f"a function that is compiled alone gives a number or nothing where its signature names the result, not {wanted}")
    if abi == "numba" and not isinstance(wanted, (_types.Number, _types.NoneType)):
        raise NotImplementedError(f"a function of Numba's ABI gives a number or nothing, not {wanted}: give abi='c'")
    wrapped, given = _wrapper(function, types, wanted, abi)
    entry = name if abi == "c" else f"_Z{len(name)}{name}"
    return _without_state(_compiled(wrapped, entry, options)._product(given, "asm", sm), entry, len(given)), wanted


def _without_state(text, entry, parameters):
    """A function that may raise has Kiln's state before its parameters; none was passed is null, with which a thread that raises leaves the kernel."""
    head = re.search(rf"(\.visible \.func[^\n]*\b{re.escape(entry)}\()([^)]*)\)", text)
    given = [each for each in head[2].split(",") if each.strip()]
    if len(given) != parameters + 1:
        return text
    name = f"{entry}_param_0"
    text = text[: head.end(1)] + ",".join(given[1:]) + text[head.end(2) :]
    return re.sub(rf"ld\.param\.[a-z]64(\s+%\w+), \[{re.escape(name)}\];", r"mov.b64\1, 0;", text)


def _compiled(function, entry, options):
    return _dispatch.KernelDispatcher(function, (), {**options, "_entry": entry})


def _wrapper(function, types, result, abi):
    """A function of ours that takes what the ABI passes and calls this one; the engine's types of its arguments."""
    scope = {"_function": function, "_at": _array_at, "_result": result, "_zero": _types.int32}
    names, parameters, given = [], [], []
    if abi == "numba":
        names.append("result_")
        parameters.append(_types.CPointer(result if isinstance(result, _types.Number) else _types.int8).engine_type)
    for k, item in enumerate(types):
        if not isinstance(item, _types.Array):
            names.append(f"a{k}")
            parameters.append(item.engine_type)
            given.append(f"a{k}")
            continue
        shape, steps = ([f"a{k}_{what}{i}" for i in range(item.ndim)] for what in ("shape", "stride"))
        names += [f"a{k}_info", f"a{k}_parent", f"a{k}_count", f"a{k}_itemsize", f"a{k}_data", *shape, *steps]
        parameters += [_types.int64.engine_type] * 4 + [_types.CPointer(item.dtype).engine_type] + [_types.int64.engine_type] * (2 * item.ndim)
        place = f"a{k}_data, ({', '.join(shape)},)"
        given.append(f"_at({place})" if item.layout == "C" else f"_at({place}, ({', '.join(steps)},))")
    call = f"_function({', '.join(given)})"
    if isinstance(result, _types.Number):
        call = f"_result({call})"
    if abi == "numba":
        body = [f"_at(result_, (1,))[0] = {call}" if isinstance(result, _types.Number) else call, "return _zero(0)"]
    elif isinstance(result, _types.NoneType):
        body = [call, "return"]
    else:
        body = [f"return {call}"]
    text = f"def function({', '.join(names)}):\n    " + "\n    ".join(body) + "\n"
    file = f"<kiln.compile {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(builtins.compile(text, file, "exec"), scope)  # noqa: S102: the text above
    return scope["function"], parameters


def _current():
    return tuple(describe(_kiln.current_device())["compute_capability"])


def compile_for_current_device(pyfunc, sig, **options):
    """:func:`compile` for the current GPU, or sm_90."""
    return compile(pyfunc, sig, cc=_current(), **options)


def compile_ptx(pyfunc, sig, device=False, abi="numba", **options):
    """:func:`compile` to PTX; compiles a kernel unless `device` is true."""
    return compile(pyfunc, sig, device=device, abi=abi, **options)


def compile_ptx_for_current_device(pyfunc, sig, device=False, abi="numba", **options):
    """:func:`compile_ptx` for the current GPU, or sm_90."""
    return compile_for_current_device(pyfunc, sig, device=device, abi=abi, **options)


def compile_all(pyfunc, sig, **options):
    """A list of the code and its linked files, and the result's type."""
    text, result = compile(pyfunc, sig, **options)
    return [text, *linked_items(pyfunc, ())], result
