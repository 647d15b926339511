#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long kernels run on a GPU as Kiln and as numba-cuda compile them, by turns in one process.

    run_time.py [--path FOLDER] [--rounds N] [--only NAME,...] [--json FILE] [--report FILE.md]

The kernels of workloads.py, one source for both, on arrays of each library's own; each figure is the median of rounds of ten launches between two events. Results are compared.
--path FOLDER stands first in sys.path. Without a GPU or numba-cuda it ends with 77 (skipped)."""

import argparse
import os
import statistics
import sys
import tempfile

import report
import workloads

GOAL = 0.97  # of the speed of numba-cuda's, on each


def time_of(cuda, kernel, grid, block, args, launches=10):
    begin, end = cuda.event(), cuda.event()
    begin.record()
    for _ in range(launches):
        kernel[grid, block](*args)
    end.record()
    end.synchronize()
    return cuda.event_elapsed_time(begin, end) * 1e3 / launches


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--path")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--only", default=",".join(workloads.SIZES))
    report.add_options(parser)
    options = parser.parse_args()
    if options.path:
        sys.path.insert(0, options.path)
    os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
    import warnings

    import numpy as np

    warnings.simplefilter("ignore")
    import kiln
    from kiln import cuda as ours

    if not ours.is_available():
        print("skipped: no GPU")
        return 77
    try:
        import numba
        from numba import cuda as theirs
    except Exception as error:
        print(f"skipped: numba-cuda: {type(error).__name__}: {error}")
        return 77
    notes, lines = [f"numba {numba.__version__}, NumPy {np.__version__}; {ours.get_current_device().name}"], []
    with tempfile.TemporaryDirectory() as folder:
        sides = {
            "kiln": (ours, workloads.compiled(workloads.KERNELS, os.path.join(folder, "ours.py"), {"cuda": ours, "float32": kiln.float32, "int32": kiln.int32})),
            "numba": (theirs, workloads.compiled(workloads.KERNELS, os.path.join(folder, "theirs.py"), {"cuda": theirs, "float32": numba.float32, "int32": numba.int32})),
        }
        for name in options.only.split(","):
            try:
                grid, block, args, results = workloads.made(name, workloads.SIZES[name][0], np)
                held, times, found = {}, {}, {}
                for side, (cuda, kernels) in sides.items():
                    held[side] = [cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in args]
                    kernels[name][grid, block](*held[side])
                    cuda.synchronize()
                    found[side], times[side] = [held[side][k].copy_to_host() for k in range(results)], []
                for a, b in zip(found["kiln"], found["numba"]):
                    if not np.allclose(a, b, rtol=1e-4, atol=1e-5):
                        notes.append(f"{name}: the results differ by up to {np.abs(a - b).max()}")
                for turn in range(options.rounds + 1):
                    for side in ("kiln", "numba") if turn % 2 else ("numba", "kiln"):
                        cuda, kernels = sides[side]
                        took = time_of(cuda, kernels[name], grid, block, held[side])
                        if turn:
                            times[side].append(took)
                a, b = (statistics.median(times[side]) for side in ("kiln", "numba"))
                lines.append({"workload": name, "kiln": a, "numba": b, "speed": b / a, "kiln_range": [min(times["kiln"]), max(times["kiln"])], "numba_range": [min(times["numba"]), max(times["numba"])]})
            except Exception as error:
                notes.append(f"{name}: {type(error).__name__}: {(str(error).splitlines() or [''])[0]}")
    text = ["# How long kernels run, Kiln's and numba-cuda's", "", "Microseconds by events, medians of rounds of ten launches (least to most).", "", "| workload | Kiln | numba-cuda | speed against numba-cuda | goal |", "|---|---|---|---|---|"]
    for line in lines:
        spread = [f"{line[side]:.1f} ({line[side + '_range'][0]:.1f} to {line[side + '_range'][1]:.1f})" for side in ("kiln", "numba")]
        text.append(f"| {line['workload']} | {spread[0]} | {spread[1]} | {line['speed']:.3f} | {GOAL} {'yes' if line['speed'] >= GOAL else 'NO'} |")
    text = "\n".join(text + [""] + [f"- {note}" for note in notes]) + "\n"
    report.write(options, text, {"lines": lines, "notes": notes})
    return 0


if __name__ == "__main__":
    sys.exit(main())
