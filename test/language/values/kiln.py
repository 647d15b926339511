# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the program `kiln run`, and a list of what came out wrong."""
import os
import re
import subprocess

import npy
from numbers_of import NAMES, from_bits, same

# Programs under QEMU take fifty times as long (tools/cross/emulate.py).
PATIENCE = 50 if "QEMU_LD_PREFIX" in os.environ else 1
HERE = os.path.dirname(os.path.abspath(__file__))


class Checks:
    """Counts checks; keeps a line for each that failed."""

    def __init__(self):
        self.count, self.failed = 0, []

    def equal(self, name, got, wanted, what, ulps=0):
        self.count += 1
        if not same(name, got, wanted, ulps):
            self.failed.append(f"{what}: expected {wanted!r}, got {got!r} ({name})")

    def true(self, ok, what):
        self.count += 1
        if not ok:
            self.failed.append(what)

    def typed(self, results, slot, wanted, what):
        """A result that `put` of typed.jl left: its type's code and its bits."""
        name, value, ulps = wanted
        code, raw = results[0, slot], results[1, slot]
        got = NAMES.get(code, "nothing written" if code == 0 else f"code {code}")
        self.count += 1
        if got != name:
            self.failed.append(f"{what}: expected {name} {value!r}, got {got}" + (f" {from_bits(got, raw)!r}" if code in range(1, 13) else ""))
        elif name not in ("Nothing", "Other") and not same(name, from_bits(name, raw), value, ulps):
            self.failed.append(f"{what}: expected {name} {value!r}, got {from_bits(name, raw)!r}")


class Kiln:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.calls = 0
        os.makedirs(folder, exist_ok=True)

    def write(self, name, array, **options):
        """An array in a file, as an argument."""
        path = os.path.join(self.folder, name + ".npy")
        npy.write(path, array, **options)
        return "@" + path

    def start(self, files, entry, args=(), threads="1", blocks="1", out=(), options=()):
        """Runs a kernel; the arrays of `out` (argument numbers from 1), standard output, standard error, exit status."""
        command = [self.program, "run"] + [os.path.join(HERE, f) for f in files] + [entry]
        for arg in args:
            command += ["--arg", arg]
        if "--no-kernel" not in options and threads is not None:
            command += ["--threads", str(threads), "--blocks", str(blocks)]
        paths = []
        for n in out:
            self.calls += 1
            paths.append(os.path.join(self.folder, f"out{self.calls}-{n}.npy"))
            command += ["--out", f"{n}={paths[-1]}"]
        # The same kernels and expectations hold on a GPU (test/system/gpu); plain functions run on the CPU alone.
        device = "cpu" if "--no-kernel" in options else os.environ.get("KILN_VALUES_DEVICE", "cpu")
        if device != "cpu" and not any(o.startswith("-g") for o in options):
            command.append(os.environ.get("KILN_VALUES_DEBUG", "-g2"))  # the frames of exceptions are there from -g2 on, the assembler's optimisations up to -g1
        command += ["--device", device] + list(options)
        with open(os.path.join(self.folder, "running"), "w", encoding="utf-8") as file:
            print(*command, file=file)           # for who ends this process because it takes too long
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300 * PATIENCE)
        arrays = [npy.read(p) for p in paths] if done.returncode == 0 else None
        return arrays, done.stdout.decode(), done.stderr.decode(), done.returncode

    def gpu_architecture(self):
        """sm_90 of an H100; empty without a GPU."""
        number = (os.environ.get("KILN_VALUES_DEVICE", "").split(":") + ["0"])[1]
        doctor = subprocess.run([self.program, "doctor"], stdout=subprocess.PIPE, text=True).stdout
        found = re.search(rf"^GPU {number}: .*, (sm_\d+)", doctor, re.MULTILINE)
        return found[1] if found else ""

    def run(self, files, entry, args=(), **options):
        """The arrays alone, of a run that must succeed."""
        arrays, _, err, status = self.start(files, entry, args, **options)
        if status:
            raise RuntimeError(f"kiln run {' '.join(files)} {entry} ended with status {status}\n{err}")
        return arrays
