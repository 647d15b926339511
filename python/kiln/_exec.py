# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of functions that exec made: found in the frames that are running, and proved by compiling it again."""

from __future__ import annotations

import itertools
import linecache
import sys
import textwrap
from types import CodeType

_numbers = itertools.count(1)
_LARGEST = 1 << 20  # characters of a text that is looked at
_DEEPEST = 16  # frames


def _codes(code):
    """A code object and those within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _same(a: CodeType, b: CodeType) -> bool:
    return a.co_name == b.co_name and a.co_firstlineno == b.co_firstlineno and a.co_code == b.co_code and a.co_names == b.co_names and a.co_varnames == b.co_varnames


def _makes(text: str, code: CodeType) -> bool:
    """Whether the text, compiled, has this very function."""
    try:
        return any(_same(each, code) for each in _codes(compile(text, code.co_filename, "exec", dont_inherit=True)))
    except (SyntaxError, ValueError):
        return False


def _candidates(name: str):
    """Texts that are held by the frames that are running and define the name: what was given to exec is one of them."""
    seen = set()
    frame, depth = sys._getframe(2), 0
    while frame is not None and depth < _DEEPEST:
        for held in (frame.f_locals, frame.f_globals):
            for value in list(held.values()):
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
