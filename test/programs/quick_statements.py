#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements over arrays on the CPU: -O1 for few elements of what the libraries have, -O2 once they come to many."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

PROGRAM = """
using CUDA
twice(x) = 2x
x = CuArray(Float32.(1:1000) ./ 7)
y = similar(x)
y .= muladd.(x, 3, sqrt.(x)) ./ 3 .+ abs.(x)
first_values = Array(y)
for i in 1:300
    y .= muladd.(x, 3, sqrt.(x)) ./ 3 .+ abs.(x)
end
println(Array(y) == first_values)
y .= twice.(x)
z = CUDA.zeros(Float32, 100_000)
z .= z .- 1
println(Array(z)[end], " ", sum(x))
"""
# Parts of the kernels' names, and the levels at which they are compiled.
EXPECTED = {
    "typeof(muladd)": [1, 2],  # 301 launches of 1,000 elements
    "typeof(twice)": [2],      # a function of the program's may take long
    "typeof(-)": [2],          # of 100,000 elements
    "typeof(add_sum)": [1],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kiln", required=True)
    kiln = os.path.abspath(parser.parse_args().kiln)
    with tempfile.TemporaryDirectory() as folder:
        program, timings = os.path.join(folder, "p.jl"), os.path.join(folder, "t.json")
        with open(program, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        command = [kiln, "script", "--device", "cpu", "--no-cache", f"--timings=json:{timings}", program]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        # Multiples of a seventh: the sum of 1 to 1000 is 500,500.
        if done.returncode or done.stdout.split() != ["true", "-1.0", "71500.0"]:
            sys.exit(f"quick_statements.py: status {done.returncode}, {done.stdout!r}, {done.stderr}")
        with open(timings, encoding="utf-8") as file:
            jobs = json.load(file)["jobs"]
    for part, levels in EXPECTED.items():
        found = [json.loads(job["config"] or "{}").get("opt_level", 2) for job in jobs
                 if part in job["name"] and not job["name"].startswith("__run")]
        if found != levels:
            sys.exit(f"quick_statements.py: {part} was compiled at {found}, not {levels}")
    print("quick statements: ok")


if __name__ == "__main__":
    main()
