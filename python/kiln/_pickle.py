# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pickling of kernels and device functions: by name if another process finds them by it, else by their parts.

Pickle takes functions by name alone, and the name of a kernel's function leads to the kernel. So the function goes by its code, with what it names:
functions of the program the same way, modules by name, everything else as pickle takes it. Text and file go along, of which kernels are compiled.
"""

from __future__ import annotations

import importlib
import marshal
import operator
import sys
import weakref
from types import CellType, CodeType, FunctionType, ModuleType


def reduce(dispatcher, remake, signatures) -> tuple:
    """Result of ``__reduce__`` for a kernel or device function. Another process calls ``remake(head, options)``."""
    if _leads_to(dispatcher, dispatcher):
        return _found, (dispatcher.__module__, dispatcher.__qualname__)
    head, state = _parts(dispatcher.py_func)
    return remake, (head, dispatcher._options), (state, signatures), None, None, _fill_dispatcher


def reduce_of_arrays(made, *arguments) -> tuple:
    """As above, for vectorize and guvectorize: their classes take the function and these arguments."""
    if _leads_to(made, made):
        return _found, (made.__module__, made.__qualname__)
    head, state = _parts(made.py_func)
    return _made_of_arrays, (type(made), head, arguments), state, None, None, _fill_of_arrays


def _made_of_arrays(kind, head, arguments):
    return kind(skeleton(*head), *arguments)


def _fill_of_arrays(made, state) -> None:
    _fill(made.py_func, state)


def _leads_to(named, value) -> bool:
    """True if module and qualified name lead to the value in other processes too: `__main__` is another module there."""
    held = sys.modules.get(named.__module__)
    for part in named.__qualname__.split("."):
        held = getattr(held, part, None)
    return held is value and named.__module__ != "__main__"


def _found(module: str, qualname: str):
    return operator.attrgetter(qualname)(importlib.import_module(module))


def _fill_dispatcher(dispatcher, state) -> None:
    parts, signatures = state
    _fill(dispatcher.py_func, parts)
    dispatcher._take_signatures(signatures)


def _parts(f: FunctionType) -> tuple:
    """(maker of an empty function, its content). Two steps, because functions may refer to each other."""
    from ._exec import source_of

    names = [name for name in dict.fromkeys(_names(f.__code__)) if name in f.__globals__]
    cells = [None if _is_empty(cell) else (_portable(cell.cell_contents),) for cell in f.__closure__ or ()]
    head = (marshal.dumps(f.__code__), f.__name__, f.__qualname__, f.__module__, len(cells), *source_of(f))
    return head, ({name: _portable(f.__globals__[name]) for name in names}, cells, f.__defaults__, f.__kwdefaults__)


class _Function:
    """A function that is pickled by its parts; unpickled it is the function."""

    def __init__(self, function: FunctionType):
        self.function = function

    def __reduce__(self):
        head, state = _parts(self.function)
        return skeleton, head, state, None, None, _fill


_wrappers: weakref.WeakValueDictionary = weakref.WeakValueDictionary()  # one wrapper per function, by id: pickle must see the same object each time


def _is_empty(cell) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return True
    return False


def _names(code: CodeType):
    """The globals that the code reads."""
    import dis

    yield from (each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


class _Module:
    """A module, by name."""

    def __init__(self, module: ModuleType):
        self.name = module.__name__

    def __reduce__(self):
        return importlib.import_module, (self.name,)


def _portable(value):
    """What pickle takes, and gives back as the value."""
    if isinstance(value, ModuleType):
        return _Module(value)
    if isinstance(value, FunctionType) and not _leads_to(value, value):
        held = _wrappers.get(id(value))
        if held is None or held.function is not value:
            held = _wrappers[id(value)] = _Function(value)
        return held
    return value


def skeleton(code: bytes, name: str, qualname: str, module: str, cells: int, file: str, text: str | None) -> FunctionType:
    from ._exec import restore_source

    scope = {"__name__": module, "__builtins__": __builtins__}
    made = FunctionType(marshal.loads(code), scope, name, None, tuple(CellType() for _ in range(cells)) or None)
    made.__qualname__, made.__module__ = qualname, module
    restore_source(made, file, text)
    return made


def _fill(function: FunctionType, state) -> None:
    names, cells, function.__defaults__, function.__kwdefaults__ = state
    function.__globals__.update(names)
    for cell, value in zip(function.__closure__ or (), cells):
        if value is not None:
            cell.cell_contents = value[0]
