# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What type checkers read of the package; test_typing.py holds it to what there is.
from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from typing_extensions import Unpack

from . import _types as types, core as core, cuda as cuda, errors as errors, np as np, numba as numba
from ._dispatch import DeviceFunction, KernelDispatcher
from ._jit_options import JitOptions
from ._julia import JuliaModule, julia as julia
from ._numba import VersionInfo, install_as_numba as install_as_numba
from ._precompile import PrecompileError as PrecompileError, PrecompileReport as PrecompileReport, precompile as precompile, use_cache_dir as use_cache_dir, use_remote_cache as use_remote_cache
from ._reports import Advice as Advice, AdviceReport as AdviceReport, Timings as Timings, start_timings as start_timings, timings as timings
from ._types import *
from .cuda import config as config
from .cuda._guvectorize import GUFunc
from .cuda._vectorize import Vectorized

kiln_version: str
__version__: str
version_info: VersionInfo

# The last overload names every option, so that editors complete them.
@overload
def jit(function: Callable[..., Any], *, device: str | Literal[False] | int | None = ..., **options: Unpack[JitOptions]) -> KernelDispatcher: ...
@overload
def jit(function: Any = ..., *, device: Literal[True], **options: Unpack[JitOptions]) -> Callable[[Callable[..., Any]], DeviceFunction]: ...
@overload
def jit(
    function: Any = ..., *, device: str | int | None = ...,
    inline: bool | str = ..., forceinline: bool = ..., link: Sequence[Any] | None = ..., debug: bool | None = ..., fastmath: bool = ...,
    fma: bool | None = ..., contract: bool | str | None = ..., launch_bounds: int | tuple[int, ...] | None = ...,
    max_registers: int | None = ..., cache: bool = ..., lineinfo: bool = ..., opt: bool | int = ..., extensions: Sequence[Any] | None = ...,
    lto: bool | None = ..., shared_memory_carveout: int | str | None = ..., boundscheck: bool | None = ..., nopython: bool = ...,
    abi: str = ..., abi_info: dict[str, Any] | None = ..., chip: str | None = ..., target: str = ..., check: bool | None = ...,
    output: str = ..., O: int = ..., always_inline: bool = ..., cluster: int | tuple[int, ...] = ..., coarsen: bool = ...,
    coarsen_bytes: int = ..., g: int = ..., interruptible: bool = ..., invariant_arguments: bool = ..., maxregs: int = ...,
    maxthreads: int | tuple[int, ...] = ..., minblocks: int = ..., no_optimize: bool = ..., no_validate: bool = ..., ptx_isa: str = ...,
    spirv_features: str = ..., spirv_version: str = ..., strip: bool = ...,
) -> Callable[[Callable[..., Any]], KernelDispatcher]: ...  # fmt: skip
def devices() -> list[str]: ...
@overload
def njit(signature_or_function: Callable[..., Any], **options: Any) -> DeviceFunction: ...
@overload
def njit(
    signature_or_function: Any = ..., *,
    parallel: Any = ..., nogil: Any = ..., error_model: Any = ..., locals: Any = ..., forceobj: Any = ..., looplift: Any = ...,
    cache: Any = ..., nopython: Any = ..., fastmath: Any = ..., fma: Any = ..., contract: Any = ..., inline: Any = ...,
    boundscheck: Any = ..., debug: Any = ...,
) -> Callable[[Callable[..., Any]], DeviceFunction]: ...  # fmt: skip

class prange(range): ...

@overload
def vectorize(signatures: Callable[..., Any], **options: Any) -> Vectorized: ...
@overload
def vectorize(signatures: Any = ..., **options: Any) -> Callable[[Callable[..., Any]], Vectorized]: ...
def guvectorize(signatures: Any, layout: str | None = ..., **options: Any) -> Callable[[Callable[..., Any]], GUFunc]: ...
def register_source(filename: str, text: str) -> None: ...
def carray(pointer: Any, shape: Any, dtype: Any = ...) -> Any: ...
def farray(pointer: Any, shape: Any, dtype: Any = ...) -> Any: ...
def literal_unroll(container: Any) -> Any: ...
