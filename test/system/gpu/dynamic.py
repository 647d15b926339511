#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that launch kernels, on a GPU.

    dynamic.py --kiln PROGRAM [--device cuda]

Runs test/language/lit/program/cuda/dynamic.jl, whose values FileCheck holds on the CPU device, and compares with the CPU; then many grids of many threads, against values by
hand, and launches that go wrong. Needs libcudadevrt.a and nvJitLink of a toolkit. Ends with 77 (skipped) where there is no GPU."""

import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

# 256 grids of 1,000 threads each: element i of grid g becomes g * i, so the sum is (1 + .. + 256) * (1 + .. + 1000).
MANY = """using CUDA
function fill_row(a, g, n)
    i = threadIdx().x + (blockIdx().x - 1) * blockDim().x
    i <= n && (a[i, g] = g * i)
    return
end
function rows(a, n)
    g = threadIdx().x + (blockIdx().x - 1) * blockDim().x
    @cuda dynamic=true threads=128 blocks=cld(n, 128) fill_row(a, g, n)
    return
end
a = CUDA.zeros(Int, 1000, 256)
for _ in 1:20
    @cuda threads=32 blocks=8 rows(a, 1000)
end
println(sum(a), " ", Array(a)[999, 255])
"""
EXPECTED_MANY = f"{sum(range(1, 257)) * sum(range(1, 1001))} {999 * 255}\n"

WRONG = """using CUDA
y = CUDA.zeros(Int, 3)
nothing_at_all(y) = nothing
outside(y) = (y[7] = 1; nothing)
too_large(y) = (@cuda dynamic=true threads=2000 nothing_at_all(y); nothing)
launches(y) = (@cuda dynamic=true threads=2 outside(y); nothing)
for f in (too_large, launches)
    try
        @cuda f(y)
        synchronize()
        println("nothing went wrong")
    catch e
        println(typeof(e))
    end
end
"""
EXPECTED_WRONG = "KernelException\n" * 2


def run(kiln, device, text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.jl")
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run([kiln, "script", "--device", device, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=280)
    return done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    functional, _ = run(options.kiln, options.device, "using CUDA\nprintln(CUDA.functional())\n")
    if options.device != "cpu" and functional != "true\n":
        print("there is no GPU")
        return 77
    with open(os.path.join(ROOT, "test/language/lit/program/cuda/dynamic.jl")) as file:
        program = file.read()
    failed = 0
    for name, text, expected in (
        ("program", program, run(options.kiln, "cpu", program)[0]),
        ("many grids", MANY, EXPECTED_MANY),
        ("what goes wrong", WRONG, EXPECTED_WRONG),
    ):
        got, said = run(options.kiln, options.device, text)
        print(f"{name}: {'ok' if got == expected else 'FAILED'}")
        if got != expected:
            failed += 1
            print(f"expected:\n{expected}got:\n{got}{said[-3000:]}")
    return 1 if failed else 0


sys.exit(main())
