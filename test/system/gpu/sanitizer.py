#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's compute-sanitizer over Kiln's kernels on a GPU: memcheck and racecheck find nothing in the examples, and name the
line of planted faults at -g1.

    sanitizer.py --kiln PROGRAM [--report FILE.md]

Ends with 77 (skipped) where there is no GPU or no compute-sanitizer.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))), "docs", "examples")
RUN = re.compile(r"^# +kiln run (\w+\.jl) (.*)$")

PLANTED = """
using CUDA
function past(y)
    i = threadIdx().x
    @inbounds y[i] = 1f0
    return
end
function race(y)
    s = CuStaticSharedArray(Float32, 64)
    i = threadIdx().x
    @inbounds s[i] = y[i]
    @inbounds y[i] = s[65-i]
    return
end
"""


def call(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    return done.returncode, done.stdout


def examples():
    """The command lines that the examples' heads give, with every kernel's own small arrays."""
    import shlex
    for name in sorted(os.listdir(EXAMPLES)):
        if not name.endswith(".jl"):
            continue
        with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
            for line in file:
                if match := RUN.match(line.rstrip("\n")):
                    words = shlex.split(match[2])
                    while "--out" in words:
                        at = words.index("--out")
                        del words[at:at + 2]
                    # A file that the user of the example is to make.
                    words = ["fill(Body(1f0, 2f0, 3f0, 1f0), 1024)" if word.startswith("@") else word for word in words]
                    yield f"{name} {words[0]}", [os.path.join(EXAMPLES, match[1])] + words


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--report")
    options = parser.parse_args()
    sanitizer = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
    if not sanitizer or "GPU 0:" not in call([options.kiln, "doctor"])[1]:
        print("skipped: no GPU, or no compute-sanitizer")
        return 77
    failed, lines = 0, ["| what | tool | |", "|---|---|---|"]

    def check(what, tool, words, wanted):
        nonlocal failed
        status, text = call([sanitizer, "--tool", tool, options.kiln, "run"] + words + ["--device", "cuda", "-g1"])
        right = re.search(wanted, text, re.S) is not None
        failed += not right
        lines.append(f"| {what} | {tool} | {'right' if right else 'WRONG: status ' + str(status) + ': ' + text.strip()[-900:].replace(chr(10), ' / ')} |")

    for what, words in examples():
        check(what, "memcheck", words, r"ERROR SUMMARY: 0 errors")
        check(what, "racecheck", words, r"RACECHECK SUMMARY: 0 hazards")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "planted.jl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PLANTED)
        check("a write behind an array, its line", "memcheck", [path, "past", "--arg", "zeros(Float32, 16)", "--threads", "1024"], r"Invalid __global__ write.*planted\.jl:5")
        check("a race, its lines", "racecheck", [path, "race", "--arg", "zeros(Float32, 64)", "--threads", "64"], r"Race reported.*planted\.jl:1[12].*planted\.jl:1[12]")
    report = "\n".join(lines) + f"\n\n{failed} failed.\n"
    print(report)
    if options.report:
        with open(options.report, "w", encoding="utf-8") as file:
            file.write(report)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
