#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of closures in Julia: their values are compared with scopes.py, an evaluator in Python.

    run.py --kiln PROGRAM --runner PROGRAM --folder SCRATCH [--seed N] [--programs N] [--show]

A kernel throws an UndefVarError where it makes or uses a closure over a variable that is not assigned at that time.
Each program runs as a host function that is interpreted, as a host function that is compiled, and, unless it needs
the host, as a kernel on the CPU at -O0 and at -O2. A kernel may be refused with the place of the closure. Program
number N follows from N alone. The exit status is 1 if any value differs."""

import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import time

sys.setrecursionlimit(20000)

from generate import Generator
from scopes import BIG, Evaluator, TooLong, Undefined, text

UNDEFINED = -999999  # in place of a value: an UndefVarError
BATCH = 250
# The last: a variable holds closures of several types.
REFUSALS = ("a closure over `", "a variable of an enclosing function", "construction of a value of type Union{")
# At -O0 branches that never run are compiled too: a name that only they use is refused.
REFUSALS_AT_O0 = (*REFUSALS, "UndefVarError: ")
PRELUDE = """const big = zeros(Int, %d)
function compiled(f, xs, n)
    value = 0
    for _ in 1:1
        value = f(n)
    end
    value
end
guarded(f) = try
    f()
catch e
    e isa UndefVarError ? -999999 : rethrow()
end
"""


class Case:
    """A program, its text, and its value."""

    def __init__(self, seed):
        program = Generator(seed, host=seed % 3 == 0).program()
        self.seed, self.name, self.host_only = seed, f"p{seed}", program.host_only
        self.text = f"function {self.name}(n)\n{text(program.body, 1)}    return out\nend\n"
        evaluator = Evaluator()
        try:
            self.wanted = evaluator.run(program, 3)
        except Undefined:
            self.wanted = UNDEFINED
        self.may_throw = evaluator.takes_unassigned
        # Sums of Int64 wrap, integers of Python do not.
        self.is_usable = abs(self.wanted) < 1 << 62


def make(seed):
    try:
        case = Case(seed)
    except (TooLong, RecursionError):
        return None
    return case if case.is_usable else None


def hosts(kiln, folder, cases):
    """What each program gives interpreted and compiled, by its name."""
    path = os.path.join(folder, f"host{cases[0].seed}.jl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PRELUDE % BIG)
        for c in cases:
            file.write(c.text)
            file.write(f'println("{c.name} ", guarded(() -> {c.name}(3)), " ", guarded(() -> compiled({c.name}, big, 3)))\n')
    done = subprocess.run([kiln, "script", "--device", "cpu", path], capture_output=True, text=True, timeout=300, check=False)
    found = {words[0]: [int(w) for w in words[1:]] for words in (line.split() for line in done.stdout.split("\n")) if len(words) == 3}
    return found, done.stderr


def kernels(runner, folder, cases, level):
    """The runner's line for each kernel, by its program's name."""
    path = os.path.join(folder, f"kernel{level}_{cases[0].seed}.jl")
    with open(path, "w", encoding="utf-8") as file:
        file.write("using CUDA\n")
        for c in cases:
            file.write(c.text + f"function k{c.seed}(o)\n    o[1] = {c.name}(3)\n    return\nend\n")
    lines = "".join(f"k{c.seed} 1 1 1\n" for c in cases)
    done = subprocess.run([runner, path, level], input=lines, capture_output=True, text=True, timeout=300, env={**os.environ, "KILN_CACHE_DIR": ""}, check=False)
    return {"p" + line.split(" ")[0][1:]: line for line in done.stdout.split("\n") if line}, done.stderr


def number(text):
    value = int.from_bytes(bytes.fromhex(text)[:8], "little")
    return value - (1 << 64) if value >> 63 else value


class Report:
    """Counts, and the programs that are wrong."""

    def __init__(self):
        self.counts, self.bad, self.refused = collections.Counter(), [], []

    def wrong(self, case, how):
        self.bad.append(case.seed)
        print(f"==== program {case.seed}: {how}; right is {case.wanted}\n{case.text}", flush=True)

    def host(self, case, found, error):
        values = found.get(case.name)
        if values is None:
            return self.wrong(case, f"host: no value: {error[-300:]}")
        self.counts["host values"] += 2
        for how, value in zip(("interpreted", "compiled"), values):
            if value != case.wanted:
                self.wrong(case, f"host, {how}: {value}")
        return None

    def kernel(self, case, level, line, error):
        words = (line or "").split(" ")
        if len(words) > 3 and words[1] == "failed":
            message = " ".join(words[3:])
            if not any(text in message for text in (REFUSALS_AT_O0 if level == "-O0" else REFUSALS)):
                return self.wrong(case, f"kernel {level}: {message[:600].replace('|', chr(10))}")
            self.counts[f"kernels refused {level}"] += 1
            self.refused.append((case.seed, level))
            if not re.search(r"\.jl:[0-9]+", message):
                self.wrong(case, f"kernel {level}: a refusal without a place: {message[:300]}")
            return None
        if len(words) < 4 or words[1] != "ran":
            return self.wrong(case, f"kernel {level}: no value: {error[-300:]}")
        if words[2] == "UndefVarError" and case.may_throw:
            self.counts[f"kernels with UndefVarError {level}"] += 1
            return None
        self.counts[f"kernels {level}"] += 1
        if words[2] != "-" or number(words[3]) != case.wanted:
            self.wrong(case, f"kernel {level}: {number(words[3])}, exception {words[2]}")
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--refused", help="write the kernels that are refused to this file, a line each")
    parser.add_argument("--show", action="store_true", help="print the programs")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    began, report, cases = time.monotonic(), Report(), []
    seed = options.seed
    while len(cases) < options.programs:
        case = make(seed)
        seed += 1
        if case:
            cases.append(case)
    if options.show:
        for c in cases:
            print(f"# {c.wanted}\n{c.text}")
    batches = [cases[i:i + BATCH] for i in range(0, len(cases), BATCH)]

    def run(batch):
        # A kernel has no value where an exception ends it.
        inner = [c for c in batch if not c.host_only and c.wanted != UNDEFINED]
        return batch, hosts(options.kiln, options.folder, batch), [(inner, level, kernels(options.runner, options.folder, inner, level)) for level in ("-O0", "-O2") if inner]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for batch, (found, error), kernel_runs in pool.map(run, batches):
            for c in batch:
                report.host(c, found, error)
            for inner, level, (lines, kernel_error) in kernel_runs:
                for c in inner:
                    report.kernel(c, level, lines.get(c.name), kernel_error)
    if options.refused:
        with open(options.refused, "w", encoding="utf-8") as file:
            file.writelines(f"{seed} {level}\n" for seed, level in report.refused)
    counts = ", ".join(f"{n} {what}" for what, n in sorted(report.counts.items()))
    print(f"{len(cases)} programs from seed {options.seed} in {time.monotonic() - began:.0f} s: {counts}; {len(set(report.bad))} wrong")
    return 1 if report.bad else 0


if __name__ == "__main__":
    sys.exit(main())
