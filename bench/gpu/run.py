#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kiln's kernels on a GPU against CUDA C (kernels.cu, built here with nvcc -O3), by turns in one run.

    run.py --kiln PROGRAM [--before PROGRAM] [--report FILE.md] [--rounds N] [--n LOG2] [KERNEL...]

Each round runs both programs anew; a program's figure is the median of its rounds' medians. `--before` names another Kiln, which runs by turns with this one. The copy ceiling is the best of three ways
to copy 2 GiB in CUDA C, in the same run. Ends with 77 (skipped)
where there is no GPU or no nvcc.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(HERE)), "docs", "examples")
GOALS = {"wmma_matmul": 0.8}  # of the speed of CUDA C; others 0.98; adam4 moreover 0.97 of the copy ceiling


def call(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=580)
    return done.returncode, done.stdout


def kernels(log2):
    """(name, file, arguments, threads, blocks, n, bytes, flops)"""
    n = 1 << log2
    x, adam = f"rand(Float32, {n})", ["0.9f0", "0.999f0", "1f-3", "1f-8"]
    big = 1 << 27
    moments = [f"rand(Float32, {big})"] + [f"rand(Float32, {big})"] * 2
    return [("copy", "stream.jl", [x, x], n, 8 * n, 0), ("mul", "stream.jl", [x, x, "3f0"], n, 8 * n, 0),
            ("add", "stream.jl", [x, x, x], n, 12 * n, 0), ("triad", "stream.jl", [x, x, x, "3f0"], n, 12 * n, 0),
            ("nstream", "stream.jl", [x, x, x, "3f0"], n, 16 * n, 0), ("saxpy", "saxpy.jl", [x, x, "2f0"], n, 12 * n, 0),
            ("adam", "adam.jl", moments + adam, big, 24 * big, 0), ("adam4", "adam.jl", moments + adam, big, 24 * big, 0),
            ("wmma_matmul", "wmma_matmul.jl", ["zeros(Float32, 4096, 4096)", "rand(Float16, 4096, 4096)", "rand(Float16, 4096, 4096)"], 4096, 0, 2 * 4096**3)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--before")
    parser.add_argument("--report")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--n", type=int, default=26)
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    status, doctor = call([options.kiln, "doctor"])
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if "GPU 0:" not in doctor or not nvcc:
        print("skipped: no GPU that the CUDA driver sees, or no nvcc")
        return 77
    failed = 0
    rows, errors = [], []
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "kernels")
        status, text = call([nvcc, "-O3", "-std=c++20", "-arch=native", os.path.join(HERE, "kernels.cu"), "-o", program])
        if status:
            print(text)
            return 1
        large, ceiling = 1 << 29, 0.0
        copies = []
        for name in ("copy4", "copy16", "memcpy"):
            status, text = call([program, name, str(large), "20", "5"])
            if status:
                errors.append(f"{name}: {text.strip()[:500]}")
                failed += 1
                continue
            rate = 8 * large / float(text.split()[1]) / 1e3
            ceiling = max(ceiling, rate)
            copies.append(f"{name} {rate:.0f}")
        for name, file, arguments, n, moved, flops in kernels(options.n):
            if options.kernels and name not in options.kernels:
                continue
            blocks = f"{n // 128},{n // 128}" if flops else str(n // (1024 if name == "adam4" else 256))
            command = ["bench", os.path.join(EXAMPLES, file), name, "--device", "cuda", "--threads", "256", "--blocks", blocks, "--reps", "30", "--batch", "20", "--bytes", "1"]
            for argument in arguments:
                command += ["--arg", argument]
            ours, before, theirs = [], [], []
            for _ in range(options.rounds):
                wrong = False
                for kiln, times in ((options.kiln, ours), (options.before, before)):
                    if not kiln:
                        continue
                    status, text = call([kiln] + command)
                    found = re.search(r"kernel[^:\n]*: median ([\d.]+) us", text)
                    wrong = bool(status) or not found
                    if wrong:
                        errors.append(f"{name}: status {status}: {text.strip()[:1500]}")
                        break
                    times.append(float(found[1]))
                if wrong:
                    break
                status, text = call([program, name, str(n)])
                if status:
                    errors.append(f"{name}: CUDA C: {text.strip()[:500]}")
                    break
                theirs.append(float(text.split()[1]))
            if len(theirs) < options.rounds:
                failed += 1
                continue
            a, b = statistics.median(ours), statistics.median(theirs)
            rate = (lambda us: f"{flops / us / 1e6:.1f} TFLOP/s") if flops else (lambda us: f"{moved / us / 1e3:.0f} GB/s")
            if name == "adam4" and ceiling:
                copies.append(f"adam4 {moved / a / 1e3:.0f}, which is {moved / a / 1e3 / ceiling:.3f} of the best of these (goal 0.97)")
            rows.append(f"| {name} | {n} | {a:.1f} ({min(ours):.1f} to {max(ours):.1f}) | {rate(a)} | {b:.1f} ({min(theirs):.1f} to {max(theirs):.1f}) | {rate(b)} | {b / a:.3f} | {GOALS.get(name, 0.98)} |"
                        + (f" {statistics.median(before) / a:.3f} |" if before else ""))
    lines = ["# Kiln's kernels on a GPU against CUDA C", "", "```", doctor.strip(), "```", "",
             f"Blocks have 256 threads, and a thread of an array kernel computes one element (in adam4: four). Times are medians of {options.rounds} rounds of 30 batches of 20 launches, in microseconds, by CUDA events.", "",
             "| kernel | n | Kiln, us (rounds) | | CUDA C, us (rounds) | | speed against CUDA C | goal |" + (" speed against --before |" if options.before else ""),
             "|---|---|---|---|---|---|---|---|" + ("---|" if options.before else "")] + rows
    lines += ["", f"Copies of 2 GiB read and write, in GB/s: {', '.join(copies)}."]
    for error in errors:
        lines += ["", "```", error, "```"]
    report = "\n".join(lines) + "\n"
    print(report)
    if options.report:
        with open(options.report, "w", encoding="utf-8") as out:
            out.write(report)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
