#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bundles on a GPU: docs/examples/bundle there, by its cubin and by its PTX, and beside the same kernels of nvcc's.

    bundle.py --kiln PROGRAM --program MAIN [--nvcc-program FILE] [--reps N] [--report FILE.md]

MAIN is docs/examples/bundle built against the runtime. FILE is docs/examples/bundle/kernels.cu built by nvcc, for machines without one;
otherwise it is built here where nvcc is. Ends with 77 (skipped) where there is no GPU."""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SOURCE = os.path.join(ROOT, "docs", "examples", "bundle")
NVCC = ["-O2", "-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"]
parser = argparse.ArgumentParser()
parser.add_argument("--kiln", required=True)
parser.add_argument("--program", required=True)
parser.add_argument("--nvcc-program")
parser.add_argument("--reps", type=int, default=20)
parser.add_argument("--report")
options = parser.parse_args()
lines, faults = [], []


def say(line):
    print(line, flush=True)
    lines.append(line)


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **more)


def expect(right, what, text=""):
    say(f"- {'right' if right else '**wrong**'}: {what}" + ("" if right else f"\n\n      {text.strip()}"))
    if not right:
        faults.append(what)


def bundle(folder, name, targets):
    """A bundle of the three kernels, for these targets."""
    with open(os.path.join(SOURCE, "kernels.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    manifest["files"], manifest["targets"] = [os.path.join(SOURCE, "kernels.jl")], targets
    listed, out = os.path.join(folder, name + ".json"), os.path.join(folder, name + ".kiln")
    with open(listed, "w", encoding="utf-8") as file:
        json.dump(manifest, file)
    done = run([options.kiln, "bundle", listed, "-o", out, "--no-cache"])
    if done.returncode:
        sys.exit(done.stdout)
    return out


def start_times(command):
    """Medians of the whole process, from spawn to exit, and of what it prints of itself, in ms."""
    whole, own = [], []
    for _ in range(options.reps):
        began = time.monotonic()
        done = run(command)
        whole.append(1000 * (time.monotonic() - began))
        own.append([float(x) for x in re.findall(r"([\d.]+) ms", done.stdout)])
    return statistics.median(whole), [statistics.median(column) for column in zip(*own)]


probe = run([options.program, "cuda", bundle(tempfile.mkdtemp(), "probe", ["native"])])
if "no code for" not in probe.stdout:
    print("skipped: no GPU:", probe.stdout.strip())
    sys.exit(77)
sm = int(re.search(r"which is sm_(\d+)", probe.stdout).group(1))
say(f"# Bundles on a GPU of sm_{sm}\n")
with tempfile.TemporaryDirectory() as folder:
    whole = bundle(folder, "whole", ["native", {"target": "ptx", "arch": ["sm_80", "sm_90"]}])
    text = bundle(folder, "text", [{"target": "ptx", "arch": "sm_75"}])  # another major version than any GPU of today: PTX alone fits
    newer = bundle(folder, "newer", [{"target": "ptx", "arch": "sm_90a"}])
    for device in ("cpu", "cuda"):
        done = run([options.program, device, whole])
        expect(done.returncode == 0 and "three kernels on" in done.stdout, f"the three kernels on {device}", done.stdout)
    done = run([options.program, "cuda", text])
    expect(done.returncode == 0, "the driver assembles the PTX for sm_75 where no cubin fits", done.stdout)
    if sm != 90:
        done = run([options.program, "cuda", newer])
        expect("has no code for" in done.stdout and "sm_90a" in done.stdout, "code for sm_90a alone is refused in words", done.stdout)
    with open(whole, "rb") as file:
        content = bytearray(file.read())
    at = content.find(b"\x7fELF")
    expect(at > 0, "the bundle has cubins: there is an assembler where it was made")
    for position in [m.start() for m in re.finditer(b"\x7fELF", bytes(content))]:
        content[position + 100] ^= 1
    altered = os.path.join(folder, "altered.kiln")
    with open(altered, "wb") as file:
        file.write(content)
    done = run([options.program, "cuda", altered])
    expect(done.returncode == 1 and "was altered" in done.stdout, "an altered cubin is refused", done.stdout)

    nvcc = shutil.which("nvcc", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")
    other = options.nvcc_program
    if not other and nvcc:
        other = os.path.join(folder, "nvcc_program")
        done = run([nvcc, *NVCC, os.path.join(SOURCE, "kernels.cu"), "-o", other])
        other = other if done.returncode == 0 else None
    say(f"\n| {options.reps} processes by turns, medians | whole process, ms | of it: device or context; bundle; first launch |\n|---|---|---|")
    for what, command in (("bundle, cubin", [options.program, "cuda", whole]), ("bundle, PTX", [options.program, "cuda", text]),
                          ("bundle, on the CPU", [options.program, "cpu", whole]), ("nvcc, cubin", [other] if other else None)):
        if command:
            total, parts = start_times(command)
            say(f"| {what} | {total:.1f} | {'; '.join(f'{p:.3f}' for p in parts)} |")
    sizes = {"program with the bundle": os.path.getsize(options.program) + os.path.getsize(whole), "the bundle alone": os.path.getsize(whole)}
    if other:
        sizes["nvcc's program, its runtime linked in"] = os.path.getsize(other)
    say("\n| bytes | |\n|---|---|\n" + "\n".join(f"| {what} | {size} |" for what, size in sizes.items()))
if options.report:
    with open(options.report, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
sys.exit(f"{len(faults)} checks failed" if faults else 0)
