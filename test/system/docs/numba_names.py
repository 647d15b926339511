#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of Numba's names: numba_names.py REPOSITORY [--write]

Reads python/kiln/_numba_names.py. Fails if docs/guide/numba-names.md is not the page that --write makes, and if a name
is listed twice. python/tests/test_numba_names.py looks each name up in the package."""

import argparse
import pathlib
import sys

PAGE = """# Numba's names

Public names of Numba 0.61.2 and numba-cuda 0.30.4, for programs that run with `python -m kiln.numba`
([how](python-numba.md)). A name that is refused, or out of scope, ends in an ImportError or AttributeError with the
advice that is printed here. Names out of scope are part of Numba's compiler or driver layer, which Kiln replaces.
[Coverage](python-coverage.md) has the features of kernels.

`test/system/docs/numba_names.py . --write` makes this page from python/kiln/_numba_names.py, and a test looks up every
name.

- Functions of `jit` and `njit` run as Python on the host, and compiled in kernels. `prange` is `range` there.
- `numba.typed.List` and `Dict` are Python's list and dict, and a `jitclass` is a Python class.
- Switches of `numba.core.config` change nothing, except for those of [warnings](python-coverage.md) and
  `CUDA_ARRAY_INTERFACE_SYNC`.

"""


def lists(repository):
    """The lists of _numba_names.py, which imports nothing."""
    scope = {}
    path = repository / "python/kiln/_numba_names.py"
    exec(compile(path.read_text(), str(path), "exec"), scope)  # noqa: S102: a file of this repository
    return scope["SUPPORTED"], scope["REFUSED"], scope["INTERNAL"]


def wrapped(words, width=116):
    done, line = [], ""
    for word in words:
        if line and len(line) + len(word) + 1 > width:
            done.append(line)
            line = ""
        line += (" " if line else "") + word
    return "```text\n" + "\n".join([*done, line]) + "\n```\n\n"


def page(repository):
    supported, refused, internal = lists(repository)
    parts = [PAGE]
    for module in dict.fromkeys([*(of for of, _ in supported), *(of for of, *_ in refused), *(of for of, _ in internal)]):
        parts.append(f"## {module}\n\n")
        parts += [wrapped(names.split()) for of, names in supported if of == module]
        parts += [f"Refused; {advice}:\n\n" + wrapped(names.split()) for of, advice, names in refused if of == module]
        parts += ["Out of scope:\n\n" + wrapped(names.split()) for of, names in internal if of == module]
    return "".join(parts).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    target = options.repository / "docs/guide/numba-names.md"
    if options.write:
        target.write_text(page(options.repository))
        return 0
    wrong = [] if target.exists() and target.read_text() == page(options.repository) else [f"{target} is not what --write makes"]
    seen = set()
    for entries in lists(options.repository):
        for module, *_, names in entries:
            wrong += [f"{module}.{name} is listed twice" for name in names.split() if (module, name) in seen]
            seen |= {(module, name) for name in names.split()}
    print("\n".join(wrong) if wrong else f"{len(seen)} names")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
