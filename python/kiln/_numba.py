# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes `import numba` import Kiln: names of Numba's modules lead to Kiln's."""

from __future__ import annotations

import collections
import importlib
import sys

VersionInfo = collections.namedtuple("VersionInfo", "major minor patch short full string tuple git_revision")


def version_info(text: str) -> VersionInfo:
    """The parts of a version, as ``numba.version_info`` has them."""
    major, minor, patch = (int(part) for part in text.split("."))
    return VersionInfo(major, minor, patch, (major, minor), (major, minor, patch), text, (str(major), str(minor), str(patch)), None)


class _Finder:
    """Finds `numba.x.y` as `kiln.x.y`: the same module under another name, not a second copy. `numba` itself is `kiln.numba`."""

    roots = ["kiln.numba"]

    def find_spec(self, name, path=None, target=None):
        root = next((root for root in self.roots if name == root or name.startswith(root + ".")), None)
        if root is None or name in ("kiln.numba", "kiln.numba.__main__"):
            return None
        import importlib.util
        from importlib.machinery import ModuleSpec

        place = "kiln" + name[len(root) :] if name != root else "kiln.numba"
        try:
            found = importlib.util.find_spec(place)
        except ModuleNotFoundError:  # its package is missing
            found = None
        return None if found is None else ModuleSpec(name, self, origin=place)

    def create_module(self, spec):
        made = importlib.import_module(spec.origin)
        spec.loader_state = made.__spec__
        return made

    def exec_module(self, module):
        own = module.__spec__.loader_state  # the import machinery set the alias's spec
        module.__spec__ = own


class _Adviser:
    """Asked last: raises an ImportError with the advice for a name that Kiln refuses. Python asks for a module also in `from package import name`."""

    def find_spec(self, name, path=None, target=None):
        package, _, last = name.rpartition(".")
        for root in ("kiln.numba", "kiln", "numba"):
            if package == root or package.startswith(root + "."):
                from . import _advice

                if text := _advice.advice("numba" + package[len(root) :], last):
                    raise ImportError(text, name=name)
                return None
        return None


_finder, _adviser = _Finder(), _Adviser()


def insert_finder() -> None:
    """Installs the finders, on the first import of ``kiln.numba``."""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
        sys.meta_path.append(_adviser)


def install_as_numba() -> None:
    """Makes ``import numba`` and ``from numba import cuda`` import Kiln in this process, for programs that stay as they are.

    Call it before the first import of Numba; ``python -m kiln.numba program.py`` does so and runs a program.
    """
    held = sys.modules.get("numba")
    if held is not None and held is not sys.modules.get("kiln.numba"):
        raise ImportError("numba is imported already: call kiln.install_as_numba() before the first `import numba`")
    insert_finder()
    if "numba" not in _finder.roots:
        _finder.roots.append("numba")
