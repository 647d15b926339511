# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares legalize_integers with Python's integers: random functions of LLVM IR, rewritten and run by run_integers.

  integers_fuzz.py RUN_INTEGERS [--programs N] [--seed S] [--length L] [--keep FOLDER]
Exit status 1: a result differs. FOLDER then has the module. The seed of each module is printed with its failure."""
import argparse
import os
import random
import subprocess
import sys
import tempfile

from control_flow import make
from programs import BUFFER

LAYOUT = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
CALLS = 5
IN_MODULE = 20


def argument(source):
    return source.choice([0, 1, (1 << 64) - 1, 1 << 63, source.getrandbits(64), source.getrandbits(64), source.getrandbits(64) >> source.randrange(64)])


def run_module(options, seed, count, folder):
    """Makes and runs one module. Returns the number of calls, and a text for each that differs."""
    source = random.Random(seed)
    texts, meanings = [f'target datalayout = "{LAYOUT}"'], {}
    for i in range(count):
        meanings[f"f{i}"] = make(source, f"f{i}", texts, options.length)
    path = os.path.join(folder, f"module{seed}.ll")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n\n".join(texts) + "\n")
    calls = [(name, [argument(source) for _ in range(4)], source.randbytes(BUFFER)) for name in meanings for _ in range(CALLS)]
    lines = "".join(f"{name} {' '.join(map(str, values))} {memory.hex()}\n" for name, values, memory in calls)
    done = subprocess.run([options.run_integers, path], input=lines, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return len(calls), [f"{path}: run_integers failed with {done.returncode}: {done.stderr[:2000]}"]
    failures = []
    for (name, values, memory), line in zip(calls, done.stdout.splitlines(), strict=True):
        after = bytearray(memory)
        expected = f"{meanings[name](values, after)} {after.hex()}"
        if line != expected:
            failures.append(f"{path}: {name}({', '.join(map(str, values))}) with memory {memory.hex()}\n  got      {line}\n  expected {expected}")
    if not failures:
        os.remove(path)
    return len(calls), failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("run_integers")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--length", type=int, default=12)
    parser.add_argument("--keep")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    calls, failures = 0, []
    for i, at in enumerate(range(0, options.programs, IN_MODULE)):
        made, wrong = run_module(options, options.seed * 1000000 + i, min(IN_MODULE, options.programs - at), folder)
        calls += made
        failures += wrong
    for failure in failures[:10]:
        print(failure)
    print(f"{options.programs} programs of seed {options.seed}, {calls} calls, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
