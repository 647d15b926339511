# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``numba.extending``: only :func:`register_jitable`. The rest belongs to Numba's compiler."""

from __future__ import annotations

from . import _advice


def register_jitable(*args, **options):
    """Returns the function itself: kernels call undecorated functions, too."""
    if len(args) == 1 and callable(args[0]) and not options:
        return args[0]
    return lambda function: function


def is_jitted(function) -> bool:
    """True for a kernel or device function."""
    from . import _kiln

    return isinstance(function, _kiln.Dispatcher)


__path__: list = []  # makes `from numba.extending import name` ask the finder, which has advice
__getattr__ = _advice.getter("numba.extending")
