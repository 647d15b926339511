# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time reports and advice: objects that print as text in a terminal, and as a page in a notebook."""

from __future__ import annotations

import functools

from . import _kiln

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from typing import Any

_LIBRARY = "kiln/python/library.jl"


def start_timings(*, kernels: bool = False, events: bool = False) -> None:
    """Starts to record the time of compiles and launches; drops earlier records.

    Parameters
    ----------
    kernels
        Record how long each kernel runs too, by events on GPUs. A launch then costs more.
    events
        Keep single events too, for the timeline of the page. A stage then costs 32 bytes and some 70 ns.

    See Also
    --------
    timings : the records so far
    """
    _kiln.start_timings(kernels, events)


class Timings:
    """Records since :func:`start_timings`: ``print`` shows the table, a notebook the page of ``--timings=html:``.

    Parameters
    ----------
    report
        The engine's report. :func:`timings` makes the object.
    """

    def __init__(self, report):
        self._report = report

    def __str__(self) -> str:
        return self._report.table()

    __repr__ = __str__

    def html(self, title: str = "") -> str:
        """The page: one text that needs no network and no other file.

        Parameters
        ----------
        title : str, optional
            The page's title.
        """
        self._report.title = title
        return self._report.html()

    def _repr_html_(self) -> str:
        # A frame separates the page's styles from the notebook's. A script of the page sets the frame's height to its own; where the
        # notebook forbids that, the frame keeps this height and scrolls.
        import html

        page = html.escape(self.html(), quote=True)
        return f'<iframe title="timings of Kiln" style="width:100%;height:48em;border:0" srcdoc="{page}"></iframe>'

    def json(self) -> dict[str, Any]:
        """The report as a dictionary; docs/guide/timings.md has its fields."""
        import json

        return json.loads(self._report.json())

    def save(self, path: Any) -> None:
        """Writes it to a file: a page (.html), JSON (.json), else the table.

        Parameters
        ----------
        path : str or path-like
            The file.
        """
        import os

        path = os.fspath(path)
        text = self.html() if path.endswith(".html") else self._report.json() if path.endswith(".json") else str(self)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def timings() -> Timings:
    """Times since :func:`start_timings`.

    Returns
    -------
    Timings
        A snapshot: text in a terminal, a page in a notebook.
    """
    return Timings(_kiln.timings())


# Replacements in the text of advice, which is worded for Julia. Python's arrays are row-major.
_WORDS = (
    ("threadIdx().x", "cuda.threadIdx.x"),
    ("sync_warp()", "cuda.syncwarp()"),
    ("sync_threads()", "cuda.syncthreads()"),
    ("along the first index", "along the last index"),
    ("in its first dimension, as (33, 32) for (32, 32)", "in its last dimension, as (32, 33) for (32, 32)"),
    ("a tuple of VecElement", "a vector type, as float32x4"),
    ("write @fastmath a / value", "give the kernel fastmath=True"),
    ("Float32(...) or in generic code T(...), or compute it from Float32: 2f0 / 3f0", "np.float32(...), or compute it from float32: np.float32(2) / np.float32(3)"),
    ("Float32(a) / Float32(b), or take the integer quotient, a ÷ b", "np.float32(a) / np.float32(b), or take the integer quotient, a // b"),
)


class Advice:
    """One reason why a kernel is slow.

    Attributes
    ----------
    rule : str
        The rule's name: ``wide-float`` (as yet for kernels in Julia alone), ``wide-integer``, ``local-memory``, ``spills``, ``stride``, ``bank-conflict``, ``division``, ``occupancy``, ``lockstep``, ``serial-products``.
    message, hint : str
        The slow code and the reason; the code to write instead.
    file, line, column
        The place of the slow code.
    stack : list of dict
        The frames of this place, innermost first.
    """

    def __init__(self, fields: dict):
        self.rule = fields["rule"]
        # An array operator is a function of python/library. The place of advice is the first one outside of that
        # library.
        self.stack = [frame for frame in fields["stack"] if frame["file"] != _LIBRARY] or fields["stack"]
        first = self.stack[0] if self.stack else fields
        self.file, self.line, self.column = first["file"], first["line"], first["column"]
        words = () if self.file.endswith(".jl") else _WORDS
        self.message, self.hint = (functools.reduce(lambda text, pair: text.replace(*pair), words, fields[name]) for name in ("message", "hint"))

    def __repr__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.rule}: {self.message}; {self.hint}"


class AdviceReport(list):
    """Advice on one kernel for one list of types: a list of :class:`Advice`, and checks that were not possible.

    Attributes
    ----------
    not_checked : list of str
        Rules that could not run, and the reason.
    num_checked : int
        The number of rules that ran.
    """

    def __init__(self, parsed: str):
        import json

        fields = json.loads(parsed)
        super().__init__(Advice(each) for each in fields["advice"])
        self.not_checked = fields["not_checked"]
        self.num_checked = fields["num_checked"]

    def _nothing_found(self) -> str:
        return f"nothing found by {self.num_checked} rule{'' if self.num_checked == 1 else 's'}"

    def __str__(self) -> str:
        return "\n".join([*(map(repr, self) if self else [self._nothing_found()]), *(f"not checked: {text}" for text in self.not_checked)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape

        def row(each):
            return f"<tr><td>{escape(str(each.file))}:{each.line}</td><td>{escape(each.rule)}</td><td style='text-align:left'>{escape(each.message)}<br><b>{escape(each.hint)}</b></td></tr>"

        left = "".join(f"<p>not checked: {escape(text)}</p>" for text in self.not_checked)
        return ("<table>" + "".join(map(row, self)) + "</table>" if self else f"<p>{self._nothing_found()}</p>") + left
