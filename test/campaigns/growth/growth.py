#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How compile time grows with the program: shapes.py's programs of rising size, on both targets, at -O0 and -O2.

    growth.py --kiln PROGRAM --folder SCRATCH [--long] [--only SHAPE,...] [--table FILE]

What counts is processor time of `kiln compile`, less that of the smallest program. From a quarter of a size to the whole it may grow by 4^1.2. The
least of three runs of each size counts; more rounds are only made where those before do not show it. The short form ends at 4,000 (a shape may name
less) and measures each shape in some modes; the long one ends at 20,000 and measures all. A shape with a documented limit is compiled up to it, and
must be refused beyond it with a diagnostic that has a place. Shapes that are known to grow faster carry the exponent that docs/known_faults.md
tells, and fail above that.

The short form runs beside other tests. A processor whose other half is busy is up to twice as slow, and a short compile meets a quiet moment sooner
than a long one: so each round also compares the larger size with the mean of the smaller right before and after it, and the least of that counts too.
Large programs also need more of the caches that others use: the short form allows MARGIN more.
"""
import argparse
import math
import os
import platform
import resource
import subprocess
import sys

from shapes import MODES, SHAPES

EXPONENT = 1.2
MARGIN = 0.25   # of the short form: 4^1.45 is 7.5, a quadratic shape 16
ROUNDS = 3
NOISE = 0.3     # seconds: differences below this say nothing
STEP = 4        # from the smaller size to the larger


class Compiler:
    def __init__(self, program, folder, seconds):
        self.program, self.folder, self.seconds = program, folder, seconds
        os.makedirs(folder, exist_ok=True)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("KILN_")}

    def compile(self, shape, size, mode):
        """(processor seconds, exit status or -signal, standard error)"""
        target, level = mode
        path = os.path.join(self.folder, f"{shape.name}.jl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(shape.source(size))
        command = [self.program, "compile", path, shape.call(size), "--no-cache", "--kernel", "-O", level, "--target", target, "-o", os.devnull]
        if target == "ptx":
            command += ["--arch", "sm_90"]
        else:  # one processor, so that figures of different machines are comparable
            command += ["--emit", "obj"] + (["--arch", "x86-64-v3"] if platform.machine() == "x86_64" else [])
        limit = resource.RLIMIT_CPU, (self.seconds, self.seconds + 1)
        child = subprocess.Popen(command, stderr=subprocess.PIPE, env=self.environment, preexec_fn=lambda: resource.setrlimit(*limit))
        err = child.stderr.read().decode(errors="replace")
        child.stderr.close()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime, child.returncode, err


def check(compiler, shape, mode, largest, margin):
    """What is wrong, or None; and the figures: (size, seconds, size, seconds, exponent)."""
    largest = min(largest, shape.limit or largest)
    smaller = largest // STEP
    allowed = shape.known.get(mode, EXPONENT) + margin
    start, small, large, paired = math.inf, math.inf, math.inf, math.inf
    for _ in range(ROUNDS if margin == 0 else 2 * ROUNDS):
        took = []
        for size in (1, smaller, largest, smaller):
            seconds, status, err = compiler.compile(shape, size, mode)
            if status:
                why = f"no end after {seconds:.0f} s" if status < 0 else f"exit {status}: {err.strip()[:300]}"
                return f"{size}: {why}", None
            took.append(seconds)
        start, small, large = min(start, took[0]), min(small, took[1], took[3]), min(large, took[2])
        exponent = exponent_of(small - start, large - start)
        paired = min(paired, exponent_of((took[1] + took[3]) / 2 - start, took[2] - start))
        if margin:
            exponent = min(exponent, paired)
        figures = smaller, small, largest, large, exponent
        if large - start <= NOISE or exponent <= allowed:
            return None, figures
    return f"the exponent is {exponent:.2f}, more than {allowed:.2f}", figures


def exponent_of(small, large):
    return math.log(max(large, 0.001) / max(small, 0.001), STEP)


def check_limit(compiler, shape, largest):
    """Beyond a documented limit there is a diagnostic with a place, whatever the size."""
    if not shape.beyond or shape.limit > largest:
        return None
    for size in (2 * shape.limit + 100, 20_000):
        _, status, err = compiler.compile(shape, size, MODES[0])
        if status != 1 or shape.beyond not in err or f"{shape.name}.jl:" not in err:
            return f"{size}, beyond the limit of {shape.limit}: exit {status}, expected 1 and '{shape.beyond}' with a place: {err.strip()[:300]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", default="", help="names of shapes, with commas")
    parser.add_argument("--table", help="file for the figures as a table of Markdown")
    options = parser.parse_args()
    compiler = Compiler(options.kiln, options.folder, 600 if options.long else 60)
    only = [name for name in options.only.split(",") if name]
    bad = [f"no shape is called {name}" for name in only if name not in [shape.name for shape in SHAPES]]
    rows = []
    for shape in SHAPES:
        if only and shape.name not in only:
            continue
        wrong = check_limit(compiler, shape, shape.long if options.long else shape.short) if shape.limit else None
        if wrong:
            bad.append(f"{shape.name}: {wrong}")
        for mode in MODES if options.long else shape.short_modes:
            largest, margin = (shape.long, 0) if options.long else (shape.short, MARGIN)
            wrong, figures = check(compiler, shape, mode, largest, margin)
            name = f"{shape.name} {mode[0]} -O{mode[1]}"
            text = "{}: {:.2f} s, {}: {:.2f} s, exponent {:.2f}".format(*figures) if figures else ""
            known = f" (known: {shape.known[mode]})" if mode in shape.known else ""
            print(f"{name:45} {'WRONG ' + wrong + '; ' if wrong else ''}{text}{known}", flush=True)
            if figures:
                few = "-" if figures[3] <= NOISE else f"{figures[4]:.2f}"
                rows.append(f"| {shape.name} | {mode[0]} -O{mode[1]} | {figures[0]:,} | {figures[1]:.2f} | {figures[2]:,} | {figures[3]:.2f} | {few} |")
            if wrong:
                bad.append(f"{name}: {wrong}")
    if options.table:
        with open(options.table, "w", encoding="utf-8") as file:
            file.write("| shape | mode | size | s | size | s | exponent |\n|---|---|---|---|---|---|---|\n" + "".join(row + "\n" for row in rows))
    for line in bad:
        print(line, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
