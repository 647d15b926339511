#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the first call of a new kernel costs, beside numba-cuda, Triton and CuPy's RawKernel where these import.

    first_call.py [--path FOLDER] [--rounds N] [--only NAME,...] [--json FILE] [--report FILE.md]

For each kind of kernel the least and the median of N rounds, each with a kernel of its own text, from its source (defined in a file) to the end of its first launch on arrays of the device, in a
process that compiled another kernel of the kind before. Kiln's once more with its clock on: what is left without NVIDIA's assembler. Then fresh processes with the folder that an
earlier one filled: `import`, import and first launch, NumPy's own import (and for Triton torch's) taken off, beside cuInit and the context in a process of their own.
--path FOLDER stands first in sys.path of numba-cuda's processes alone: for a NumPy that it takes. Peers that do not import or run are named."""

import argparse
import ctypes
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

import first_call_kernels as kernels
import report

# Geometric mean of Kiln's first calls against the peer's; and numba-cuda-mlir's published mean, ms.
GOALS = {"numba": 1 / 10, "triton": 1 / 3}
PUBLISHED_MLIR = 67.0


def opened(peer):
    """(what the kernels' text names, device array of one of NumPy's, launch(kernel, grid, block, args), wait, milliseconds of imports, of which not the peer's own)."""
    begin = time.perf_counter()
    if peer == "triton":
        import torch

        others = time.perf_counter() - begin
        begin = time.perf_counter()
        import triton  # noqa: F401

        imported = time.perf_counter() - begin

        def launch(function, shape, args):
            function[(1,)](*args, num_warps=4)

        return {}, lambda a: torch.from_numpy(a).cuda(), launch, torch.cuda.synchronize, imported, others
    import numpy  # noqa: F401

    others = time.perf_counter() - begin
    begin = time.perf_counter()
    if peer == "cupy":
        import cupy

        imported = time.perf_counter() - begin

        def launch(function, shape, args):
            function((1,), shape if isinstance(shape, tuple) else (shape,), args)

        return {}, cupy.asarray, launch, cupy.cuda.Device().synchronize, imported, others
    if peer == "kiln":
        import warnings

        import kiln as types
        from kiln import cuda

        warnings.simplefilter("ignore", types.errors.NoDeviceWarning)
    else:
        os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
        import numba as types
        from numba import cuda
    imported = time.perf_counter() - begin
    return {"cuda": cuda, "math": math, "numba_types": types}, cuda.to_device, lambda function, shape, args: cuda.jit(function)[1, shape](*args), cuda.synchronize, imported, others


def besides_assembler(report):
    """Milliseconds of the assembler in a report of kiln.timings()."""
    wanted = {"assemble", "find the assembler", "merge"}
    return sum(row["self_ns"] for row in report["rows"] if row["name"] in wanted) / 1e6


def child(peer, rounds, folder):
    """Prints a JSON object of milliseconds by kind; files of kernels lie in `folder`."""
    begin = time.perf_counter()
    scope, device, launch, wait, imported, others = opened(peer)
    import numpy as np

    if rounds == 1:  # the fresh process: the empty kernel alone
        kinds, turns = ["empty"], 1
    else:
        kinds, turns = list(kernels.KINDS), rounds + 1
    took, besides, failed = {}, {}, {}
    for kind in kinds:
        try:
            for k in range(turns + (peer == "kiln" and turns > 1)):
                text = kernels.text_of(kind, peer, k)
                path = os.path.join(folder, f"{peer}_{kind.replace(' ', '_')}_{k}.py")
                if not os.path.exists(path):
                    with open(path, "w") as file:
                        file.write(text)
                args = kernels.arguments(kind, peer, np, device) if rounds > 1 else (np.int32(1),) if peer == "cupy" else (1,)
                if rounds > 1:
                    wait()
                is_clocked = k == turns  # one more, with Kiln's clock
                if is_clocked:
                    import kiln

                    kiln.start_timings()
                start = time.perf_counter()
                names = {**scope, "__name__": "kernels", "__file__": path}
                exec(compile(text, path, "exec"), names)
                launch(names["kernel"], 128 if kind != "rows" else (16, 16), args)
                wait()
                took_now = (time.perf_counter() - start) * 1e3
                if is_clocked:
                    besides[kind] = took_now - besides_assembler(kiln.timings().json())
                elif k or turns == 1:
                    took.setdefault(kind, []).append(took_now)
        except Exception as error:
            if rounds == 1:
                raise
            took.pop(kind, None)
            failed[kind] = f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"
    print(json.dumps({"others": others * 1e3, "import": imported * 1e3, "first": took, "besides": besides, "failed": failed,
                      "all": (time.perf_counter() - begin - others) * 1e3, "numpy": np.__version__}))  # fmt: skip


def driver_child():
    from launch import Floor

    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(list(Floor(folder).took)))


def run(peer, rounds, folder, path, notes):
    environment = {**os.environ, "KILN_CACHE_DIR": os.path.join(folder, "cache"), "TRITON_CACHE_DIR": os.path.join(folder, "triton"), "CUPY_CACHE_DIR": os.path.join(folder, "cupy"), "NUMBA_CUDA_LOG_LEVEL": "CRITICAL"}
    if path and peer == "numba":
        environment["PYTHONPATH"] = path + os.pathsep + environment.get("PYTHONPATH", "")
    done = subprocess.run([sys.executable, "-B", __file__, "--child", peer, "--rounds", str(rounds), "--folder", folder], capture_output=True, text=True, env=environment)
    if done.returncode:
        notes.append(f"{peer}: left out: {(done.stderr.strip().splitlines() or ['ended with ' + str(done.returncode)])[-1]}")
        return None
    return json.loads(done.stdout.splitlines()[-1])


def measure(peer, rounds, path, notes):
    with tempfile.TemporaryDirectory() as folder:
        warm = run(peer, rounds, folder, path, notes)
        if warm is None:
            return None
        fresh = [run(peer, 1, folder, path, notes) for _ in range(6)][1:]  # the first fills the folder
        for kind, reason in warm["failed"].items():
            notes.append(f"{peer}: {kind}: {reason}")
        if not warm["first"] or None in fresh:
            return None
        mean = lambda of: math.exp(statistics.mean(math.log(of(times)) for times in warm["first"].values()))  # noqa: E731
        return {"warm": warm, "geometric_mean_least": mean(min), "geometric_mean_median": mean(statistics.median), "import": min(each["import"] for each in fresh),
                "import_and_launch": min(each["all"] for each in fresh), "others": min(each["others"] for each in fresh)}  # fmt: skip


def report_of(figures, driver, notes):
    kinds = list(kernels.KINDS)
    text = ["# The first call of a new kernel", "", "Warm process, from its source to the end of its first launch, ms: least (median).", "", "| | geometric mean | " + " | ".join(kinds) + " |", "|---" * (len(kinds) + 2) + "|"]
    for peer, figure in figures.items():
        first = figure["warm"]["first"]
        cells = [f"{min(first[kind]):.2f} ({statistics.median(first[kind]):.2f})" if kind in first else "" for kind in kinds]
        text.append(f"| {peer} | {figure['geometric_mean_least']:.2f} ({figure['geometric_mean_median']:.2f}) | " + " | ".join(cells) + " |")
        if figure["warm"]["besides"]:
            text.append("| kiln, besides the assembler, one call | | " + " | ".join(f"{figure['warm']['besides'].get(kind, math.nan):.2f}" for kind in kinds) + " |")
    text.append("")
    ours = figures.get("kiln")
    if ours:
        for peer, goal in GOALS.items():
            if peer in figures:
                share = ours["geometric_mean_median"] / figures[peer]["geometric_mean_median"]
                text.append(f"- Kiln takes 1/{1 / share:.1f} of {peer}'s time (medians; goal 1/{1 / goal:.0f}): {'yes' if share <= goal else 'NO'}")
        share = ours["geometric_mean_median"] / PUBLISHED_MLIR
        text.append(f"- Kiln takes 1/{1 / share:.1f} of the {PUBLISHED_MLIR:.0f} ms that numba-cuda-mlir publishes for kernels and a machine of its own (goal 1/5; its wheel was not run): {'yes' if share <= 1 / 5 else 'NO'}")
        saxpy = ours["warm"]["besides"].get("saxpy")
        if saxpy is not None:
            text.append(f"- saxpy besides the assembler: {saxpy:.2f} ms (goal 3): {'yes' if saxpy <= 3 else 'NO'}")
    text += ["", "Fresh process, folder filled, least of five, ms; NumPy's or torch's own import is taken off and shown.", "", "| | import | import and first launch | NumPy's or torch's import | without cuInit | without cuInit and context |", "|---" * 6 + "|"]
    for peer, figure in figures.items():
        without = [f"{figure['import_and_launch'] - sum(driver[:n]):.1f}" for n in (1, 2)] if driver else ["", ""]
        text.append(f"| {peer} | {figure['import']:.1f} | {figure['import_and_launch']:.1f} | {figure['others']:.1f} | {without[0]} | {without[1]} |")
    if driver:
        text += ["", f"In C, processes of their own, least of five: cuInit {driver[0]:.1f} ms, cuDevicePrimaryCtxRetain {driver[1]:.1f} ms. Goals: import kiln 25 ms; import and first launch within 60 ms of cuInit's own time."]
    return "\n".join(text + [""] + [f"- {note}" for note in notes]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--path", help="a folder that stands first in sys.path of numba-cuda's processes")
    parser.add_argument("--only", default="kiln,numba,triton,cupy")
    report.add_options(parser)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child == "driver":
        return driver_child()
    if options.child:
        return child(options.child, options.rounds, options.folder)
    notes = [f"--path {options.path} stands first in sys.path of numba-cuda's processes"] if options.path else []
    driver = None
    try:
        ctypes.CDLL("libcuda.so.1")
        runs = [json.loads(subprocess.run([sys.executable, "-B", __file__, "--child", "driver"], capture_output=True, text=True, check=True).stdout) for _ in range(5)]
        driver = [min(run[i] for run in runs) * 1e3 for i in range(2)]
    except (OSError, subprocess.CalledProcessError):
        notes.append("no CUDA driver: Kiln on the CPU device")
    figures = {}
    for peer in options.only.split(","):
        figure = measure(peer, options.rounds, options.path, notes)
        if figure:
            figures[peer] = figure
            notes.append(f"{peer}: NumPy {figure['warm']['numpy']}")
    text = report_of(figures, driver, notes)
    report.write(options, text, {"figures": figures, "driver_ms": driver, "notes": notes})
    return 0 if "kiln" in figures or "kiln" not in options.only.split(",") else 1


if __name__ == "__main__":
    sys.exit(main())
