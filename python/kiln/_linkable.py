# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of other compilers to link with kernels, ``cuda.jit(link=[...])``: bytes with a kind and a name."""

from __future__ import annotations

import os
from types import FunctionType, ModuleType

from . import _kiln
from ._names import LinkedFunction


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
    """CUDA C++, which NVRTC compiles to PTX for the current GPU."""

    default_name = "<cudapy-source>"

    @property
    def data(self):
        from . import _device_data
        from ._nvrtc import to_ptx

        if _kiln.gpu_count() == 0:
            raise NotImplementedError("CUDA C++ as linked code (CUSource) is compiled by NVRTC for a GPU, and there is none")
        return to_ptx(super().data, self.name, _device_data.describe(_kiln.current_device())["compute_capability"])


def bytes_of(item):
    """The input for the engine's linker: a path, or bytes."""
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


def links_of(function) -> list:
    """Linked code of all declared functions that a function refers to, directly or indirectly."""
    if not LinkedFunction.are_any:
        return []
    found, seen, waiting = {}, set(), [function]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, LinkedFunction):
            found.update((id(item), item) for item in value.link)
        elif isinstance(value, _kiln.Dispatcher):
            waiting.append(value.py_func)
        elif isinstance(value, FunctionType):
            names = _names_of(value.__code__)
            held = [value.__globals__.get(name) for name in names]
            held += [cell.cell_contents for cell in value.__closure__ or () if cell != type(cell)()]
            modules = [each for each in held if isinstance(each, ModuleType)]
            waiting += held + [vars(module).get(name) for module in modules for name in names]
    return list(found.values())


def _names_of(code) -> set:
    names = set(code.co_names)
    for each in code.co_consts:
        if hasattr(each, "co_names"):
            names |= _names_of(each)
    return names


def linked_items(function, given) -> list:
    """Paths and bytes to link with a kernel: from its decorator, and from declared functions."""
    return [bytes_of(item) for item in [*(given or ()), *links_of(function)]]
