#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows what a commit makes slower or larger: timings.py [--strict]

Keeps a copy of the program in build/timings/COMMIT/kiln. Compiles some examples with this program and with the copy of the nearest
earlier commit, by turns, and compares the reports with `kiln timings diff`.

The comparison fails nothing, since a busy machine can mislead it. --strict: exit status 1 if something grew. Exit status 77: no earlier
commit has a copy. KILN_TIMINGS_BEFORE names a program to compare with instead. Exit status 2: this program does not exist.
"""
import os
import shlex
import shutil
import subprocess
import sys

RUNS = 5
THRESHOLD = 25  # per cent
EXAMPLES = ("saxpy", "matmul", "nbody")
KEPT = "build/timings"


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout.split()


def first_call(path):
    """The call of the `kiln compile` that an example's first lines show."""
    with open(path, encoding="utf-8") as file:
        return next(shlex.split(line[1:])[3] for line in file if line.startswith("#   kiln compile "))


def report(kiln, example, folder):
    """The report of one compile as text."""
    source, single = f"docs/examples/{example}.jl", os.path.join(folder, "one.json")
    subprocess.run([kiln, "compile", source, first_call(source), "--target", "ptx", "--arch", "sm_90", "--no-cache",
                    "-o", os.path.join(folder, "out.ptx"), f"--timings=json:{single}"], check=True)
    with open(single, encoding="utf-8") as file:
        return file.read()


def measure(programs, example, folder):
    """Writes RUNS reports of each program. The programs run by turns, and each one is first in every other turn. Returns the files."""
    paths = [os.path.join(folder, f"{example}-{side}.json") for side in ("before", "after")]
    with open(paths[0], "w", encoding="utf-8") as before, open(paths[1], "w", encoding="utf-8") as after:
        pairs = list(zip(programs, (before, after)))
        for turn in range(RUNS):
            for program, file in pairs[:: -1 if turn % 2 else 1]:
                file.write(report(program, example, folder))
    return paths


def keep(kiln, folder):
    """Leaves a copy of the program in `folder`, and in no other."""
    shutil.rmtree(KEPT, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run(["strip", "-o", os.path.join(folder, "kiln"), kiln], check=True)


def main():
    kiln = os.path.abspath("build/release/bin/kiln")
    if not os.path.exists(kiln):
        print("SKIPPED: build/release has no kiln")
        return 77
    is_changed = bool(git("status", "--porcelain", "--untracked-files=no"))
    head, *earlier = git("rev-list", "--max-count=200", "HEAD")
    before = os.environ.get("KILN_TIMINGS_BEFORE")
    if before and not (os.path.isfile(before) and os.access(before, os.X_OK)):
        print(f"error: KILN_TIMINGS_BEFORE={before} is no program; name an executable file")
        return 2
    copies = [os.path.join(KEPT, commit, "kiln") for commit in ([head] if is_changed else []) + earlier]
    before = before or next((copy for copy in copies if os.path.exists(copy)), None)
    has_grown = False
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one core: cores differ in speed
    if before:
        reports = "build/timings-reports"
        os.makedirs(reports, exist_ok=True)
        for example in EXAMPLES:
            pair = measure((os.path.abspath(before), kiln), example, reports)
            print(f"\n{example}: {before} and {kiln}", flush=True)
            status = subprocess.run([kiln, "timings", "diff", *pair, "--threshold", str(THRESHOLD)], check=False).returncode
            if status not in (0, 5):
                return status
            has_grown = has_grown or status == 5
    if not is_changed:
        keep(kiln, os.path.join(KEPT, head))
    if not before:
        print(f"SKIPPED: no earlier commit has a program in {KEPT}")
        return 77
    return 1 if has_grown and "--strict" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
