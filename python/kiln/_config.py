# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Switches, under Numba's names (``numba.config``, ``numba.core.config``). A variable of the environment, NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS=0, sets
one when the program starts. Those that the comments do not describe change nothing."""

from __future__ import annotations

import os

from . import _kiln


def _read(name: str):
    given = os.environ.get("NUMBA_" + name)
    return None if given is None else given not in ("", "0")


#: True warns of a grid of fewer than 128 blocks (:class:`kiln.errors.NumbaPerformanceWarning`). None: warns only with a GPU.
CUDA_LOW_OCCUPANCY_WARNINGS = _read("CUDA_LOW_OCCUPANCY_WARNINGS")
#: True warns of an argument array in host memory. None: warns only with a GPU.
CUDA_WARN_ON_IMPLICIT_COPY = _read("CUDA_WARN_ON_IMPLICIT_COPY")
#: True waits for the stream in `__cuda_array_interface__`. None: KILN_CUDA_ARRAY_INTERFACE_SYNC decides, by default True.
CUDA_ARRAY_INTERFACE_SYNC = None

#: Numba's option to run kernels in its simulator: always False, since Kiln compiles them for the CPU.
ENABLE_CUDASIM = False
DISABLE_CUDA = False
DISABLE_JIT = False
DEBUG = 0
CUDA_DEBUGINFO_DEFAULT = 0
CUDA_USE_NVIDIA_BINDING = False
CUDA_PER_THREAD_DEFAULT_STREAM = 0
CUDA_LOG_LEVEL = ""
CUDA_ENABLE_PYNVJITLINK = False
NUMBA_DEFAULT_NUM_THREADS = NUMBA_NUM_THREADS = os.cpu_count() or 1
CACHE_DIR = ""


def is_on(name: str) -> bool:
    """True if a warning is enabled. Warnings concern GPUs, so the default on the CPU is off."""
    value = globals()[name]
    return bool(value) if value is not None else _kiln.gpu_count() > 0


def reload_config() -> None:
    """Reads the environment again."""
    for name in ("CUDA_LOW_OCCUPANCY_WARNINGS", "CUDA_WARN_ON_IMPLICIT_COPY"):
        globals()[name] = _read(name)
