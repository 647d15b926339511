# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kiln: kernels in Python, compiled in milliseconds, on GPUs and the CPU.

>>> from kiln import cuda
>>> @cuda.jit
... def scale(y, a):
...     i = cuda.grid(1)
...     if i < y.size:
...         y[i] *= a
"""

from __future__ import annotations

import sys as _sys

from . import _public
from ._public import *  # noqa: F403
from ._public import __version__  # noqa: F401

_sys.modules[__name__ + ".types"] = _public.types  # for `import kiln.types`


def __getattr__(name):
    if name == "numba":
        import kiln.numba as numba

        return numba
    return getattr(_public, name)
