# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names and limits of devices."""

from __future__ import annotations

import os

from . import _kiln


def _describe_cpu() -> dict:
    page = os.sysconf("SC_PAGE_SIZE")
    return {
        "name": "CPU", "compute_capability": (9, 0), "MAX_THREADS_PER_BLOCK": 1024, "WARP_SIZE": 32, "MULTIPROCESSOR_COUNT": 1, "MAX_BLOCK_DIM_X": 1024,
        "MAX_BLOCK_DIM_Y": 1024, "MAX_BLOCK_DIM_Z": 64, "MAX_GRID_DIM_X": 2**31 - 1, "MAX_GRID_DIM_Y": 65535, "MAX_GRID_DIM_Z": 65535,
        "MAX_SHARED_MEMORY_PER_BLOCK": 232448, "total_memory": os.sysconf("SC_PHYS_PAGES") * page, "free_memory": os.sysconf("SC_AVPHYS_PAGES") * page,
        "uuid": "GPU-00000000-0000-0000-0000-000000000000",
    }  # fmt: skip


#: The number of the first OpenCL device in the engine; smaller ones are GPUs of CUDA, and -1 is the CPU.
FIRST_OPENCL = 32


def number_of(name: str) -> int:
    """The number of a device in the engine by its name: "cpu", "cuda:1", "opencl"."""
    kind, colon, digits = name.partition(":")
    first = {"cpu": -1, "cuda": 0, "opencl": FIRST_OPENCL}.get(kind)
    if first is None or (colon and (first < 0 or not (digits.isascii() and digits.isdigit()))):
        raise ValueError(f"there is no device {name!r}: there are 'cpu', 'cuda' and 'opencl', and 'cuda:1' is the second GPU")
    return first + int(digits or 0)


def place(number: int) -> str:
    """A device in messages, by its number in the engine."""
    if number < 0:
        return "CPU"
    return f"GPU {number}" if number < FIRST_OPENCL else f"OpenCL device {number - FIRST_OPENCL}"


def describe(number: int) -> dict:
    """The data of a device by its number in the engine; -1 is the CPU."""
    return _describe_cpu() if number < 0 else _kiln.describe_gpu(number)
