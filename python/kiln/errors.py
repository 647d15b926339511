# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions of Kiln, with Numba's names."""

from __future__ import annotations

import builtins

from ._elements import UNITS


class NumbaError(Exception):
    """Base of all compile errors.

    Attributes
    ----------
    msg : str
        What is wrong.
    filename, lineno, col_offset, source_line
        Where: of the Python file; None where no place is known.
    diagnostics : list of tuple
        Every fault as ``(name, message, place, stack, notes, hint, number, subject, thread)``. ``kiln explain NUMBER`` prints what it means.
    """

    def __init__(self, msg="", loc=None, highlighting=True):
        super().__init__(msg)
        self.msg = msg
        self.loc = loc
        self.filename = self.lineno = self.col_offset = self.source_line = None
        self.diagnostics = []

    @property
    def contexts(self):
        return []


class CompilerError(NumbaError):
    """Compilation failed."""


class TypingError(NumbaError):
    """A type error: no such operation for the types of its operands."""


class UnsupportedError(NumbaError):
    """Syntax that kernels do not support."""


class UnsupportedBytecodeError(UnsupportedError):
    """Numba's name for :class:`UnsupportedError`."""


class ConstantInferenceError(TypingError):
    """A value must be a constant."""


class RequireLiteralValue(TypingError):
    """An argument must be a literal."""


class LoweringError(CompilerError):
    """Code generation failed."""


class SourceError(NumbaError):
    """The source of a function is missing."""


class InternalError(NumbaError):
    """A fault of Kiln's own."""


class KernelError(CompilerError):
    """The function cannot be a kernel for its target."""


class SynchronizationError(RuntimeError):
    """A deadlock: the threads of a block wait for each other."""


class RaceError(RuntimeError):
    """A data race: two threads access one address at once, and one of them writes (``debug=True`` on the CPU)."""


class DeviceError(RuntimeError):
    """The device failed or does not exist."""


class NvrtcError(Exception):
    """NVRTC rejected a source."""


class NumbaWarning(Warning):
    """Base of all warnings."""


class NumbaPerformanceWarning(NumbaWarning):
    """Warns of slow code."""


class NoDeviceWarning(NumbaWarning):
    """There is no GPU: kernels run on the CPU."""


class NumbaDebugInfoWarning(NumbaWarning):
    """Warns of missing debug information."""


class NumbaInvalidConfigWarning(NumbaWarning):
    """Warns of conflicting options."""


class NumbaDeprecationWarning(NumbaWarning, DeprecationWarning):
    """Warns of a feature that will be removed."""


class NumbaPendingDeprecationWarning(NumbaWarning, PendingDeprecationWarning):
    """Warns of a feature that will be deprecated."""


class NumbaExperimentalFeatureWarning(NumbaWarning):
    """Warns of a feature that may change."""


# Numba's other classes, which programs name in `except` and in filters of warnings: Kiln raises none of them.
_OTHERS = {
    "ByteCodeSupportError": NumbaError, "DeprecationError": NumbaError, "ForbiddenConstruct": LoweringError, "ForceLiteralArg": NumbaError, "IRError": NumbaError,
    "InternalTargetMismatchError": InternalError, "LiteralTypingError": TypingError, "NonexistentTargetError": InternalError, "NumbaAssertionError": TypingError,
    "NumbaAttributeError": TypingError, "NumbaIndexError": TypingError, "NumbaKeyError": TypingError, "NumbaNotImplementedError": TypingError, "NumbaRuntimeError": NumbaError,
    "NumbaTypeError": TypingError, "NumbaValueError": TypingError, "UnsupportedParforsError": NumbaError, "UnsupportedRewriteError": UnsupportedError,
    "UntypedAttributeError": TypingError, "NumbaParallelSafetyWarning": NumbaWarning, "NumbaPedanticWarning": NumbaWarning, "NumbaSystemWarning": NumbaWarning,
    "NumbaTypeSafetyWarning": NumbaWarning, "NumbaIRAssumptionWarning": NumbaWarning,
}  # fmt: skip
_OTHERS.update(dict.fromkeys(("NotDefinedError", "RedefinedError", "VerificationError"), "IRError"))


def __getattr__(name):
    base = _OTHERS.get(name)
    if base is None:
        raise AttributeError(f"module kiln.errors has no class {name!r}")
    base = globals().get(base) or __getattr__(base) if isinstance(base, str) else base
    return globals().setdefault(name, type(name, (base,), {"__doc__": "Numba's class, which Kiln does not raise.", "__module__": __name__}))


def is_class(name: str) -> bool:
    """True for the name of a class of errors or warnings."""
    found = _OTHERS.get(name) or globals().get(name)
    return isinstance(found, str) or isinstance(found, type) and issubclass(found, (NumbaError, NumbaWarning))


_CLASSES = {  # by number: docs/guide/errors.md
    108: IndexError,
    109: ZeroDivisionError,
    120: KernelError,
    126: TypingError,
    133: SynchronizationError,
    134: IndexError,
    137: RaceError,
    150: TypingError,
    151: UnsupportedError,
    152: SourceError,
    141: ValueError,
    400: InternalError,
}
_METHOD_ERROR, _UNDEFINED, _TYPE_ERROR, _STATIC, KERNEL_RESULT, _NEEDS_CONSTANT, _RAISED = 102, 103, 105, 123, 126, 127, 154
_TYPES = {"ComplexF32": "complex64", "ComplexF64": "complex128", "Complex{Float32}": "complex64", "Complex{Float64}": "complex128", "Nothing": "none"}
_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "lshift": "<<", "rshift": ">>", "or_": "|", "xor": "^",
    "and_": "&", "invert": "~", "neg": "-", "pos": "+", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "matmul": "@", "in": "in", "not_in": "not in",
    "getitem": "getitem", "setitem": "setitem",
}  # fmt: skip


def _python_types(text: str) -> str:
    """Replaces Kiln's type names in a message by those of Python programs."""
    import re  # keeps `import kiln` fast

    text = re.sub(
        r"(?:Main\.)?(?:Python\.)?([CFS])Array\{([A-Za-z0-9{}:.]+?), ?(\d+), ?\d+, ?(true|false)\}",
        lambda m: "array(%s, %sd, %s%s)" % (m[2], m[3], "A" if m[1] == "S" else m[1], ", readonly" if m[4] == "true" else ""),
        text,
    )
    for kiln, python in _TYPES.items():
        text = re.sub(rf"(?<![A-Za-z0-9_]){re.escape(kiln)}(?![A-Za-z0-9_{{])", python, text)
    text = re.sub(r"\b(Int|UInt|Float)(8|16|32|64)\b", lambda m: (m[1] + m[2]).lower(), text)
    text = re.sub(r"\bBool\b", "bool", text)
    text = re.sub(r"\b(Date|Span)\{:(\w+)\}", _time_type, text)
    text = re.sub(r"Val\{:([^}]*)\}", r"literal '\1'", text)
    text = re.sub(r"Val\{Symbol\(\"([^\"]*)\"\)\}", r"literal '\1'", text)
    text = re.sub(r"Main\.Python\.|Python\.", "", text)
    return re.sub(r"\b[0-9a-f]{16}\.", "", text)


def _time_type(found) -> str:
    unit = next((unit for unit, name in UNITS.items() if name == found[2]), found[2])
    return f"{'datetime64' if found[1] == 'Date' else 'timedelta64'}[{unit}]"


def _message(number: int, message: str, subject: str) -> str:
    import re

    if number == KERNEL_RESULT:
        return "a kernel returns nothing: it has to write its results into arrays"
    if number == _NEEDS_CONSTANT:
        return "a shape, or another value that the code is made for, has to be constant: a literal, a global, or computed of such"
    if number != _METHOD_ERROR or not subject:
        return _python_types(message.removeprefix("static assertion failed: "))
    call = re.match(r".*?\b(?:py_|(?=u_))([A-Za-z0-9_]+)\((.*)\)", subject)  # u_: a NumPy ufunc
    if call is None:
        return _python_types("there is no way to call " + subject)
    arguments = _python_types(re.sub(r"(?<![A-Za-z0-9])::", "", call[2]))
    operator = _OPERATORS.get(call[1], re.sub("^(?:u|np)_", "np.", call[1]).replace("atomic_", "atomic."))
    return f"no implementation of {operator} for argument types ({arguments})"


_INDEX = r"\b(threads?|blocks?) \((\d+), (\d+), (\d+)\)"


def _from_zero(text: str) -> str:
    """Converts thread and block indices: Kiln counts from one, Python programs from zero."""
    import re

    return re.sub(_INDEX, lambda m: f"{m[1]} ({', '.join(str(int(n) - 1) for n in m.groups()[1:])})", text)


_RAISED_CLASSES: dict = {}  # exception classes of the program that kernels raise, by name


def remember_class(made: type) -> None:
    """Remembers an exception class of kernels; the latest one for each name."""
    if getattr(builtins, made.__name__, None) is not made:
        _RAISED_CLASSES[made.__name__] = made


def _raised(name: str, subject: str, thread):
    """The class and text of a kernel's exception."""
    made = _RAISED_CLASSES.get(name) or getattr(builtins, name, None)
    if not (isinstance(made, type) and issubclass(made, Exception)):
        made = RuntimeError
    return made, f"tid={list(thread[0])} ctaid={list(thread[1])}: {subject}" if thread else subject


def _shown(place) -> list:
    """Formats a place with its line and a caret."""
    if place is None:
        return []
    file, line, column, source, length = place
    return [f'File "{file}", line {line}:', source, " " * (column - 1) + "^" * max(1, min(length, len(source) - column + 1))]


def from_kiln(kind: int, diagnostics: list) -> Exception:
    """The exception for an error of Kiln: its class, and its text with file, line and caret.

    Parameters
    ----------
    kind : int
        1 the program's fault, 2 wrong usage, 3 the machine, 4 Kiln's own.
    diagnostics : list of tuple
        ``(name, message, place, stack, notes, hint, number, subject, thread)``; a place is ``(file, line, column, line's text, length)``.
    """
    parts, first, made_class = [], None, None
    for name, message, place, stack, notes, hint, number, subject, thread in diagnostics:
        if place is None:
            place = next((frame[1] for frame in stack if frame[1] is not None), None)
        text = _message(number, message, subject)
        if number == KERNEL_RESULT:
            hint = None
        if number == _STATIC and subject and made_class is None:  # static_error(:ValueError, ...)
            made_class = globals().get(subject) or getattr(builtins, subject)
            if made_class is RequireLiteralValue:
                text = f"RequireLiteralValue: {text}"  # the words that programs search Numba's message for
            first = text, place
        raised = _raised(name, subject, thread) if number == _RAISED else None
        if raised is not None:
            text = raised[1]
            function = next((frame[0] for frame in stack if place is not None and frame[1] == place), None)
            if function and place is not None:
                text = f"In function '{_python_types(function).split('(')[0].split('.')[-1]}', file {place[0]}, line {place[1]}, {text}"
        if made_class is None:
            first = (text, place)
            made_class = raised[0] if raised else _CLASSES.get(number)
            if number == _UNDEFINED and thread:
                made_class = UnboundLocalError
            elif made_class is None and (name == "InvalidIRError" or number in (_METHOD_ERROR, _UNDEFINED, _TYPE_ERROR)):
                made_class = TypingError
        lines = [text if raised else _from_zero(text), *_shown(place)]
        for note, at in notes if made_class in (SynchronizationError, RaceError) else ():
            if note == "called here" and lines:  # the waiting code is in the library and has no place in the program: shows the call
                lines[-1] += ":" if not lines[-1].endswith("^") else "\ncalled here:"
                lines += _shown(at)
            else:
                lines += [_from_zero(note) + ":", *_shown(at)] if at is not None else [_from_zero(note)]
        for frame in stack:
            if frame[1] is not None and frame[1] != place:
                lines.append(f'  called from {_python_types(frame[0])}, File "{frame[1][0]}", line {frame[1][1]}')
        if hint and "CuDynamicSharedArray" not in hint and number != _METHOD_ERROR:
            lines.append(hint)
        parts.append("\n".join(lines))
    if made_class is None:
        made_class = {1: CompilerError, 2: ValueError, 3: DeviceError, 4: InternalError}[kind]
    made = made_class("\n\n".join(parts))
    if isinstance(made, NumbaError):
        made.diagnostics = diagnostics
        if first is not None and first[1] is not None:
            made.filename, made.lineno, made.col_offset, made.source_line = first[1][:4]
    return made
