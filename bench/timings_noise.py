#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Error rates of `kiln timings diff`: timings_noise.py KILN [--pairs N] [--keep FOLDER] [--one] [--core N]

Compiles the kernels of docs/examples by turns, and writes files of five reports each. Two files are of equal runs, so a verdict of "slower" is
a false alarm. Three changes are synthetic: recorded reports are scaled, so they have the noise of equal runs.

    whole        all times are 30 % longer
    stage        the longest stage is 30 % longer, and the whole by as much
    instructions all counts of LLVM instructions are 10 % higher

Two changes are real: other options make the second program do more work.

    -O 0         the middle-end leaves twice as many LLVM instructions
    -g 2         complete debug information: ten kernels take about 70 % longer. Left out with --one, as saxpy takes about 10 % longer

--keep leaves the reports in FOLDER, and reads those that are there already. --one compiles saxpy alone. --core runs on this core alone.
"""
import argparse
import copy
import json
import os
import subprocess
import sys
import tempfile

import instructions

RUNS = 5
VARIANTS = {"before": (), "equal": (), "-O 0": ("-O", "0"), "-g 2": ("-g", "2")}  # options of each file's runs


def examples(one):
    """Files and calls for `kiln compile`: the first call of each example that sm_90 can run."""
    found = {}
    for name, call, arch in instructions.kernels():
        if arch == "sm_90" and (name == "saxpy.jl" or not one):
            found.setdefault(os.path.join(instructions.EXAMPLES, name), call)
    return [*found, *found.values()]


def report(kiln, call, folder):
    path = os.path.join(folder, "report.json")
    subprocess.run([kiln, "compile", *call, "--target", "ptx", "--arch", "sm_90", "--no-cache", "-o", os.path.join(folder, "out") + os.sep,
                    f"--timings=json:{path}"], check=True)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def measurements(kiln, call, variants, count, folder):
    """`count` measurements: RUNS reports of each variant, made by turns."""
    for number in range(count):
        path = os.path.join(folder, f"runs{number}.json")
        if not os.path.exists(path):
            runs = {variant: [] for variant in variants}
            for turn in range(RUNS):
                for variant in variants if turn % 2 else variants[::-1]:
                    runs[variant].append(report(kiln, [*call, *VARIANTS[variant]], folder))
            with open(path, "w", encoding="utf-8") as file:
                json.dump(runs, file)
        with open(path, encoding="utf-8") as file:
            yield json.load(file)


def rows(run):
    """The rows of a report: of all jobs, and of each."""
    return [*run["rows"], *(row for job in run["jobs"] for row in job["rows"])]


def whole(run):
    run["wall_ns"] = round(run["wall_ns"] * 1.3)
    for job in run["jobs"]:
        job["ns"] = round(job["ns"] * 1.3)
    for row in rows(run):
        row["ns"], row["self_ns"] = round(row["ns"] * 1.3), round(row["self_ns"] * 1.3)


def stage(run):
    name = max((row for job in run["jobs"] for row in job["rows"]), key=lambda row: row["self_ns"])["name"]
    more = round(0.3 * sum(row["self_ns"] for row in run["rows"] if row["name"] == name))
    run["wall_ns"] += more
    for job in run["jobs"]:
        job["ns"] += more
    for row in rows(run):
        if row["name"] == name:
            row["self_ns"] = round(row["self_ns"] * 1.3)


def more_instructions(run):
    for row in rows(run):
        if "instructions_after" in row:
            row["instructions_after"] = -(-row["instructions_after"] * 11 // 10)  # up: at least 10 %


def finds(kiln, folder, before, after, *options):
    """Does diff find that something grew?"""
    paths = [os.path.join(folder, name) for name in ("before.json", "after.json")]
    for path, runs in zip(paths, (before, after)):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(runs, file)
    done = subprocess.run([kiln, "timings", "diff", *paths, *options], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 5):
        sys.exit(done.stderr)
    return done.returncode == 5


def changed(runs, change):
    runs = copy.deepcopy(runs)
    for run in runs:
        change(run)
    return runs


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kiln", type=os.path.abspath)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--keep", type=os.path.abspath)
    parser.add_argument("--one", action="store_true")
    parser.add_argument("--core", type=int)
    options = parser.parse_args()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    time_only, counts_only = ("--count-threshold", "1000000"), ("--threshold", "1000000")
    same = lambda run: None
    cases = {
        "equal, time: false alarms": ("equal", same, time_only),
        "equal, instructions: false alarms": ("equal", same, counts_only),
        "whole 30 % longer (synthetic), time: found": ("equal", whole, time_only),
        "longest stage 30 % longer (synthetic), time: found": ("equal", stage, time_only),
        "10 % more instructions (synthetic): found": ("equal", more_instructions, counts_only),
        "-O 0 (real), instructions: found": ("-O 0", same, counts_only),
        "-g 2 (real), time: found": ("-g 2", same, time_only),
    }
    if options.one:
        cases = {name: case for name, case in cases.items() if case[0] != "-g 2"}
    variants = list(dict.fromkeys(["before", *(variant for variant, _, _ in cases.values())]))
    found = dict.fromkeys(cases, 0)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        for runs in measurements(options.kiln, examples(options.one), variants, options.pairs, folder):
            for case, (variant, change, only) in cases.items():
                found[case] += finds(options.kiln, folder, runs["before"], changed(runs[variant], change), *only)
    print(f"| case | of {options.pairs} pairs |\n|---|---|")
    for case, count in found.items():
        print(f"| {case} | {count} |")


if __name__ == "__main__":
    main()
