#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program's memory stays flat over many rounds of array operations: temporary arrays and launches leave nothing."""
import argparse
import os
import subprocess
import sys
import tempfile

PROGRAM = """
using CUDA
mutable struct Model
    W::CuMatrix{Float32}
    act
end
function train!(m, x)
    y = m.act.(m.W * x)
    g = 2 .* (y .- x)
    m.W .-= 1f-6 .* (g * x')
    return sum(g) + sum(vec(sum(g; dims=2)))
end
resident() = parse(Int, split(read("/proc/self/statm", String))[2]) * 4
m = Model(CUDA.rand(64, 64), x -> max(x, 0f0))
x = CUDA.rand(64, 100)
rounds(n) = for i in 1:n; train!(m, x); end
rounds(500)
before = resident()
rounds(3000)
println(resident() - before)
"""
MAX_GROWTH = 3000  # KiB: 1 KiB a round, where a leaked array would take 25


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    kiln = parser.parse_args().kiln
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.jl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        done = subprocess.run([kiln, "script", "--device", "cpu", path], capture_output=True, text=True, env={**os.environ, "KILN_CACHE_DIR": ""}, check=False)
    if done.returncode:
        print(done.stdout + done.stderr)
        return 1
    growth = int(done.stdout)
    print(f"{growth} KiB in 3,000 rounds")
    return 0 if growth <= MAX_GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
