# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs by `kiln script`, process start included: the median of RUNS, with an empty folder of the cache each
time and with one that is warm.

    python3 bench/programs.py build/release/bin/kiln [RUNS [DEVICE]]
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HELLO = 'println("Hello, world!")\n'


def run(kiln, device, program, folder):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KILN_")}
    environment |= {"KILN_CACHE_DIR": folder, "CUDA_CACHE_DISABLE": "1"}
    start = time.perf_counter()
    done = subprocess.run([kiln, "script", "--device", device, program], env=environment, capture_output=True, text=True)
    took = (time.perf_counter() - start) * 1e3
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return took, done.stdout


def main():
    kiln = sys.argv[1]
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    device = sys.argv[3] if len(sys.argv) > 3 else "cpu"
    with tempfile.TemporaryDirectory() as scratch:
        hello = os.path.join(scratch, "hello.jl")
        with open(hello, "w", encoding="utf-8") as file:
            file.write(HELLO)
        folder = os.path.join(scratch, "cache")
        for name, program in (("hello world", hello), ("issue 65", os.path.join(HERE, "seeds", "adam_combined.jl"))):
            cold = []
            for _ in range(runs):
                shutil.rmtree(folder, ignore_errors=True)
                cold.append(run(kiln, device, program, folder)[0])
            warm = [run(kiln, device, program, folder) for _ in range(runs + 1)][1:]
            times = [took for took, _ in warm]
            print(f"{name:12} cold {statistics.median(cold):7.1f} ms ({min(cold):.1f} to {max(cold):.1f}), "
                  f"warm {statistics.median(times):7.1f} ms ({min(times):.1f} to {max(times):.1f})")
            print("    " + warm[-1][1].strip().replace("\n", "\n    "))


main()
