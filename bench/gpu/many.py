#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many kernels at once: bench/many (Kiln and NVRTC by turns), then whole runs of `kiln precompile`.

    many.py --kiln PROGRAM --many PROGRAM [--report FILE.md] [--rounds N] [--threads N] [--most N]

NVIDIA's own caches are off, and each precompile fills a folder of its own. Ends with 77 (skipped) where there is no GPU.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ENVIRONMENT = dict(os.environ, CUDA_CACHE_DISABLE="1")
VECTOR, MATRIX = "CuDeviceVector{Float32,1}", "CuDeviceMatrix{Float32,1}"

SAXPY = """function saxpy{0}(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        y[i] = a * x[i] + y[i] + {0}f0
    end
    return
end
"""

# C = A * B in tiles of TM x TN of C a block and TK of the sum at a time, one element a thread of a TX x TY block at a stride.
TILED = """using CUDA
function tiled(C, A, B, ::Val{TM}, ::Val{TN}, ::Val{TK}) where {TM,TN,TK}
    a = CuStaticSharedArray(Float32, (TM, TK))
    b = CuStaticSharedArray(Float32, (TK, TN))
    x, y = threadIdx().x, threadIdx().y
    row, col = (blockIdx().x - 1) * TM, (blockIdx().y - 1) * TN
    sum = 0f0
    for first in 0:TK:size(A, 2)-TK
        for k in y:blockDim().y:TK
            @inbounds a[x, k] = A[row + x, first + k]
        end
        for k in x:blockDim().x:TK
            @inbounds b[k, y] = B[first + k, col + y]
        end
        sync_threads()
        for k in 1:TK
            @inbounds sum += a[x, k] * b[k, y]
        end
        sync_threads()
    end
    @inbounds C[row + x, col + y] = sum
    return
end
"""


def call(command, environment=ENVIRONMENT):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=580, env=environment)
    return done.returncode, done.stdout


def precompile(kiln, folder, source, manifest, rounds, options=()):
    """Seconds of each round, and the most memory in MB; or the output of the first that failed."""
    with open(os.path.join(folder, "many.jl"), "w", encoding="utf-8") as out:
        out.write(source)
    with open(os.path.join(folder, "many.json"), "w", encoding="utf-8") as out:
        json.dump(manifest, out)
    seconds, memory = [], 0
    for n in range(rounds):
        environment = dict(ENVIRONMENT, KILN_CACHE_DIR=os.path.join(folder, f"cache{n}"), KILN_CACHE_SIZE="4096")
        begin = time.monotonic()
        child = subprocess.Popen([kiln, "precompile", os.path.join(folder, "many.json"), *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        seconds.append(time.monotonic() - begin)
        memory = max(memory, usage.ru_maxrss / 1024)
        if status:
            return None, output
    return seconds, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--many", required=True)
    parser.add_argument("--report")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--most", type=int, default=10000, help="kernels of the largest precompile")
    options = parser.parse_args()
    status, doctor = call([options.kiln, "doctor"])
    if "GPU 0:" not in doctor:
        print("skipped: no GPU that the CUDA driver sees")
        return 77
    lines, failed = ["# Many kernels at once", "", "```", doctor.strip(), "```", ""], 0
    status, text = call([options.many, "--threads", str(options.threads), "--rounds", str(options.rounds)])
    failed += status != 0
    lines += ["The session, its workers and its libraries are warm. Kernels are compiled at -g0. Times include loading the cubins.", "", "```", text.strip(), "```", "",
              "The next table has whole runs of `kiln precompile` at -g0 for sm_90, into an empty cache folder:", "",
              "| | seconds: median (rounds) | kernels/s | most memory |", "|---|---|---|---|"]
    target = [{"target": "ptx", "arch": "sm_90"}]
    saxpys = lambda n: ("".join(SAXPY.format(i) for i in range(n)),
                        {"files": ["many.jl"], "targets": target, "configs": [{"g": 0}],
                         "jobs": [f"saxpy{i}({VECTOR}, {VECTOR}, Float32)" for i in range(n)]})
    tiles = (TILED, {"files": ["many.jl"], "targets": target, "configs": [{"g": 0}],
                     "candidates": {"M": [8, 16, 32, 64], "N": [4, 8, 16, 32], "K": [8, 16, 32, 64]},
                     "jobs": [f"tiled({MATRIX}, {MATRIX}, {MATRIX}, Val{{$M}}, Val{{$N}}, Val{{$K}})"]})
    cases = [("64 candidates of a tiled matrix product", 64, tiles, ()), ("the same, --no-merge", 64, tiles, ("--no-merge",)),
             ("1,000 saxpys", 1000, saxpys(1000), ()), ("the same, --no-merge", 1000, saxpys(1000), ("--no-merge",))]
    if options.most >= 10000:
        cases.append(("10,000 saxpys", 10000, saxpys(10000), ()))
    for name, count, (source, manifest), extra in cases:
        with tempfile.TemporaryDirectory() as folder:
            rounds = options.rounds if count < 10000 else 1
            seconds, memory = precompile(options.kiln, folder, source, manifest, rounds, ("--jobs", str(options.threads), *extra))
        if seconds is None:
            failed += 1
            lines += [f"| {name} | failed: {memory.strip()[-300:]} | | |"]
            continue
        median = statistics.median(seconds)
        lines += [f"| {name} | {median:.3f} ({min(seconds):.3f} to {max(seconds):.3f}) | {count / median:.0f} | {memory:.0f} MB |"]
    report = "\n".join(lines) + "\n"
    print(report)
    if options.report:
        with open(options.report, "w", encoding="utf-8") as out:
            out.write(report)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
