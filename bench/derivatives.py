#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives by docs/examples/derivative beside hand-written ones: derivatives.py DERIVATIVE [RUNS]

For each function, kernels on 2^20 Float64 on the CPU: the time to prepare them in a first and in a second process, and the ratio of their run
times, by turns in one process. Medians of RUNS processes (default 7)."""
import os
import re
import statistics
import subprocess
import sys
import tempfile

program, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 7

FUNCTIONS = {  # name: the function, its derivative by hand
    "polynomial": ("((2x - 3) * x + 4) * x - 5", "(6x - 6) * x + 4"),
    "wave": ("exp(-x * x) * sin(2x)", "exp(-x * x) * (2 * cos(2x) - 2x * sin(2x))"),
    "loop": ("(y = x; for i in 1:20; y = 0.5 * (y + x / y); end; y)", "(y = x; d = 1.0; for i in 1:20; d = 0.5 * (d + (1 - x / y * d) / y); y = 0.5 * (y + x / y); end; d)"),
    "branch": ("x < 0.5 ? x * x * x : sqrt(x)", "x < 0.5 ? 3 * x * x : 0.5 / sqrt(x)"),
}
KERNEL = """
function {kernel}(y, x)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = {value}
    end
    return
end
"""
print("| function | derivative, first | by hand, first | derivative, second | differentiated in second | run time / by hand |")
print("|---|---|---|---|---|---|")
for name, (function, by_hand) in FUNCTIONS.items():
    text = f"f(x) = {function}\ng(x) = {by_hand}\n" + KERNEL.format(kernel="derived", value="derivative(f, x[i])") + KERNEL.format(kernel="written", value="g(x[i])")
    cold, hand, warm, ratios, differentiated = [], [], [], [], set()
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "f.jl"), "w", encoding="utf-8") as file:
                file.write(text)
            for times in ((cold, hand), (warm, [])):
                done = subprocess.run([program, "cache", "f.jl", "--compare", "derived", "written"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                prepared = re.findall(r"prepared in ([\d.]+) ms", done.stdout)
                if done.returncode or len(prepared) != 2:
                    sys.exit(done.stdout + done.stderr)
                times[0].append(float(prepared[0]))
                times[1].append(float(prepared[1]))
                ratios.append(float(re.search(r"ratio ([\d.]+)", done.stdout)[1]))
            differentiated.add(re.search(r"differentiated (\d+)", done.stderr)[1])
    median = statistics.median
    print(f"| {name} | {median(cold):.1f} ms | {median(hand):.1f} ms | {median(warm):.2f} ms | {', '.join(sorted(differentiated))} | {median(ratios):.2f} |", flush=True)
