#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""First launches with the quick tier and without: `kiln run` of kernels whose assembly takes long, and of one that it leaves alone.

    quick_tier.py --kiln PROGRAM [--rounds N] [--json FILE]

Each run is a process of its own with no cache; NVIDIA's own cache is off. `first`: from the call's types to code that is loaded, and
the launch, by the ledger of the run. Results are compared between both: an assembler may contract a product and a sum in one code and
not in the other, which shows in the last digits (and not in `branches400`, whose products are exact: a digit would decide about its branches). Prints a table, then the same
as JSON. Ends with 77 (skipped) where there is no GPU, with 1 where results differ.
"""
import argparse
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile

ENVIRONMENT = dict(os.environ, CUDA_CACHE_DISABLE="1")
# Rows of depth 0 that a launch in a running session would not have.
ASIDE = {"process start", "command line", "open the session", "read files", "front-end", "open the device", "find the assembler", "write results", "cache flush", "untimed"}


def loops(count):
    body = "".join(f"    for k in 1:n\n        v = v * {i + 2}f-3 + x[k]\n    end\n" for i in range(count))
    return f"function loops{count}(y, x, n)\n    v = 0f0\n{body}    y[threadIdx().x] = v + threadIdx().x\n    return\nend\n"


def phases(count):
    body = "".join(f"    for k in 1:n\n        v = 0f0\n        j = t\n        while j <= 64i32\n            @inbounds v += s[j] * {i}f-2\n            j += {i + 1}i32\n        end\n"
                   f"        sync_threads()\n        @inbounds s[t] = v > 1f0 ? 1f0 / v : v\n        sync_threads()\n    end\n" for i in range(count))
    return f"function phases{count}(y, x, n)\n    s = CuStaticSharedArray(Float32, 64)\n    t = threadIdx().x\n    @inbounds s[t] = x[t]\n    sync_threads()\n{body}    @inbounds y[t] = s[t]\n    return\nend\n"


def branches(count):
    body = "".join(f"    if v > {i}.5f0\n        v = v * 0.5f0 - 1f0\n        y[threadIdx().x] = v\n    else\n        v = v + {i}.125f0\n    end\n" for i in range(count))
    return f"function branches{count}(y, x, n)\n    v = x[threadIdx().x]\n{body}    y[threadIdx().x] = v + n\n    return\nend\n"


KERNELS = {"loops20": loops(20), "loops60": loops(60), "phases5": phases(5), "phases20": phases(20), "branches400": branches(400),
           "small": "function small(y, x, n)\n    y[threadIdx().x] = x[threadIdx().x] * n\n    return\nend\n"}


def run(kiln, name, folder, tier):
    out = os.path.join(folder, f"{name}-{tier}.npy")
    command = [kiln, "run", os.path.join(folder, name + ".jl"), name, "--arg", "zeros(Float32, 64)", "--arg", "rand(Float32, 64)", "--arg", "8", "--seed", "1",
               "--threads", "64", "--device", "cuda", "--no-cache", "--timings=json", "--out", f"1={out}"] + (["--quick-tier"] if tier else [])
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, env=ENVIRONMENT)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    report = json.loads(done.stderr[done.stderr.index('{"kiln_timings"'):])
    rows = [row for row in report["rows"] if row["depth"] == 0]
    # What the background does at the same time is on another thread, and in the sum.
    first = sum(row["ns"] for row in rows if row["name"] not in ASIDE and row["name"] != "assemble in the background" and row["name"] != "swap in the optimised kernel")
    quick = sum(row["calls"] for row in report["rows"] if row["name"] == "assemble quickly")
    with open(out, "rb") as file:
        return first / 1e6, quick, file.read()


def has_gpu():
    try:
        return subprocess.run(["nvidia-smi", "-L"], stdout=subprocess.PIPE, stderr=subprocess.PIPE).returncode == 0
    except OSError:
        return False


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--kiln", required=True)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json")
    given = options.parse_args()
    if "--quick-tier" not in subprocess.run([given.kiln, "run", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout:
        sys.exit(f"{given.kiln} knows no quick tier")
    if not has_gpu():
        print("skipped: there is no GPU")
        return 77
    results, wrong = [], False
    with tempfile.TemporaryDirectory() as folder:
        for name, text in KERNELS.items():
            with open(os.path.join(folder, name + ".jl"), "w", encoding="utf-8") as file:
                file.write("using CUDA\n\n" + text)
        print(f"{'kernel':<14} {'without, ms':>12} {'with, ms':>12} {'gain':>6}  fast code")
        for name in KERNELS:
            times, values, quick = {False: [], True: []}, {}, 0
            for _ in range(given.rounds):
                for tier in (False, True):
                    first, began_quick, values[tier] = run(given.kiln, name, folder, tier)
                    times[tier].append(first)
                    if tier:
                        quick += began_quick
            without, with_tier = (statistics.median(times[tier]) for tier in (False, True))
            same = all(abs(a - b) <= 1e-5 * max(1, abs(a)) for a, b in zip(*(struct.unpack("<64f", values[tier][-256:]) for tier in (False, True))))
            wrong |= not same
            results.append({"kernel": name, "without_ms": times[False], "with_ms": times[True], "gain": without / with_tier, "fast": quick > 0, "same": same})
            print(f"{name:<14} {without:>12.2f} {with_tier:>12.2f} {without / with_tier:>6.2f}  {'yes' if quick else 'no'}{'' if same else ', and other results'}", flush=True)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"quick_tier": results}, file)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
