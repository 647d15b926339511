# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``python -m kiln.numba program.py arguments``: runs a program whose ``import numba`` is Kiln; ``-m module`` runs a module."""

from __future__ import annotations

import os
import runpy
import sys

import kiln


def main() -> None:
    given = sys.argv[1:]
    if not given or given[0] in ("-h", "--help") or given[0] == "-m" and len(given) < 2:
        sys.exit(f"usage: {os.path.basename(sys.executable)} -m kiln.numba (PROGRAM.py | -m MODULE) [ARGUMENT ...]")
    kiln.install_as_numba()
    if given[0] == "-m":
        sys.argv = given[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(given[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = given
        sys.path[0] = os.path.dirname(os.path.abspath(given[0]))
        runpy.run_path(given[0], run_name="__main__")


if __name__ == "__main__":
    main()
