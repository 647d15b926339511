#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py --old PROGRAM --new PROGRAM: do two programs kiln make the same bytes?

For a change that must not change code, such as moving the compiler's parts: the kernels of test/language/values and docs/examples are compiled by
both programs, each to the products of VARIANTS below, and compared byte by byte. A job that one of them refuses must be refused by the
other, with the same message. Exit status 1 if anything differs; then the first differing lines are shown.

    --trace FILE      the jobs; made with KILN_TRACE_JOBS if the file is not there (default: FOLDER/jobs.trace)
    --groups G...     the groups of test/language/values that are run to find the jobs (default: all; docs/examples is the group `examples`)
    --folder FOLDER   scratch (default: build/compare)
    --jobs N          compiles at a time
    --arch CPU...     compiles for these CPUs (aarch64, x86-64-v3) in place of the machine's: programs of two architectures agree then
    --no-lines        all products at debug level 0 (exceptions tell no lines then): lines of the library that moved do not count
    --show N          how many differences are shown (default: 20); the others are named
    --workers KILN    compares KILN with itself where worker processes do the work in LLVM (--groups, or statics and examples)
    --self-test KILN  compares KILN with itself, and with a program that compiles otherwise: the first must agree, the second not
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VALUES = os.path.join(HERE, "..", "..", "language", "values")
# (target, product, options instead of the job's own): what each job is compiled to.
VARIANTS = [("native", "obj", {}), ("ptx", "asm", {}), ("ptx", "asm", {"debug_level": 2}), ("native", "obj", {"opt_level": 0, "debug_level": 0})]
# Fields of a recorded config that are plain flags, and those with a value that count where it is not zero.
FLAGS = {"always_inline": "--always-inline", "fast_math": "--fastmath", "strip": "--strip"}
SWITCHED_OFF = {"validate": "--no-validate", "optimize": "--no-optimize"}
PTX_FLAGS = {"invariant_arguments": "--invariant-arguments"}
PTX_VALUES = {"max_threads": "--maxthreads", "cluster": "--cluster", "min_blocks": "--minblocks", "max_registers": "--maxregs",
              "coarse_bytes": "--coarsen-bytes"}


def all_groups():
    """Those that stand as files beside run.py: .jl files with `#!` lines, and group_<name>.py."""
    found = {re.sub(r"^group_|\.py$", "", os.path.basename(p)) for p in glob.glob(os.path.join(VALUES, "group_*.py"))}
    for path in glob.glob(os.path.join(VALUES, "*.jl")):
        with open(path, encoding="utf-8") as file:
            if any(line.startswith("#! ") for line in file):
                found.add(os.path.basename(path).removesuffix(".jl"))
    return sorted(found)


def record(program, groups, trace, folder, workers):
    environment = {**os.environ, "KILN_CACHE_DIR": "", "KILN_TRACE_JOBS": trace}

    def run(group):
        return group, subprocess.run([sys.executable, "-B", os.path.join(VALUES, "run.py"), "--kiln", program, "--folder", os.path.join(folder, "values"), group],
                                     env=environment, capture_output=True, text=True, check=False)

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for group, done in pool.map(run, groups):
            if done.returncode:
                sys.exit(f"the value group {group} fails with {program}:\n{done.stdout}{done.stderr}")


def read_jobs(trace):
    """The distinct jobs: (folder, files, call, config as JSON). What only one process can repeat is counted."""
    jobs, left_out = {}, collections.Counter()
    with open(trace, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            if "cannot_repeat" in entry:
                left_out[entry["cannot_repeat"]] += 1
                continue
            files = [f["name"] for f in entry["files"]]
            config = {k: v for k, v in entry["config"].items() if k not in ("cpu", "features", "check", "interruptible")}  # `kiln compile` takes the machine's
            key = (entry["files"][0].get("folder", ".") if files else ".", tuple(files), entry["call"], json.dumps(config, sort_keys=True))
            jobs[key] = None
    return list(jobs), left_out


def command_of(job, variant, overrides):
    folder, files, call, config = job
    target, product, instead = variant
    config = {**json.loads(config), **instead, **overrides}
    arch = config.pop("arch", None)
    command = ["compile", *files, call, "--target", target, "--emit", product, f"-O{config['opt_level']}", f"-g{config['debug_level']}"]
    command.append("--kernel" if config["kernel"] else "--no-kernel")
    command += [flag for name, flag in FLAGS.items() if config.get(name)] + [flag for name, flag in SWITCHED_OFF.items() if not config.get(name, True)]
    if config.get("name"):
        command += ["--name", config["name"]]
    if target == "native" and arch:
        command += ["--arch", arch]
    if target == "ptx":
        command += ["--arch", f"sm_{config.get('sm', 90)}" + ("a" if config.get("arch_specific") else "")]
        command += [flag for name, flag in PTX_FLAGS.items() if config.get(name)]
        for name, flag in PTX_VALUES.items():
            value = config.get(name) or 0
            if isinstance(value, list):
                value = ",".join(map(str, value)) if any(value) else 0
            command += [flag, str(value)] if value else []
    return folder, command


def product_of(program, folder, command):
    """(exit status, bytes): the product, or the message of a refused job."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KILN_")} | {"KILN_CACHE_DIR": ""}
    done = subprocess.run([program, *command], cwd=folder, env=environment, capture_output=True, check=False)
    return done.returncode, done.stdout if done.returncode == 0 else done.stderr


def first_difference(old, new, count=3):
    """The first lines that differ, or where bytes do."""
    try:
        a, b = old.decode().split("\n"), new.decode().split("\n")
    except UnicodeDecodeError:
        at = next((i for i, (x, y) in enumerate(zip(old, new)) if x != y), min(len(old), len(new)))
        return f"    {len(old)} and {len(new)} bytes, the first difference at {at}"
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return "\n".join([f"    line {at + 1}"] + [f"    old: {line}" for line in a[at:at + count]] + [f"    new: {line}" for line in b[at:at + count]])


def compare(old, new, jobs, workers, overrides=None, show=20, archs=None):
    """Prints what differs; how many products do. `archs`: CPUs that native code is for, in place of the machine's."""
    work = [(job, (target, product, {**instead, "arch": arch})) for job in jobs for target, product, instead in VARIANTS
            for arch in (archs if archs and target == "native" else [None])]  # fmt: skip
    counts, shown = collections.Counter(), 0

    def both(item):
        folder, command = command_of(*item, overrides or {})
        return folder, command, product_of(old, folder, command), product_of(new, folder, command)

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for (_, variant), (folder, command, of_old, of_new) in zip(work, pool.map(both, work)):
            counts[f"{variant[0]} {variant[1]}"] += 1
            counts["refused by both"] += bool(of_old[0] and of_new[0])
            if of_old == of_new:
                continue
            counts["differ"] += 1
            shown += 1
            if shown > show:
                print(f"differs: kiln {shlex.join(command)}")
                continue
            print(f"differs: kiln {shlex.join(command)}\n    exit status {of_old[0]} and {of_new[0]}\n{first_difference(of_old[1], of_new[1])}")
            if variant[1] == "obj" and not of_old[0] and not of_new[0]:  # what the bytes say, as text
                command = ["asm" if word == "obj" else word for word in command]
                print(first_difference(product_of(old, folder, command)[1], product_of(new, folder, command)[1]))
            sys.stdout.flush()
    differ = counts.pop("differ", 0)
    print(f"{len(jobs)} jobs, {len(work)} products ({', '.join(f'{n} {name}' for name, n in counts.items())}): {differ} differ")
    return differ


def self_test(kiln, folder):
    """The comparison agrees where it must, and sees a difference where there is one."""
    trace, other = os.path.join(folder, "self_test.trace"), os.path.join(folder, "other_kiln")
    if os.path.exists(trace):
        os.remove(trace)
    record(kiln, ["statics"], trace, folder, 1)
    jobs, _ = read_jobs(trace)
    with open(other, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/bash\nexec {shlex.quote(kiln)} "${{@/#-O2/-O0}}"\n')
    os.chmod(other, 0o755)
    if not jobs or compare(kiln, kiln, jobs, 2):
        sys.exit("a program differs from itself")
    if not compare(kiln, other, jobs, 2):
        sys.exit("a program that compiles otherwise is not told apart")


def with_workers(kiln, groups, folder, workers):
    """Worker processes make the same bytes, and the same messages, as the process that asks them."""
    trace, other = os.path.join(folder, "workers.trace"), os.path.join(folder, "kiln_with_workers")
    if os.path.exists(trace):
        os.remove(trace)
    record(kiln, groups or ["statics", "examples"], trace, folder, workers)
    jobs, _ = read_jobs(trace)
    with open(other, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/bash\nexec {shlex.quote(kiln)} "$@" --worker-processes 1\n')
    os.chmod(other, 0o755)
    return 1 if compare(kiln, other, jobs, workers) or not jobs else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("--old", "--new", "--trace", "--self-test", "--workers"):
        parser.add_argument(name)
    parser.add_argument("--folder", default=os.path.join("build", "compare"))
    parser.add_argument("--groups", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--arch", nargs="+")
    parser.add_argument("--no-lines", action="store_true")
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    os.makedirs(folder, exist_ok=True)
    if options.self_test:
        return self_test(os.path.abspath(options.self_test), folder)
    if options.workers:
        return with_workers(os.path.abspath(options.workers), options.groups, folder, options.jobs)
    if not options.old or not options.new:
        parser.error("--old and --new are needed")
    old, new = os.path.abspath(options.old), os.path.abspath(options.new)
    trace = os.path.abspath(options.trace or os.path.join(folder, "jobs.trace"))
    if not os.path.exists(trace):
        groups = options.groups or all_groups()
        print(f"recording the jobs of {len(groups)} value groups in {trace}", flush=True)
        record(old, groups, trace, folder, options.jobs)
    jobs, left_out = read_jobs(trace)
    for why, count in left_out.items():
        print(f"left out: {count} jobs: {why}")
    return 1 if compare(old, new, jobs, options.jobs, {"debug_level": 0} if options.no_lines else None, options.show, options.arch) or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
