# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numba's names for host functions, which run as Python on one thread."""

from __future__ import annotations

import contextlib


def objmode(*args, **types):
    """A ``with`` block that runs as Python, as all of a host function does. The types change nothing."""
    return contextlib.nullcontext()


def get_num_threads() -> int:
    """The number of threads of a host function: 1."""
    return 1


def set_num_threads(n: int) -> None:
    """Takes a number of threads from 1 to ``config.NUMBA_NUM_THREADS``, and changes nothing."""
    from ._config import NUMBA_NUM_THREADS

    if not 1 <= n <= NUMBA_NUM_THREADS:
        raise ValueError(f"The number of threads must be between 1 and {NUMBA_NUM_THREADS}")


def get_thread_id() -> int:
    """The number of the thread in a host function: 0."""
    return 0


def pndindex(*shape):
    """``numpy.ndindex``."""
    import numpy

    return numpy.ndindex(*shape)


def literally(value):
    """The value itself."""
    return value
