#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cold and warm first launches of kernels, each in a process of its own, as a table in Markdown.

    first_launch.py KILN [--kernels 50] [--reps 5] [--device cpu|cuda] [--every]

The kernels are those of docs/examples and test/language/values, with the arguments that their tests give them; they are met by running
these tests, so each is known to compute what it should. Needs the program, which may be anywhere, and these two folders; of
Python the standard library. Without --device: on the CPU, and on a GPU where `kiln doctor` finds one.

cold: the folder of the cache is empty (and the CUDA driver's own cache is off). warm: it holds what the cold run left there.
process: from spawn to exit, medians. The rest is of the table that --timings=json gives: `made`: everything from the call's
types to code that is loaded (resolving, keys, the cache, inference, LLVM, assembling, loading); `launch`: the launch itself, and
waiting for it; `anew` is how many warm runs inferred or compiled anything, which is to be 0. --every: a row a kernel.
"""
import argparse
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VALUES = os.path.join(ROOT, "test", "language", "values")
GROUPS = ["examples", "barriers", "warps", "device", "launch", "bits", "loops", "abstractions", "ordered_atomics", "floats", "float16", "ints", "mixed", "wmma", "user_threads", "float_ranges"]
FRONT = {"front-end"}  # the library, the file and the arguments: no part of a launch
MAKING = {"resolve", "cache look-up", "cache read", "cache wait", "cache publish", "inference", "IR generation", "target libraries", "rewrite", "LLVM middle-end", "clean-up", "validation", "LLVM back-end", "preparation", "assemble", "load"}


class Enough(Exception):
    pass


def recorder_of(base, wanted, most_of_a_group):
    class Recorder(base):
        """Runs the tests' calls, and keeps one call of each kernel."""

        def __init__(self, program, folder):
            super().__init__(program, folder)
            self.kept, self.group = {}, 0

        def start(self, files, entry, args=(), threads="1", blocks="1", out=(), options=()):
            result = super().start(files, entry, args, threads, blocks, out, options)
            name = (os.path.basename(files[-1]), entry)
            if result[3] == 0 and "--no-kernel" not in options and name not in self.kept:
                call = [os.path.join(VALUES, f) for f in files] + [entry]
                for i, arg in enumerate(args):
                    if arg.startswith("@"):  # the tests write over their files
                        path, *element = arg[1:].split(":")
                        copy = os.path.join(self.folder, f"kept{len(self.kept)}-{i}.npy")
                        shutil.copy(path, copy)
                        arg = ":".join(["@" + copy, *element])
                    call += ["--arg", arg]
                if threads is not None:
                    call += ["--threads", str(threads), "--blocks", str(blocks)]
                self.kept[name] = call + [o for o in options if not o.startswith("--timings")]
                self.group += 1
                if len(self.kept) >= wanted or self.group >= most_of_a_group:
                    raise Enough
            return result

    return Recorder


def kernels_of(kiln, device, wanted, scratch):
    sys.path.insert(0, VALUES)
    module = importlib.import_module("kiln")
    os.environ["KILN_VALUES_DEVICE"] = device
    checks = module.Checks()
    # A share of each group first, then whatever else there is.
    kept = {}
    for most in (6, 1000):
        recorder = recorder_of(module.Kiln, wanted, most)(kiln, os.path.join(scratch, "calls"))
        recorder.kept = kept
        for group in GROUPS:
            if len(kept) >= wanted:
                break
            recorder.group = 0
            try:
                importlib.import_module("group_" + group).check(recorder, checks)
            except Enough:
                pass
            except RuntimeError as error:  # a kernel that this device cannot run
                print(f"left out of {group}: {str(error).splitlines()[0]}", file=sys.stderr)
    return dict(list(kept.items())[:wanted])


def launch(kiln, call, device, store):
    command = [kiln, "run", *call, "--device", device, "--cache", store, "--timings=json"]
    began = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, env={**os.environ, "CUDA_CACHE_DISABLE": "1"})
    process = (time.perf_counter() - began) * 1e3
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}: {done.stderr}")
    rows = json.loads(done.stderr[done.stderr.index("{"):])["rows"]
    top = [row for row in rows if row["depth"] == 0]
    spent = lambda names: sum(row["ns"] for row in top if row["name"] in names) / 1e6
    made = spent(MAKING)
    return {"process": process, "launch": spent({"launch"}), "front": spent(FRONT), "made": made, "anew": any(row["name"] in ("inference", "LLVM back-end") for row in rows)}


def measure(kiln, kernels, device, reps, scratch):
    measured = {}
    for name, call in kernels.items():
        cold, warm = [], []
        try:
            for repetition in range(reps):
                store = os.path.join(scratch, f"store{repetition}")
                shutil.rmtree(store, ignore_errors=True)
                cold.append(launch(kiln, call, device, store))
            for _ in range(reps):
                warm.append(launch(kiln, call, device, store))
        except RuntimeError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        measured[name] = cold, warm
    return measured


def table(measured, device, every):
    middle = lambda runs, what: statistics.median(run[what] for run in runs)
    print(f"\n## {len(measured)} kernels, {device}, ms\n")
    print("| kernel | cold: process | made | launch | warm: process | made | launch | anew |")
    print("|---|---|---|---|---|---|---|---|")
    rows = []
    for (file, entry), (cold, warm) in measured.items():
        values = [middle(runs, what) for runs in (cold, warm) for what in ("process", "made", "launch")]
        rows.append((f"{file} {entry}", values, sum(run["anew"] for run in warm)))
    line = lambda name, v, anew: print(f"| {name} | {v[0]:.1f} | {v[1]:.2f} | {v[2]:.2f} | {v[3]:.1f} | {v[4]:.2f} | {v[5]:.2f} | {anew} |")
    for name, values, anew in rows if every else []:
        line(name, values, anew)
    columns = list(zip(*(values for _, values, _ in rows)))
    anew = sum(c for _, _, c in rows)
    for title, of in (("least", min), ("median", statistics.median), ("most", max)):
        line(f"**{title}**", [of(column) for column in columns], anew)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kiln")
    parser.add_argument("--kernels", type=int, default=50)
    parser.add_argument("--reps", type=int, default=5)
    parser.add_argument("--device", choices=["cpu", "cuda"])
    parser.add_argument("--every", action="store_true")
    options = parser.parse_args()
    kiln = os.path.abspath(options.kiln)
    told = subprocess.run([kiln, "doctor"], capture_output=True, text=True, check=True).stdout
    devices = [options.device] if options.device else ["cpu"] + (["cuda"] if "\nGPU 0:" in told else [])
    print(f"load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors; {options.reps} cold and {options.reps} warm processes a kernel")
    failed = False
    for device in devices:
        with tempfile.TemporaryDirectory() as scratch:
            os.environ["KILN_CACHE_DIR"] = os.path.join(scratch, "met")
            kernels = kernels_of(kiln, device, options.kernels, scratch)
            measured = measure(kiln, kernels, device, options.reps, scratch)
            table(measured, device, options.every)
            failed |= not measured or any(run["anew"] for _, warm in measured.values() for run in warm)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
