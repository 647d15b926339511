# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels compiled before a program runs: here, or by the workers of an executor."""

from __future__ import annotations

import os

from . import _kiln, _types

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
    """Result of :func:`precompile`.

    Attributes
    ----------
    compiled : int
        How many pairs of kernel and signature there are code of now.
    failed : list of tuple
        ``(kernel's name, signature, message)`` of those that do not compile.
    lost : list of tuple
        ``(kernel's name, signature)`` of those whose worker of the executor was lost.
    """

    def __init__(self, results, lost=()):
        self.failed = [result for result in results if result is not None]
        self.compiled = len(results) - len(self.failed)
        self.lost = list(lost)

    def __repr__(self) -> str:
        lines = [f"{self.compiled} compiled, {len(self.failed)} failed" + (f", {len(self.lost)} lost" if self.lost else "")]
        lines += [f"{name}{signature}: {message}" for name, signature, message in self.failed]
        return "\n".join(lines + [f"{name}{signature}: not compiled, its worker was lost" for name, signature in self.lost])


class PrecompileError(RuntimeError):
    """An executor lost tasks of :func:`precompile`. Results of the others are kept.

    Attributes
    ----------
    report : PrecompileReport
        What was compiled, and what was lost.
    kernels : list of tuple
        ``(kernel, signature)`` of what was lost, for another call of :func:`precompile`.
    """

    def __init__(self, message: str, report: PrecompileReport, kernels: list):
        super().__init__(message)
        self.report = report
        self.kernels = kernels


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


def _named(task) -> tuple:
    kernel, types, _ = task
    return kernel.__name__, tuple(map(str, types))


class _Reference:
    """An object with a task's result, like a future."""

    def __init__(self, get):
        self.result = get


def _submit_of(executor):
    """A function that starts a task and returns an object with its result."""
    if hasattr(executor, "submit"):
        return executor.submit
    if hasattr(executor, "remote") and hasattr(executor, "get"):  # the module ray
        from . import _share

        task = executor.remote(_share.run_share)

        def begin(_, *arguments):
            reference = task.remote(*arguments)
            return _Reference(lambda: executor.get(reference))

        return begin
    from multiprocessing.pool import Pool, ThreadPool

    if isinstance(executor, Pool) and not isinstance(executor, ThreadPool):
        raise TypeError("a multiprocessing.Pool waits for ever for the result of a process that was killed: use concurrent.futures.ProcessPoolExecutor")
    if hasattr(executor, "apply_async"):  # ray.util.multiprocessing.Pool
        return lambda function, *arguments: _Reference(executor.apply_async(function, arguments).get)
    raise TypeError(f"executor needs submit(function, *arguments), as those of concurrent.futures and Dask's Client have, not {executor!r}")


def _width_of(executor) -> int:
    """Number of concurrent tasks, if the executor reports it."""
    if hasattr(executor, "ncores"):  # Dask
        return sum(executor.ncores().values()) or 1
    return getattr(executor, "_max_workers", None) or 16


def _on_executor(tasks, executor, folder, workers) -> PrecompileReport:
    import pickle

    from . import _share

    submit = _submit_of(executor)
    remotes = _kiln.chosen_remote_cache()
    if folder is None and not remotes and not _kiln.chosen_cache_dir():
        raise ValueError("this process keeps no cache, into which the executor's results would go: give cache_dir=, set KILN_CACHE_DIR, or call kiln.use_cache_dir")
    count = min(len(tasks), 4 * (workers or _width_of(executor)))
    shares = [tasks[first::count] for first in range(count)]
    payloads = [pickle.dumps(share) for share in shares]  # pickled here, so that the caller gets the error of a kernel that cannot be pickled
    futures, results, lost, why = [], [], [], None  # type: list, list, list, Exception | None
    for share, payload in zip(shares, payloads):
        try:
            futures.append(submit(_share.run_share, payload, len(share), folder, remotes, _share.process_token()))
        except Exception as error:  # noqa: BLE001: a broken executor rejects new tasks, but its earlier tasks may have succeeded
            why = why or error
            futures.append(None)
    for share, future in zip(shares, futures):
        try:
            messages, archive = future.result() if future is not None else (None, None)
        except Exception as error:  # noqa: BLE001: each kind of executor raises its own errors
            why, messages = why or error, None
        if messages is None:
            lost += share
            continue
        if archive is not None:
            _import(archive)
        results += [None if message is None else (*_named(task), message) for task, message in zip(share, messages)]
    report = PrecompileReport(results, map(_named, lost))
    if lost:
        names = ", ".join(f"{name}({', '.join(signature)})" for name, signature in report.lost[:8]) + (f" and {len(lost) - 8} more" if len(lost) > 8 else "")
        raise PrecompileError(
            f"the executor lost {len(lost)} of {len(tasks)} kernels ({type(why).__name__}: {why}); {report.compiled} are compiled and kept; "
            f"not compiled: {names}. Give this error's `kernels` to kiln.precompile, with an executor that works",
            report,
            list(dict.fromkeys((kernel, types) for kernel, types, _ in lost)),
        ) from why
    return report


def _import(archive: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="kiln-share-") as scratch:
        path = os.path.join(scratch, "archive")
        with open(path, "wb") as file:
            file.write(archive)
        _kiln.import_cache(path)


def precompile(kernels: Any, *, cc: Any = None, cache_dir: Any = None, executor: Any = None, workers: int | None = None, client: Any = None) -> PrecompileReport:
    """Compiles kernels into the cache; programs that start later read them there.

    Parameters
    ----------
    kernels : iterable
        ``(kernel, signature)``, ``(kernel, [signature, ...])``, or kernels that have signatures.
    cc : int, str or list of them, optional
        For GPUs of these compute capabilities (90 for 9.0, "90a", "100f"), which need not be here; else for the current device.
    cache_dir : str or path-like, optional
        The folder, one that all machines of a cluster see; else this process's own.
    executor : concurrent.futures.Executor, dask.distributed.Client, mpi4py.futures.MPIPoolExecutor, ray.util.multiprocessing.Pool, or similar, optional
        Its workers compile, each a share at a time. They need Kiln, and the kernels' modules; kernels of ``__main__`` are sent. With ``cache_dir``
        they write there; with a remote cache (:func:`use_remote_cache`) they publish there; else the compiled entries travel back into this
        process's folder.
    workers : int, optional
        Without an executor, threads: as many as there are cores. With one, its number of workers, if it does not say.
    client : object, optional
        The older name of ``executor``; also the module ray.

    Returns
    -------
    PrecompileReport
        How many were compiled, and which were not, and why.

    Raises
    ------
    PrecompileError
        The executor lost tasks, for example since a process of its pool was killed. What the other tasks compiled is kept.

    Examples
    --------
    >>> kiln.precompile([(saxpy, "void(f4[::1], f4[::1], f4)")], cc=[80, 90])  # doctest: +SKIP
    """
    folder = None if cache_dir is None else os.path.abspath(os.fspath(cache_dir))
    targets = list(cc) if isinstance(cc, (list, tuple)) else [cc]
    tasks = [(kernel, types, target) for kernel, types in _pairs(kernels) for target in targets]
    if executor is None:
        executor = client
    if executor is not None:
        return _on_executor(tasks, executor, folder, workers)
    from concurrent.futures import ThreadPoolExecutor

    from . import _share

    if folder is not None:
        use_cache_dir(folder)
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        messages = list(pool.map(lambda task: _share.compile_one(*task), tasks))
    return PrecompileReport([None if message is None else (*_named(task), message) for task, message in zip(tasks, messages)])
