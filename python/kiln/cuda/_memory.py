# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory by pointers, managed memory, and custom memory managers (Numba's EMM plug-ins)."""

from __future__ import annotations

import collections
import ctypes
import functools
import weakref

from .. import _device_data, _kiln
from ..errors import DeviceError

MemoryInfo = collections.namedtuple("MemoryInfo", "free,total")
_VERSION = 1  # version of the memory managers' interface


class MemoryPointer:
    """Memory of a device.

    Parameters
    ----------
    context
        Its context.
    pointer : int or ctypes pointer
        Its address.
    size : int
        Its bytes.
    owner : optional
        What it is a part of, which is kept alive.
    finalizer : callable, optional
        Called when the last object that has it has gone.
    """

    __cuda_memory__ = True

    def __init__(self, context, pointer, size, owner=None, finalizer=None):
        self.context, self.size, self.owner = context, size, owner
        self.handle = self.device_pointer_value = int(getattr(pointer, "value", pointer) or 0)
        self.refct = 1
        self._finalizer = weakref.finalize(self, finalizer) if finalizer is not None else None
        if self._finalizer is not None:
            self._finalizer.atexit = False

    device_pointer = property(lambda self: self.device_pointer_value)
    device_ctypes_pointer = property(lambda self: ctypes.c_size_t(self.device_pointer_value))
    bytesize = property(lambda self: self.size)

    def view(self, start, stop=None):
        """The bytes from `start` on."""
        stop = self.size if stop is None else stop
        if not 0 <= start <= stop <= self.size:
            raise RuntimeError(f"a part of {self.size} bytes ends within them, not at {stop}")
        return OwnedPointer(self.own() if self.owner is None else _root(self), start, stop)

    def own(self):
        """Another object for the same memory."""
        return OwnedPointer(_root(self), 0, self.size)

    def free(self) -> None:
        """Frees it now."""
        if self._finalizer is not None:
            self._finalizer()


def _root(memory):
    while memory.owner is not None:
        memory = memory.owner
    return memory


class OwnedPointer(MemoryPointer):
    """A part of another object's memory."""

    def __init__(self, memory, start=0, stop=None):
        root = _root(memory)
        stop = memory.size if stop is None else stop
        super().__init__(memory.context, memory.device_pointer_value + start, stop - start, root)
        root.refct += 1

    def view(self, start, stop=None):
        return OwnedPointer(self, start, self.size if stop is None else stop)

    def __del__(self):
        owner = getattr(self, "owner", None)
        if owner is not None:
            owner.refct -= 1


class AutoFreePointer(MemoryPointer):
    """Memory that is freed with its last object."""


class _HostMemory:
    """Memory that the host can access: supports the buffer protocol for NumPy, by address."""

    __cuda_memory__ = True
    device_pointer_value = property(lambda self: ctypes.addressof(self))
    handle = device_pointer = device_pointer_value
    device_ctypes_pointer = property(lambda self: ctypes.c_size_t(ctypes.addressof(self)))
    size = property(lambda self: ctypes.sizeof(self))


@functools.lru_cache(maxsize=64)
def _host_class(name, size):
    return type(name, (_HostMemory, ctypes.c_uint8 * max(size, 1)), {})


def _host_memory(name, address, size, owner):
    made = _host_class(name, size).from_address(address)
    made.owner = owner
    return made


# ---- managed memory, allocated through the CUDA driver's API


@functools.lru_cache(maxsize=None)
def _driver():
    library = ctypes.CDLL("libcuda.so.1")
    for name, types in {
        "cuDevicePrimaryCtxRetain": (ctypes.c_void_p, ctypes.c_int), "cuCtxPushCurrent_v2": (ctypes.c_void_p,), "cuCtxPopCurrent_v2": (ctypes.c_void_p,),
        "cuMemAllocManaged": (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint), "cuMemFree_v2": (ctypes.c_uint64,), "cuMemAlloc_v2": (ctypes.c_void_p, ctypes.c_size_t),
        "cuPointerGetAttribute": (ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64),
    }.items():  # fmt: skip
        getattr(library, name).argtypes = types
    return library


@functools.lru_cache(maxsize=None)
def _context(device):
    context = ctypes.c_void_p()
    _check(_driver().cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
    return context


def _check(status, what):
    if status:
        raise DeviceError(status, f"{what} failed with error {status} of the CUDA driver")


def _within(device, call):
    """Calls a function with the device's context current, and restores the thread's context."""
    driver, popped = _driver(), ctypes.c_void_p()
    _check(driver.cuCtxPushCurrent_v2(_context(device)), "cuCtxPushCurrent")
    try:
        return call(driver)
    finally:
        driver.cuCtxPopCurrent_v2(ctypes.byref(popped))


def check_foreign(device, address):
    """Rejects an address unknown to the driver: a copy from it would read host memory and crash the process."""
    kind = ctypes.c_uint()
    if _within(device, lambda driver: driver.cuPointerGetAttribute(ctypes.byref(kind), 2, address)):  # kind of memory
        raise ValueError(f"no memory of a device is at {address:#x}: the owner of the array has freed it; keep the owner while the array is in use")


def allocate_managed(device, size, attach_global=True):
    """Memory that host and device can access, and its owner. More than the device has is refused: a GPU may hang."""
    size = max(size, 1)
    if size >= 1 << 62:
        raise MemoryError(f"{size} bytes are more than a machine addresses")
    if device < 0:
        held = (ctypes.c_uint8 * size)()
        return ctypes.addressof(held), held
    total = _kiln.describe_gpu(device)["total_memory"]
    if size > total:
        raise MemoryError(f"{size} bytes of managed memory are more than the GPU has ({total}): Kiln refuses what the driver would have to move to and fro")
    address = ctypes.c_uint64()
    _within(device, lambda driver: _check(driver.cuMemAllocManaged(ctypes.byref(address), size, 1 if attach_global else 2), "cuMemAllocManaged"))
    return address.value, _Managed(device, address.value)


class _Managed:
    """Frees managed memory with its last object."""

    def __init__(self, device, address):
        weakref.finalize(self, _within, device, lambda driver: (_kiln.synchronize(), driver.cuMemFree_v2(address))).atexit = False


# ---- memory managers


class BaseCUDAMemoryManager:
    """Interface of a memory manager; created for a context, ``Manager(context=...)``."""

    def __init__(self, *args, **kwargs):
        if "context" not in kwargs:
            raise RuntimeError("Memory manager requires a context")
        self.context = kwargs.pop("context")

    def initialize(self):
        """Called at the first use of its context."""
        raise NotImplementedError

    def memalloc(self, size):
        """A MemoryPointer of so many bytes."""
        raise NotImplementedError

    def reset(self):
        """Frees all of its memory."""
        raise NotImplementedError

    def get_memory_info(self):
        """MemoryInfo(free, total)."""
        raise NotImplementedError

    def get_ipc_handle(self, memory):
        """A handle for other processes to open the memory."""
        raise NotImplementedError

    def defer_cleanup(self):
        """A context manager that defers frees."""
        import contextlib

        return contextlib.nullcontext()

    @property
    def interface_version(self) -> int:
        raise NotImplementedError


class HostOnlyCUDAMemoryManager(BaseCUDAMemoryManager):
    """A memory manager that uses Kiln's host memory. Derive from it to provide device memory."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.allocations, self.deallocations = {}, []

    def initialize(self):
        pass

    def reset(self):
        self.allocations.clear()

    def memhostalloc(self, size, mapped=False, portable=False, wc=False):
        """Pinned host memory."""
        device = self.context.device._number
        memory = _kiln.allocate(device, max(size, 1), True) if device >= 0 else (ctypes.c_uint8 * max(size, 1))()
        return _host_memory("MappedMemory" if mapped else "PinnedMemory", memory.address if device >= 0 else ctypes.addressof(memory), size, memory)

    def mempin(self, owner, pointer, size, mapped=False):
        """Existing host memory, used in place."""
        return _host_memory("MappedMemory" if mapped else "PinnedMemory", int(getattr(pointer, "value", pointer)), size, owner)

    def memallocmanaged(self, size, attach_global):
        """Managed memory."""
        address, owner = allocate_managed(self.context.device._number, size, attach_global)
        return _host_memory("ManagedMemory", address, size, owner)

    @property
    def interface_version(self) -> int:
        return _VERSION


class KilnMemoryManager(HostOnlyCUDAMemoryManager):
    """Kiln's memory manager: device memory from CUDA's pool, in the order of the default stream."""

    def memalloc(self, size):
        device = self.context.device._number
        memory = _kiln.allocate(device, max(size, 1)) if device >= 0 else (ctypes.c_uint8 * max(size, 1))()
        made = AutoFreePointer(self.context, memory.address if device >= 0 else ctypes.addressof(memory), size)
        made.memory = memory
        return made

    def get_memory_info(self):
        described = _device_data.describe(self.context.device._number)
        return MemoryInfo(described["free_memory"], described["total_memory"])

    def get_ipc_handle(self, memory):
        raise OSError("Kiln's memory has no handles for other processes: it is of CUDA's pool")


class IpcArrayHandle:
    """A handle of an array for other processes, from its memory manager."""

    def __init__(self, ipc_handle, array):
        self._ipc_handle, self.shape, self.dtype, self.strides = ipc_handle, array.shape, array.dtype, array.strides


_plugin = KilnMemoryManager
_managers: dict = {}  # by device


def set_memory_manager(mm_plugin) -> None:
    """Sets the class of memory managers for contexts used later.

    Parameters
    ----------
    mm_plugin : type
        A class like :class:`BaseCUDAMemoryManager`, of interface version 1.
    """
    global _plugin
    made = mm_plugin(context=None)
    if made.interface_version != _VERSION:
        raise RuntimeError(f"EMM Plugin interface has version {made.interface_version} - version {_VERSION} required")
    _plugin = mm_plugin
    _managers.clear()


def manager_of(context):
    """The memory manager of a context, created and initialised at its first use."""
    held = _managers.get(context.device._number)
    if held is None:
        held = _plugin(context=context)
        set_manager_of(context, held)
    return held


def set_manager_of(context, manager) -> None:
    _managers[context.device._number] = manager
    manager.initialize()


def may_be_plugged() -> bool:
    """True if a context may have a custom memory manager."""
    return bool(_managers) or _plugin is not KilnMemoryManager


def plugged(context):
    """The custom memory manager for a context's device arrays. None: Kiln's."""
    held = _managers.get(context.device._number)
    if held is None and _plugin is not KilnMemoryManager:
        held = manager_of(context)
    return None if held is None or type(held) is KilnMemoryManager else held
