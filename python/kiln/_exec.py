# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the text of functions without a file (exec, `python -c`, `python - < file`, the prompt), and verifies it by compiling it again."""

from __future__ import annotations

import _thread
import itertools
import linecache
import os
import sys
import textwrap
from types import CodeType

_numbers = itertools.count(1)
_kept: dict = {}  # recent texts that may have been given to exec, newest last
_lock = _thread.RLock()  # guards _kept; recursive: the audit hook may run inside itself, in code that the garbage collector runs
_MOST = 64
_LARGEST = 1 << 20  # maximum characters of a text
_DEEPEST = 16  # frames
_CALLERS = 2  # number of frames above exec whose variables are searched for texts


def _codes(code):
    """A code object and its nested code objects."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _makes(text: str, code: CodeType) -> bool:
    """True if the compiled text contains exactly this function."""
    try:
        return any(each == code for each in _codes(compile(text, code.co_filename, "exec", dont_inherit=True)))
    except (SyntaxError, ValueError):
        return False


def _command_texts():
    """The text of `python -c`: a separate argument, or the rest of the option."""
    for given in getattr(sys, "orig_argv", ())[1:]:
        yield given
        if given[:1] == "-" and given[:2] != "--" and "c" in given:
            yield given[given.index("c") + 1 :]


def _standard_input():
    """The text of `python - < file`, read a second time without moving Python's file position."""
    try:
        if not os.isatty(0):
            return os.pread(0, _LARGEST, 0).decode()
    except (OSError, ValueError):  # standard input is a pipe that was read to its end, or is not text
        pass
    return ""


def _typed_blocks(name: str):
    """Blocks at the interactive prompt that define the name, the newest first, from readline's history."""
    readline = sys.modules.get("readline")
    if readline is None:
        return
    count = readline.get_current_history_length()
    lines = [readline.get_history_item(k) or "" for k in range(max(1, count - 2000), count + 1)]
    for at in reversed(range(len(lines))):
        if name not in lines[at]:
            continue
        first = at
        while first and lines[first - 1].lstrip().startswith("@"):
            first -= 1
        end = at + 1  # the history has no empty lines: a block ends before the next line that is not indented
        while end < len(lines) and lines[end][:1] in (" ", "\t", "#", ""):
            end += 1
        yield "\n".join(lines[first:end]) + "\n"


def _candidates(name: str, file: str):
    """Candidates for a text given to exec that defines the name, from where Python and the running frames keep texts."""
    if file == "<string>":
        yield from (text for text in _command_texts() if name in text)
    elif file == "<stdin>":
        yield _standard_input()
        yield from _typed_blocks(name)
    with _lock:
        kept = list(_kept)
    yield from (text for text in reversed(kept) if name in text)
    seen = set()
    frame, depth = sys._getframe(1).f_back, 0
    while frame is not None and depth < _DEEPEST:
        for held in (frame.f_locals.values(), frame.f_globals.values(), frame.f_code.co_consts):
            for value in _values(held):
                if isinstance(value, str) and name in value and len(value) < _LARGEST and value not in seen:
                    seen.add(value)
                    yield value
        frame, depth = frame.f_back, depth + 1


def _values(held) -> list:
    """The values of a frame's or module's table, which other threads may change meanwhile."""
    while True:
        try:
            return list(held)
        except RuntimeError:
            continue


def _renamed(code: CodeType, file: str) -> CodeType:
    return code.replace(co_filename=file, co_consts=tuple(_renamed(c, file) if isinstance(c, CodeType) else c for c in code.co_consts))


def find_text(function) -> None:
    """Gives a function made by exec a file with its text, if that is found. Functions that have a text are unchanged."""
    code = function.__code__
    if not code.co_filename.startswith("<") or linecache.getlines(code.co_filename, function.__globals__):
        return
    registered = getattr(linecache, "_getlines_from_code", None)  # from 3.13 on, Python keeps text typed at the prompt by code object
    if registered is not None and (lines := registered(code)):
        _give_file(function, "".join(lines))
        return
    wanted = "def " + code.co_name if code.co_name != "<lambda>" else "lambda"
    for text in _candidates(wanted, code.co_filename):
        for each in (text, textwrap.dedent(text)):
            if _makes(each, code):
                _give_file(function, each)
                return


def _give_file(function, text: str) -> None:
    file = f"<exec {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    function.__code__ = _renamed(function.__code__, file)


def source_of(function) -> tuple:
    """The file of a function, and its text or None: data of a pickled kernel."""
    file = function.__code__.co_filename
    return file, "".join(linecache.getlines(file, function.__globals__)) or None


def restore_source(function, file: str, text: str | None) -> None:
    """Restores the text of an unpickled function: another machine may lack the file, or have another one with that name."""
    if text is None:
        return
    there = linecache.getlines(file)
    if there and "".join(there) != text:
        _give_file(function, text)
    elif not there:
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)


def _watch(event, args) -> None:
    """An audit hook that keeps texts of exec's callers, since the made function outlives them. For a console, two callers up."""
    if event != "exec" or args[0].co_filename[:1] != "<" or args[0].co_filename[:2] in ("<f", "<k"):
        return
    frame, depth = sys._getframe(0).f_back, 0
    while frame is not None and depth < _CALLERS:  # no frame: the text of `python -c` or of an embedding program has no caller
        for value in _values(frame.f_locals.values()):
            if type(value) is str and "def " in value and len(value) < _LARGEST:
                _keep(value)
        frame, depth = frame.f_back, depth + 1


def _keep(text: str) -> None:
    with _lock:
        _kept.pop(text, None)
        _kept[text] = None
        if len(_kept) > _MOST:
            _kept.pop(next(iter(_kept)), None)


def _renew_lock() -> None:
    """Called in a child after fork: another thread may have held the lock."""
    global _lock
    _lock = _thread.RLock()


def watch() -> None:
    """Starts to keep texts given to exec, limited to recent ones."""
    global _is_watching
    if not _is_watching:
        _is_watching = True
        sys.addaudithook(_watch)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_renew_lock)


_is_watching = False
