#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes on one cache folder that start, are killed at random, and are lied to by the folder: torture.py --kiln PROGRAM
[--seconds S] [--processes N] [--seed N].

Each process runs one of a few kernels with a result that is known. While they run, entries are damaged, cut off and removed,
and now and then the folder is moved away. Wrong: another result, an error, a process that hangs, a damaged entry that
`kiln cache verify` finds after it was read. Then processes that start together on an empty folder: one of them compiles.
"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

KERNELS = 6
SOURCE = "".join(f"function k{i}(y)\n    y[threadIdx().x] = Float32({i}) * threadIdx().x + sqrt(16f0)\n    return\nend\n" for i in range(KERNELS))
PATIENCE = 60  # seconds: a process that takes longer hangs


def start(kiln, source, folder, kernel, out, *more):
    command = [kiln, "run", source, f"k{kernel}", "--arg", "zeros(Float32, 8)", "--threads", "8", "--device", "cpu", "--cache", folder, "--out", f"1={out}", *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)


def values(path):
    with open(path, "rb") as file:
        data = file.read()
    import struct
    return list(struct.unpack("<8f", data[-32:]))


def expected(kernel):
    return [kernel * i + 4.0 for i in range(1, 9)]


def entries(folder):
    return [os.path.join(base, name) for base, _, names in os.walk(folder) for name in names if len(name) == 30]


def damage(rng, folder, scratch):
    found = entries(folder)
    if not found:
        return
    path, kind = rng.choice(found), rng.randrange(5)
    try:
        if kind == 0:
            with open(path, "r+b") as file:
                file.seek(rng.randrange(max(1, os.path.getsize(path))))
                file.write(bytes([rng.randrange(256)]))
        elif kind == 1:
            os.truncate(path, rng.randrange(max(1, os.path.getsize(path))))
        elif kind == 2:
            os.unlink(path)
        elif kind == 3:
            shutil.copy(rng.choice(found), path)  # another key's entry
        elif rng.randrange(10) == 0:
            os.rename(folder, os.path.join(scratch, f"moved{time.monotonic_ns()}"))
    except OSError:
        pass


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--kiln", required=True)
    options.add_argument("--seconds", type=float, default=4)
    options.add_argument("--processes", type=int, default=8)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    rng = random.Random(options.seed)
    wrong, done, killed = [], 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        source, folder = os.path.join(scratch, "kernels.jl"), os.path.join(scratch, "cache")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        running = []
        end = time.monotonic() + options.seconds
        serial = 0
        while running or time.monotonic() < end:
            while len(running) < options.processes and time.monotonic() < end:
                kernel, serial = rng.randrange(KERNELS), serial + 1
                out = os.path.join(scratch, f"{serial}.npy")
                running.append((start(options.kiln, source, folder, kernel, out), kernel, out, time.monotonic()))
            if rng.randrange(4) == 0 and time.monotonic() < end:
                damage(rng, folder, scratch)
            if running and rng.randrange(20) == 0 and time.monotonic() < end:
                process, _, _, _ = running.pop(rng.randrange(len(running)))
                process.send_signal(signal.SIGKILL)
                process.communicate()
                killed += 1
            for job in list(running):
                process, kernel, out, began = job
                if process.poll() is None:
                    if time.monotonic() - began > PATIENCE:
                        wrong.append(f"k{kernel} hangs")
                        process.kill()
                    continue
                running.remove(job)
                _, errors = process.communicate()
                done += 1
                if process.returncode != 0:
                    wrong.append(f"k{kernel}: status {process.returncode}: {errors}")
                elif values(out) != expected(kernel):
                    wrong.append(f"k{kernel}: {values(out)}")
                os.path.exists(out) and os.unlink(out)
            time.sleep(0.003)

        # Started together on an empty folder: one compiles, the others wait for it.
        folder = os.path.join(scratch, "together")
        together = [(start(options.kiln, source, folder, 1, os.path.join(scratch, f"t{i}.npy"), "--timings=json"), i) for i in range(options.processes)]
        compiles = 0
        for process, i in together:
            _, errors = process.communicate(timeout=PATIENCE)
            if process.returncode != 0 or values(os.path.join(scratch, f"t{i}.npy")) != expected(1):
                wrong.append(f"together: status {process.returncode}: {errors}")
            compiles += "machine-code generation" in json.dumps(json.loads(errors))
        if compiles != 1:
            wrong.append(f"{compiles} of {len(together)} processes that started together compiled")
    print(f"{done} processes ended well or badly, {killed} were killed, {len(wrong)} faults")
    for each in wrong[:20]:
        print(each)
    return 1 if wrong or done == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
