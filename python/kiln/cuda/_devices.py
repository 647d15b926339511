# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices and their contexts, under Numba's names."""

from __future__ import annotations

import contextlib

from .. import _device_data, _kiln

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Device:
    """A GPU, or the CPU device if there is none.

    Attributes
    ----------
    id : int
        Its number among :data:`kiln.cuda.gpus`; the CPU device is number 0, as the device of Numba's simulator is.
    """

    def __init__(self, number: int) -> None:
        self._number = number  # the engine's device number: -1 for the CPU, else a GPU's
        self.id = max(number, 0)
        self._described = None

    def _get(self, name: str) -> Any:
        if self._described is None:
            self._described = _device_data.describe(self._number)
        return self._described[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._get(name)
        except KeyError:
            raise AttributeError(f"{name} of a device is not known") from None

    def __repr__(self) -> str:
        return f"<Device {self.id}: {self.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self._number == other._number

    def __hash__(self) -> int:
        return hash(self._number)

    def __enter__(self) -> Device:
        self._before = _kiln.current_device()
        _kiln.set_current_device(self._number)
        return self

    def __exit__(self, *_: object) -> None:
        _kiln.set_current_device(self._before)

    def reset(self) -> None:
        """No effect; for compatibility."""

    def get_primary_context(self) -> Context:
        """The context of the device."""
        return Context(self)


class Context:
    """The context of a device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.id = device.id

    @property
    def memory_manager(self):
        """The source of its memory: Kiln, or the program's memory manager."""
        from . import _memory

        return _memory.manager_of(self)

    @memory_manager.setter
    def memory_manager(self, manager):
        from . import _memory

        _memory.set_manager_of(self, manager)

    deallocations = property(lambda self: self.memory_manager.deallocations)

    def get_memory_info(self) -> Any:
        """MemoryInfo(free, total), in bytes."""
        return self.memory_manager.get_memory_info()

    def memalloc(self, bytesize: int) -> Any:
        """Device memory by its pointer."""
        return self.memory_manager.memalloc(bytesize)

    def memhostalloc(self, bytesize, mapped=False, portable=False, wc=False):
        """Pinned host memory, which supports the buffer protocol for NumPy."""
        return self.memory_manager.memhostalloc(bytesize, mapped, portable, wc)

    def memallocmanaged(self, bytesize, attach_global=True):
        """Managed memory, which supports the buffer protocol for NumPy."""
        return self.memory_manager.memallocmanaged(bytesize, attach_global)

    def mempin(self, owner, pointer, size, mapped=False):
        """Existing host memory."""
        return self.memory_manager.mempin(owner, pointer, size, mapped)

    def get_ipc_handle(self, memory):
        """A handle of device memory for other processes, if the memory manager supports it."""
        return self.memory_manager.get_ipc_handle(memory)

    def synchronize(self) -> None:
        """Waits for all launches."""
        _kiln.synchronize()

    def reset(self) -> None:
        """Tells the program's memory manager to free its memory."""
        from . import _memory

        if (manager := _memory.plugged(self)) is not None:
            manager.reset()


class _Devices:
    """The GPUs, by number; without a GPU the CPU device alone, as number 0."""

    def __getitem__(self, number: int) -> Device:
        try:
            return self.lst[number]
        except IndexError:
            raise IndexError(f"no device has the number {number}: there are {len(self)}, counted from 0") from None

    def __len__(self) -> int:
        return len(self.lst)

    def __iter__(self) -> Iterator[Device]:
        return iter(self.lst)

    def __str__(self) -> str:
        return ", ".join(map(str, self.lst))

    @property
    def current(self) -> Device:
        return get_current_device()

    @property
    def lst(self) -> list[Device]:
        return [Device(number) for number in range(_kiln.gpu_count())] or [Device(-1)]


gpus = _Devices()


def list_devices() -> _Devices:
    """The GPUs, or only the CPU device."""
    return gpus


def get_current_device() -> Device:
    """The device for launches."""
    return Device(_kiln.current_device())


def current_context(devnum: int | None = None) -> Context:
    """The context of a device; without a number, of the current one."""
    return Context(get_current_device() if devnum is None else gpus[devnum])


def select_device(device_id: int) -> Context:
    """Selects the current device, for new arrays and launches."""
    device = gpus[device_id]
    if device != get_current_device():  # without a GPU, get_current_device warns and selects the CPU itself
        _kiln.set_current_device(device._number)
    return Context(device)


def close() -> None:
    """No effect; for compatibility."""


def detect() -> bool:
    """Prints the devices, and returns whether there is a GPU."""
    print(f"Found {_kiln.gpu_count()} CUDA devices")
    for device in gpus:
        print(f"id {device.id}    {device.name}    compute capability {device.compute_capability}")
    return _kiln.gpu_count() > 0


@contextlib.contextmanager
def profiling() -> Iterator[None]:
    """No effect; for compatibility."""
    yield


def profile_start() -> None:
    """No effect; for compatibility."""


def profile_stop() -> None:
    """No effect; for compatibility."""
