# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copy modes of a host array argument: cuda.In, cuda.Out, cuda.InOut."""

from __future__ import annotations

from . import _api


class In:
    """Copies the array to the device, but not back."""

    def __init__(self, value):
        self.value = value

    def _kiln_view_(self):
        if not hasattr(self.value, "__array_interface__"):
            return ("value", self.value)
        self._held = _api.to_device(self.value)  # kept until the next launch; the stream frees the memory after its work
        return self._held._kiln_view_()


class InOut:
    """Copies the array to the device and back, as without this class."""

    def __init__(self, value):
        self.value = value

    def _kiln_view_(self):
        return ("value", self.value)


class Out(InOut):
    """Copies values back from the kernel. Elements that it does not write keep their values."""
