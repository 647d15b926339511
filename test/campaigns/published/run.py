#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs published programs, unmodified, on the CPU device, and prints the outcome of each: Julia's with `kiln script`,
Python's with `python -m kiln.numba`. PYTHONPATH must have Kiln's package and the packages that the programs import.

    run.py LIST SOURCES [--kiln PROGRAM] [--jobs N] [--limit SECONDS]

LIST has a line for each program: repository, path and commit, separated by tabs. SOURCES/<repository> is a copy of
that repository's files at that commit. Neither the programs nor their repositories are part of Kiln. The outcomes:

    checked   status 0, and the program or a file that it includes contains @test or @assert; in Python an assertion
    ran       status 0, without a check of its own
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

INCLUDE = re.compile(r'\binclude\("([^"$]+)"\)')


def has_check(path, seen=frozenset()):
    """Looks for a check in a file and in the files that it includes by a literal name."""
    if path in seen or not path.is_file():
        return False
    text = re.sub(r"#[^\n]*", "", path.read_text(errors="replace"))
    if re.search(r"\bassert|\.testing\." if path.suffix == ".py" else r"@test|@assert", text):
        return True
    return any(has_check(path.parent / name, seen | {path}) for name in INCLUDE.findall(text))


def outcome(options, line):
    repository, name, _commit, *reason = line.split("\t")
    if reason:
        return "excluded", f"{repository}/{name}", reason[0]
    path = options.sources / repository / name
    environment = dict(os.environ)
    if path.suffix == ".py":
        command = [sys.executable, "-m", "kiln.numba", str(path)]
        environment.update(CUDA_VISIBLE_DEVICES="", MPLBACKEND="Agg")
    else:
        command = [options.kiln, "script", "--device", "cpu", str(path)]
    try:
        made = subprocess.run(command, cwd=path.parent, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=options.limit, text=True, errors="replace")  # fmt: skip
    except subprocess.TimeoutExpired:
        return "failed", f"{repository}/{name}", f"out of time: {options.limit:.0f} s"
    if made.returncode == 0:
        return "checked" if has_check(path) else "ran", f"{repository}/{name}", ""
    errors = [text for text in made.stderr.splitlines() if re.match(r"(ERROR|error)\b|[\w.]+(Error|Exception)\b", text)]
    return "failed", f"{repository}/{name}", (errors or made.stderr.splitlines()[-1:] or [f"status {made.returncode}"])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("--kiln", default="build/release/bin/kiln", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=120)
    options = parser.parse_args()
    options.sources = options.sources.resolve()
    lines = [line for line in options.list.read_text().splitlines() if line and not line.startswith("#")]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(lambda line: outcome(options, line), lines))
    for kind, name, reason in sorted(outcomes):
        print(f"{kind:9} {name}  {reason}".rstrip())
    counts = collections.Counter(kind for kind, _, _ in outcomes)
    print(", ".join(f"{number} {kind}" for kind, number in sorted(counts.items())))


if __name__ == "__main__":
    main()
