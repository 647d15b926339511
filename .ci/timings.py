#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a commit makes slower: compiles some examples several times with --timings=json, keeps the reports in build/timings/COMMIT/, and
compares them with those of the nearest commit before it that has some there, by `kiln timings diff`.

It tells, and fails nothing: on a machine that does other work as well, single stages were told to be twice as slow by chance. --strict: exit
status 1 if a stage or a job is slower by more than 25 %, for a machine that does nothing else. 77 where there is no earlier report: the
first run on a machine keeps its own alone. KILN_TIMINGS_BEFORE names a folder to compare with in place of the nearest commit's.
"""
import os
import shlex
import shutil
import subprocess
import sys

RUNS, THRESHOLD = 7, 25
EXAMPLES = ("saxpy", "matmul", "nbody")


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout.split()


def first_call(path):
    """The call of the `kiln compile` that an example's first lines show."""
    with open(path, encoding="utf-8") as file:
        return next(shlex.split(line[1:])[3] for line in file if line.startswith("#   kiln compile "))


def measure(kiln, folder):
    """A file of RUNS reports for each example."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for example in EXAMPLES:
        source = f"docs/examples/{example}.jl"
        command = [kiln, "compile", source, first_call(source), "--target", "ptx", "--arch", "sm_90", "--no-cache", "-o", os.path.join(folder, "out.ptx")]
        with open(os.path.join(folder, f"{example}.json"), "w", encoding="utf-8") as all_runs:
            for _ in range(RUNS):
                single = os.path.join(folder, "one.json")
                subprocess.run([*command, f"--timings=json:{single}"], check=True)
                with open(single, encoding="utf-8") as file:
                    all_runs.write(file.read())
    for leftover in ("out.ptx", "one.json"):
        os.remove(os.path.join(folder, leftover))


def main():
    kiln, kept = os.path.abspath("build/release/bin/kiln"), "build/timings"
    if not os.path.exists(kiln):
        print("SKIPPED: build/release has no kiln")
        return 77
    is_changed = bool(git("status", "--porcelain", "--untracked-files=no"))
    after = os.path.join(kept, "working-tree" if is_changed else git("rev-parse", "HEAD")[0])
    measure(kiln, after)
    before = os.environ.get("KILN_TIMINGS_BEFORE")
    if not before:
        earlier = git("rev-list", "--max-count=200", "HEAD")[0 if is_changed else 1:]
        before = next((folder for commit in earlier if os.path.isdir(folder := os.path.join(kept, commit))), "")
    if not os.path.isdir(before):
        print(f"SKIPPED: no earlier commit has reports in {kept}; these are in {after}")
        return 77
    slower = False
    for example in EXAMPLES:
        pair = [os.path.join(folder, f"{example}.json") for folder in (before, after)]
        print(f"\n{example}: {before} and {after}", flush=True)
        status = subprocess.run([kiln, "timings", "diff", *pair, "--threshold", str(THRESHOLD)], check=False).returncode
        if status not in (0, 5):
            return status
        slower = slower or status == 5
    return 1 if slower and "--strict" in sys.argv[1:] else 0


sys.exit(main())
