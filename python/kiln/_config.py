# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Switches, under Numba's names (``numba.config``, ``numba.core.config``). A variable of the environment, NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS=0, sets
one when the program starts. Those that the comments do not describe change nothing."""

from __future__ import annotations

import os
import sys

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
PYVERSION = sys.version_info[:2]
MACHINE_BITS, IS_32BITS, IS_WIN32, IS_OSX = 64, False, False, False

# Numba's other switches: of its compiler, its debugging output and its CPU target. They are 0 and change nothing.
_WITHOUT_EFFECT = frozenset("""
ALWAYS_WARN_UNINIT_VAR ANNOTATE BOUNDSCHECK CHROME_TRACE COLOR_SCHEME CPU_FEATURES CPU_NAME CUDA_DEALLOCS_COUNT CUDA_DEALLOCS_RATIO CUDA_DEBUG_POLY
CUDA_DEBUG_POLY_USE_TYPED_CONST CUDA_DEFAULT_PTX_CC CUDA_DRIVER CUDA_ENABLE_MINOR_VERSION_COMPATIBILITY CUDA_ENABLE_NRT CUDA_INCLUDE_PATH CUDA_LOG_API_ARGS
CUDA_LOG_SIZE CUDA_MEMORY_MANAGER CUDA_NRT_STATS CUDA_NVRTC_EXTRA_SEARCH_PATHS CUDA_VERBOSE_JIT_LOG DEBUGINFO_DEFAULT DEBUG_ARRAY_OPT DEBUG_ARRAY_OPT_RUNTIME
DEBUG_ARRAY_OPT_STATS DEBUG_CACHE DEBUG_FRONTEND DEBUG_INLINE_CLOSURE DEBUG_JIT DEBUG_NRT DEBUG_PRINT_AFTER DEBUG_PRINT_BEFORE DEBUG_PRINT_WRAP DEBUG_TYPEINFER
DEVELOPER_MODE DIFF_IR DISABLE_INTEL_SVML DISABLE_PERFORMANCE_WARNINGS DUMP_ASSEMBLY DUMP_BYTECODE DUMP_CFG DUMP_FUNC_OPT DUMP_IR DUMP_LLVM DUMP_OPTIMIZED DUMP_SSA
ENABLE_AVX ENABLE_PROFILING ENABLE_SYS_MONITORING EXTEND_VARIABLE_LIFETIMES FORCE_CUDA_CC FULL_TRACEBACKS FUNCTION_CACHE_SIZE GDB_BINARY HIGHLIGHT_DUMPS HTML
JIT_COVERAGE LLVM_PASS_TIMINGS LLVM_REFPRUNE_FLAGS LLVM_REFPRUNE_PASS LOOP_VECTORIZE NRT_STATS OPT PARALLEL_DIAGNOSTICS PARFOR_MAX_TUPLE_SIZE
RUNNING_UNDER_PROFILER SHOW_HELP SLP_VECTORIZE THREADING_LAYER THREADING_LAYER_PRIORITY TRACE USE_LEGACY_TYPE_SYSTEM USE_LLVMLITE_MEMORY_MANAGER USING_SVML
""".split())


def __getattr__(name):
    if name in _WITHOUT_EFFECT:
        return 0
    raise AttributeError(f"numba.config by Kiln has no switch {name!r}")


def is_on(name: str) -> bool:
    """True if a warning is enabled. Warnings concern GPUs, so the default on the CPU is off."""
    value = globals()[name]
    return bool(value) if value is not None else _kiln.gpu_count() > 0


def reload_config() -> None:
    """Reads the environment again."""
    for name in ("CUDA_LOW_OCCUPANCY_WARNINGS", "CUDA_WARN_ON_IMPLICIT_COPY"):
        globals()[name] = _read(name)
