# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of oracles. An oracle checks the output of one published program, or of a driver that includes it."""

import dataclasses
import pathlib
import typing

from .outputs import Wrong, mutations, Output

DRIVERS = pathlib.Path(__file__).parent / "drivers"


@dataclasses.dataclass
class Oracle:
    check: typing.Callable
    driver: pathlib.Path | None

    def judge(self, output):
        """Returns the reason why an output is wrong, or an empty text."""
        try:
            self.check(output)
        except (Wrong, ValueError, IndexError, KeyError, ZeroDivisionError, OverflowError) as error:
            return str(error) or type(error).__name__
        return ""

    def refused(self, output):
        """Counts changed outputs, and how many of them this oracle refuses. An error changes to success."""
        texts = mutations(output.out) if output.out.strip() else [""]
        status = output.status if output.out.strip() else 0
        judged = [bool(self.judge(Output(status, text, "", output.folder))) for text in texts]
        return sum(judged), len(judged)


ORACLES = {}


def oracle(program, driver=None):
    """Registers a function that checks the output of `program`, repository/path, or of the driver that includes it."""

    def register(check):
        assert program not in ORACLES, f"two oracles for {program}"
        path = DRIVERS / f"{driver}.jl" if driver else None
        assert path is None or path.is_file(), f"no driver {path}"
        ORACLES[program] = Oracle(check, path)
        return check

    return register
