#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From process start to the PTX of saxpy on disk: medians of fresh processes.

    startup.py KILN SAXPY.jl [--reps N] [--library LIBKILN.so] [--before KILN] [--check]

With --library a program in C that does the same (startup_consumer.c, compiled here) runs against the shared library.
Runs by turns: /bin/true (what a process costs on this machine), `kiln --version`, `kiln compile` to PTX without a cache
folder and with a filled one; with --before, another build's compile. --check: exit status 1 if a median misses its goal.
Wall time is from spawn to exit; cpu time is the child's user + system time, which a busy machine disturbs less.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time


GOALS = {"kiln compile saxpy": 8, "the same, warm folder": 6}  # milliseconds


def option(name, otherwise):
    return type(otherwise)(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else otherwise


def run(command, environment):
    quiet = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, environment, file_actions=quiet)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(command)}: status {os.waitstatus_to_exitcode(status)}")
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1e3


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    kiln, example = os.path.abspath(sys.argv[1]), sys.argv[2]
    call = "saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)"
    commands = {
        "/bin/true": ["/bin/true"],
        "kiln --version": [kiln, "--version"],
        "kiln compile saxpy": [kiln, "compile", example, call, "--target", "ptx", "--arch", "sm_90", "--no-cache"],
    }
    scratch = tempfile.TemporaryDirectory()
    commands["the same, warm folder"] = [*commands["kiln compile saxpy"][:-1], "--cache", os.path.join(scratch.name, "cache")]
    if before := option("--before", ""):
        for name in ("kiln compile saxpy", "the same, warm folder"):
            commands[f"before: {name}"] = [os.path.abspath(before), *commands[name][1:]]
        commands["before: the same, warm folder"][-1] += "_before"
    if library := option("--library", ""):
        consumer = os.path.join(scratch.name, "consumer")
        source = os.path.join(os.path.dirname(os.path.realpath(__file__)), "startup_consumer.c")
        include = option("--include", os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "include"))
        subprocess.run(["cc", "-O1", f"-I{include}", source, "-o", consumer, library, f"-Wl,-rpath,{os.path.dirname(os.path.realpath(library))}"], check=True)
        commands["libkiln.so, saxpy"] = [consumer, example, os.path.join(scratch.name, "saxpy.ptx")]
        commands["kiln compile saxpy"] += ["-o", os.path.join(scratch.name, "saxpy_of_program.ptx")]
    # Nothing may come from a cache on disk, Kiln's or a driver's.
    environment = {**os.environ, "CUDA_CACHE_DISABLE": "1", "KILN_CACHE_DIR": ""}  # truly cold
    samples = {name: [] for name in commands}
    for repetition in range(option("--reps", 20) + 2):
        for name, command in commands.items():
            sample = run(command, environment)
            if repetition >= 2:
                samples[name].append(sample)
    print(f"{'ms':<30} {'median':>8} {'min':>8} {'max':>8} {'goal':>6}   {'cpu median':>10}   {'peak MB':>8}   load average {os.getloadavg()[0]:.1f}")
    missed = False
    for name, values in samples.items():
        wall, cpu, memory = zip(*values)
        goal = GOALS.get(name)
        missed = missed or (goal is not None and statistics.median(wall) > goal)
        print(f"{name:<30} {statistics.median(wall):8.1f} {min(wall):8.1f} {max(wall):8.1f} {goal or '':>6}   {statistics.median(cpu):10.1f}   {statistics.median(memory):8.1f}")
    if missed and "--check" in sys.argv:
        sys.exit("a median misses its goal")


main()
