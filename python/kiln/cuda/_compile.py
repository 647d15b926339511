# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as PTX, for others to launch: cuda.compile and its kin. No GPU is needed."""

from __future__ import annotations

from .. import _dispatch, _types

_OUTPUTS = {"ptx": "asm", "ltoir": None}


def compile(pyfunc, sig, debug=None, lineinfo=False, device=True, fastmath=False, cc=None, opt=None, abi="c", abi_info=None, output="ptx", forceinline=False, launch_bounds=None):  # fmt: skip
    """The PTX of a kernel, and the type of its result.

    Parameters
    ----------
    pyfunc : function
        The kernel.
    sig : tuple of types, signature or text
        The types of its arguments.
    device : bool
        False: a kernel. Functions that kernels of others call are not compiled alone.
    cc : tuple of int, optional
        The compute capability, (9, 0) unless given.

    Returns
    -------
    tuple
        The text, and `none`.
    """
    if abi not in ("numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if output not in _OUTPUTS:
        raise NotImplementedError(f"Unsupported output type: {output}")
    if output == "ltoir":
        raise NotImplementedError("LTO-IR is made by NVIDIA's NVVM, which Kiln does not call: ask for output='ptx'")
    if device:
        raise NotImplementedError("a device function is not compiled alone: Kiln's PTX has kernels as entries. Compile a kernel that calls it, with device=False")
    if abi == "c" and device is False and abi_info is not None and "abi_name" in abi_info:
        raise NotImplementedError("the name of a kernel's entry is Kiln's")
    kernel = _dispatch.jit(pyfunc, debug=bool(debug), fastmath=fastmath, opt=bool(opt is None or opt), launch_bounds=launch_bounds)
    codes = [item.code() for item in _types.arguments_of(sig)]
    major, minor = cc or (9, 0)
    text = kernel._product(codes, "asm", major * 10 + minor)
    return text if isinstance(text, str) else text.decode(), _types.void


def compile_for_current_device(pyfunc, sig, **options):
    """:func:`compile` for the GPU that is current, or sm_90."""
    from . import _api

    return compile(pyfunc, sig, cc=tuple(_api.get_current_device().compute_capability), **options)


def compile_ptx(pyfunc, sig, device=False, abi="numba", **options):
    """:func:`compile` of a kernel to PTX."""
    return compile(pyfunc, sig, device=device, abi=abi, **options)


def compile_ptx_for_current_device(pyfunc, sig, device=False, abi="numba", **options):
    """:func:`compile_ptx` for the GPU that is current, or sm_90."""
    return compile_for_current_device(pyfunc, sig, device=device, abi=abi, **options)


def compile_all(pyfunc, sig, **options):
    """A list of the code and of what it is linked with, and the type of its result."""
    text, result = compile(pyfunc, sig, **options)
    return [text], result
