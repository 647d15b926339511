# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What to do in place of a name of Numba's that Kiln lacks. The lists are in _numba_names.py."""

from __future__ import annotations

OUT_OF_SCOPE = "it is part of Numba's compiler or driver layer, which Kiln replaces"
_MODULES = frozenset(("numba.cuda.extending", "numba.parfors", "numba.stencils"))


def advice(module: str, name: str) -> str:
    """The advice for a name of Numba's module. Empty: the name is not listed."""
    from ._numba_names import INTERNAL, REFUSED

    for of, text, names in (*REFUSED, *((of, OUT_OF_SCOPE, names) for of, names in INTERNAL)):
        if of == module and name in names.split():
            return f"{module}.{name} is not supported: {text}"
    if module.startswith("numba.core.") or f"{module}.{name}" in _MODULES or module == "numba.core":
        return f"{module}.{name} is not supported: {OUT_OF_SCOPE}"
    return ""


def missing(module: str, name: str) -> str:
    """The message for a name that a module lacks."""
    return advice(module, name) or f"module {module} by Kiln has no attribute {name!r}: docs/guide/numba-names.md lists what it has"


def getter(module: str):
    """The ``__getattr__`` of a module without other names."""

    def get(name):
        raise AttributeError(missing(module, name))

    return get
