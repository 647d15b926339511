# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``numba.experimental``: classes of host functions, which run as Python."""

from __future__ import annotations

from . import _advice


def jitclass(cls_or_spec=None, spec=None):
    """Returns the class itself: its methods run as Python. Kernels do not take its objects.

    Parameters
    ----------
    cls_or_spec, spec : optional
        The class, and Numba's types of its fields, which change nothing.
    """
    if isinstance(cls_or_spec, type):
        return cls_or_spec
    return lambda made: made


__path__: list = []  # makes `from numba.experimental import name` ask the finder, which has advice
__getattr__ = _advice.getter("numba.experimental")
