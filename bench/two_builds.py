#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two builds of Kiln on one machine, by turns: compile time, kernels on the CPU, sizes.

    two_builds.py OLD_BUILD NEW_BUILD [--rounds N] [--only PART...]

OLD_BUILD and NEW_BUILD are build folders, each with `ninja benches` done. Prints Markdown tables of medians and of the
median ratio new / old within a round. A ratio above 1 means that the new build is slower or larger.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLES = os.path.join(ROOT, "docs", "examples")
ENVIRONMENT = {**os.environ, "KILN_CACHE_DIR": "", "CUDA_CACHE_DISABLE": "1"}  # nothing comes from a cache on disk


def run(command):
    """Standard output, and milliseconds of processor time that the process took."""
    process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: status {process.returncode}\n{text[-2000:]}")
    return text, (usage.ru_utime + usage.ru_stime) * 1e3


def compile_latency(build):
    text, _ = run([os.path.join(build, "bench", "compile_latency"), "--no-nvrtc", "--reps", "100"])
    names = re.findall(r"^(\w+), us ", text, re.MULTILINE)
    values = re.findall(r"parsed source -> PTX +([\d.]+)", text)
    return dict(zip(names, map(float, values)))


VECTOR, MATRIX = "CuDeviceVector{Float32,1}", "CuDeviceMatrix{Float32,1}"
CALLS = {
    "saxpy.jl": f"saxpy({VECTOR}, {VECTOR}, Float32)",
    "matmul.jl": f"matmul({MATRIX}, {MATRIX}, {MATRIX})",
    "mandelbrot.jl": "mandelbrot(CuDeviceMatrix{Int32,1}, ComplexF32, ComplexF32, Int32)",
    "adam.jl": f"adam({VECTOR}, {VECTOR}, {VECTOR}, Float32, Float32, Float32, Float32)",
    "stencil2d.jl": f"stencil2d({MATRIX}, {MATRIX}, Float32)",
}


def processes(build, target, emit):
    kiln, times = os.path.join(build, "bin", "kiln"), {}
    with tempfile.TemporaryDirectory() as folder:
        for name, call in CALLS.items():
            command = [kiln, "compile", os.path.join(EXAMPLES, name), call, "--target", target, "--emit", emit, "-O2", "-o", os.path.join(folder, "out")]
            times[name] = statistics.median(run(command)[1] for _ in range(5))
    return times


def cpu_kernels(build):
    text, _ = run([os.path.join(build, "bench", "cpu_kernels"), "--json", "--reps", "10"])
    rows = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return {row["kernel"]: row["kiln_ms"] for row in rows}


def stripped(path):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        subprocess.run(["strip", "-o", out, path], check=True)
        return os.path.getsize(out) / 1e6


def sizes(build):
    return {name: stripped(os.path.join(build, name)) for name in ("bin/kiln", "lib/libkiln.so", "lib/libkiln-runtime.so")}


PARTS = {
    "latency": ("Source to PTX in a session, us (bench/compile_latency)", compile_latency),
    "ptx": ("Processes that compile to PTX, ms of processor time", lambda build: processes(build, "ptx", "asm")),
    "cpu": ("Processes that compile for the CPU at -O2, ms of processor time", lambda build: processes(build, "native", "obj")),
    "kernels": ("Kernels on the CPU, ms (bench/cpu_kernels)", cpu_kernels),
    "sizes": ("Sizes, stripped, MB", sizes),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    for part in options.only:
        title, measure = PARTS[part]
        rounds = 1 if part == "sizes" else options.rounds
        old, new = {}, {}
        started = time.monotonic()
        for turn in range(rounds):
            both = [(options.old, old), (options.new, new)]
            for build, values in both if turn % 2 == 0 else reversed(both):
                for name, value in measure(build).items():
                    values.setdefault(name, []).append(value)
        print(f"\n## {title}\n\n{rounds} rounds, {time.monotonic() - started:.0f} s, load average {os.getloadavg()[0]:.1f}\n")
        print("| | old | new | new / old (least to most) |\n|---|---|---|---|")
        middle = []
        for name in old:
            ratios = [b / a for a, b in zip(old[name], new[name])]
            middle.append(statistics.median(ratios))
            print(f"| {name} | {statistics.median(old[name]):.2f} | {statistics.median(new[name]):.2f} | "
                  f"{middle[-1]:.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |")
        print(f"| geometric mean | | | {statistics.geometric_mean(middle):.3f} |", flush=True)


if __name__ == "__main__":
    main()
