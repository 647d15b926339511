#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the Python programs of the NAS Parallel Benchmarks, unmodified, and reports each program's own verification.

    npb.py --sources FOLDER [--device cpu|cuda] [--classes S,W] [--programs EP,IS,...] [--limit SECONDS]

FOLDER is a copy of the folder NPB-CUDA of github.com/danidomenico/NPB-PYTHON, commit
3751a1ce6c05c8c4f2e20f3a27ec3123b1f38bba. The programs are not part of Kiln. They import py-cpuinfo. PYTHONPATH must
have the import paths of Kiln, NumPy and py-cpuinfo. The status is 1 if a verification fails."""

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

PROGRAMS = ["EP", "IS", "CG", "MG", "FT", "BT", "SP", "LU"]


def run(program, name, options):
    """(verification, seconds of the benchmark, seconds of the process, its CPU seconds, last line of the errors)"""
    environment = dict(os.environ)
    if options.device == "cpu":
        environment["CUDA_VISIBLE_DEVICES"] = ""
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "kiln.numba", f"{program}.py", "-c", name]
    try:
        made = subprocess.run(command, cwd=options.sources, env=environment, capture_output=True, text=True, errors="replace", timeout=options.limit)  # fmt: skip
    except subprocess.TimeoutExpired:
        return "out of time", "", f"{options.limit:.0f}", "", ""
    seconds, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    device = re.search(r"GPU device\s*=\s*(.*)", made.stdout)
    if device and (device[1].strip() == "CPU") != (options.device == "cpu"):
        return "another device", "", f"{seconds:.2f}", f"{processor:.2f}", device[1].strip()
    verified = re.search(r"Verification\s*=\s*(\w+)", made.stdout)
    measured = re.search(r"Time in seconds\s*=\s*([\d.]+)", made.stdout)
    errors = made.stderr.strip().splitlines()[-1:] if made.returncode else []
    result = verified[1] if verified else f"status {made.returncode}"
    return result, measured[1] if measured else "", f"{seconds:.2f}", f"{processor:.2f}", *(errors or [""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=pathlib.Path, required=True)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--classes", default="S,W")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--limit", type=float, default=600)
    options = parser.parse_args()
    print("| program | class | verification | benchmark, s | process, s | CPU time, s |\n|---|---|---|---|---|---|", flush=True)
    failed = 0
    for name in options.classes.split(","):
        for program in options.programs.split(","):
            verified, measured, seconds, processor, error = run(program, name, options)
            failed += verified != "SUCCESSFUL"
            print(f"| {program} | {name} | {verified} | {measured} | {seconds} | {processor} | {error}".rstrip(" |") + " |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
