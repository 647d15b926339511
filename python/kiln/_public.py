# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of the package; ``kiln`` and ``kiln.numba`` both have them."""

from __future__ import annotations

import atexit as _atexit
import os as _os

from . import _device_data, _hooks, _kiln, _toolkit, _types as types, errors  # noqa: F401
from ._numba import install_as_numba, version_info as _version_info
from ._dispatch import jit as _jit
from ._reports import Advice, AdviceReport, Timings, start_timings, timings
from ._precompile import PrecompileError, PrecompileReport, precompile, use_cache_dir, use_remote_cache
from ._types import *  # noqa: F403: types such as float32 and int64, as in Numba
from ._types import (
    b1, bfloat16, bool_, boolean, c8, c16, complex64, complex128, double, f2, f4, f8, float16, float32, float64, float_, i1, i2, i4, i8, int8, int16, int32, int64,
    int_, intc, intp, long_, longlong, none, short, size_t, ssize_t, typeof, u1, u2, u4, u8, uchar, uint, uint8, uint16, uint32, uint64, uintc, uintp, ulong,
    ulonglong, ushort, void,
)  # fmt: skip

#: Version of Kiln, and of its package ``kiln-jit`` on PyPI.
kiln_version = "0.3.0"
#: The version of Numba whose interface and typing rules Kiln follows. Programs with ``import kiln as numba`` may check it.
__version__ = "0.61.2"
version_info = _version_info(__version__)


def jit(function=None, *, device=None, **options):
    """A kernel for the CPU and GPUs alike; as :func:`kiln.cuda.jit`, with a device.

    Parameters
    ----------
    device : {"cpu", "cuda", "opencl", None}, optional
        Where it runs: on the CPU, on a GPU, on an OpenCL device ("opencl:1" is the second), or on the GPU if there is one. True makes a function that
        kernels call.
    options
        Those of :func:`kiln.cuda.jit`. With ``nopython``, ``nogil`` or ``parallel`` it is Numba's ``jit`` that is meant: :func:`kiln.njit`.
    """
    if not {"nopython", "nogil", "parallel", "forceobj"}.isdisjoint(options):
        from ._njit import njit

        return njit(function, **options)
    if device is True or device is False:
        return _jit(function, device=device, **options)
    if isinstance(device, str):
        device = _device_data.number_of(device)
    if not (device is None or isinstance(device, int)):
        raise ValueError(f"there is no device {device!r}: there are 'cpu', 'cuda' and 'opencl'")
    return _jit(function, _number=device, **options)


def devices() -> list[str]:
    """The names of the devices: the CPU, GPUs of CUDA, and OpenCL devices that accept SPIR-V.

    Examples
    --------
    >>> kiln.devices()[0]
    'cpu'
    """
    return ["cpu"] + [f"{kind}:{number}" for kind in ("cuda", "opencl") for number in range(_kiln.device_count(kind))]


def vectorize(signatures=None, **options):
    """A function of numbers as one of arrays: :func:`kiln.cuda.vectorize`."""
    import kiln.cuda as cuda

    return cuda.vectorize(signatures, **options)


def guvectorize(signatures, layout=None, **options):
    """A function that writes into its last arguments as one of arrays of more dimensions: :func:`kiln.cuda.guvectorize`."""
    import kiln.cuda as cuda

    return cuda.guvectorize(signatures, layout, **options)


def __getattr__(name):
    if name in ("njit", "prange"):
        from . import _njit

        return getattr(_njit, name)
    if name == "julia":
        from . import _julia

        return _julia.julia
    if name in ("carray", "farray", "literal_unroll"):
        from .cuda import _stubs

        return getattr(_stubs, name)
    if name == "config":
        from . import _config

        return _config
    if name == "core":  # `from . import core` would call this function again
        import kiln.core as core

        return core
    if name == "cuda":
        import kiln.cuda as cuda

        return cuda
    if name == "np":
        import kiln.np as np

        return np
    raise AttributeError(f"module kiln has no attribute {name!r}")


def register_source(filename: str, text: str) -> None:
    """Gives the text of code that was made by exec, under the file name that it was compiled with.

    Parameters
    ----------
    filename : str
        The name given to ``compile``, such as ``"<made>"``.
    text : str
        The source.

    Examples
    --------
    >>> text = "def double(y):\\n    y[0] *= 2\\n"
    >>> kiln.register_source("<made>", text)
    >>> exec(compile(text, "<made>", "exec"))
    """
    import linecache

    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)


_toolkit.tell()
_atexit.register(_kiln.wait_for_background)
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_kiln.after_fork)
