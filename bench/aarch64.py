#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions that the build for AArch64 executes, beside those of x86-64. QEMU's times would say nothing.

    aarch64.py --kiln build/release/bin/kiln [--source .] [--qemu PROGRAM]

Valgrind counts for x86-64 (instructions.py), QEMU for AArch64, with the plug-in qemu_instructions.c. The first table has whole processes of
`kiln compile`: the kernels of docs/examples to PTX, and to objects for two CPUs, which both programs make. The second has the kernels
themselves: `kiln run` counts once with all blocks and once with half of them, and the difference is divided by the threads between.

Needs `./x build aarch64 kiln`, valgrind, cc, and Debian's qemu-user (QEMU's static program has no plug-ins). Without one, the exit status
is 77."""
import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

import instructions

TARGETS = {"PTX": ["--target", "ptx"], "object, x86-64-v3": ["--arch", "x86-64-v3", "--emit", "obj", "--kernel"],
           "object, neoverse-v2": ["--arch", "neoverse-v2", "--emit", "obj", "--kernel"]}  # fmt: skip
CPU = "max,sve-default-vector-length=16"  # vectors of SVE have 128 bits, as those of Neoverse V2
COMPILED = ("saxpy.jl", "matmul.jl", "nbody.jl", "layer_norm.jl")
# (example, options of `kiln run` beside the blocks, blocks, threads of a block)
RUNS = [
    ("saxpy", ["--arg", "zeros(Float32, 1 << 18)", "--arg", "ones(Float32, 1 << 18)", "--arg", "2f0"], (1024, 1), 256),
    ("matmul", ["--arg", "zeros(Float32, 128, 128)", "--arg", "ones(Float32, 128, 128)", "--arg", "ones(Float32, 128, 128)"], (8, 8), (16, 16)),
    ("stencil2d", ["--arg", "zeros(Float32, 512, 512)", "--arg", "Const(ones(Float32, 512, 512))", "--arg", "0.2f0"], (16, 64), (32, 8)),
    ("nbody", ["--arg", "fill(Body(0f0, 0f0, 0f0, 0f0), 1024)", "--arg", "fill(Velocity(0f0, 0f0, 0f0), 1024)", "--arg",
               "fill(Body(1f0, 2f0, 3f0, 1f0), 1024)", "--arg", "0.01f0"], (8, 1), (128, 1)),
    ("mandelbrot", ["--arg", "zeros(Int32, 512, 384)", "--arg", "ComplexF32(-2.2f0, -1.2f0)", "--arg", "ComplexF32(1f0, 1.2f0)", "--arg",
                    "Int32(64)"], (32, 24), (16, 16)),
]  # fmt: skip


class Emulated:
    """The program for AArch64."""

    def __init__(self, qemu, source, scratch):
        self.program = os.path.join(source, "build/aarch64/bin/kiln")
        self.sysroot = os.path.join(source, "build/aarch64-sysroot")
        self.qemu, self.plugin, self.out = qemu, os.path.join(scratch, "count.so"), os.path.join(scratch, "count")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", self.plugin, os.path.join(instructions.HERE, "qemu_instructions.c")], check=True)

    def count(self, arguments):
        environment = instructions.environment() | {"QEMU_PLUGIN": f"file={self.plugin},out={self.out}", "QEMU_CPU": CPU}
        run([self.qemu, "-L", self.sysroot, self.program, *arguments], environment)
        with open(self.out, encoding="ascii") as file:
            return int(file.read())


class Own:
    def __init__(self, program):
        self.program = program

    def count(self, arguments):
        return instructions.count(self.program, arguments)


def run(command, environment):
    done = subprocess.run(command, cwd=instructions.EXAMPLES, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{shlex.join(command)}\nended with status {done.returncode}\n{done.stderr}")


def compiles(own, emulated):
    print("| kernel | product | x86-64, million instructions | AArch64 | ratio |\n|---|---|---|---|---|")
    for name, call, arch in instructions.kernels():
        if name in COMPILED:
            for product, options in TARGETS.items():
                arguments = ["compile", name, call, *options, *(["--arch", arch] if product == "PTX" else []), "-o", os.devnull]
                a, b = own.count(arguments), emulated.count(arguments)
                print(f"| {call.split('(')[0]} | {product} | {a / 1e6:.1f} | {b / 1e6:.1f} | {b / a:.2f} |", flush=True)


def per_thread(program, name, options, blocks, threads, arch):
    """Instructions of one thread of the kernel."""
    threads = threads if isinstance(threads, tuple) else (threads, 1)
    halves = []
    for shape in (blocks, (blocks[0] // 2, blocks[1])):
        halves.append(program.count(["run", f"{name}.jl", name, *options, "--threads", ",".join(map(str, threads)), "--blocks", ",".join(map(str, shape)),
                                     "--device", "cpu", "--arch", arch]))  # fmt: skip
    return (halves[0] - halves[1]) / (blocks[0] // 2 * blocks[1] * threads[0] * threads[1])


def runs(own, emulated):
    print("\n| kernel | x86-64-v3, instructions a thread | aarch64 (NEON) | neoverse-v2 (SVE2) |\n|---|---|---|---|")
    for kernel in RUNS:
        counts = [per_thread(program, *kernel, arch) for program, arch in ((own, "x86-64-v3"), (emulated, "aarch64"), (emulated, "neoverse-v2"))]
        print(f"| {kernel[0]} | " + " | ".join(f"{count:.1f}" for count in counts) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--source", default=".")
    parser.add_argument("--qemu", default="qemu-aarch64")
    options = parser.parse_args()
    source = os.path.abspath(options.source)
    missing = [f"the program {name}" for name in (options.qemu, "valgrind", "cc") if not shutil.which(name)]
    missing += [] if os.path.exists(os.path.join(source, "build/aarch64/bin/kiln")) else ["build/aarch64/bin/kiln (./x build aarch64 kiln)"]
    if missing:
        print(f"skipped: missing are {', '.join(missing)} (Debian: qemu-user, valgrind, gcc)")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        own, emulated = Own(os.path.abspath(options.kiln)), Emulated(shutil.which(options.qemu), source, scratch)
        compiles(own, emulated)
        runs(own, emulated)
    return 0


if __name__ == "__main__":
    sys.exit(main())
