#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random floating-point functions: on the CPU their results have the same bits at every optimisation level, in compiled and
in evaluated host code, and those of an evaluator in Python.

    run.py --runner random_runner --kiln kiln --folder SCRATCH [--seed N] [--programs M]

Program number N follows from N alone: `--seed N --programs 1` repeats it.
"""
import argparse
import os
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from arithmetic import names
from programs import Program

BATCH = 100
LEVELS = ("-O0", "-O1", "-O2", "-O3")


def pack(single, items):
    return struct.pack(f"<{len(items)}{'f' if single else 'd'}", *items)


def unpack(single, raw):
    return struct.unpack(f"<{len(raw) // (4 if single else 8)}{'f' if single else 'd'}", raw)


def bits(single, x):
    """A number's bits; one value for all NaNs, whose sign and payload IEEE 754 leaves open."""
    return "NaN" if x != x else pack(single, [x]).hex()


def expected(program, fuses):
    scope = names(program.single, fuses)
    exec(program.python, scope)
    d = [0.0] * len(program.inputs[0])
    scope["f"](*program.inputs, d)
    return d


def fuses_muladd(runner):
    """Returns true if the runner's machine has a fused muladd: each AArch64 has one."""
    with open(runner, "rb") as file:
        machine = struct.unpack("<18xH", file.read(20))[0]
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return machine == 183 or " fma " in file.read()  # EM_AARCH64


def kernel_line(program):
    words = [program.name, "1", str(program.threads), str(program.blocks)]
    for items in [*program.inputs, [0.0] * len(program.inputs[0])]:
        words += [program.type, pack(program.single, items).hex()]
    return " ".join(words)


def literal(program, items):
    """An Array by its bits, so that no number is read from decimal text."""
    raw = pack(program.single, items)
    width = 4 if program.single else 8
    words = ", ".join(f"0x{int.from_bytes(raw[k:k + width], 'little'):0{2 * width}x}" for k in range(0, len(raw), width))
    return f"[reinterpret({program.type}, w) for w in [{words}]]"


def host_script(programs):
    """Each function is called until it is compiled, then once more: evaluated and compiled code must agree."""
    text = "using CUDA\n"
    for p in programs:
        text += p.host
        for name, items in zip("abc", p.inputs):
            text += f"{name} = {literal(p, items)}\n"
        text += f"first_d = zeros({p.type}, {len(p.inputs[0])}); h{p.seed}(a, b, c, first_d)\n"
        text += f"d = zeros({p.type}, {len(p.inputs[0])})\nfor k in 1:60\n    fill!(d, 0); h{p.seed}(a, b, c, d)\nend\n"
        word = "UInt32" if p.single else "UInt64"
        for result in ("first_d", "d"):
            text += f'println("{p.seed} ", join([string(reinterpret({word}, x), base=16) for x in {result}], " "))\n'
    return text


def compare(program, wanted, got, how):
    for i, (w, g) in enumerate(zip(wanted, got, strict=True)):
        if bits(program.single, w) != bits(program.single, g):
            return f"program {program.seed} ({program.shape}, {program.type}) {how}: element {i + 1} is {g!r}, not {w!r}\n{program.julia}"
    return None


def run_kernels(runner, path, programs, wanted, level):
    lines = "".join(kernel_line(p) + "\n" for p in programs)
    done = subprocess.run([runner, path, level, "-g0"], input=lines, capture_output=True, text=True, check=False)
    answers = done.stdout.splitlines()
    if len(answers) != len(programs):
        yield f"{level}: the runner ended after {len(answers)} of {len(programs)} kernels: {done.stderr}"
        return
    for p, answer in zip(programs, answers):
        words = answer.split(" ")
        if words[1:3] != ["ran", "-"]:
            yield f"program {p.seed} {level}: {answer[:400]}\n{p.julia}"
            continue
        found = compare(p, wanted[p.seed], unpack(p.single, bytes.fromhex(words[7])), level)
        if found:
            yield found


def run_host(kiln, path, programs, wanted):
    done = subprocess.run([kiln, "script", "--device", "cpu", path], capture_output=True, text=True, check=False)
    rows = [line.split(" ") for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(rows) != 2 * len(programs):
        yield f"kiln script {path}: status {done.returncode}, {len(rows)} of {2 * len(programs)} lines: {done.stderr[-2000:]}"
        return
    for k, row in enumerate(rows):
        p = programs[k // 2]
        width = 4 if p.single else 8
        raw = b"".join(int(word, 16).to_bytes(width, "little") for word in row[1:])
        found = compare(p, wanted[p.seed], unpack(p.single, raw), "in host code, " + ("first call" if k % 2 == 0 else "call 61"))
        if found:
            yield found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runner", required=True)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=100)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    fuses = fuses_muladd(options.runner)
    began, faults = time.time(), 0
    for first in range(options.seed, options.seed + options.programs, BATCH):
        programs = [Program(seed) for seed in range(first, min(first + BATCH, options.seed + options.programs))]
        wanted = {p.seed: expected(p, fuses) for p in programs}
        path = os.path.join(options.folder, "kernels.jl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("using CUDA\n" + "\n".join(p.julia for p in programs))
        for level in LEVELS:
            for fault in run_kernels(options.runner, path, programs, wanted, level):
                print(fault)
                faults += 1
        on_host = [p for p in programs if p.host]
        path = os.path.join(options.folder, "host.jl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(host_script(on_host))
        for fault in run_host(options.kiln, path, on_host, wanted):
            print(fault)
            faults += 1
        if faults > 20:
            break
    print(f"{options.programs} programs from seed {options.seed}, {len(LEVELS)} levels and host code: {faults} faults, {time.time() - began:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
