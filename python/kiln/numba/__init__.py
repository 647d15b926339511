# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ``import numba`` is in Numba: ``from kiln import numba``. Its version is Numba's; ``jit`` is Numba's ``jit`` of host functions."""

from __future__ import annotations

import kiln as _kiln
from kiln import core, cuda, errors, types  # noqa: F401
from kiln import *  # noqa: F403
from kiln import __version__, guvectorize, kiln_version, vectorize, version_info  # noqa: F401
from kiln.cuda import config  # noqa: F401
from kiln._njit import njit, prange  # noqa: F401
from kiln._numba import insert_finder as _insert_finder

_insert_finder()
jit = njit


def __getattr__(name):
    try:
        return getattr(_kiln, name)
    except AttributeError:
        raise AttributeError(f"module numba by Kiln has no attribute {name!r}: docs/guide/python-numba.md lists what it has") from None
