#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of starting processes, counted by Valgrind: a busy machine does not change them.

    start_counts.py KILN --package FOLDER [--python PROGRAM] [--check]

FOLDER is the import path of the Python package, build/release/python/package. The rows of Python are without the instructions that Python's own start
and end execute, and without NumPy. --check: exit status 1 if a count is above its limit. Exit status 77 where there is no valgrind.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAXPY = os.path.join(ROOT, "docs", "examples", "saxpy.jl")
COMPILE = ["compile", SAXPY, "saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)", "--target", "ptx", "--arch", "sm_90"]
FIRST = """from kiln import cuda, float32


def saxpy(y, x, a):
    i = cuda.grid(1)
    if i < y.size:
        y[i] += a * x[i]


cuda.compile_ptx(saxpy, (float32[::1], float32[::1], float32), cc=(9, 0))
"""
# Millions of instructions: 5 % more than on 29 November 2026 (docs/measurements/first-call.md).
LIMITS = {
    "kiln --version": 5.6,
    "kiln compile, no cache": 34.2,
    "kiln compile, filled cache": 12.1,
    "import kiln": 32.5,
    "Python: import and saxpy's PTX, filled cache": 92.6,
}


def complete(environment):
    return {k: v for k, v in os.environ.items() if not k.startswith(("KILN_", "PYTHON"))} | {"LC_ALL": "C"} | environment


def count(command, folder, environment):
    environment = complete(environment)
    log = os.path.join(folder, "log")
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", f"--log-file={log}", *command]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    with open(log, encoding="utf-8", errors="replace") as file:
        found = re.search(r"I\s+refs:\s+([\d,]+)", file.read())
    if done.returncode or not found:
        sys.exit(f"{' '.join(command)}\nended with status {done.returncode}\n{done.stderr}")
    return int(found[1].replace(",", "")) / 1e6


def counts(options, folder):
    """Millions of instructions by process."""
    path = os.path.join(folder, "first.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(FIRST)
    cache = {"KILN_CACHE_DIR": os.path.join(folder, "cache")}
    package = cache | {"PYTHONPATH": os.path.abspath(options.package), "PYTHONPYCACHEPREFIX": os.path.join(folder, "pycache")}
    kiln, python = os.path.abspath(options.kiln), os.path.abspath(options.python)
    rows = {
        "kiln --version": count([kiln, "--version"], folder, cache),
        "kiln compile, no cache": count([kiln, *COMPILE, "--no-cache"], folder, {}),
    }
    count([kiln, *COMPILE], folder, cache)  # fills the folder
    rows["kiln compile, filled cache"] = count([kiln, *COMPILE], folder, cache)
    # Fills the folder, and that of Python's bytecode. Not under Valgrind, where the process ends before its entries are written.
    subprocess.run([python, path], cwd=folder, env=complete(package), capture_output=True, check=True)
    empty = count([python, "-c", "pass"], folder, package)
    rows["import kiln"] = count([python, "-c", "import kiln"], folder, package) - empty
    rows["Python: import and saxpy's PTX, filled cache"] = count([python, path], folder, package) - empty
    return rows


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kiln")
    parser.add_argument("--package", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: no valgrind (Debian's package valgrind; ./x bench --check installs it)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        rows = counts(options, folder)
    print("| process | million instructions | limit |\n|---|---|---|")
    for name, number in rows.items():
        print(f"| {name} | {number:.1f} | {LIMITS[name]} |")
    too_many = [name for name, number in rows.items() if number > LIMITS[name]]
    if too_many and options.check:
        sys.exit(f"above the limit: {', '.join(too_many)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
