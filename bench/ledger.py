#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much of the wall time the stages cover, for each product, in a cold process and in a warm one, and what the timing itself costs.

    ledger.py KILN [--runs N] [--device cuda]

Each run is a process of `kiln` with --timings=json:FILE, whose clock starts with the process. Cold: an empty cache's folder, so that
everything is made; warm: the folder of a run before, so that all is found. `covered` is the share of the wall time in stages: the median of
the runs, and the least. `itself` is the largest share that a stage with others below it keeps for itself: time that is in the table, and not
told apart. The last column is the stage that takes most of its own.

Overhead: the user and system time of whole processes with --timings=json:FILE and without, alternating, the least of the runs of each.
"""
import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import tempfile

KERNELS = "scale(x, a) = (i = threadIdx().x; x[i] = a * x[i]; return)\nplain(x) = 2x + 1\n"
GPU = ["scale(CuDeviceVector{Float32,1}, Float32)", "--target", "ptx", "--arch", "sm_90"]
CPU = ["plain(Float64)"]


def products(kernels, device):
    launch = ["scale", "--arg", "ones(Float32, 8)", "--arg", "2f0", "--threads", "8"]
    compiles = {"llvm": [*CPU, "--emit", "llvm"], "asm (CPU)": CPU, "asm (PTX)": GPU, "obj": [*CPU, "--emit", "obj"], "cubin": [*GPU, "--emit", "cubin"]}
    found = {name: ["compile", kernels, *words] for name, words in compiles.items()}
    found["first launch, CPU"] = ["run", kernels, *launch, "--device", "cpu"]
    if device == "cuda":
        found["first launch, GPU"] = ["run", kernels, *launch, "--device", "cuda"]
    return found


def run(kiln, words, store, report):
    output = ["-o", os.path.join(os.path.dirname(report), "out")] if words[0] == "compile" else []
    timing = [f"--timings=json:{report}"] if report.endswith(".json") else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([kiln, *words, *output, "--cache", store, *timing], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not timing:
        return seconds, None
    with open(report, encoding="utf-8") as file:
        return seconds, json.load(file)


def covered(report):
    untimed = sum(row["ns"] for row in report["rows"] if row["depth"] == 0 and row["name"] == "untimed")
    return 1 - untimed / report["wall_ns"]


def kept(report):
    """The stage with others below it that keeps most for itself: its share and its name."""
    rows = report["rows"]
    outer = [row for row, below in zip(rows, rows[1:]) if below["depth"] > row["depth"]]
    worst = max(outer, key=lambda row: row["self_ns"], default=None)
    return (worst["self_ns"] / report["wall_ns"], worst["name"]) if worst else (0, "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kiln")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kernels = os.path.join(folder, "k.jl")
        with open(kernels, "w", encoding="utf-8") as file:
            file.write(KERNELS)
        print("| product | process | wall, ms | covered | least | itself, at most | most time |\n|---|---|---|---|---|---|---|")
        for name, words in products(kernels, given.device).items():
            store = os.path.join(folder, "store")
            shutil.rmtree(store, ignore_errors=True)
            for state in ("cold", "warm"):
                reports = []
                for _ in range(given.runs):
                    if state == "cold":
                        shutil.rmtree(store, ignore_errors=True)
                    reports.append(run(given.kiln, words, store, os.path.join(folder, "report.json"))[1])
                shares = [covered(report) for report in reports]
                middle = sorted(reports, key=lambda report: report["wall_ns"])[len(reports) // 2]
                own, of = max(kept(report) for report in reports)
                top = max((row for row in middle["rows"] if row["name"] != "untimed"), key=lambda row: row["self_ns"])
                print(f"| {name} | {state} | {middle['wall_ns'] / 1e6:.1f} | {100 * statistics.median(shares):.2f} % | {100 * min(shares):.2f} % | "
                      f"{100 * own:.1f} % ({of}) | {top['name']}, {top['self_ns'] / 1e6:.1f} ms |", flush=True)
        words = ["compile", kernels, *GPU]
        on, off = [], []
        for _ in range(4 * given.runs):
            for kind, times in (("report.json", on), ("none", off)):
                shutil.rmtree(store, ignore_errors=True)
                times.append(run(given.kiln, words, store, os.path.join(folder, kind))[0])
        print(f"\nCPU time of `compile` to PTX, without a cache: {1e3 * min(off):.2f} ms without --timings, {1e3 * min(on):.2f} ms with "
              f"({100 * (min(on) / min(off) - 1):+.1f} %; the report's writing is in it)")


if __name__ == "__main__":
    main()
