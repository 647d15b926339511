#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products of programs on the CPU: by OpenBLAS, and by Kiln's own kernels without it. Values are those of cublas.py, which Python computes.

    host_blas.py --kiln PROGRAM [--blas LIBRARY]

Ends with 77 (skipped) where LIBRARY, by default libopenblas.so.0, is not installed."""
import argparse
import ctypes
import os
import subprocess
import sys
import tempfile

from cublas import PROGRAM, expected

SMALL = """using CUDA
A = CuArray(ones(Float32, 8, 8))
println(sum(A * A))
"""
AFTER_A_FAULT = """using CUDA
function past(x)
    x[1000] = 1
    return
end
A = CuArray(ones(Float64, 100, 100))
x = CUDA.zeros(Int, 4)
@cuda past(x)
C = A * A
try
    synchronize()
catch e
    println(typeof(e))
end
println(sum(C))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--blas", default="libopenblas.so.0")
    options = parser.parse_args()
    try:
        ctypes.CDLL(options.blas)
    except OSError as e:
        print("skipped:", e)
        return 77
    wrong = []

    def run(program, blas):
        with tempfile.NamedTemporaryFile("w", suffix=".jl") as file:
            file.write(program)
            file.flush()
            environment = dict(os.environ, KILN_BLAS=blas, KILN_CACHE_DIR="", KILN_LOG="info", OPENBLAS_VERBOSE="2")
            return subprocess.run([options.kiln, "script", "--device", "cpu", file.name], capture_output=True, text=True, env=environment, timeout=300, check=False)

    def expect(condition, what, done):
        print("ok  " if condition else "FAIL", what)
        if not condition:
            wrong.append(what)
            print(done.returncode, done.stdout[-2000:], done.stderr[-2000:])

    def values(done):
        lines = [line.split() for line in done.stdout.splitlines()] if done.returncode == 0 else []
        return [(line[0], (float(line[1]), float(line[2]))) for line in lines if len(line) == 3]

    for blas in (options.blas, "none"):
        done = run(PROGRAM, blas)
        expect(values(done) == expected(), f"ten products have Python's values, KILN_BLAS={blas}", done)
        has_loaded = "Core:" in done.stdout + done.stderr # OpenBLAS's greeting
        expect(has_loaded == (blas != "none"), f"OpenBLAS {'is' if blas != 'none' else 'is not'} used", done)
        expect(("made without OpenBLAS" in done.stderr) == (blas == "none"), "the log says what multiplies", done)
    done = run(PROGRAM, "/nowhere/libblas.so")
    expect(values(done) == expected() and "/nowhere/libblas.so" in done.stderr, "a library that is not there is named in the log", done)
    done = run(PROGRAM, "libc.so.6")
    expect(values(done) == expected() and "libc.so.6 has no C interface of BLAS" in done.stderr, "a library without BLAS is named in the log", done)
    done = run(SMALL, options.blas)
    expect("512" in done.stdout and "Core:" not in done.stdout + done.stderr, "a small product needs no library", done)
    done = run(AFTER_A_FAULT, options.blas)
    expect("1.0e6" in done.stdout and "KernelException" in done.stdout, "a product does not hide a kernel's exception", done)
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
