#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call costs on a GPU's host: launches against a driver that returns at once and beside the real one, held jobs on 1 to 16 threads.

    calls.py --bench FOLDER --gpu-runtime PROGRAM [--rounds N] [--report FILE.md]

FOLDER holds launch_overhead and embedding. launch_overhead wants stub_cuda.so and fake_cuda.so where they were built.
"""
import argparse
import os
import subprocess
import sys

ENVIRONMENT = dict(os.environ, CUDA_CACHE_DISABLE="1", KILN_CACHE_DIR="")


def call(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, env=ENVIRONMENT)
    return done.returncode, done.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--gpu-runtime", required=True)
    parser.add_argument("--rounds", type=int, default=3, help="processes of launch_overhead")
    parser.add_argument("--report")
    options = parser.parse_args()
    failed, parts = 0, []

    def add(title, *command):
        nonlocal failed
        status, output = call(*command)
        failed += status != 0
        parts.append(f"## {title}\n\n```\n{output}\n```\nexit status {status}\n")
        print(parts[-1], flush=True)

    for n in range(options.rounds):
        add(f"stub driver, process {n + 1}", os.path.join(options.bench, "launch_overhead"))
    add("held jobs and definitions", os.path.join(options.bench, "embedding"))
    add("beside the real driver", options.gpu_runtime)
    add("once more, launches alone", options.gpu_runtime, "--bench")
    if options.report:
        with open(options.report, "w", encoding="utf-8") as out:
            out.write("\n".join(parts))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
