# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of functions that exec made: found in the frames that are running, and proved by compiling it again."""

from __future__ import annotations

import itertools
import linecache
import sys
import textwrap
from types import CodeType, FunctionType

_numbers = itertools.count(1)
_kept: dict = {}  # texts that may have been given to exec, the newest last
_MOST = 64
_LARGEST = 1 << 20  # characters of a text that is looked at
_DEEPEST = 16  # frames


def _codes(code):
    """A code object and those within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _makes(text: str, code: CodeType) -> bool:
    """Whether the text, compiled, has this very function."""
    try:
        return any(each == code for each in _codes(compile(text, code.co_filename, "exec", dont_inherit=True)))
    except (SyntaxError, ValueError):
        return False


def _candidates(name: str):
    """Texts that are held by the frames that are running and define the name: what was given to exec is one of them."""
    seen = set()
    given = getattr(sys, "orig_argv", ())
    if "-c" in given[:-1]:
        yield given[given.index("-c") + 1]
    yield from (text for text in reversed(list(_kept)) if name in text)
    frame, depth = sys._getframe(2), 0
    while frame is not None and depth < _DEEPEST:
        for held in (frame.f_locals.values(), frame.f_globals.values(), frame.f_code.co_consts):
            for value in list(held):
                if isinstance(value, str) and name in value and len(value) < _LARGEST and value not in seen:
                    seen.add(value)
                    yield value
        frame, depth = frame.f_back, depth + 1


def _renamed(code: CodeType, file: str) -> CodeType:
    return code.replace(co_filename=file, co_consts=tuple(_renamed(c, file) if isinstance(c, CodeType) else c for c in code.co_consts))


def find_text(function) -> None:
    """Gives a function that exec made a file of its own with its text, if the text can be had; for one that has a text nothing."""
    code = function.__code__
    if not code.co_filename.startswith("<") or linecache.getlines(code.co_filename, function.__globals__):
        return
    wanted = "def " + code.co_name if code.co_name != "<lambda>" else "lambda"
    for text in _candidates(wanted):
        for each in (text, textwrap.dedent(text)):
            if _makes(each, code):
                file = f"<exec {next(_numbers)}>"
                linecache.cache[file] = (len(each), None, each.splitlines(True), file)
                function.__code__ = _renamed(code, file)
                return


def source_of(function) -> tuple:
    """The file of a function, and the file's text or None: what a pickled kernel takes along."""
    file = function.__code__.co_filename
    return file, "".join(linecache.getlines(file, function.__globals__)) or None


def restore_source(function, file: str, text: str | None) -> None:
    """Gives a function that was pickled its file and text again. cloudpickle (3.1.3) names no files; another machine may have none of this name, or another."""
    if text is None:
        return
    there = linecache.getlines(file)
    if there and "".join(there) != text:
        file = f"<pickled {next(_numbers)} of {file}>"
        there = None
    lines = text.splitlines(True)
    if not there:
        linecache.cache[file] = (len(text), None, lines, file)
    _name_file(function, file)
    for value in list(function.__globals__.values()):  # what it calls and was pickled with it
        if isinstance(value, FunctionType) and value.__code__.co_filename == "<dynamic-code>":
            first = value.__code__.co_firstlineno - 1
            if any(f"def {value.__code__.co_name}(" in line for line in lines[first : first + 20]):
                _name_file(value, file)


def _name_file(function, file: str) -> None:
    if function.__code__.co_filename != file:
        function.__code__ = _renamed(function.__code__, file)


def _watch(event, args) -> None:
    """An audit hook: what exec's caller holds as text is kept, since the function that is made outlives it."""
    if event != "exec" or args[0].co_filename[:1] != "<" or args[0].co_filename[:2] in ("<f", "<k"):
        return
    try:
        held = sys._getframe(1).f_locals
    except ValueError:  # nobody calls: the text of `python -c`, or an embedding program's
        return
    for value in list(held.values()):
        if type(value) is str and "def " in value and len(value) < _LARGEST:
            _kept.pop(value, None)
            _kept[value] = None
            if len(_kept) > _MOST:
                del _kept[next(iter(_kept))]


def watch() -> None:
    """From now on texts that are given to exec are found, up to the newest few."""
    global _is_watching
    if not _is_watching:
        _is_watching = True
        sys.addaudithook(_watch)


_is_watching = False
