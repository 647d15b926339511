# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of other compilers that kernels are linked with, ``cuda.jit(link=[...])``: bytes with a kind and a name."""

from __future__ import annotations

import os


class LinkableCode:
    """Code in memory: text or bytes, or an open file of them."""

    default_name = "<unnamed>"

    def __init__(self, data, name=None, setup_callback=None, teardown_callback=None, nrt=False):
        if setup_callback is not None and not callable(setup_callback) or teardown_callback is not None and not callable(teardown_callback):
            raise TypeError("setup_callback and teardown_callback have to be callable")
        self._data, self.name = data, name or self.default_name
        self.setup_callback, self.teardown_callback, self.nrt = setup_callback, teardown_callback, nrt

    @property
    def data(self):
        data = self._data.read() if hasattr(self._data, "read") else self._data
        return data.encode() if isinstance(data, str) else data


class PTXSource(LinkableCode):
    """PTX."""


class CUSource(LinkableCode):
    """CUDA C++: NVRTC makes PTX of it, for the GPU that is current."""

    default_name = "<cudapy-source>"

    @property
    def data(self):
        from . import _api
        from ._nvrtc import to_ptx

        if not _api.is_available():
            raise NotImplementedError("CUDA C++ as linked code (CUSource) is compiled by NVRTC for a GPU, and there is none")
        return to_ptx(super().data, self.name, _api.get_current_device().compute_capability)


def bytes_of(item):
    """What the engine links: a path, or bytes."""
    if isinstance(item, bytes):
        return item
    if isinstance(item, LinkableCode):
        return item.data
    path = os.fspath(item)
    if path.endswith(".cu"):
        with open(path, "rb") as held:
            return CUSource(held.read(), path).data
    return path


class Cubin(LinkableCode):
    """A cubin."""


class Fatbin(LinkableCode):
    """A fat binary."""


class Archive(LinkableCode):
    """An archive of objects."""


class Object(LinkableCode):
    """An object file."""


class LTOIR(LinkableCode):
    """NVIDIA's LTO-IR."""
