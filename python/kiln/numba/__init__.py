# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counterpart of ``import numba``: ``from kiln import numba``. Its version is Numba's; ``jit`` is Numba's ``jit`` of host functions."""

from __future__ import annotations

from .. import _config as config, _public, _types as types, core, cuda, errors  # noqa: F401
from .._njit import njit, prange  # noqa: F401
from .._public import *  # noqa: F403
from .._public import __version__, guvectorize, kiln_version, vectorize, version_info  # noqa: F401
from .._host import get_num_threads, get_thread_id, literally, objmode, pndindex, set_num_threads  # noqa: F401
from .._numba import insert_finder as _insert_finder

_insert_finder()
jit = njit


def __getattr__(name):
    if errors.is_class(name):
        return getattr(errors, name)
    if name == "typed":
        from .. import typed

        return typed
    if name == "experimental":
        from .. import experimental

        return experimental
    if name == "extending":
        from .. import extending

        return extending
    try:
        return getattr(_public, name)
    except AttributeError:
        from .. import _advice

        raise AttributeError(_advice.missing("numba", name)) from None
