# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of drivers, under Numba's names."""

from __future__ import annotations

from ...errors import DeviceError, NvrtcError  # noqa: F401


class CudaDriverError(Exception):
    """Base of errors in Numba's driver layer. Kiln's own device errors are :class:`kiln.errors.DeviceError`."""


class CudaSupportError(RuntimeError):
    """There is no driver."""


class LinkerError(RuntimeError):
    """Code could not be linked."""


class NvvmError(Exception):
    """Kiln has no NVVM; for compatibility."""


class NvvmSupportError(ImportError):
    """Kiln has no NVVM; for compatibility."""


class NvrtcSupportError(ImportError):
    """NVRTC is missing; for compatibility."""


class NvvmWarning(Warning):
    """Kiln has no NVVM; for compatibility."""


CudaAPIError = CudaRuntimeError = DeviceError
NvrtcCompilationError = NvrtcError
