#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products of programs on the CPU device: by Kiln's kernels, by OpenBLAS through Kiln, and by NumPy, by turns.

    products.py --kiln PROGRAM [--rounds N] [--sizes N...]

A row has the medians over the rounds in GFLOP/s. NumPy's column is empty where NumPy is missing. Run it on an idle machine."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

PROGRAM = """using CUDA
function measure(n)
    A, B = CUDA.rand(Float32, n, n), CUDA.rand(Float32, n, n)
    C = A * B
    synchronize()
    turns = max(3, 2^27 ÷ n^3)
    start = time_ns()
    for _ in 1:turns
        C = A * B
    end
    synchronize()
    println(n, " ", 2.0 * n^3 * turns / (time_ns() - start))
end
foreach(measure, [%s])
"""
NUMPY = """import time, numpy
for n in (%s,):
    a, b = numpy.random.rand(n, n).astype('f'), numpy.random.rand(n, n).astype('f')
    a @ b
    turns = max(3, 2**27 // n**3)
    start = time.perf_counter_ns()
    for _ in range(turns):
        a @ b
    print(n, 2 * n**3 * turns / (time.perf_counter_ns() - start))
"""


def rates(command, **environment):
    """{size: GFLOP/s} that a process prints; empty if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "KILN_CACHE_DIR": "", **environment}, check=False)
    if done.returncode:
        print(f"left out: {' '.join(command[:2])}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return {}
    return {int(size): float(rate) for size, rate in (line.split() for line in done.stdout.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=[64, 256, 1024])
    options = parser.parse_args()
    sizes = ", ".join(map(str, options.sizes))
    with tempfile.NamedTemporaryFile("w", suffix=".jl") as file:
        file.write(PROGRAM % sizes)
        file.flush()
        script = [options.kiln, "script", "--device", "cpu", file.name]
        columns = {"Kiln's kernels": [], "OpenBLAS": [], "NumPy": []}
        for _ in range(options.rounds):
            columns["Kiln's kernels"].append(rates(script, KILN_BLAS="none"))
            columns["OpenBLAS"].append(rates(script))
            columns["NumPy"].append(rates([sys.executable, "-c", NUMPY % sizes]))
    print(f"| n | {' | '.join(f'{name}, GFLOP/s' for name in columns)} |\n|---|{'---|' * len(columns)}")
    for size in options.sizes:
        cells = [[round_[size] for round_ in rounds if size in round_] for rounds in columns.values()]
        print(f"| {size} | " + " | ".join(f"{statistics.median(cell):.1f} ({min(cell):.1f} to {max(cell):.1f})" if cell else "" for cell in cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
