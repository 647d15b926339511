# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""numba.njit and numba.prange, which modules with kernels import beside them."""

from __future__ import annotations

from . import _dispatch, _names

_TAKEN = {"parallel", "nogil", "error_model", "locals", "forceobj", "looplift", "cache", "nopython", "fastmath", "fma", "contract", "inline", "boundscheck", "debug"}


class prange:  # noqa: N801: Numba's name
    """``range``: threads of kernels share the work, so a loop of one is sequential."""

    def __new__(cls, *args):
        return range(*args)


_names.register(prange, "range")


def njit(signature_or_function=None, **options):
    """Makes a function that kernels call; called on the host it runs as Python, at Python's speed.

    Parameters
    ----------
    signature_or_function : optional
        The function, or Numba's signatures, which are not needed.
    options
        Those of ``numba.njit``; they change nothing.
    """
    unknown = set(options) - _TAKEN
    if unknown:
        raise TypeError(f"unknown option(s) of njit: {', '.join(sorted(unknown))}; there are {', '.join(sorted(_TAKEN))}")
    if signature_or_function is None or isinstance(signature_or_function, list) or _dispatch.is_signature(signature_or_function):
        return lambda function: njit(function, **options)
    if not callable(signature_or_function):
        raise TypeError(f"njit takes a function, not {signature_or_function!r}")
    return _dispatch.jit(signature_or_function, device=True)
