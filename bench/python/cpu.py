#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on Kiln's CPU device against numba's simulator and numba's prange, on this machine's cores.

    cpu.py [--path FOLDER] [--rounds N] [--only NAME,...] [--json FILE] [--report FILE.md]

The workloads of workloads.py, which has the sizes: the simulator's are small, for it has a thread of Python for each of the kernel's. Each in a process of its own; median and least of N
calls after the first. --path FOLDER stands first in sys.path of numba's processes. Results are compared. Without numba it ends with 77 (skipped)."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import report
import workloads

GOALS = {"simulator": 100, "prange": 0.9}  # how many times as fast


def child(side, names, rounds, folder):
    """Prints a JSON object by workload: seconds, and sums of the results without signs to compare."""
    import warnings

    import numpy as np

    warnings.simplefilter("ignore")
    if side.startswith("kiln"):
        import kiln
        from kiln import cuda

        scope, text = {"cuda": cuda, "float32": kiln.float32, "int32": kiln.int32}, workloads.KERNELS.replace("@cuda.jit", "@device_jit")
        scope["device_jit"] = kiln.jit(device="cpu")
    else:
        import numba
        from numba import cuda

        scope = {"cuda": cuda, "float32": np.float32 if side == "simulator" else numba.float32, "int32": np.int32, "njit": numba.njit, "prange": numba.prange}
        text = workloads.KERNELS if side == "simulator" else workloads.PRANGE
    functions = workloads.compiled(text, os.path.join(folder, side + ".py"), scope)
    made = {}
    for name in names:
        if name not in functions:
            continue
        grid, block, args, results = workloads.made(name, workloads.SIZES[name][2 if side in ("simulator", "kiln small") else 1], np)
        times, first = [], None
        for k in range(rounds + 1):
            begin = time.perf_counter()
            if side == "prange":
                functions[name](*args)
            else:
                functions[name][grid, block](*args)
            if k:
                times.append(time.perf_counter() - begin)
            else:
                first = [float(np.sum(np.abs(a), dtype=np.float64)) for a in args[:results]]
        made[name] = {"median": statistics.median(times), "least": min(times), "sums": first}
    print(json.dumps(made))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--path")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default=",".join(workloads.SIZES))
    report.add_options(parser)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = options.only.split(",")
    if options.child:
        return child(options.child, names, options.rounds, options.folder)
    figures, notes = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for side in ("kiln", "prange", "kiln small", "simulator"):
            environment = dict(os.environ)
            if side in ("prange", "simulator") and options.path:
                environment["PYTHONPATH"] = options.path + os.pathsep + environment.get("PYTHONPATH", "")
            if side == "simulator":
                environment["NUMBA_ENABLE_CUDASIM"] = "1"
            rounds = 2 if side == "simulator" else options.rounds
            done = subprocess.run([sys.executable, "-B", __file__, "--child", side, "--folder", folder, "--rounds", str(rounds), "--only", options.only], capture_output=True, text=True, env=environment)
            if done.returncode:
                notes.append(f"{side}: left out: {(done.stderr.strip().splitlines() or [str(done.returncode)])[-1]}")
            else:
                figures[side] = json.loads(done.stdout.splitlines()[-1])
    text = [f"# Kernels on the CPU device against numba, {len(os.sched_getaffinity(0))} cores", "", "Milliseconds, median (least).", "", "| workload | against | n | Kiln | numba | times as fast | goal |", "|---|---|---|---|---|---|---|"]
    for theirs, ours, size in (("prange", "kiln", 1), ("simulator", "kiln small", 2)):
        for name in names:
            a, b = figures.get(ours, {}).get(name), figures.get(theirs, {}).get(name)
            if not a or not b:
                continue
            for mine, other in zip(a["sums"], b["sums"]):
                if abs(mine - other) > 1e-4 * max(1, abs(other)):
                    notes.append(f"{name} against {theirs}: sums of the results differ: {mine} and {other}")
            ratio = b["median"] / a["median"]
            cells = [f"{each['median'] * 1e3:.3f} ({each['least'] * 1e3:.3f})" for each in (a, b)]
            text.append(f"| {name} | {theirs} | {workloads.SIZES[name][size]} | {cells[0]} | {cells[1]} | {ratio:.2f} | {GOALS[theirs]} {'yes' if ratio >= GOALS[theirs] else 'NO'} |")
    text = "\n".join(text + [""] + [f"- {note}" for note in notes]) + "\n"
    report.write(options, text, {"figures": figures, "notes": notes})
    return 0 if {"prange", "simulator"} & set(figures) else 77


if __name__ == "__main__":
    sys.exit(main())
