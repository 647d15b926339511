#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The embedders of docs/examples on a GPU, as they were built against an installed Kiln.

    embedders.py --programs FOLDER [--kiln PROGRAM] [--nvcc-program FILE] [--reps N] [--report FILE.md]

FOLDER holds the programs cprog, arrays, embed, emitter, lisp and bundle (test/system/package builds all but the last; bundle is
docs/examples/bundle), of which those that are missing show as skipped. Bundles need the program kiln. Values are compared by the programs
themselves, with loops in C and C++; lisp's by test/system/api/lisp/check.py. Ends with 77 (skipped) where there is no GPU."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser()
parser.add_argument("--programs", required=True)
parser.add_argument("--kiln")
parser.add_argument("--nvcc-program")
parser.add_argument("--reps", type=int, default=20)
parser.add_argument("--report")
options = parser.parse_args()
lines, faults = [], []


def say(line):
    print(line, flush=True)
    lines.append(line)


def expect(right, what, text=""):
    say(f"- {'right' if right else '**wrong**'}: {what}" + ("" if right else f"\n\n      {text.strip()}"))
    if not right:
        faults.append(what)


def run(*command):
    began = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=500, check=False)
    done.seconds = time.monotonic() - began
    return done


def program(name):
    path = os.path.join(options.programs, name)
    if os.path.exists(path):
        return path
    say(f"- skipped: {name} is not in {options.programs}")
    return None


def on_gpu(text):
    """The GPU's name, where a program says that it ran there."""
    found = re.search(r"^(?:\w* ?on )?(NVIDIA [^:\n]+):", text, re.M)
    return found.group(1) if found else None


probe = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], stdout=subprocess.PIPE, text=True, check=False) \
    if any(os.path.exists(os.path.join(p, "nvidia-smi")) for p in os.environ.get("PATH", "").split(":")) else None
if not probe or probe.returncode:
    print("skipped: no GPU")
    sys.exit(77)
say(f"# Embedders on a GPU\n\n{probe.stdout.strip().splitlines()[0]}\n")
with tempfile.TemporaryDirectory() as folder:
    for name in ("cprog", "arrays", "embed"):
        if path := program(name):
            done = run(path, os.path.join(folder)) if name == "cprog" else run(path)
            expect(done.returncode == 0 and (name == "embed" or on_gpu(done.stdout)), f"{name}: values on {on_gpu(done.stdout) or 'its devices'}, {done.seconds:.2f} s",
                   done.stdout)
    if path := program("emitter"):
        out = os.path.join(folder, "emitter")
        os.makedirs(out)
        first, again = run(path, out), run(path, out)
        expect(first.returncode == 0 and on_gpu(first.stdout), f"emitter: its IR gives the values of C++ on {on_gpu(first.stdout)}, {first.seconds:.2f} s", first.stdout)
        expect(again.returncode == 0 and "compiled 0" in again.stdout, f"emitter: a second process compiles nothing, {again.seconds:.2f} s", again.stdout)
    if path := program("lisp"):
        done = run(sys.executable, "-B", os.path.join(HERE, "lisp.py"), path)
        expect(done.returncode == 0, f"lisp: programs, redefinition and errors on the GPU, {done.seconds:.2f} s", done.stdout)
        lines.extend("      " + line for line in done.stdout.strip().splitlines()[-3:])
    if (path := program("bundle")) and options.kiln:
        report = os.path.join(folder, "bundle.md")
        command = [sys.executable, "-B", os.path.join(HERE, "bundle.py"), "--kiln", options.kiln, "--program", path, "--reps", str(options.reps), "--report", report]
        done = run(*command, *(["--nvcc-program", options.nvcc_program] if options.nvcc_program else []))
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                lines.append("\n" + file.read().replace("# Bundles", "## Bundles"))
        expect(done.returncode == 0, "bundles", done.stdout)
if options.report:
    with open(options.report, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
sys.exit(f"{len(faults)} checks failed" if faults else 0)
