# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of Julia files, called from Python."""

from __future__ import annotations

import os
from . import _kiln, _options
from ._dispatch import KernelDispatcher

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from typing import Any


class JuliaModule:
    """Definitions of a Julia file: ``module.kernel[blocks, threads](...)``."""

    def __init__(self, path: str, options: dict):
        self.__name__ = os.path.basename(path)
        self.__file__ = path
        self._options = options

    def __repr__(self) -> str:
        return f"<kernels of {self.__file__}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        made = JuliaKernel(name, self._options, self.__file__)
        setattr(self, name, made)
        return made


class JuliaKernel(KernelDispatcher):
    """A kernel in Julia. Numbers are passed as Int64, Float64 or NumPy's types, and column-major arrays as CuDeviceArray."""

    def __init__(self, name: str, options: dict, path: str = ""):
        _options.check_names(options)
        _kiln.Dispatcher.__init__(self, name, _options.as_json(options))
        self.__name__ = self.__qualname__ = name
        self.targetoptions = self._options = dict(options)
        self._path = path

    def __reduce__(self):
        return _kernel_of_file, (self._path, self._options, self.__name__)


def _kernel_of_file(path: str, options: dict, name: str):
    """Recreates a pickled kernel; the file must exist there too."""
    return getattr(julia(path, **options), name)


def julia(path: str | os.PathLike[str], **options: Any) -> JuliaModule:
    """The kernels of a file in Julia.

    Parameters
    ----------
    path : str or os.PathLike
        The file, as one writes it for CUDA.jl. Its definitions go to one module with those of other files that are loaded so.
    options
        Options of the kernels, as :func:`kiln.jit` has them.

    Examples
    --------
    >>> kernels = kiln.julia("saxpy.jl")
    >>> kernels.saxpy[4, 256](y, x, np.float32(2))
    """
    path = os.fspath(path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    _kiln.load_julia(path, text)
    return JuliaModule(path, options)
