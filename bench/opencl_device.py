#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same kernels on Kiln's own CPU target and on an OpenCL device, by turns.

    opencl_device.py --kiln PROGRAM [--device opencl] [--rounds N]

A row has the median time of a launch on each, over the rounds, and the ratio of the medians with the smallest and largest
ratio of one round. Run it on an idle machine.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLES = os.path.join(ROOT, "docs", "examples")
N = 1 << 22
ROWS = [("saxpy", "saxpy.jl", "saxpy", [f"zeros(Float32, {N})", f"rand(Float32, {N})", "2f0"], "256", str(N // 256)),
        ("copy", "stream.jl", "copy", [f"rand(Float32, {N})", f"rand(Float32, {N})"], "256", str(N // 256)),
        ("triad", "stream.jl", "triad", [f"rand(Float32, {N})"] * 3 + ["3f0"], "256", str(N // 256)),
        ("matmul", "matmul.jl", "matmul", ["zeros(Float32, 256, 256)", "rand(Float32, 256, 256)", "rand(Float32, 256, 256)"], "16,16", "16,16")]


def seconds(kiln, row, device):
    _, file, entry, arguments, threads, blocks = row
    command = [kiln, "bench", os.path.join(EXAMPLES, file), entry, "--threads", threads, "--blocks", blocks, "--device", device, "--json"]
    for argument in arguments:
        command += ["--arg", argument]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)["kernel_seconds"]["median"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--device", default="opencl")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print("| kernel | CPU target, ms | OpenCL, ms | OpenCL / CPU (smallest, largest) |\n|---|---|---|---|")
    for row in ROWS:
        times = {"cpu": [], options.device: []}
        for _ in range(options.rounds):
            for device in times:
                times[device].append(1e9 * seconds(options.kiln, row, device))
        cpu, opencl = times.values()
        ratios = [b / a for a, b in zip(cpu, opencl)]
        a, b = statistics.median(cpu), statistics.median(opencl)
        print(f"| {row[0]} | {a / 1e6:.3f} | {b / 1e6:.3f} | {b / a:.2f} ({min(ratios):.2f}, {max(ratios):.2f}) |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
