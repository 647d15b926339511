# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles CUDA C++ to PTX with NVIDIA's NVRTC, found in the wheels of ``kiln-jit[cuda]`` or a toolkit."""

from __future__ import annotations

import ctypes
import functools
import glob
import os
import sys

from .errors import NvrtcError


@functools.cache
def _library():
    """NVRTC; OSError if it is not found."""
    places = [os.path.join(path or ".", "nvidia", part, "lib") for path in sys.path for part in ("cu13", "cuda_nvrtc")]
    places += [os.path.join(root, part) for root in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda") if root for part in ("lib64", "lib")]
    found = [file for place in places for file in sorted(glob.glob(os.path.join(place, "libnvrtc.so.*")), reverse=True)]
    for name in [*found, "libnvrtc.so.13", "libnvrtc.so.12"]:
        try:
            held = ctypes.CDLL(name)
        except OSError:
            continue
        held.nvrtcGetErrorString.restype = ctypes.c_char_p
        return held
    raise OSError("CUDA C++ needs NVRTC, and libnvrtc.so was not found: python3 -m pip install nvidia-cuda-nvrtc, or set CUDA_HOME")


def _headers() -> list[str]:
    """Existing folders of CUDA's headers."""
    places = [os.path.join(path or ".", "nvidia", part, "include") for path in sys.path for part in ("cu13", "cuda_runtime", "cuda_cccl")]
    places += [os.path.join(root, "include") for root in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda") if root]
    return [place for place in dict.fromkeys(places) if os.path.isdir(place)]


def to_ptx(source: bytes, name: str, compute_capability) -> bytes:
    """The PTX of a source whose functions are for other code to call.

    Raises
    ------
    NvrtcError
        With the compiler's own messages.
    """
    nvrtc, program = _library(), ctypes.c_void_p()

    def check(code, what):
        if code:
            raise NvrtcError(f"{what}: {nvrtc.nvrtcGetErrorString(code).decode()}")

    def text(size_of, read):
        size = ctypes.c_size_t()
        check(size_of(program, ctypes.byref(size)), name)
        held = ctypes.create_string_buffer(size.value)
        check(read(program, held), name)
        return held.raw.rstrip(b"\0")

    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, name.encode(), 0, None, None), name)
    try:
        major, minor = compute_capability
        options = [f"--gpu-architecture=compute_{major}{minor}", "--relocatable-device-code=true", *(f"--include-path={place}" for place in _headers())]
        given = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        if nvrtc.nvrtcCompileProgram(program, len(options), given):
            raise NvrtcError(f"NVRTC refused {name}:\n{text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog).decode(errors='replace')}")
        return text(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
