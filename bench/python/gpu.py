#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All benches of the Python package in one run, beside its peers, as one report.

    gpu.py [--path FOLDER] [--out FOLDER] [PART...]

Parts: launch, first_call, run_time, cpu; without any: those whose script is there. Each is a process of its own with 230 s. FOLDER stands first in sys.path of numba-cuda's
processes and of launch.py, run_time.py and cpu.py: a NumPy and a numba-cuda that fit each other. The import paths of Kiln and its peers are PYTHONPATH's.
Writes python.md and a JSON file a part into --out."""

import argparse
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = ("launch", "first_call", "run_time", "cpu")
LIMIT = 230  # seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--path", help="a folder that stands first in sys.path, for a NumPy that numba-cuda takes")
    parser.add_argument("--out", default=".")
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    whole, failed = [], 0
    for part in options.parts or PARTS:
        script = os.path.join(HERE, part + ".py")
        if not os.path.exists(script):
            continue
        report = os.path.join(options.out, part + ".part.md")
        command = [sys.executable, "-B", script, "--report", report, "--json", os.path.join(options.out, part + ".json")]
        if options.path:
            command += ["--path", os.path.abspath(options.path)]
        begin = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
            status, errors = done.returncode, done.stderr
        except subprocess.TimeoutExpired as late:
            status, errors = f"ended after {LIMIT} s", (late.stderr or b"").decode(errors="replace")
        if os.path.exists(report):
            with open(report) as file:
                whole.append(file.read())
            os.remove(report)
        whole.append(f"({part}.py: {time.monotonic() - begin:.0f} s, status {status})\n")
        if status != 0:
            failed += 1
            whole.append("```\n" + errors[-3000:] + "\n```\n")
        print("\n".join(whole[-3:] if status else whole[-2:]), flush=True)
        with open(os.path.join(options.out, "python.md"), "w") as file:
            file.write("\n".join(whole))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
