#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SASS instructions of Kiln's kernels and of equal CUDA C (kernels.cu by nvcc -O3), for sm_90. Needs the CUDA toolkit, no GPU.

    sass_counts.py --kiln PROGRAM [--show KERNEL]

Counts the instructions of the entry and of the slow paths it calls (divisions, square roots), which nvJitLink keeps as
functions of their own; padding (NOPs and branches to themselves) is left out. --show
prints both listings. CUDA C is compiled with the same index widths; both contract products and sums.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(HERE)), "docs", "examples")
VECTOR, SCALAR = "CuDeviceVector{Float32,1}", "Float32"
KERNELS = [("copy", "stream.jl", [VECTOR] * 2), ("mul", "stream.jl", [VECTOR] * 2 + [SCALAR]), ("add", "stream.jl", [VECTOR] * 3),
           ("triad", "stream.jl", [VECTOR] * 3 + [SCALAR]), ("nstream", "stream.jl", [VECTOR] * 3 + [SCALAR]), ("saxpy", "saxpy.jl", [VECTOR] * 2 + [SCALAR]),
           ("adam", "adam.jl", [VECTOR] * 3 + [SCALAR] * 4), ("adam4", "adam.jl", [VECTOR] * 3 + [SCALAR] * 4),
           ("wmma_matmul", "wmma_matmul.jl", ["CuDeviceMatrix{Float32,1}"] + ["CuDeviceMatrix{Float16,1}"] * 2)]


def call(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()[:2000]}")
    return done.stdout


def instructions(listing):
    """Without padding: NOP, and the branch to itself that ends a function."""
    found = [(int(m[1], 16), m[2].strip()) for m in re.finditer(r"^\s+/\*([0-9a-f]{4,5})\*/\s+([^;]*;)", listing, re.M)]
    labels = dict((name, int(address, 16)) for name, address in re.findall(r"^(\.L_x_\d+):\n(?:\s*\.\S.*\n)*\s+/\*([0-9a-f]{4,5})\*/", listing, re.M))
    kept = []
    for address, text in found:
        target = re.fullmatch(r"BRA (?:`\((\S+)\)|(0x[0-9a-f]+)) ?;", text)
        goes_to = None if not target else labels.get(target[1]) if target[1] else int(target[2], 16)
        if not text.startswith("NOP") and goes_to != address:
            kept.append(text)
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--show")
    options = parser.parse_args()
    path = os.environ.get("PATH", "") + ":/usr/local/cuda/bin"
    nvcc, cuobjdump = shutil.which("nvcc", path=path), shutil.which("cuobjdump", path=path)
    if not nvcc or not cuobjdump:
        print("skipped: no nvcc or no cuobjdump")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        cubin = os.path.join(folder, "kernels.cubin")
        call([nvcc, "-O3", "-std=c++20", "-arch=sm_90", "-cubin", os.path.join(HERE, "kernels.cu"), "-o", cubin])
        functions = dict(re.findall(r"Function : (\S+)\n(.*?)(?=\n\s*Function : |\Z)", call([cuobjdump, "-sass", cubin]), re.S))
        print("| kernel | Kiln | CUDA C | ratio |\n|---|---|---|---|")
        for name, file, types in KERNELS:
            theirs = instructions(next(text for symbol, text in functions.items() if re.match(rf"_Z\d+{name}P", symbol)))
            ours = instructions(call([options.kiln, "compile", os.path.join(EXAMPLES, file), f"{name}({', '.join(types)})", "--target", "ptx", "--emit", "sass", "-g0"]))
            print(f"| {name} | {len(ours)} | {len(theirs)} | {len(ours) / len(theirs):.2f} |")
            if options.show == name:
                for title, listing in (("Kiln", ours), ("CUDA C", theirs)):
                    print(f"\n{title}:")
                    print("\n".join("    " + text for text in listing))
    return 0


if __name__ == "__main__":
    sys.exit(main())
