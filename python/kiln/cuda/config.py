# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Switches, under Numba's names; a variable of the environment, NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS=0, sets one when the program starts."""

from __future__ import annotations

import os

from .. import _kiln


def _read(name: str):
    given = os.environ.get("NUMBA_" + name)
    return None if given is None else given not in ("", "0")


#: Whether a grid of fewer than 128 blocks warns (:class:`kiln.errors.NumbaPerformanceWarning`). None: where there is a GPU.
CUDA_LOW_OCCUPANCY_WARNINGS = _read("CUDA_LOW_OCCUPANCY_WARNINGS")
#: Whether an array of the host's as an argument warns. None: where there is a GPU.
CUDA_WARN_ON_IMPLICIT_COPY = _read("CUDA_WARN_ON_IMPLICIT_COPY")


def is_on(name: str) -> bool:
    """Whether a warning is given; they speak of GPUs, so by default not on the CPU."""
    value = globals()[name]
    return bool(value) if value is not None else _kiln.gpu_count() > 0
