#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program of a build for AArch64, run under QEMU, beside the machine's own:

    smoke.py --kiln build/release/bin/kiln --source . [--build]

Both programs must make the same PTX, the same objects for CPUs of both architectures, and the same numbers when kernels run. Exceptions,
worker processes and stack limits must work. --build makes the program first (./x build aarch64 kiln). Exit status 77: Debian's packages
for arm64 or QEMU cannot be had."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = "build/aarch64"
NVJITLINK = "build/aarch64-nvjitlink/nvidia/*/lib/libnvJitLink.so*"  # optional: `./x long` gets it from PyPI
# (source file, call, options)
JOBS = [
    ("docs/examples/saxpy.jl", "saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)", ["--kernel"]),
    ("docs/examples/mandelbrot.jl", "mandelbrot(CuDeviceMatrix{Int32,1}, ComplexF32, ComplexF32, Int32)", ["--kernel"]),
    ("docs/examples/nbody.jl", "nbody(CuDeviceVector{Body,1}, CuDeviceVector{Velocity,1}, CuDeviceVector{Body,1}, Float32)", ["--kernel"]),
]  # fmt: skip
TARGETS = [["--target", "ptx", "--arch", "sm_90"], ["--arch", "aarch64"], ["--arch", "neoverse-v2"], ["--arch", "apple-m1"],
           ["--arch", "x86-64-v3"]]  # fmt: skip
PROGRAM = """
using CUDA
function sums(y, x)
    shared = CuStaticSharedArray(Float64, 64)
    i = threadIdx().x
    shared[i] = x[(blockIdx().x - 1i32) * 64i32 + i]
    step = 32i32
    while step > 0
        sync_threads()
        if i <= step
            shared[i] += shared[i + step]
        end
        step = step >> 1i32
    end
    if i == 1
        y[blockIdx().x] = shared[1]
    end
    return
end
function widths(y, x)
    i = threadIdx().x
    h = Float16(x[i]) / Float16(3)
    wide = Int128(i) * Int128(0x123456789abcdef) * Int128(1000003)
    y[i] = Float64(h) + Float64(wide % Int128(997)) + sqrt(x[i]) + x[i]^3
    return
end
function counts(y)
    CUDA.@atomic y[1] += Int64(1)
    CUDA.@atomic y[2] += 0.5
    return
end
function outside(y)
    y[100] = 1.0
    return
end
deep(n) = n == 0 ? 0 : 1 + deep(n - 1)
x = CuArray([Float64(k) / 7 for k in 1:256])
y = CUDA.zeros(Float64, 4)
@cuda threads=64 blocks=4 sums(y, x)
println([reinterpret(UInt64, v) for v in Array(y)])
z = CUDA.zeros(Float64, 64)
@cuda threads=64 widths(z, x)
println([reinterpret(UInt64, v) for v in Array(z)])
n = CUDA.zeros(Float64, 2)
@cuda threads=256 blocks=64 counts(n)
println(Array(n))
println(deep(10000))
try
    @cuda threads=1 outside(y)
    CUDA.synchronize()
catch e
    println(typeof(e))
end
"""
MACHINE = """
using CUDA
function kinds(y)
    y[1] = Sys.ARCH === :aarch64 ? 1 : 2
    return
end
y = CUDA.zeros(Int64, 1)
@cuda kinds(y)
println(Array(y), " ", Sys.ARCH, " ", Sys.MACHINE)
"""


def run(*command, status: int = 0, **options) -> bytes:
    """The output of a command; of one that must fail, also what it says."""
    done = subprocess.run([str(word) for word in command], capture_output=True, check=False, **options)
    if done.returncode != status:
        sys.exit(f"smoke.py: {' '.join(map(str, command))}: exit status {done.returncode}, expected {status}\n"
                 f"{done.stdout.decode(errors='replace')}{done.stderr.decode(errors='replace')}")  # fmt: skip
    return done.stdout + (done.stderr if status else b"")


def check_same(title: str, own: bytes, other: bytes) -> None:
    if own != other:
        sys.exit(f"smoke.py: {title} differs between the programs ({len(own)} and {len(other)} bytes):\n"
                 f"{own[:2000].decode(errors='replace')}\n--\n{other[:2000].decode(errors='replace')}")  # fmt: skip


def check_shared_cache(own: str, other: str, source: pathlib.Path, scratch: pathlib.Path) -> None:
    """Each program finds what the other one compiled, also where it may not compile. A machine's own properties stay its own."""
    machine = scratch / "machine.jl"
    machine.write_text(MACHINE)
    alone = dict(os.environ, KILN_CACHE_DIR="", KILN_CUDA_HOME=str(scratch))
    jobs = [["compile", source / file, call, *options, *target, "--emit", "asm" if "ptx" in target else "obj"]
            for file, call, options in JOBS for target in TARGETS]  # fmt: skip
    cubin = ["compile", source / JOBS[0][0], JOBS[0][1], *JOBS[0][2], *TARGETS[0], "--emit", "cubin"]
    assembles = subprocess.run([own, *cubin], env=dict(os.environ, KILN_CACHE_DIR=""), capture_output=True, check=False).returncode == 0
    for maker, user in ((own, other), (other, own)):
        folder = scratch / pathlib.Path(maker).parts[-3]
        filling = dict(os.environ, KILN_CACHE_DIR=str(folder))
        using = dict(filling, KILN_COMPILE="never", KILN_CUDA_HOME=str(scratch))  # there is no toolkit: any assembler's cubin will do
        for job in jobs + ([cubin] if assembles else []):
            check_same(f"{' '.join(map(str, job))} of the shared folder", run(maker, *job, env=filling, cwd=source), run(user, *job, env=using, cwd=source))
        for kiln in (maker, user, maker):
            check_same(f"the output of {machine.name} with a shared folder", run(kiln, "script", "--device", "cpu", machine, env=alone),
                       run(kiln, "script", "--device", "cpu", machine, env=filling))  # fmt: skip
    print(f"{len(jobs)} products{' and a cubin' if assembles else ', but no cubin (there is no assembler),'} shared by one folder, both ways")


def assembler(kiln: str, **options) -> bytes:
    """ "nvJitLink 13.0" of the line of `kiln doctor`."""
    found = re.search(rb"^assembler: (\S+ \S+)", run(kiln, "doctor", **options), re.MULTILINE)
    return found[1] if found else b"none"


def check_cubins(own: str, other: str, source: pathlib.Path) -> None:
    """Both programs assemble in their process, with the nvJitLink of their own architecture."""
    libraries = sorted(source.glob(NVJITLINK))
    if not libraries:
        print(f"no cubins compared: {NVJITLINK} is missing")
        return
    foreign = dict(os.environ, KILN_CUDA_HOME=str(libraries[0].parent.parent))
    assemblers = assembler(own), assembler(other, env=foreign)
    if assemblers[0] != assemblers[1] or not assemblers[0].startswith(b"nvJitLink"):
        print(f"no cubins compared: the assemblers are {assemblers[0].decode()} and {assemblers[1].decode()}")
        return
    for file, call, options in JOBS:
        job = ["compile", source / file, call, *options, *TARGETS[0], "--emit", "cubin"]
        check_same(f"the cubin of {call}", run(own, *job, cwd=source), run(other, *job, cwd=source, env=foreign))
    print(f"{len(JOBS)} cubins by {assemblers[0].decode()} of both architectures are equal")


def check(own: str, other: str, source: pathlib.Path) -> None:
    """Runs in the namespace in which programs for AArch64 start."""
    for file, call, options in JOBS:
        for target in TARGETS:
            product = "asm" if "ptx" in target else "obj"
            made = [run(kiln, "compile", source / file, call, *options, *target, "--emit", product, cwd=source) for kiln in (own, other)]
            if not made[0]:
                sys.exit(f"smoke.py: {file} for {target} is empty")
            check_same(f"{call} for {' '.join(target)}", *made)
    check_cubins(own, other, source)
    file, call, options = JOBS[0]
    target = [*TARGETS[1], "--emit", "obj"]
    by_worker = run(other, "compile", source / file, call, *options, *target, "--worker-processes", "1", cwd=source)
    check_same("a worker process's object", run(own, "compile", source / file, call, *options, *target, cwd=source), by_worker)
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch, "program.jl")
        program.write_text(PROGRAM)
        check_same("a program's output", *(run(kiln, "script", "--device", "cpu", program) for kiln in (own, other)))
        check_shared_cache(own, other, source, pathlib.Path(scratch))
    for kiln, foreign in ((own, "aarch64"), (other, "x86-64-v3")):
        said = run(kiln, "run", source / "docs/examples/saxpy.jl", "saxpy", "--arg", "ones(Float32, 8)", "--arg", "ones(Float32, 8)", "--arg", "2f0",
                   "--threads", "8", "--device", "cpu", "--arch", foreign, status=3)  # fmt: skip
        if b"is code for another kind of CPU" not in said:
            sys.exit(f"smoke.py: code for {foreign} is not refused: {said.decode()}")
    print(f"{len(JOBS) * len(TARGETS)} products and the output of a program are equal")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--inside", action="store_true", help="the namespace is set up")
    options = parser.parse_args()
    source, kiln = options.source.resolve(), os.path.abspath(options.kiln)
    os.environ["KILN_CACHE_DIR"] = ""
    other = source / FOLDER / "bin/kiln"
    if options.inside:
        check(kiln, other, source)
        return 0
    if options.build:
        built = subprocess.run([source / "x", "build", "aarch64", "kiln"], check=False).returncode
        if built:
            return built
    emulate = [sys.executable, "-B", source / "tools/cross/emulate.py", source / "build/aarch64-sysroot"]
    return subprocess.run([*emulate, sys.executable, "-B", __file__, "--inside", "--kiln", kiln, "--source", source], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
