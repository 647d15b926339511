#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions that `kiln compile` executes for the kernels of docs/examples, counted by Valgrind: a busy machine does not change them.

    instructions.py KILN --check       compares with baseline/instructions.json: exit status 1 if a count left it by more than 2 %
    instructions.py KILN --update      writes that file
    instructions.py KILN --beside OLD  counts both programs and prints them side by side, as Markdown

Each kernel is compiled in a process of its own, to PTX for sm_90 and to a native object for x86-64-v3 (Valgrind 3.19 knows no AVX-512),
without a cache. The counts hold the whole process: start, base library, inference, LLVM, the product. They depend on LLVM's and the C
library's version, and a little on the CPU (string functions are picked by it); so a baseline names both, and another machine may need one
of its own. Exit status 77 where there is no valgrind.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "docs", "examples")
BASELINE = os.path.join(HERE, "baseline", "instructions.json")
TOLERANCE = 0.02
TARGETS = {"ptx": ["--target", "ptx"], "native": ["--target", "native", "--arch", "x86-64-v3", "--kernel", "--emit", "obj"]}


def kernels():
    """(file, call, architecture for PTX) of each `kiln compile` that an example's first lines show."""
    for name in sorted(os.listdir(EXAMPLES)):
        if name.endswith(".jl"):
            with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
                for line in file:
                    if line.startswith("#   kiln compile "):
                        words = shlex.split(line[1:])
                        yield name, words[3], words[words.index("--arch") + 1] if "--arch" in words else "sm_90"


def environment():
    """Without the user's cache. CPU code is optimised from the first call."""
    return {k: v for k, v in os.environ.items() if not k.startswith("KILN_")} | {"KILN_CACHE_DIR": "", "KILN_CPU_TIER": "optimized", "LC_ALL": "C"}


def count(kiln, arguments):
    """Instructions of one process, which runs in docs/examples."""
    with tempfile.TemporaryDirectory() as scratch:
        command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", f"--log-file={scratch}/log", kiln, *arguments]
        done = subprocess.run(command, cwd=EXAMPLES, env=environment(), capture_output=True, text=True, check=False)
        with open(os.path.join(scratch, "log"), encoding="utf-8", errors="replace") as file:
            found = re.search(r"I\s+refs:\s+([\d,]+)", file.read())
    if done.returncode or not found:
        sys.exit(f"{shlex.join(command)}\nended with status {done.returncode}\n{done.stderr}")
    return int(found[1].replace(",", ""))


def compile_count(kiln, name, call, arch, target):
    with tempfile.TemporaryDirectory() as scratch:
        return count(kiln, ["compile", name, call, *TARGETS[target], *(["--arch", arch] if target == "ptx" else []), "-o", os.path.join(scratch, "product")])


def counts(kiln, workers):
    jobs = [(name, call, arch, target) for name, call, arch in kernels() for target in TARGETS]
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        numbers = list(pool.map(lambda job: compile_count(kiln, *job), jobs))
    return {f"{call.split('(')[0]} {target}": number for (_, call, _, target), number in zip(jobs, numbers)}


def table(heads, first, second):
    lines = [f"| kernel | {heads[0]} | {heads[1]} | change |", "|---|---|---|---|"]
    for job in [*second, "all"]:
        a, b = (sum(c.values()) if job == "all" else c.get(job) for c in (first, second))
        lines.append(f"| {job} | {a / 1e6:.1f} M | {b / 1e6:.1f} M | {100 * (b / a - 1):+.2f} % |" if a else f"| {job} | none | {b / 1e6:.1f} M | |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kiln")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--beside")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.check + options.update + bool(options.beside) != 1:
        parser.error("one of --check, --update and --beside OLD")
    if not shutil.which("valgrind"):
        print("skipped: no valgrind (Debian's package valgrind; ./x bench --check installs it)")
        return 77
    now = counts(os.path.abspath(options.kiln), options.jobs)
    if options.beside:
        print(table(("before", "after"), counts(os.path.abspath(options.beside), options.jobs), now))
        return 0
    version = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if options.update:
        os.makedirs(os.path.dirname(BASELINE), exist_ok=True)
        with open(BASELINE, "w", encoding="utf-8") as file:
            json.dump({"tool": version, "libc": " ".join(os.confstr("CS_GNU_LIBC_VERSION").split()), "instructions": now}, file, indent=2)
            file.write("\n")
        print(f"{len(now)} counts in {os.path.relpath(BASELINE)}")
        return 0
    if not os.path.exists(BASELINE):
        sys.exit(f"{os.path.relpath(BASELINE)} is missing: ./x bench --update writes it")
    with open(BASELINE, encoding="utf-8") as file:
        before = json.load(file)["instructions"]
    print(table(("baseline", "now"), before, now))
    wrong = [f"{job}: {'no baseline' if job not in before else f'{100 * (n / before[job] - 1):+.2f} %'}" for job, n in now.items()
             if job not in before or abs(n / before[job] - 1) > TOLERANCE]
    wrong += [f"{job}: in the baseline, but no longer an example" for job in before if job not in now]
    if wrong:
        print("outside of 2 % of the baseline:\n  " + "\n  ".join(wrong) + "\nIf the change is wanted, say why in the commit that runs ./x bench --update.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
