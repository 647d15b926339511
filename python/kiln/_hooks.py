# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the package that C++ code calls."""

from __future__ import annotations

import sys

from . import _kiln, errors
from ._arguments import stream_handle, view, view_of_record  # noqa: F401
from ._elements import element_type  # noqa: F401
from ._resolve import describe, has_fixed_attributes  # noqa: F401
from .errors import from_kiln, remember_class  # noqa: F401


def find_text(function) -> None:
    """Gives a function made by exec a file with its text, if that is found."""
    from . import _exec

    _exec.find_text(function)


def bind(function, args, kwargs) -> tuple:
    """The arguments in the order of the kernel's parameters, with its defaults."""
    import inspect

    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    positional = []
    for name, parameter in bound.signature.parameters.items():
        value = bound.arguments[name]
        positional.extend(value) if parameter.kind is parameter.VAR_POSITIONAL else positional.append(value)
    return tuple(positional)


def launch_converted(configured, args):
    """Launches a kernel with explicit signatures on arguments of other types: converts them as Numba does."""
    from ._conversion import convert

    return configured(*convert(configured.dispatcher, args))


def warn_of_grid(blocks: int) -> None:
    """Called once for a launch configuration with few blocks."""
    from . import _config

    if _config.is_on("CUDA_LOW_OCCUPANCY_WARNINGS"):
        _warn(f"Grid size {blocks} will likely result in GPU under-utilization due to low occupancy: launch hundreds of blocks")


def warn_of_copies() -> None:
    """Called for the first launch of a configuration with an array in host memory."""
    from . import _config

    if _config.is_on("CUDA_WARN_ON_IMPLICIT_COPY"):
        _warn("Host array used in CUDA kernel will incur copy overhead to/from device: cuda.to_device copies it once")


def _warn(message: str) -> None:
    import warnings

    warnings.warn(message, errors.NumbaPerformanceWarning, stacklevel=3)


def warn_of_no_gpu() -> None:
    """Called once per process, for the first launch that would have used a GPU."""
    import warnings

    warnings.warn("there is no GPU that Kiln can use: kernels of cuda.jit run on the CPU", errors.NoDeviceWarning, stacklevel=3)


_kiln.set_hooks(sys.modules[__name__])
