# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Options of jit for type checkers; test_typing.py holds them to _options.py.
from collections.abc import Sequence
from typing import Any, TypedDict

class JitOptions(TypedDict, total=False):
    inline: bool | str
    forceinline: bool
    link: Sequence[Any] | None
    debug: bool | None
    fastmath: bool
    fma: bool | None
    contract: bool | str | None
    launch_bounds: int | tuple[int, ...] | None
    max_registers: int | None
    cache: bool
    lineinfo: bool
    opt: bool | int
    extensions: Sequence[Any] | None
    lto: bool | None
    shared_memory_carveout: int | str | None
    boundscheck: bool | None
    nopython: bool
    abi: str
    abi_info: dict[str, Any] | None
    chip: str | None
    target: str
    check: bool | None
    output: str
    O: int
    always_inline: bool
    cluster: int | tuple[int, ...]
    coarsen: bool
    coarsen_bytes: int
    g: int
    interruptible: bool
    invariant_arguments: bool
    maxregs: int
    maxthreads: int | tuple[int, ...]
    minblocks: int
    no_optimize: bool
    no_validate: bool
    ptx_isa: str
    spirv_features: str
    spirv_version: str
    strip: bool
