#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes cmake/function_order.txt: the functions that short runs of kiln call, those of every start first.

    function_order.py KILN

The linker puts these functions next to each other, so a start touches fewer pages of the program and of libkiln.so. Names that a build lacks are
ignored: an old list only costs time. Runs kiln under Valgrind's callgrind for 20 seconds. Exit status 77 where there is no valgrind.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ORDER = os.path.join(ROOT, "cmake", "function_order.txt")
SAXPY = os.path.join(ROOT, "docs", "examples", "saxpy.jl")
COMPILE = ["compile", SAXPY, "saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)", "--target", "ptx", "--arch", "sm_90", "--cache", "cache"]
RUN = ["run", SAXPY, "saxpy", "--arg", "ones(Float32, 9)", "--arg", "ones(Float32, 9)", "--arg", "2f0", "--threads", "9", "--device", "cpu", "--cache", "cache"]
# A second run finds the cache entries of the first.
RUNS = [["--version"], COMPILE, COMPILE, RUN, RUN]
LISTED = [0, 2, 1, 4]  # a start, a hit in the cache, a compile, a launch on the CPU


def called(kiln, arguments, folder):
    """Mangled names of kiln's functions that a run calls."""
    out = os.path.join(folder, "calls")
    command = ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={out}", kiln, *arguments]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KILN_")} | {"LC_ALL": "C"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with status {done.returncode}\n{done.stderr}")
    names, inside, functions = {}, False, set()
    with open(out, encoding="utf-8") as file:
        for line in file:
            # "fn=(ID) NAME" begins a function and names it at its first mention; "cfn=" names a callee, "ob=" an object file.
            found = re.match(r"(c?fn|c?ob)=\((\d+)\)(?: (.*))?", line)
            if not found:
                continue
            key = (found[1][-2:], found[2])
            names[key] = name = found[3] or names[key]
            if found[1] == "ob":
                inside = os.path.realpath(name) == kiln
            elif found[1] == "fn" and inside:
                functions.add(re.sub(r"'\d+$", "", name))  # 'N: depth of a recursion
    return sorted(functions)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        print("skipped: no valgrind (Debian's package valgrind)")
        return 77
    kiln = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        runs = [called(kiln, arguments, folder) for arguments in RUNS]
    order = dict.fromkeys(name for run in LISTED for name in runs[run] if re.fullmatch(r"[\w.$]+", name))
    with open(ORDER, "w", encoding="utf-8") as file:
        file.write("".join(f"{name}\n" for name in order))
    print(f"{len(order)} functions in {os.path.relpath(ORDER)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
