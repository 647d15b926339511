#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes cmake/symbol_order.tar.xz: the functions that a compile executes, in the order of their first execution.

    symbol_order.py COMPILE_LATENCY KILN

The linker places these functions next to each other (cmake/BuildFlags.cmake). Without the list they lie scattered over
25 MB of code, and a compile touches twice as many pages. The list begins with the functions of a compile to PTX in a
warm process. Functions that only start the process follow, then those that only a compile for the CPU needs. Valgrind
traces the bench compile_latency and two runs of `kiln compile`. Both programs must be of a release build and have their
symbols. The linker ignores names that it does not find, so the list may be older than the sources. Run the script again
after an upgrade of LLVM. Exit status 77 without Valgrind.
"""
import bisect
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import instructions  # noqa: E402  (this folder's script: the examples and their calls)

LIST = os.path.join(instructions.HERE, "..", "cmake", "symbol_order.tar.xz")  # 1.6 MB as text
WARM = "_ZN4kiln4v0_37Session7compileE"  # kiln::Session::compile


def functions_of(kiln):
    """(start, end, names) of each function, by address."""
    found = {}
    for line in subprocess.run(["nm", "-S", "--defined-only", kiln], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in "tTwW":
            start, size = int(words[0], 16), int(words[1], 16)
            found.setdefault(start, (size, []))[1].append(words[3])
    return [(start, start + size, names) for start, (size, names) in sorted(found.items())]


def executed(command):
    """Functions that a program executes: in a warm compile, and otherwise. Each list is in the order of first execution."""
    functions = functions_of(command[0])
    starts = [start for start, _, _ in functions]
    warm_up = next((start for start, _, names in functions if names[0].startswith(WARM)), None)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KILN_")} | {"KILN_CACHE_DIR": "", "LC_ALL": "C"}
    first, warm, compiles, entry = {}, set(), 0, None
    with tempfile.TemporaryDirectory() as scratch:
        log = os.path.join(scratch, "log")
        valgrind = ["valgrind", "--tool=lackey", "--trace-superblocks=yes", "--vex-guest-chase=no", "--basic-counts=no", f"--log-file={log}"]
        subprocess.run([*valgrind, *command], cwd=scratch, env=environment, capture_output=True, check=True)
        with open(log, encoding="ascii", errors="replace") as lines:
            for line in lines:
                if line in warm if compiles > 1 else line in first and line != entry:
                    continue  # seen in this phase
                if not line.startswith("SB "):
                    continue
                address = first.setdefault(line, int(line[3:], 16))
                if address == warm_up:
                    entry = line
                    compiles += 1
                if compiles > 1:
                    warm.add(line)
    both = ({}, {})
    for line, address in first.items():
        at = bisect.bisect_right(starts, address) - 1
        if at >= 0 and address < functions[at][1]:
            both[line not in warm].update(dict.fromkeys(functions[at][2]))
    return both


def write(order):
    text = "".join(f"{name}\n" for name in order).encode("ascii")
    entry = tarfile.TarInfo("symbol_order.txt")  # equal lists make equal archives: no time, no owner
    entry.size = len(text)
    with tarfile.open(LIST, "w:xz", preset=9) as archive:
        archive.addfile(entry, io.BytesIO(text))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        print("skipped: no valgrind (Debian's package valgrind)")
        return 77
    latency, kiln = map(os.path.abspath, sys.argv[1:])
    saxpy, call = next((os.path.join(instructions.EXAMPLES, name), call) for name, call, _ in instructions.kernels() if name == "saxpy.jl")
    warm, start = executed([latency, "--no-nvrtc", "--warmup", "1", "--reps", "1"])
    for_ptx = executed([kiln, "compile", saxpy, call, *instructions.TARGETS["ptx"], "-o", "product"])
    for_cpu = executed([kiln, "compile", saxpy, call, *instructions.TARGETS["native"], "-o", "product"])
    order = {name: None for part in (warm, start, *for_ptx, *for_cpu) for name in part}
    if len(warm) < 1000:
        sys.exit(f"{latency} has no symbols: {len(warm)} functions of a warm compile found")
    write(order)
    print(f"{len(order)} functions in {os.path.relpath(LIST)}, {len(warm)} of a warm compile")
    return 0


if __name__ == "__main__":
    sys.exit(main())
