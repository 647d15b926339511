# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ``numba.cuda`` is in Numba: ``from kiln import cuda``."""

from __future__ import annotations

import warnings as _warnings

from .. import _dispatch, _kiln, errors, types  # noqa: F401
from .._types import *  # noqa: F403
from ._stubs import (  # noqa: F401
    activemask, all_sync, any_sync, atomic, ballot_sync, blockDim, blockIdx, brev, clz, const, eq_sync, ffs, fma, grid, gridDim, gridsize, laneid,
    lanemask_lt, local, match_all_sync, match_any_sync, nanosleep, popc, selp, shared, shfl_down_sync, shfl_sync, shfl_up_sync, shfl_xor_sync,
    syncthreads, syncthreads_and, syncthreads_count, syncthreads_or, syncwarp, threadfence, threadfence_block, threadfence_system, threadIdx, warpsize,
)  # fmt: skip


def jit(function=None, **options):
    """Makes a kernel, or with ``device=True`` a function that kernels call.

    Parameters
    ----------
    function : callable or signature, optional
        The function; or the types of its arguments (text, a tuple of types, a list of these), for which it is compiled at once.
    device, inline, forceinline, fastmath, debug, lineinfo, opt, max_registers, launch_bounds, link, cache
        As Numba has them.

    Returns
    -------
    KernelDispatcher or DeviceFunction
        ``kernel[blocks, threads, stream, shared_bytes](...)`` launches a kernel.
    """
    return _dispatch.jit(function, **options)


def is_available() -> bool:
    """Whether there is a GPU; without one kernels run on the CPU."""
    return _kiln.gpu_count() > 0


def synchronize() -> None:
    """Waits for all that was launched. What a kernel with ``debug=True`` raised is raised here."""
    _kiln.synchronize()
