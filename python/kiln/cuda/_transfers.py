# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a host's array reaches a kernel and comes back: cuda.In, cuda.Out, cuda.InOut around an argument."""

from __future__ import annotations

from . import _api


class In:
    """The kernel gets a copy of the array; what it writes there is not copied back."""

    def __init__(self, value):
        self.value = value

    def _kiln_view_(self):
        if not hasattr(self.value, "__array_interface__"):
            return ("value", self.value)
        self._held = _api.to_device(self.value)  # until the next launch: memory is freed in the order of the stream
        return self._held._kiln_view_()


class InOut:
    """The array is copied to the device and back, as it is without this class."""

    def __init__(self, value):
        self.value = value

    def _kiln_view_(self):
        return ("value", self.value)


class Out(InOut):
    """The array's values come back from the kernel. Those that it does not write stay as they were."""
