# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices and their contexts, under Numba's names."""

from __future__ import annotations

import contextlib

from .. import _kiln


class Device:
    """A GPU, or the CPU device where there is none."""

    def __init__(self, number: int):
        self.id = number
        self._described = None

    def _get(self, name):
        if self._described is None:
            if self.id < 0:
                self._described = {
                    "name": "CPU", "compute_capability": (9, 0), "MAX_THREADS_PER_BLOCK": 1024, "WARP_SIZE": 32, "MULTIPROCESSOR_COUNT": 1, "MAX_BLOCK_DIM_X": 1024,
                    "MAX_BLOCK_DIM_Y": 1024, "MAX_BLOCK_DIM_Z": 64, "MAX_GRID_DIM_X": 2**31 - 1, "MAX_GRID_DIM_Y": 65535, "MAX_GRID_DIM_Z": 65535,
                    "MAX_SHARED_MEMORY_PER_BLOCK": 232448, "total_memory": 0, "free_memory": 0,
                }  # fmt: skip
            else:
                self._described = _kiln.describe_gpu(self.id)
        return self._described[name]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._get(name)
        except KeyError:
            raise AttributeError(f"{name} of a device is not known") from None

    def __repr__(self) -> str:
        return f"<Device {self.id}: {self.name}>"

    def __eq__(self, other) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __enter__(self):
        self._before = _kiln.current_device()
        _kiln.set_current_device(self.id)
        return self

    def __exit__(self, *_):
        _kiln.set_current_device(self._before)

    def reset(self) -> None:
        """Kept for programs that have it."""

    def get_primary_context(self):
        """The context of the device."""
        return Context(self)


class Context:
    """The context of a device."""

    def __init__(self, device: Device):
        self.device = device

    @property
    def memory_manager(self):
        """What its memory comes from: Kiln, or a memory manager of the program's own."""
        from . import _memory

        return _memory.manager_of(self)

    @memory_manager.setter
    def memory_manager(self, manager):
        from . import _memory

        _memory.set_manager_of(self, manager)

    deallocations = property(lambda self: self.memory_manager.deallocations)

    def get_memory_info(self):
        """MemoryInfo(free, total), in bytes."""
        return self.memory_manager.get_memory_info()

    def memalloc(self, bytesize):
        """Device memory by its pointer."""
        return self.memory_manager.memalloc(bytesize)

    def memhostalloc(self, bytesize, mapped=False, portable=False, wc=False):
        """Pinned memory of the host, which NumPy takes as a buffer."""
        return self.memory_manager.memhostalloc(bytesize, mapped, portable, wc)

    def memallocmanaged(self, bytesize, attach_global=True):
        """Managed memory, which NumPy takes as a buffer."""
        return self.memory_manager.memallocmanaged(bytesize, attach_global)

    def mempin(self, owner, pointer, size, mapped=False):
        """Memory of the host that is there."""
        return self.memory_manager.mempin(owner, pointer, size, mapped)

    def get_ipc_handle(self, memory):
        """A handle of device memory for other processes, where the memory manager has such."""
        return self.memory_manager.get_ipc_handle(memory)

    def synchronize(self) -> None:
        """Waits for all that was launched."""
        _kiln.synchronize()

    def reset(self) -> None:
        """Tells a memory manager of the program's own to give its memory back."""
        from . import _memory

        if (manager := _memory.plugged(self.device.id)) is not None:
            manager.reset()


class _Devices:
    """The GPUs, by number."""

    def __getitem__(self, number: int) -> Device:
        if not 0 <= number < len(self):
            raise IndexError(f"there is no GPU {number}: there are {len(self)}")
        return Device(number)

    def __len__(self) -> int:
        return _kiln.gpu_count()

    def __iter__(self):
        return (Device(number) for number in range(len(self)))

    @property
    def current(self) -> Device:
        return get_current_device()

    lst = property(list)


gpus = _Devices()


def list_devices() -> _Devices:
    """The GPUs."""
    return gpus


def get_current_device() -> Device:
    """The device that launches go to."""
    return Device(_kiln.current_device())


def current_context(devnum=None) -> Context:
    """The context of a device, the current one without a number."""
    return Context(Device(_kiln.current_device() if devnum is None else devnum))


def select_device(device_id: int) -> Context:
    """Makes a GPU the current one: arrays are made there and kernels run there."""
    gpus[device_id]
    _kiln.set_current_device(device_id)
    return Context(Device(device_id))


def close() -> None:
    """Kept for programs that have it."""


def detect() -> bool:
    """Prints the GPUs that there are."""
    print(f"Found {len(gpus)} CUDA devices")
    for device in gpus:
        print(f"id {device.id}    {device.name}    compute capability {device.compute_capability}")
    return len(gpus) > 0


@contextlib.contextmanager
def profiling():
    """Kept for programs that have it."""
    yield


def profile_start() -> None:
    """Kept for programs that have it."""


def profile_stop() -> None:
    """Kept for programs that have it."""
