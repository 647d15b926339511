#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels with barriers: every array that a device writes is compared with a simulation of the threads.

    run.py --kiln PROGRAM --folder SCRATCH [--device cpu|opencl|cuda] [--seed N] [--count M] [--jobs J] [--shrink SECONDS]

Kernel number N follows from N alone: `run.py --seed N --count 1` repeats it. A kernel that differs, or ends the
process, is left in the folder as seedN.jl, and the smallest such kernel found as seedN-small.jl; the exit status is
1 then. It is 77, with a reason, if the device is missing."""
import argparse
import concurrent.futures
import dataclasses
import os
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from generate import Generator
from julia import program_text
from shrink import shrink
from simulate import Invalid, simulate

TOGETHER = "together"  # in place of a kernel's name: a fault that no kernel has alone
# Lines of `kiln doctor` about devices.
DOCTOR = {"cpu": "compile and run on the CPU", "opencl": "run on OpenCL", "cuda": "run on a GPU"}


@dataclasses.dataclass
class Fault:
    kind: str  # "differs", or how the process ended
    text: str


class Device:
    """Runs programs on a device, one process each."""

    def __init__(self, kiln, name, folder, limit):
        self.kiln, self.name, self.folder, self.limit = kiln, name, folder, limit
        self.environment = {**os.environ, "KILN_CACHE_DIR": ""}

    def missing(self):
        """Why the machine cannot use the device; None if it can."""
        done = subprocess.run([self.kiln, "doctor"], capture_output=True, text=True, timeout=self.limit, env=self.environment, check=False)
        title = DOCTOR[self.name.split(":")[0]] + ": "
        answers = [line.strip()[len(title):] for line in done.stdout.split("\n") if line.strip().startswith(title)]
        if not answers:
            raise RuntimeError(f"`kiln doctor` has no line \"{title}\": {done.stdout}{done.stderr}")
        return None if answers[0].startswith("yes") else answers[0].removeprefix("no: ")

    def run(self, text, stem):
        """(output, how the process ended or None, its last words)."""
        path = os.path.join(self.folder, f"{stem}.jl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            done = subprocess.run([self.kiln, "script", "--device", self.name, path], capture_output=True, text=True, errors="replace", timeout=self.limit, env=self.environment, check=False)
        except subprocess.TimeoutExpired as e:
            return (e.stdout or b"").decode(), f"no end within {self.limit} s", ""
        if done.returncode == 0:
            return done.stdout, None, ""
        how = f"signal {signal.Signals(-done.returncode).name}" if done.returncode < 0 else f"exit status {done.returncode}"
        return done.stdout, how, (done.stderr.strip() or "no message")[:1500]

    def faults(self, cases, stem):
        """{kernel's name: Fault} of (kernel, expected values). A process that fails is attributed to one kernel by halves."""
        if not cases:
            return {}
        output, how, words = self.run(program_text([k for k, _ in cases]), stem)
        # A process that is ended may leave a part of a line.
        whole = output.split("\n")[:-1]
        lines = {tuple(line.split(" ", 2)[:2]): line.split(" ")[2:] for line in whole if line.count(" ") >= 2}
        found, left = {}, []
        for kernel, expected in cases:
            if not all((kernel.name, array) in lines for array in expected):
                left.append((kernel, expected))
                continue
            text = difference(expected, {array: lines[kernel.name, array] for array in expected})
            if text:
                found[kernel.name] = Fault("differs", text)
        if len(cases) == 1 and (left or how):
            found[cases[0][0].name] = Fault(how or "no result", words or output[:300])
        elif left or how:
            # The first one without a result is likely to have ended the process.
            first = self.faults(left[:1], stem) if len(left) < len(cases) else {}
            rest = left[1:] if len(left) < len(cases) else cases
            half = 0 if first else len(rest) // 2
            for part in (rest[:half], rest[half:]):
                found.update(self.faults(part, stem))
            found.update(first)
            if all(fault.kind == "differs" for fault in found.values()):
                found[TOGETHER] = Fault(how or "no result", f"kernels {cases[0][0].name} to {cases[-1][0].name}, only in one process: {words}")
        return found


def difference(expected, got):
    """The first element that differs, as text; empty without one."""
    for array, values in expected.items():
        if len(got[array]) != len(values):
            return f"{array}: expected {len(values)} elements, got {len(got[array])}"
        for i, (a, b) in enumerate(zip(values, got[array]), 1):
            if str(a) != b:
                wrong = sum(str(x) != y for x, y in zip(values, got[array]))
                return f"{array}[{i}]: expected {a}, got {b}; {wrong} of {len(values)} elements differ"
    return ""


def write_alone(folder, stem, kernel, note):
    path = os.path.join(folder, f"{stem}.jl")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(f"# {line}\n" for line in note.split("\n")) + program_text([kernel]))
    return path


def check_batch(seeds, kiln, device_name, folder, limit, seconds):
    """(kernels without one outcome, [(seed, Fault, paths)]) of a batch of seeds."""
    device, cases, invalid = Device(kiln, device_name, folder, limit), [], []
    for seed in seeds:
        kernel = Generator(seed).generate()
        try:
            cases.append((kernel, simulate(kernel)))
        except Invalid as e:
            invalid.append((seed, str(e)))
    reports = []
    for name, fault in device.faults(cases, f"batch{seeds[0]}").items():
        if name == TOGETHER:
            path = os.path.join(folder, f"seed{seeds[0]}-together.jl")
            with open(path, "w", encoding="utf-8") as file:
                file.write(program_text([k for k, _ in cases]))
            reports.append((seeds[0], fault, [path]))
            continue
        kernel = next(k for k, _ in cases if k.name == name)
        paths = [write_alone(folder, f"seed{kernel.seed}", kernel, fault.text)]
        if seconds:
            paths.append(smaller(device, kernel, fault, seconds))
        reports.append((kernel.seed, fault, paths))
    return invalid, reports


def smaller(device, kernel, fault, seconds):
    """Writes the smallest kernel found with the same kind of fault."""
    last = fault
    stem = f"shrink{kernel.seed}"

    def find(cases):
        nonlocal last
        # Processes that end are tried one by one, since all kernels of a batch would share their end.
        for group in [cases] if fault.kind == "differs" else [[c] for c in cases]:
            faults = device.faults(group, stem)
            for k, _ in group:
                if k.name in faults and faults[k.name].kind == fault.kind:
                    last = faults[k.name]
                    return k
        return None

    small = shrink(kernel, find, seconds)
    return write_alone(device.folder, f"seed{kernel.seed}-small", small, last.text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--device", default="cpu", help="cpu, opencl or cuda, with :N for one of several")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=50, help="kernels of a process")
    parser.add_argument("--limit", type=float, default=300, help="seconds of a process")
    parser.add_argument("--shrink", type=float, default=60, metavar="SECONDS", help="time to make a kernel smaller; 0: none")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    device = Device(options.kiln, options.device, options.folder, options.limit)
    reason = device.missing()
    if reason:
        print(f"skipped: device {options.device} is missing: {reason}")
        return 77
    began, end = time.monotonic(), options.seed + options.count
    batches = [range(s, min(s + options.batch, end)) for s in range(options.seed, end, options.batch)]
    wrong, left_out = 0, []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        tasks = [pool.submit(check_batch, b, options.kiln, options.device, options.folder, options.limit, options.shrink) for b in batches]
        for task in tasks:
            invalid, reports = task.result()
            left_out += invalid
            for seed, fault, paths in reports:
                wrong += 1
                print(f"==== seed {seed}: {fault.kind}: {fault.text}\n" + "\n".join(paths), flush=True)
    for seed, reason in left_out:
        print(f"seed {seed} left out: {reason}")
    ran = options.count - len(left_out)
    print(f"barriers on {options.device}: seeds {options.seed} to {end - 1}: {ran} compared, {len(left_out)} left out, {wrong} wrong, {time.monotonic() - began:.0f} s")
    if ran < options.count * 0.95:
        print("error: more than a twentieth of the kernels has no outcome: the generator is wrong")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
