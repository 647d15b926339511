#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of CuArrays on a GPU.

    programs.py --kiln PROGRAM [--device cuda]

The programs of test/language/lit/program/cuda print what FileCheck holds on the CPU device; here both devices have to print the same (but for codes.jl; dynamic.jl is dynamic.py's). Then one whose
arrays are larger than a grid's first wave, against NumPy. Ends with 77 (skipped) where there is no GPU."""

import argparse
import difflib
import glob
import os
import re
import subprocess
import sys
import tempfile

import numpy

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

# Integers, so that no order of the sums matters; 3_000_001 is no multiple of a block's size.
LARGE = """using CUDA
@eval CUDA min_cublas_work = 1 << 22
n = 3_000_001
a = CuArray([(i * 7919) % 100003 for i in 1:n])
b = CuArray([(i * 104729) % 1009 for i in 1:n])
println(sum(a), " ", maximum(a), " ", minimum(b), " ", count(==(5), b))
c = a .* b .+ 1
println(sum(c), " ", mapreduce((x, y) -> x - y, +, a, b))
println(sum(accumulate(+, b)), " ", sum(cumsum(a) .% 1000))
println(length(findall(iseven, a)), " ", sum(findall(x -> x > 100000, a)))
s = Array(sort(a))
println(s[1], " ", s[1000], " ", s[n], " ", issorted(s))
m = reshape(CuArray([(i * 31) % 17 for i in 1:1200*900]), 1200, 900)
println(sum(Array(sum(m, dims=1)) .* collect(1:900)'), " ", sum(Array(sum(m, dims=2)) .* collect(1:1200)))
p = CuArray([Float32((i * 13) % 7) for i in 1:300*200])
q = CuArray([Float32((i * 5) % 11) for i in 1:200*500])
r = Array(reshape(p, 300, 200) * reshape(q, 200, 500))
println(sum(Int.(r)), " ", Int(maximum(r)), " ", Int(r[17, 400]))
for T in (Float16, Float64, ComplexF32)
    u = CuArray(T[(i + 3k) % 4 for k in 1:150, i in 1:220])
    v = CuArray(T[(2k + j) % 3 - (T <: Complex ? 1im : 0) for k in 1:150, j in 1:190])
    w = CuArray(T[(i + j) % 5 for i in 1:220, j in 1:190])
    CUDA.mul!(w, u', v, 2, 3)
    w = Array(w)
    println(Int(real(sum(Int.(real.(w))))), " ", Int(sum(Int.(imag.(w)))), " ", Int(real(w[101, 55])))
end
"""


def expected():
    n = 3_000_001
    i = numpy.arange(1, n + 1, dtype=numpy.int64)
    a, b = i * 7919 % 100003, i * 104729 % 1009
    s = numpy.sort(a)
    m = (numpy.arange(1, 1200 * 900 + 1) * 31 % 17).reshape(1200, 900, order="F")
    p = (numpy.arange(1, 300 * 200 + 1) * 13 % 7).reshape(300, 200, order="F")
    q = (numpy.arange(1, 200 * 500 + 1) * 5 % 11).reshape(200, 500, order="F")
    r = p @ q
    k, i, j = (numpy.arange(1, n + 1) for n in (150, 220, 190))
    u, v, w = (i[:, None] + 3 * k) % 4, (2 * k[:, None] + j) % 3, (i[:, None] + j) % 5
    real, imaginary = 2 * (u @ v) + 3 * w, 2 * (u @ numpy.full_like(v, -1))
    products = [(real.sum(), part, real[100, 54]) for part in (0, 0, imaginary.sum())]
    rows = [(a.sum(), a.max(), b.min(), (b == 5).sum()), ((a * b + 1).sum(), (a - b).sum()), (b.cumsum().sum(), (a.cumsum() % 1000).sum()),
            ((a % 2 == 0).sum(), (numpy.flatnonzero(a > 100000) + 1).sum()), (s[0], s[999], s[-1], "true"),
            ((m.sum(axis=0) * numpy.arange(1, 901)).sum(), (m.sum(axis=1) * numpy.arange(1, 1201)).sum()), (r.sum(), r.max(), r[16, 399]), *products]  # fmt: skip
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def output(kiln, device, path):
    done = subprocess.run([kiln, "script", "--device", device, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=280)
    text = re.sub(r"\d+\.\d+ seconds", "... seconds", done.stdout)  # of @time
    return text + (f"status {done.returncode}\n" if done.returncode else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    if options.device != "cpu" and "GPU 0:" not in subprocess.run([options.kiln, "doctor"], capture_output=True, text=True, check=False).stdout:
        print("skipped: this machine has no GPU that the CUDA driver sees")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        large = os.path.join(folder, "large.jl")
        with open(large, "w", encoding="utf-8") as file:
            file.write(LARGE)
        cases = [(path, lambda path=path: output(options.kiln, "cpu", path)) for path in [*sorted(glob.glob(os.path.join(ROOT, "test/language/lit/program/cuda/*.jl"))), os.path.join(ROOT, "test/system/gpu/faults.jl")] if os.path.basename(path) not in ("codes.jl", "dynamic.jl")]
        cases.append((os.path.join(ROOT, "test/system/gpu/module.jl"), lambda: "15 22 35 42\n"))
        for path, wanted in [*cases, (large, expected)]:
            wanted, got = wanted(), output(options.kiln, options.device, path)
            right = wanted == got
            failed += not right
            print(f"{'right' if right else 'WRONG'}: {os.path.basename(path)}", flush=True)
            if not right:
                print("".join(difflib.unified_diff(wanted.splitlines(True), got.splitlines(True), "expected", options.device)))
    print(f"{failed} wrong")
    return 1 if failed else 0


sys.exit(main())
