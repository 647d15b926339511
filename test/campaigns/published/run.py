#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs published programs, unmodified, on the CPU device, and prints the outcome of each: Julia's with `kiln script`,
Python's with `python -m kiln.numba`. PYTHONPATH must have Kiln's package and the packages that the programs import.

    run.py LIST SOURCES [--kiln PROGRAM] [--jobs N] [--limit SECONDS] [--only TEXT]

LIST has a line for each program: repository, path and commit, separated by tabs. SOURCES/<repository> is a copy of
that repository's files at that commit. Neither the programs nor their repositories are part of Kiln. The folder oracles
has checks of the programs' outputs; some need NumPy. An oracle must also refuse outputs that run.py changes in one
letter or digit. The outcomes:

    right     the program's oracle agreed; the line counts the changed outputs that it refused
    wrong     the program's oracle disagreed; the reason follows
    checked   status 0, and the program or a file that it includes contains @test or @assert; in Python an assertion
    ran       status 0, without a check of its own or an oracle
    excluded  the list gives a reason in a fourth column: network, data, package or device
    failed    any other status; the first line of the error follows"""

import argparse
import collections
import concurrent.futures
import pathlib
import os
import re
import subprocess
import sys

from oracles import ORACLES, Output

INCLUDE = re.compile(r'\binclude\("([^"$]+)"\)')


def has_check(path, seen=frozenset()):
    """Looks for a check in a file and in the files that it includes by a literal name."""
    if path in seen or not path.is_file():
        return False
    text = re.sub(r"#[^\n]*", "", path.read_text(errors="replace"))
    if re.search(r"\bassert|\.testing\." if path.suffix == ".py" else r"@test|@assert", text):
        return True
    return any(has_check(path.parent / name, seen | {path}) for name in INCLUDE.findall(text))


def judged(oracle, output):
    try:
        reason = oracle.judge(output)
    except ImportError as error:
        return "ran", f"its oracle needs {error.name}"
    if reason:
        return "wrong", reason
    refused, changed = oracle.refused(output)
    if refused:
        return "right", f"{refused} of {changed} changed outputs refused"
    return "ran", "its oracle accepts every changed output"


def outcome(options, line):
    repository, name, _commit, *reason = line.split("\t")
    program = f"{repository}/{name}"
    if reason:
        return "excluded", program, reason[0]
    path = options.sources / repository / name
    oracle = ORACLES.get(program)
    environment = dict(os.environ)
    if path.suffix == ".py":
        command = [sys.executable, "-m", "kiln.numba", str(path)]
        environment.update(CUDA_VISIBLE_DEVICES="", MPLBACKEND="Agg")
    else:
        driver = [str(oracle.driver)] if oracle and oracle.driver else []
        command = [options.kiln, "script", "--device", "cpu", *driver, str(path)]
    try:
        made = subprocess.run(command, cwd=path.parent, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=options.limit, text=True, errors="replace")  # fmt: skip
    except subprocess.TimeoutExpired:
        return "failed", program, f"out of time: {options.limit:.0f} s"
    output = Output(made.returncode, made.stdout, made.stderr, path.parent)
    kind, reason = judged(oracle, output) if oracle else ("", "")
    if kind and (kind != "wrong" or made.returncode == 0):
        return kind, program, reason
    if made.returncode == 0:
        return "checked" if has_check(path) else "ran", program, ""
    errors = [text for text in made.stderr.splitlines() if re.match(r"(ERROR|error)\b|[\w.]+(Error|Exception)\b", text)]
    return "failed", program, (errors or made.stderr.splitlines()[-1:] or [f"status {made.returncode}"])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("--kiln", default="build/release/bin/kiln", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--only", default="", help="text of the lines to run")
    options = parser.parse_args()
    options.sources = options.sources.resolve()
    lines = [
        line
        for line in options.list.read_text().splitlines()
        if line and not line.startswith("#") and options.only in line
    ]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(lambda line: outcome(options, line), lines))
    for kind, name, reason in sorted(outcomes):
        print(f"{kind:9} {name}  {reason}".rstrip())
    counts = collections.Counter(kind for kind, _, _ in outcomes)
    print(", ".join(f"{number} {kind}" for kind, number in sorted(counts.items())))


if __name__ == "__main__":
    main()
