#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assemble.py --kiln PROGRAM --folder SCRATCH [--share N] [--jobs N]: cubins of kernels for every architecture from sm_75 on.

Each kernel of docs/examples is assembled for each architecture, by nvJitLink and by ptxas; each of test/language/values (values.json,
which record.py writes) for N of the architectures (default 1; 3 by `./x long`; 99: all of them, which takes 25 minutes of CPU). Kernels take
turns, so that each architecture gets some of every file. Kernels of EVERYWHERE are assembled for all architectures
that they fit. The list of architectures is that of `ptxas --help`. Ends with 77 (skipped) without a toolkit of CUDA 13.
"""
import argparse
import collections
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(HERE))))
EXAMPLES, VALUES = os.path.join(ROOT, "docs", "examples"), os.path.join(ROOT, "test", "language", "values")
SKIPPED = 77
sys.path.insert(0, os.path.join(ROOT, "test", "language", "lit"))
from examples import FURTHER, commands  # noqa: E402

NEEDS = {"linear.jl": "sm_90"}  # clusters of blocks
NAME = re.compile(r"sm_(\d+)([af]?)$")
EVERYWHERE = {"blackwell.jl"}  # its functions have other instructions on each architecture
LEFT_OUT = {"typed.jl": "functions that other files call", "tables.jl": "functions that other files call"}


def is_since(arch, since):
    return int(NAME.match(arch)[1]) >= int(NAME.match(since)[1])


def example_jobs(archs):
    """(file, call, options, architectures) of the kernels that the examples' commands compile."""
    for file in sorted(f for f in os.listdir(EXAMPLES) if f.endswith(".jl")):
        shown = [c for c in commands(os.path.join(EXAMPLES, file)) if c[0] == "compile"]
        shown += [["compile", file, call, "--target", "ptx"] for call in FURTHER.get(file, [])]
        for command in shown:
            options = {command[i][2:]: command[i + 1] for i in range(3, len(command) - 1) if command[i] in ("--maxthreads", "--minblocks", "--maxregs")}
            named = command[command.index("--arch") + 1] if "--arch" in command else ""
            yield file, command[2], options, [named] if named.endswith("a") else [a for a in archs if is_since(a, NEEDS.get(file, archs[0]))]


def manifest(folder, name, where, jobs):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"folder": where, "jobs": jobs}, file)
    return path


def precompile(kiln, path, cache, assembler, jobs):
    """Assembles a list; how many jobs it has. Ends the test where one fails."""
    environment = {**os.environ, "KILN_CACHE_DIR": cache, "KILN_ASSEMBLER": assembler, "KILN_CACHE_SIZE": "4096"}
    done = subprocess.run([kiln, "precompile", path, "--jobs", str(jobs)], capture_output=True, text=True, env=environment)
    counts = re.search(r"^(\d+) jobs: (\d+) were there, (\d+) compiled, 0 failed$", done.stdout, re.MULTILINE)
    if done.returncode or not counts:
        sys.exit(f"{os.path.basename(path)} by {assembler}: status {done.returncode}\n{done.stdout}{done.stderr[-20000:]}")
    return int(counts[1])


def check_numbers(kiln, archs, folder):
    """Each cubin says in its ELF header which architecture it is for: bits 8 to 15 of the flags, as ptxas of CUDA 13 writes them."""
    out = os.path.join(folder, "numbers")
    subprocess.run([kiln, "compile", os.path.join(EXAMPLES, "saxpy.jl"), "saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)", "--target", "ptx", "--arch", ",".join(archs),
                    "--emit", "cubin", "--no-cache", "-o", out + os.sep], check=True)
    for arch in archs:
        with open(os.path.join(out, f"saxpy.{arch}.cubin"), "rb") as file:
            flags, = struct.unpack_from("<I", file.read(52), 48)
        if flags >> 8 & 0xFF != int(NAME.match(arch)[1]):
            sys.exit(f"the cubin for {arch} is for sm_{flags >> 8 & 0xFF}")


def missing_kernels(values, texts):
    """Lines about kernels of test/language/values ({file: text}) that values.json lacks: those of a `#!` line that expects no
    fault, and of `#! kernels: NAME, NAME`. A file without such lines needs at least one kernel."""
    listed = collections.defaultdict(set)
    for each in values:
        listed[each["files"][-1]].update(call.split("(")[0] for call in each["calls"])
    for file, text in sorted(texts.items()):
        if file in LEFT_OUT:
            continue
        entries = {name for name, _, status in re.findall(r"^#! (\w+)\((.*?)\)(: status \d.*)?$", text, re.MULTILINE) if not status}
        entries.update(name for names in re.findall(r"^#! kernels: (.*)$", text, re.MULTILINE) for name in names.split(", "))
        if missing := entries - listed[file]:
            yield f"{file}: values.json has no {', '.join(sorted(missing))}: run record.py"
        elif not listed[file]:
            yield f"{file}: values.json has no kernel of it: run record.py"


def check_list(values):
    texts = {}
    for name in os.listdir(VALUES):
        if name.endswith(".jl"):
            with open(os.path.join(VALUES, name), encoding="utf-8") as file:
                texts[name] = file.read()
    if lines := list(missing_kernels(values, texts)):
        sys.exit("\n".join(lines))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--share", type=int, default=1, help="architectures for each kernel of test/language/values")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    options = parser.parse_args()
    doctor = subprocess.run([options.kiln, "doctor"], capture_output=True, text=True).stdout
    ptxas = re.search(r"^ptxas: (/.*) \(", doctor, re.MULTILINE)
    archs = re.findall(r"'(sm_\d+[af]?)'", subprocess.run([ptxas[1], "--help"], capture_output=True, text=True).stdout) if ptxas else []
    if "sm_121a" not in archs:
        print("skipped: no ptxas of CUDA 13 or newer (kiln doctor)")
        return SKIPPED
    archs = sorted(set(archs), key=lambda a: (int(NAME.match(a)[1]), NAME.match(a)[2]))
    assemblers = ["nvjitlink", "ptxas"] if re.search(r"^nvJitLink: /", doctor, re.MULTILINE) else ["ptxas"]
    if len(assemblers) == 1:
        print("skipped in part: no nvJitLink (kiln doctor)")
    shutil.rmtree(options.folder, ignore_errors=True)
    os.makedirs(options.folder)
    cache = os.path.join(options.folder, "cache")
    check_numbers(options.kiln, archs, options.folder)

    examples = [{"call": call, "files": [file], "targets": [{"target": "ptx", "arch": which}], "configs": [more]} for file, call, more, which in example_jobs(archs)]
    with open(os.path.join(HERE, "values.json"), encoding="utf-8") as file:
        values = json.load(file)
    check_list(values)
    kernels, turn, count = [], 0, collections.Counter()
    for each in values:
        fits = each["only"] if "only" in each else [a for a in archs if is_since(a, each["since"])]
        for call in each["calls"]:
            share = len(fits) if each["files"][-1] in EVERYWHERE else min(options.share, len(fits))
            mine = sorted({fits[(turn + k * len(fits) // share) % len(fits)] for k in range(share)})
            turn += 1
            count.update(mine)
            kernels.append({"call": call, "files": each["files"], "targets": [{"target": "ptx", "arch": mine}]})
    lists = [("examples", manifest(options.folder, "examples.json", EXAMPLES, examples), assemblers), ("values", manifest(options.folder, "values.json", VALUES, kernels), assemblers[:1])]
    for name, path, by in lists:
        for assembler in by:
            began, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            jobs = precompile(options.kiln, path, cache, assembler, options.jobs)
            now = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(f"{name} by {assembler}: {jobs} cubins, {now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime:.0f} s of CPU, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{len(archs)} architectures; kernels of test/language/values for each: {min(count.values())} to {max(count.values())}")
    shutil.rmtree(options.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
