# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels compiled before a program runs: here, or as tasks on a cluster whose machines share the cache's folder."""

from __future__ import annotations

import os

from . import _kiln, _types
from .errors import NumbaError

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from typing import Any


def use_cache_dir(folder: "str | os.PathLike[str]") -> None:
    """Keeps what this process compiles in a folder, in place of KILN_CACHE_DIR or the usual one.

    Parameters
    ----------
    folder : str or path-like
        The folder, which processes and machines may share; "" keeps nothing.

    Raises
    ------
    RuntimeError
        Something was compiled already, with another folder.
    """
    folder = os.fspath(folder)
    if _kiln.is_open() and folder != _kiln.cache_dir():
        raise RuntimeError("the cache's folder is chosen before the first compile: call kiln.use_cache_dir at the top of the program, or set KILN_CACHE_DIR")
    _kiln.use_cache_dir(folder)


def use_remote_cache(*urls: str) -> None:
    """Shares what this process compiles with other machines, in place of KILN_REMOTE_CACHE.

    Parameters
    ----------
    *urls : str
        Stores: ``http://``, ``https://``, ``redis://`` or ``file://``. The first is read and written, the others are only read. None: no store.

    Raises
    ------
    RuntimeError
        Something was compiled already, with other stores.
    """
    for url in urls:
        if not isinstance(url, str) or "://" not in url:
            raise ValueError(f"kiln.use_remote_cache takes URLs, such as redis://cache.example:6379, not {url!r}")
    if _kiln.is_open() and list(urls) != _kiln.remote_cache():
        raise RuntimeError("remote stores are chosen before the first compile: call kiln.use_remote_cache at the top of the program, or set KILN_REMOTE_CACHE")
    _kiln.use_remote_cache(list(urls))


class PrecompileReport:
    """What :func:`precompile` did.

    Attributes
    ----------
    compiled : int
        How many pairs of kernel and signature there are code of now.
    failed : list of tuple
        ``(kernel's name, signature, message)`` of the others.
    """

    def __init__(self, results):
        self.failed = [result for result in results if result is not None]
        self.compiled = len(results) - len(self.failed)

    def __repr__(self) -> str:
        lines = [f"{self.compiled} compiled, {len(self.failed)} failed"]
        return "\n".join(lines + [f"{name}{signature}: {message}" for name, signature, message in self.failed])


def _one(kernel, types, cc, folder):
    """One task, in whichever process: None, or what failed."""
    try:
        if folder is not None:
            use_cache_dir(folder)
        engine_types = [item.engine_type for item in types]
        if cc:
            try:
                kernel._product(engine_types, "cubin", cc)
            except (NumbaError, RuntimeError, ValueError):
                kernel._product(engine_types, "asm", cc)  # no assembler on this machine: its PTX at least; a fault of the kernel comes up again
        else:
            kernel._compile(engine_types)
        _kiln.flush_cache()
    except Exception as error:  # noqa: BLE001: whatever is wrong with one kernel, the others go on
        return kernel.__name__, tuple(map(str, types)), f"{type(error).__name__}: {error}"
    return None


def _pairs(kernels):
    for item in kernels:
        kernel, signatures = item if isinstance(item, tuple) else (item, getattr(item, "_signatures", ()))
        if not getattr(kernel, "is_kernel", False):
            raise TypeError(f"precompile takes kernels and (kernel, signature), not {item!r}")
        if not isinstance(signatures, list) and isinstance(item, tuple):
            signatures = [signatures]
        if not signatures:
            raise ValueError(f"{kernel.__name__} has no signatures: give (kernel, signature)")
        for signature in signatures:
            yield kernel, _types.arguments_of(signature)


def precompile(kernels: Any, *, cc: Any = None, cache_dir: Any = None, client: Any = None, workers: int | None = None) -> PrecompileReport:
    """Compiles kernels into the cache's folder; programs that start later read them there.

    Parameters
    ----------
    kernels : iterable
        ``(kernel, signature)``, ``(kernel, [signature, ...])``, or kernels that have signatures.
    cc : int, str or list of them, optional
        For GPUs of these compute capabilities (90 for 9.0, "90a", "100f"), which need not be here; else for the current device.
    cache_dir : str or path-like, optional
        The folder, one that all machines of a cluster see; else this process's own, or each worker's own.
    client : dask.distributed.Client or the module ray, optional
        Where each pair becomes a task. Its workers need Kiln, and the kernels' modules or (Dask's cloudpickle sends functions of ``__main__``)
        their source files.
    workers : int, optional
        Threads without a client: as many as there are cores.

    Returns
    -------
    PrecompileReport
        How many were compiled, and which were not, and why.

    Examples
    --------
    >>> kiln.precompile([(saxpy, "void(f4[::1], f4[::1], f4)")], cc=[80, 90])  # doctest: +SKIP
    """
    folder = None if cache_dir is None else os.path.abspath(os.fspath(cache_dir))
    targets = list(cc) if isinstance(cc, (list, tuple)) else [cc]
    tasks = [(kernel, types, target, folder) for kernel, types in _pairs(kernels) for target in targets]
    if client is None:
        from concurrent.futures import ThreadPoolExecutor

        if folder is not None:
            use_cache_dir(folder)
        with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
            return PrecompileReport(list(pool.map(lambda task: _one(*task), tasks)))
    if hasattr(client, "submit"):
        return PrecompileReport(client.gather([client.submit(_one, *task, pure=False) for task in tasks]))
    remote = client.remote(_one)
    return PrecompileReport(client.get([remote.remote(*task) for task in tasks]))
