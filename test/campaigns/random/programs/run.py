#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random valid programs: what Kiln's kernels write is compared with what evaluate.py computes.

    run.py --runner PROGRAM --folder SCRATCH [--seed N] [--count M | --seconds S] [--options=-O0,-g2] [--ptx PTXAS]

Program number N follows from N alone: `run.py --seed N --count 1` repeats it. Where something differs, the smallest
program found that still does so (shrink.py) is printed with its seed; the exit status is 1 then.
"""
import argparse
import math
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "language", "values"))
sys.setrecursionlimit(10000)

from evaluate import Evaluator, TooLong
from generate import ARRAYS, Generator, inputs
from numbers_of import FLOATS, NAMES, bits, from_bits, width
from shrink import shrink
from show import PRELUDE, text_of
from types_of import Ambiguous, Invalid
from values import Num

NAN = "NaN"


class Case:
    """A program, what its threads are given, and what they must leave."""

    def __init__(self, program, seed):
        self.program, self.seed = program, seed
        self.threads = program.threads * program.blocks
        self.given = inputs(seed, self.threads)

    def evaluate(self):
        """Fills in `wanted`: for each thread the slots, the exception and the arrays."""
        self.wanted = []
        for k in range(self.threads):
            rows = {a: (t, [Num(t, v) for v in data[k]]) for a, (t, data) in self.given.items()}
            out, thrown = Evaluator(self.program).run(rows, k + 1)
            self.wanted.append((out, thrown, {a: items for a, (t, items) in rows.items()}))
        return self

    def line(self):
        """What the runner is given."""
        words = [self.program.name, str(max(self.program.slots, 1)), str(self.program.threads), str(self.program.blocks)]
        for a, (t, rows) in self.given.items():
            raw = b"".join(bits(t, v).to_bytes(max(width(t) // 8, 1), "little") for row in rows for v in row)
            words += [t, raw.hex()]
        return " ".join(words)

    def differences(self, answer, nameless=False):
        """What is wrong with a line of the runner's, as lines of text. nameless: at -g0 an exception has no name."""
        words = answer.split(" ")
        if words[1] != "ran":
            return ["does not run: " + " ".join(words[3:]).replace("|", "\n")]
        found = []
        thrown = {t for _, t, _ in self.wanted if t}
        if nameless and thrown:
            thrown.add("error")
        if words[2] not in (thrown or {"-"}):
            found.append(f"exception: expected {' or '.join(sorted(thrown)) or 'none'}, got {words[2]}")
        raw = bytes.fromhex(words[3])
        slots = max(self.program.slots, 1)
        word = lambda i: int.from_bytes(raw[8 * i:8 * i + 8], "little")
        for k, (out, _, arrays) in enumerate(self.wanted):
            for slot in range(1, slots + 1):
                at = 2 * (k * slots + slot - 1)
                self.compare(found, f"thread {k + 1}, slot {slot}", out.get(slot, (0, 0)), (word(at), word(at + 1)))
        for a, text in zip(ARRAYS, words[4:]):
            size = max(width(ARRAYS[a]) // 8, 1)
            raw = bytes.fromhex(text)
            for k, (_, _, arrays) in enumerate(self.wanted):
                for i, x in enumerate(arrays[a]):
                    b = int.from_bytes(raw[size * (8 * k + i):size * (8 * k + i + 1)], "little")
                    if not self.same(x.t, bits(x.t, x.v), b):
                        found.append(f"thread {k + 1}, {a}[{i + 1}]: expected {x.v!r}, got {from_bits(x.t, b)!r}")
        return found

    def same(self, t, a, b):
        return a == b or (t in FLOATS and math.isnan(from_bits(t, a)) and math.isnan(from_bits(t, b)))

    def compare(self, found, where, wanted, got):
        show = lambda x: "nothing written" if x[0] == 0 else f"{NAMES.get(x[0], x[0])} " + (repr(from_bits(NAMES[x[0]], x[1])) if x[0] in range(1, 13) else "")
        name = NAMES.get(wanted[0])
        mask = (1 << (width(name) if name in FLOATS or name else 64)) - 1 if name not in (None, "Nothing", "Other") else 0
        if wanted[0] != got[0] or not self.same(name, wanted[1] & mask, got[1] & mask):
            found.append(f"{where}: expected {show(wanted)}, got {show(got)}")


def make(seed):
    """The case of a seed, or None where the generator's program is not one to compare."""
    try:
        return Case(Generator(seed, f"p{seed}").generate(), seed).evaluate()
    except (Ambiguous, TooLong):
        return None


class Runner:
    def __init__(self, program, folder, options):
        self.program, self.folder = program, folder
        self.options = [o for o in options if not o.startswith("threads=")]
        self.environment = {**os.environ, **{"KILN_CPU_THREADS": o[8:] for o in options if o.startswith("threads=")}}
        self.nameless = "-g0" in options
        os.makedirs(folder, exist_ok=True)

    def answers(self, cases, name, more=(), limit=300):
        """{program's name: the runner's line}; a program that ended the process has a line of its own."""
        path = os.path.join(self.folder, name + ".jl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PRELUDE + "".join("\n" + text_of(c.program) for c in cases))
        found, left = {}, list(cases)
        while left:
            done = None
            try:
                done = subprocess.run([self.program, path] + self.options + list(more), input="\n".join(c.line() for c in left) + "\n", capture_output=True, text=True, timeout=limit, env=self.environment)
                out, err, status = done.stdout, done.stderr, done.returncode
            except subprocess.TimeoutExpired as e:
                out, err, status = (e.stdout or b"").decode(), f"no end within {limit} s", "time"
            lines = [line for line in out.split("\n") if line]
            if not lines and status == 1:
                return {c.program.name: f"{c.program.name} failed 1 {err.strip().replace(chr(10), '|')}" for c in cases}
            if "note: " in err:
                for c in left:
                    found.setdefault(c.program.name, f"{c.program.name} failed 1 {err.strip().replace(chr(10), '|')}")
                return found
            for line in lines:
                found[line.split(" ")[0]] = line
            left = [c for c in left if c.program.name not in found]
            if left:  # the first of them ended the process
                c = left.pop(0)
                found[c.program.name] = f"{c.program.name} failed 4 the process ended with status {status}: {err[-600:].replace(chr(10), '|')}"
        return found


def same_fault(a, b):
    """Whether two lists of differences are of one kind: a shrunken program must not end at another fault."""
    def kind(lines):
        if lines[0].startswith("does not run"):
            return re.sub(r"[0-9]+|`[^`]*`|\S+\.jl:\S+", "", lines[0].split("\n")[0])[:60]
        return "values"
    return bool(a) and kind(a) == kind(b)


def report(runner, case, differences):
    def still(program):
        c = Case(program, case.seed)
        try:
            c.evaluate()
        except (Ambiguous, TooLong, Invalid, AssertionError, AttributeError, KeyError, TypeError, ValueError):
            return False
        return same_fault(c.differences(runner.answers([c], "shrink", limit=60)[program.name], runner.nameless), differences)

    small = shrink(case.program, still)
    c = Case(small, case.seed)
    c.evaluate()
    print(f"==== seed {case.seed} {' '.join(runner.options)}")
    print("\n".join(differences[:3]))
    print("---- the smallest program that differs")
    print(text_of(small))
    print("\n".join(c.differences(runner.answers([c], "shrink")[small.name], runner.nameless)[:6]), flush=True)


def check(runner, cases, options):
    bad = 0
    answers = runner.answers(cases, "batch")
    for c in cases:
        differences = c.differences(answers[c.program.name], runner.nameless)
        if differences:
            bad += 1
            if options.no_shrink:
                print(f"==== seed {c.seed} {' '.join(runner.options)}\n" + "\n".join(differences[:5]), flush=True)
            else:
                report(runner, c, differences)
    return bad


def check_ptx(runner, cases, ptxas):
    """Compiles for a GPU and, where there is an assembler, assembles each fourth."""
    bad = 0
    for name, answer in runner.answers(cases, "batch", ["--ptx", runner.folder]).items():
        path = os.path.join(runner.folder, name + ".ptx")
        if " compiled" not in answer:
            bad += 1
            print(f"==== {name} for PTX: {answer[:800].replace('|', chr(10))}", flush=True)
            continue
        if ptxas and int(name[1:]) % 4 == 0:
            done = subprocess.run([ptxas, "-arch=sm_90", "-O0" if "-g2" in runner.options else "-O1", path, "-o", os.devnull], capture_output=True, text=True)
            if done.returncode:
                bad += 1
                print(f"==== {name}: ptxas: {done.stderr[:500]}", flush=True)
        if os.path.exists(path):
            os.remove(path)
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, help="go on so long, in place of --count")
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--options", default="-O2", help="of the compiler; and threads=N for the CPU; several sets are apart by semicolons and take turns: -O0,-g2;-O2,threads=4")
    parser.add_argument("--ptx", nargs="?", const="", metavar="PTXAS", help="compile for a GPU too, and assemble some with this program")
    parser.add_argument("--show", action="store_true", help="print the programs")
    parser.add_argument("--no-shrink", action="store_true")
    options = parser.parse_args()
    sets = [s.split(",") for s in options.options.split(";")]
    end = time.monotonic() + options.seconds if options.seconds else math.inf
    seed, last = options.seed, options.seed + (options.count if not options.seconds else 1 << 60)
    ran = left_out = bad = 0
    while seed < last and time.monotonic() < end:
        cases = []
        while seed < last and len(cases) < options.batch:
            case = make(seed)
            if case:
                cases.append(case)
            else:
                left_out += 1
            seed += 1
        if options.show:
            for c in cases:
                print(text_of(c.program))
        # The sets take turns over the batches.
        turn = (seed - options.seed) // options.batch % len(sets)
        runner = Runner(options.runner, options.folder, sets[turn])
        bad += check(runner, cases, options)
        if options.ptx is not None:
            bad += check_ptx(runner, cases, options.ptx)
        ran += len(cases)
    print(f"random programs: seeds {options.seed} to {seed - 1}: {ran} compared, {left_out} left out (no outcome that the rules fix), {bad} differ")
    if ran == 0:
        print("no program was compared")
    return 1 if bad or not ran else 0


if __name__ == "__main__":
    os.environ.setdefault("KILN_CACHE_DIR", "")
    sys.exit(main())
