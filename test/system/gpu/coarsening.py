#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coarsening on a GPU: values, bandwidths beside CUDA C's from the same source, first launches with it and without.

    coarsening.py [--programs FOLDER] [--only values|speed|first]

Needs gpu_coarsening (`ninja gpu_coarsening`) in the folder, build/release/bin unless told; beside it or built here with nvcc, `kernels` of
bench/gpu/kernels.cu. Ends with 77 (skipped) where there is no GPU.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))


def call(command, limit=280):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=limit)
    return done.returncode, done.stdout


def values(program):
    status, text = call([program, "values"])
    lines = text.splitlines()
    right = sum(line.startswith("ok: ") for line in lines)
    for line in lines:
        if not line.startswith("ok: "):
            print(line)
    print(f"values: {right} right, status {status}")
    return status


def cuda_c(folder, scratch):
    """Its program, or nothing."""
    program = os.path.join(folder, "kernels")
    if os.path.exists(program):
        return program
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    source = os.path.join(ROOT, "bench", "gpu", "kernels.cu")
    if not nvcc or not os.path.exists(source):
        return None
    program = os.path.join(scratch, "kernels")
    status, text = call([nvcc, "-O3", "-std=c++20", "-arch=native", source, "-o", program])
    return program if status == 0 else print(text)


def speed(program, folder):
    moved = {"copy": 8, "mul": 8, "add": 12, "triad": 12, "nstream": 16, "saxpy": 12}
    n = 1 << 26
    with tempfile.TemporaryDirectory() as scratch:
        theirs = cuda_c(folder, scratch)
        rates = {name: [] for name in moved}
        for turn in range(3):
            if theirs:
                for name in moved:
                    status, text = call([theirs, name, str(n), "10", "20"])
                    if status:
                        print(f"CUDA C, {name}: {text.strip()[:300]}")
                    else:
                        rates[name].append(float(text.split()[1]))
            status, text = call([program, "speed"])
            print(text)
            if status:
                return status
        for name, times in rates.items():
            if times:
                us = statistics.median(times)
                print(f"CUDA C, {name}: {us:.2f} us, {moved[name] * n / us / 1000:.0f} GB/s")
    return 0


def first(program):
    times = {"on": [], "off": []}
    for turn in range(21):
        for mode in (("on", "off") if turn % 2 else ("off", "on")):
            status, text = call([program, "first", mode])
            if status:
                print(text)
                return status
            if turn:
                times[mode].append(float(text.split(": ")[1].split()[0]))
            if turn == 20:
                print(text.splitlines()[0])
    for mode, each in times.items():
        print(f"first launch from source, coarsening {mode}: median {statistics.median(each):.2f} ms, {min(each):.2f} to {max(each):.2f}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", default=os.path.join(ROOT, "build", "release", "bin"))
    parser.add_argument("--only")
    options = parser.parse_args()
    program = os.path.join(options.programs, "gpu_coarsening")
    parts = {"values": lambda: values(program), "speed": lambda: speed(program, options.programs), "first": lambda: first(program)}
    worst = 0
    for name, part in parts.items():
        if options.only in (None, name):
            status = part()
            sys.stdout.flush()
            if status == 77:
                return 77
            worst = worst or status
    return worst


if __name__ == "__main__":
    sys.exit(main())
