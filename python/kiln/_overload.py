# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled code of a kernel for one list of argument types, and launches by a number of elements."""

from __future__ import annotations

import functools
import math

from . import _kiln, _types

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from typing import Any

_CPU_BLOCKS = 64  # maximum blocks of a cooperative launch on the CPU: more would work, but each takes memory


class Overload:
    """Code compiled for one list of argument types."""

    def __init__(self, dispatcher, engine_types):
        self._dispatcher, self._engine_types = dispatcher, list(engine_types)
        self.signature = _types.Signature(_types.void, [_types.from_engine_type(each) for each in engine_types])

    @property
    def argtypes(self):
        return self.signature.args

    @property
    def entry_name(self) -> str:
        return self._resources["entry"]

    name = entry_name

    @functools.cached_property
    def _resources(self):
        return self._dispatcher._resources(self._engine_types)

    regs_per_thread = property(lambda self: self._resources["registers"])
    shared_mem_per_block = property(lambda self: self._resources["shared"])
    local_mem_per_thread = property(lambda self: self._resources["local"])
    const_mem_size = property(lambda self: self._resources["constant"])
    cooperative = property(lambda self: self._resources["cooperative"])

    def max_cooperative_grid_blocks(self, blockdim: Any, dynsmemsize: int = 0) -> int:
        """The maximum number of blocks in a cooperative launch: as many as the device holds at once.

        Parameters
        ----------
        blockdim : int or tuple of int
            The threads of a block.
        dynsmemsize : int, optional
            Bytes of dynamic shared memory a block.
        """
        threads = math.prod(blockdim) if isinstance(blockdim, (tuple, list)) else blockdim
        number = _kiln.current_device()
        if number < 0:
            return _CPU_BLOCKS
        from . import _device_data

        device = _device_data.describe(number)
        warps = -(-threads // device["WARP_SIZE"])
        # The GPU allocates registers in units of 256 per warp and of four warps. Each block reserves 1 KB of shared
        # memory.
        registers = -(-warps // 4) * 4 * -(-max(self.regs_per_thread, 1) * device["WARP_SIZE"] // 256) * 256
        shared = self.shared_mem_per_block + dynsmemsize + 1024
        blocks = min(
            device["MAX_THREADS_PER_MULTI_PROCESSOR"] // (warps * device["WARP_SIZE"]), device["MAX_REGISTERS_PER_BLOCK"] // registers,
            device["MAX_SHARED_MEMORY_PER_MULTIPROCESSOR"] // shared, 32 if device["compute_capability"][1] == 0 else 16,
        )  # fmt: skip
        return blocks * device["MULTIPROCESSOR_COUNT"]

    def inspect(self, stage: str, cc: int | str | None = None) -> Any:
        """A product of the compiler: :meth:`KernelDispatcher.inspect`."""
        return self._dispatcher._product(self._engine_types, stage, cc or 0)

    def inspect_llvm(self) -> str:
        return self.inspect("llvm-opt")

    def inspect_asm(self) -> str:
        return self.inspect("asm")

    def inspect_sass(self) -> bytes:
        return self.inspect("cubin")

    @property
    def ptx(self) -> str:
        """Its PTX; without a GPU for compute capability 9.0, which the CPU device reports."""
        return self.inspect("asm", 90 if _kiln.current_device() < 0 else None)


class ForAll:
    """``kernel.forall(n)``: a launch of a thread for each of n elements."""

    def __init__(self, dispatcher, ntasks, tpb, stream, sharedmem):
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        self._held = dispatcher, ntasks, tpb, stream, sharedmem

    def __call__(self, *args: Any) -> None:
        dispatcher, ntasks, tpb, stream, sharedmem = self._held
        if ntasks == 0:
            return None
        threads = tpb or 256
        return dispatcher[(ntasks + threads - 1) // threads, threads, stream, sharedmem](*args)
