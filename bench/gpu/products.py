#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices in programs, by cuBLAS and by Kiln's own kernel: products.jl in a process each.

    products.py --kiln PROGRAM [--report FILE.md]

Ends with 77 (skipped) where there is no GPU. A product of fewer than 2^27 multiplications is Kiln's in both (runtime/library/program/cuda/linear.jl)."""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--report")
    options = parser.parse_args()
    if "GPU 0:" not in subprocess.run([options.kiln, "doctor"], capture_output=True, text=True, check=False).stdout:
        print("skipped: this machine has no GPU that the CUDA driver sees")
        return 77
    rows, wrong = {}, []
    for name, more in (("cuBLAS", {}), ("own", {"KILN_CUBLAS": "none"})):
        for _ in range(2):  # the second finds the kernel in the cache's folder and the library's file in memory
            done = subprocess.run([options.kiln, "script", "--device", "cuda", os.path.join(HERE, "products.jl")], capture_output=True, text=True, env=dict(os.environ, **more), check=False)
        for line in done.stdout.splitlines():
            n, *figures = line.split()
            if len(figures) == 3:
                rows.setdefault(n, {})[name] = figures
                if figures[2] != "true":
                    wrong.append(f"{name}, {n}: a wrong value")
        if done.returncode:
            wrong.append(f"{name}: {done.stderr.strip()[-500:]}")
    lines = ["| n | first product, with cuBLAS, us | own kernel | later ones, with cuBLAS, us | own kernel |", "|---|---|---|---|---|"]
    for n, by in rows.items():
        figures = [by.get(name, ["-"] * 3) for name in ("cuBLAS", "own")]
        lines.append(f"| {n} | {figures[0][0]} | {figures[1][0]} | {figures[0][1]} | {figures[1][1]} |")
    text = "\n".join([*lines, "", *(f"- {each}" for each in wrong)]) + "\n"
    print(text)
    if options.report:
        with open(options.report, "w", encoding="utf-8") as file:
            file.write(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
