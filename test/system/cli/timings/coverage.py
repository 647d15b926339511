# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""coverage.py KILN FOLDER: the stages cover the wall time of each product, in a process that begins with nothing and in one that finds all
in the cache's folder. The gate is generous, since a busy machine may stop a process between two stages: the best of some runs leaves less
than a tenth untimed. bench/ledger.py measures what is claimed.
"""
import json
import os
import shutil
import subprocess
import sys

kiln, folder = sys.argv[1:3]
runs, gate = 5, 0.10
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
source = os.path.join(folder, "k.jl")
with open(source, "w", encoding="utf-8") as file:
    file.write("scale(x, a) = (i = threadIdx().x; x[i] = a * x[i]; return)\nplain(x) = 2x + 1\n")
gpu = ["compile", source, "scale(CuDeviceVector{Float32,1}, Float32)", "--target", "ptx"]
cpu = ["compile", source, "plain(Float64)"]
products = {"llvm": [*cpu, "--emit", "llvm"], "asm": [*cpu], "ptx": [*gpu], "obj": [*cpu, "--emit", "obj"], "cubin": [*gpu, "--emit", "cubin"],
            "launch": ["run", source, "scale", "--arg", "ones(Float32, 8)", "--arg", "2f0", "--threads", "8", "--device", "cpu"],
            "many": [*cpu, *cpu[-1:] * 500]}  # equal calls: what the command does around each of them
doctor = subprocess.run([kiln, "doctor"], capture_output=True, text=True, check=False).stdout
if "nvJitLink: " not in doctor or ".so" not in doctor.split("nvJitLink: ", 1)[1].splitlines()[0]:
    print("no nvJitLink here: cubins are left out")
    del products["cubin"]


def untimed(command, cache):
    report = os.path.join(folder, "report.json")
    output = ["-o", os.path.join(folder, "many/" if len(command) > 100 else "out")] if command[0] == "compile" else []
    subprocess.run([kiln, *command, *output, *cache, f"--timings=json:{report}"], check=True)
    with open(report, encoding="utf-8") as text:
        read = json.load(text)
    return next(row["ns"] for row in read["rows"] if row["depth"] == 0 and row["name"] == "untimed") / read["wall_ns"], read


failed = False
for product, command in products.items():
    store = os.path.join(folder, "store " + product)
    for state in ("cold", "warm"):
        shares = []
        for _ in range(runs):
            if state == "cold":
                shutil.rmtree(store, ignore_errors=True)
            share, report = untimed(command, ["--cache", store])
            shares.append(share)
            names = [row["name"] for row in report["rows"]]
            made = "LLVM back-end" in names or "IR generation" in names
            assert made == (state == "cold" or product == "llvm"), (product, state, names)  # that it was what it says
        verdict = "" if min(shares) < gate else "  TOO MUCH"
        failed = failed or bool(verdict)
        print(f"{product:7} {state}: {100 * min(shares):.1f} % untimed at best, {100 * max(shares):.1f} % at worst{verdict}")
sys.exit(1 if failed else 0)
