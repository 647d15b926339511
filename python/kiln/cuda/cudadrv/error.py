# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of drivers, under Numba's names."""

from __future__ import annotations

from ...errors import DeviceError, NvrtcError  # noqa: F401


class CudaDriverError(Exception):
    """The base of what Numba's driver layer raises; Kiln's own errors of devices are :class:`kiln.errors.DeviceError`."""


class CudaSupportError(RuntimeError):
    """There is no driver."""


class LinkerError(RuntimeError):
    """Code could not be linked."""


class NvvmError(Exception):
    """Kiln has no NVVM: kept for programs that name it."""


CudaAPIError = DeviceError
