# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays, streams, events and devices on the host, under Numba's names."""

from __future__ import annotations

import contextlib
import itertools
import time

from .. import _arguments, _kiln
from ._foreign import as_cuda_array, is_cuda_array


def is_available() -> bool:
    """Whether there is a GPU; without one kernels run on the CPU."""
    return _kiln.gpu_count() > 0


def is_bfloat16_supported() -> bool:
    """Whether kernels may use :mod:`kiln.cuda.bf16`: on GPUs of compute capability 8.0 and above, and on the CPU."""
    return not is_available() or get_current_device().compute_capability >= (8, 0)


def is_supported_version() -> bool:
    """True: kept for programs that have it."""
    return True


def synchronize() -> None:
    """Waits for all that was launched. What a kernel with ``debug=True`` raised is raised here."""
    _kiln.synchronize()


# ---- arrays


def _arrays():
    from . import _arrays

    return _arrays


def to_device(obj, stream=0, copy=True, to=None):
    """A copy of a host's array on the current device."""
    import numpy as np

    if isinstance(obj, _arrays().DeviceNDArray):
        return obj
    if is_cuda_array(obj):
        return as_cuda_array(obj)
    if to is None:
        ary = np.asarray(obj)
        order = "F" if ary.flags.f_contiguous and not ary.flags.c_contiguous else "C"
        to = _arrays().empty(ary.shape, ary.dtype, order=order)
        if to._device >= 0 and order == "F":
            to = _arrays().empty(ary.shape[::-1], ary.dtype).T
        obj = ary
    to.copy_to_device(obj, stream=stream)
    to.stream = stream
    return to


def device_array(shape, dtype=float, strides=None, order="C", stream=0):
    """An array on the current device; its values are not set."""
    if order == "F":
        shape = (shape,) if not isinstance(shape, (tuple, list)) else tuple(shape)
        made = _arrays().empty(shape[::-1], dtype).T
    else:
        made = _arrays().empty(shape, dtype, strides, order)
    made.stream = stream
    return made


def device_array_like(ary, stream=0):
    """An array on the current device of the shape, type and order of another."""
    fortran = _arguments.layout_of(ary.shape, ary.strides, ary.dtype.itemsize) == "F" and len(ary.shape) > 1
    return device_array(ary.shape, ary.dtype, order="F" if fortran else "C", stream=stream)


def _pinned(shape, dtype, order):
    import numpy as np

    if _kiln.current_device() < 0:
        return np.empty(shape, dtype, order)
    like = np.empty(shape, dtype, order)
    memory = _kiln.allocate(_kiln.current_device(), max(1, like.nbytes), True)
    made = np.asarray(_arrays()._Place(memory.address, like.shape, like.dtype, like.strides))
    _KEPT[memory.address] = memory  # pinned memory stays with the process
    return made


_KEPT: dict = {}


def pinned_array(shape, dtype=float, strides=None, order="C"):
    """An array in host memory that a GPU copies at full speed."""
    return _pinned(shape, dtype, order)


def pinned_array_like(ary):
    """A pinned array of the shape and type of another."""
    return _pinned(ary.shape, ary.dtype, "C")


def mapped_array(shape, dtype=float, strides=None, order="C", stream=0, portable=False, wc=False):
    """An array in host memory that kernels reach."""
    held = _pinned(shape, dtype, order)
    made = _arrays().DeviceNDArray(held, held, _kiln.current_device())
    made.stream = stream
    return made


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    """A mapped array of the shape, type and order of another."""
    fortran = _arguments.layout_of(ary.shape, ary.strides, ary.dtype.itemsize) == "F" and len(ary.shape) > 1
    return mapped_array(ary.shape, ary.dtype, order="F" if fortran else "C", stream=stream)


managed_array = mapped_array


@contextlib.contextmanager
def pinned(*arrays):
    """Within it the arrays are copied as they are; kept for programs that have it."""
    yield


@contextlib.contextmanager
def defer_cleanup():
    """Kept for programs that have it: memory is given back in the order of its stream."""
    yield


# ---- streams and events


class Stream:
    """A queue of launches and copies on a GPU; on the CPU each is done when its call returns."""

    def __init__(self, handle: int = 0, external: bool = False):
        self.handle, self.external = handle, external

    def __cuda_stream__(self):
        return (0, self.handle)

    def __int__(self) -> int:
        return self.handle

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<CUDA stream {self.handle:#x}>" if self.handle else "<Default CUDA stream>"

    def synchronize(self) -> None:
        """Waits for what is in it."""
        if not self.external:
            _kiln.synchronize(self.handle)
        elif _kiln.current_device() >= 0:
            _kiln.wait_for(_kiln.current_device(), self.handle)

    @contextlib.contextmanager
    def auto_synchronize(self):
        """Waits for what is in the stream where the block ends."""
        yield self
        self.synchronize()

    def add_callback(self, callback, arg=None) -> None:
        """Waits for the stream, and calls ``callback(stream, 0, arg)``."""
        self.synchronize()
        callback(self, 0, arg)


_cpu_streams = itertools.count(4096, 16)  # the CPU device has no streams: numbers that name none of CUDA's


def stream() -> Stream:
    """A stream of its own."""
    device = _kiln.current_device()
    return Stream(_kiln.make_stream(device) if device >= 0 else next(_cpu_streams))


def default_stream() -> Stream:
    """The stream that launches go into which name none."""
    return Stream(0)


def legacy_default_stream() -> Stream:
    """CUDA's stream that waits for all others."""
    return Stream(1)


def per_thread_default_stream() -> Stream:
    """CUDA's stream of the calling thread."""
    return Stream(2)


def external_stream(ptr: int) -> Stream:
    """A stream of another library, a CUstream as a number."""
    return Stream(int(ptr), external=True)


class Event:
    """A moment in a stream."""

    def __init__(self, timing=True):
        self._held = _kiln.Event() if _kiln.current_device() >= 0 else None
        self._time = None

    def record(self, stream=0) -> None:
        """Puts the event into a stream."""
        if self._held is None:
            self._time = time.perf_counter()
        else:
            self._held.record(_kiln.current_device(), _arguments.stream_handle(stream) if stream else 0)

    def synchronize(self) -> None:
        """Waits until what was before it is done."""
        if self._held is not None:
            self._held.synchronize()

    def query(self) -> bool:
        """Whether what was before it is done."""
        return self._held is None or self._held.query()

    def wait(self, stream=0) -> None:
        """Makes a stream wait for the event."""
        if self._held is not None:
            self._held.wait_in(_kiln.current_device(), _arguments.stream_handle(stream) if stream else 0)

    def elapsed_time(self, evtend) -> float:
        """Milliseconds from this one to another."""
        if self._held is None:
            return (evtend._time - self._time) * 1e3
        return self._held.elapsed(evtend._held)


def event(timing=True) -> Event:
    """An event, which :meth:`Event.record` puts into a stream."""
    return Event(timing)


def event_elapsed_time(evtstart, evtend) -> float:
    """Milliseconds from one event to another."""
    return evtstart.elapsed_time(evtend)


# ---- devices


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

    def get_memory_info(self):
        """(free, total) bytes."""
        described = _kiln.describe_gpu(self.device.id) if self.device.id >= 0 else {"free_memory": 0, "total_memory": 0}
        return _MemoryInfo((described["free_memory"], described["total_memory"]))

    def synchronize(self) -> None:
        synchronize()

    def reset(self) -> None:
        """Kept for programs that have it."""


class _MemoryInfo(tuple):
    free = property(lambda self: self[0])
    total = property(lambda self: self[1])


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
