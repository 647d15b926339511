# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams and events, under Numba's names."""

from __future__ import annotations

import contextlib
import itertools
import time

from .. import _arguments, _kiln

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


class Stream:
    """A queue of launches and copies on a GPU. On the CPU, each ends before its call returns."""

    def __init__(self, handle: int = 0, external: bool = False) -> None:
        self.handle, self.external = handle, external

    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, self.handle)

    def __int__(self) -> int:
        return self.handle

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<CUDA stream {self.handle:#x}>" if self.handle else "<Default CUDA stream>"

    def synchronize(self) -> None:
        """Waits for all work in the stream."""
        if not self.external:
            _kiln.synchronize(self.handle)
        elif _kiln.current_device() >= 0:
            _kiln.wait_for(_kiln.current_device(), self.handle)

    @contextlib.contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        """Waits for the stream at the end of the block."""
        yield self
        self.synchronize()

    def add_callback(self, callback: Callable[[Stream, int, Any], object], arg: Any = None) -> None:
        """Waits for the stream, and calls ``callback(stream, 0, arg)``."""
        self.synchronize()
        callback(self, 0, arg)


_cpu_streams = itertools.count(4096, 16)  # the CPU device has no streams: numbers unlike CUDA's


def stream() -> Stream:
    """A new stream."""
    device = _kiln.current_device()
    return Stream(_kiln.make_stream(device) if device >= 0 else next(_cpu_streams))


def default_stream() -> Stream:
    """The stream of launches that name none."""
    return Stream(0)


def legacy_default_stream() -> Stream:
    """CUDA's stream that waits for all others."""
    return Stream(1)


def per_thread_default_stream() -> Stream:
    """CUDA's stream of the calling thread."""
    return Stream(2)


_arguments.stream_class = Stream


def external_stream(ptr: int) -> Stream:
    """A stream of another library, by its CUstream as a number."""
    return Stream(int(ptr), external=True)


class Event:
    """A moment in a stream."""

    def __init__(self, timing: bool = True) -> None:
        self._held = _kiln.Event() if _kiln.current_device() >= 0 else None
        self._time = None

    def record(self, stream: Any = 0) -> None:
        """Puts the event into a stream."""
        if self._held is None:
            self._time = time.perf_counter()
        else:
            self._held.record(_kiln.current_device(), _arguments.stream_handle(stream) if stream else 0)

    def synchronize(self) -> None:
        """Waits until the work before the event is done."""
        if self._held is not None:
            self._held.synchronize()

    def query(self) -> bool:
        """True if the work before the event is done."""
        return self._held is None or self._held.query()

    def wait(self, stream: Any = 0) -> None:
        """Makes a stream wait for the event."""
        if self._held is not None:
            self._held.wait_in(_kiln.current_device(), _arguments.stream_handle(stream) if stream else 0)

    def elapsed_time(self, evtend: Event) -> float:
        """Milliseconds from this event to another."""
        if self._held is None:
            return (evtend._time - self._time) * 1e3
        return self._held.elapsed(evtend._held)


def event(timing: bool = True) -> Event:
    """An event, which :meth:`Event.record` puts into a stream."""
    return Event(timing)


def event_elapsed_time(evtstart: Event, evtend: Event) -> float:
    """Milliseconds from one event to another."""
    return evtstart.elapsed_time(evtend)
