# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices and their contexts, under Numba's names."""

from __future__ import annotations

from .._devices import close as reset  # noqa: F401
from .._devices import current_context as get_context  # noqa: F401
from .._devices import gpus, list_devices  # noqa: F401


def require_context(function):
    """Returns the function unchanged: contexts are created on demand."""
    return function
