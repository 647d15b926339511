# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counterpart of ``numba.cuda``: ``from kiln import cuda``."""

from __future__ import annotations

import sys

from .. import _config as config, _dispatch, _exec, _kiln, _types as types, errors  # noqa: F401
from .._types import *  # noqa: F403
from ._api import (  # noqa: F401
    defer_cleanup, device_array, device_array_like, is_available, is_bfloat16_supported, is_float16_supported, is_supported_version, managed_array, mapped_array, mapped_array_like, pinned,
    pinned_array, pinned_array_like, synchronize, to_device,
)  # fmt: skip
from ._devices import (  # noqa: F401
    Device, close, current_context, detect, get_current_device, gpus, list_devices, profile_start, profile_stop, profiling, select_device,
)  # fmt: skip
from ._foreign import as_cuda_array, from_cuda_array_interface, is_cuda_array  # noqa: F401
from ._streams import (  # noqa: F401
    Event, Stream, default_stream, event, event_elapsed_time, external_stream, legacy_default_stream, per_thread_default_stream, stream,
)  # fmt: skip
from ._stubs import (  # noqa: F401
    activemask, all_sync, any_sync, atomic, ballot_sync, blockDim, blockIdx, brev, cbrt, cg, clz, const, eq_sync, ffs, fma, fp16, grid, gridDim, gridsize, laneid,
    lanemask_lt, literal_unroll, ldca, ldcg, ldcs, ldcv, ldlu, local, match_all_sync, match_any_sync, nanosleep, popc, selp, shared, shfl_down_sync, shfl_sync, shfl_up_sync, shfl_xor_sync, stcg, stcs, stwb, stwt,
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
    contract : bool, optional
        Whether ``a * b + c`` may be fused, which rounds once. By default on a GPU, and not on the CPU. Also ``fma``.

    Returns
    -------
    KernelDispatcher or DeviceFunction
        ``kernel[blocks, threads, stream, shared_bytes](...)`` launches a kernel.
    """
    return _dispatch.jit(function, **options)


def __getattr__(name):
    if name in ("DeviceNDArray",):
        from ._arrays import DeviceNDArray

        return DeviceNDArray
    if name in ("In", "Out", "InOut"):
        from . import _transfers

        return getattr(_transfers, name)
    if name in ("reduce", "Reduce"):
        from ._reduction import Reduce

        return Reduce
    if name == "vectorize":
        from ._vectorize import vectorize

        return vectorize
    if name == "guvectorize":
        from ._guvectorize import guvectorize

        return guvectorize
    if name in ("compile", "compile_all", "compile_for_current_device", "compile_ptx", "compile_ptx_for_current_device"):
        from . import _compile

        return getattr(_compile, name)
    if name in ("BaseCUDAMemoryManager", "HostOnlyCUDAMemoryManager", "MemoryInfo", "MemoryPointer", "set_memory_manager"):
        from . import _memory

        return getattr(_memory, name)
    if name == "declare_device":
        from ._declared import declare_device

        return declare_device
    if name in ("CUSource", "PTXSource", "Cubin", "Fatbin", "Archive", "Object", "LTOIR", "LinkableCode"):
        from .. import _linkable

        return getattr(_linkable, name)
    if name == "bf16":  # `from . import bf16` would call this function again
        import kiln.cuda.bf16 as bf16

        return bf16
    if name == "cudadrv":
        import kiln.cuda.cudadrv as cudadrv

        return cudadrv
    if name == "compiler":
        import kiln.cuda.compiler as compiler

        return compiler
    if name == "kernels":
        import kiln.cuda.kernels as kernels

        return kernels
    if name == "CudaSupportError":
        from .cudadrv.error import CudaSupportError

        return CudaSupportError
    if name == "libdevice":
        import kiln.cuda.libdevice as libdevice

        return libdevice
    if name == "random":
        import kiln.cuda.random as random

        return random
    if name == "vector_types":
        import kiln.cuda.vector_types as vector_types

        return vector_types
    if name[-1:] in "1234":
        from .vector_types import ALL

        if name in ALL:
            return ALL[name]
    from .. import _advice

    raise AttributeError(_advice.missing("numba.cuda", name))


sys.modules[__name__ + ".config"] = config  # for `import kiln.cuda.config`
_exec.watch()
