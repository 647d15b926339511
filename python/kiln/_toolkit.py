# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's wheels (``kiln-jit[cuda]``): where nvJitLink, libdevice and ptxas are, told to the engine before it opens."""

from __future__ import annotations

import os
import sys

from . import _kiln


def folders() -> list[tuple[str, str]]:
    """(folder, source) of the parts of NVIDIA's toolkit in this Python's packages.

    The folders of wheels are read off ``sys.path``, which costs some 0.1 ms. Only where those have nothing, and cuda-pathfinder is
    installed, is it asked: it knows conda's places too, and its import costs more than all of this.
    """
    found = []
    for path in sys.path:
        try:
            parts = sorted(entry.name for entry in os.scandir(os.path.join(path or ".", "nvidia")) if entry.is_dir())
        except OSError:
            continue
        # NVIDIA's PyPI packages: CUDA 13 has one folder cu13 with all parts; CUDA 12 has one folder per part.
        wanted = [part for part in parts if part.startswith("cu1")] + [part for part in parts if part in ("nvjitlink", "cuda_nvcc", "nvvm")]
        found += [(os.path.join(path, "nvidia", part), f"PyPI package nvidia/{part}") for part in wanted]
    return found or _by_pathfinder()


def _by_pathfinder() -> list[tuple[str, str]]:
    if not os.path.isdir(os.path.join(sys.prefix, "conda-meta")):  # outside of conda, cuda-pathfinder finds nothing that is not found by other searches
        return []
    try:
        from cuda import pathfinder
    except ImportError:
        return []
    found = []
    for ask in (lambda: pathfinder.find_bitcode_lib("device"), lambda: pathfinder.find_nvidia_binary_utility("ptxas")):
        try:
            path = ask()
        except Exception:  # noqa: BLE001: cuda-pathfinder raises various errors for a missing part
            continue
        if path:
            folder = os.path.dirname(os.path.dirname(path))
            found.append((os.path.dirname(folder) if os.path.basename(folder) == "nvvm" else folder, "cuda-pathfinder"))
    return found


def tell() -> None:
    """Adds the folders to the engine's search path."""
    for folder, source in folders():
        _kiln.add_cuda_folder(folder, source)
