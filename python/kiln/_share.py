# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A share of the kernels of :func:`kiln.precompile`, compiled in a process of its own: ``python -m kiln._share FOLDER``.

FOLDER holds the pickled share; the process leaves the result there, and an archive of FOLDER/cache where neither a folder nor a store shares the result.
A worker of an executor may have compiled before, with another folder or other stores: the process has neither, and what it leaves is the share's alone.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
import uuid

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from typing import Any

_import = uuid.uuid4().hex


def process_token() -> str:
    """Differs in each process, also after fork and on other machines."""
    return f"{_import}-{os.getpid()}"


def compile_one(kernel: Any, types: Any, cc: Any) -> "str | None":
    """Compiles a kernel into the cache of this process. What failed."""
    from . import _kiln
    from .errors import NumbaError

    try:
        engine_types = [item.engine_type for item in types]
        if cc:
            try:
                kernel._product(engine_types, "cubin", cc)
            except (NumbaError, RuntimeError, ValueError):
                kernel._product(engine_types, "asm", cc)  # without an assembler, makes at least the PTX; a fault of the kernel is raised again here
        else:
            kernel._compile(engine_types)
        _kiln.flush_cache()
    except Exception as error:  # noqa: BLE001: one kernel's error must not stop the others
        return f"{type(error).__name__}: {error}"
    return None


def run_share(share: bytes, count: int, folder: "str | None", remotes: "list[str]", caller: str) -> "tuple[list[str | None], bytes | None]":
    """One task, in a worker of an executor: for each of the share's `count` kernels None or what failed, and the archive of what was compiled.

    There is no archive where the folder or the stores share the result, and where the worker is a thread of the caller's process.
    """
    if folder is None and caller == process_token():
        return [compile_one(*each) for each in pickle.loads(share)], None
    with tempfile.TemporaryDirectory(prefix="kiln-share-") as scratch:
        with open(os.path.join(scratch, "share"), "wb") as file:
            file.write(share)
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "KILN_CACHE_DIR": os.path.join(scratch, "cache") if folder is None else folder,
            "KILN_SHARED_CACHE_DIR": "",  # no shared cache: entries found in it would not be sent back
            "KILN_REMOTE_CACHE": " ".join(remotes),
        }
        done = subprocess.run([sys.executable, "-m", "kiln._share", scratch], env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        sys.stderr.write(done.stderr)
        results = _read(os.path.join(scratch, "result"))
        if results is None:
            return [f"the process that compiled it ended with status {done.returncode}: {done.stderr.strip()[-500:]}"] * count, None
        return json.loads(results), _read(os.path.join(scratch, "archive"))


def _read(path: str) -> "bytes | None":
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def main(scratch: str) -> None:
    from . import _kiln

    with open(os.path.join(scratch, "share"), "rb") as file:
        results = [compile_one(*each) for each in pickle.load(file)]
    if os.path.isdir(os.path.join(scratch, "cache")) and not _kiln.chosen_remote_cache():
        _kiln.export_cache(os.path.join(scratch, "archive"))
    with open(os.path.join(scratch, "result"), "w", encoding="utf-8") as out:
        json.dump(results, out)


if __name__ == "__main__":
    main(sys.argv[1])
