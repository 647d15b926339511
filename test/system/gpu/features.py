# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What only a GPU has, or only its assemblers: linked device code, functions by pointer, clusters, arrays that overlap, the
driver as the assembler. Expected values are worked out here."""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "test", "language", "values"))
import npy  # noqa: E402

FILE = os.path.join(HERE, "features.jl")
TRIPLED = os.path.join(ROOT, "test", "language", "lit", "ptx", "inputs", "tripled.ptx")
SOURCE = 'extern "C" __device__ float tripled(float x) { return 3 * x; }\n'


def linked_files(folder):
    """(kind, path) of files that define tripled, as far as the toolkit is there to make them."""
    yield "PTX", TRIPLED
    path = os.environ.get("PATH", "") + ":/usr/local/cuda/bin"
    nvcc, ptxas = shutil.which("nvcc", path=path), shutil.which("ptxas", path=path)
    source = os.path.join(folder, "tripled.cu")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SOURCE)
    made = [("cubin", ptxas and [ptxas, "-arch=sm_90", "-c", TRIPLED]), ("LTO-IR", nvcc and [nvcc, "-dlto", "-ltoir", "-arch=sm_90", "-rdc=true", source]),
            ("fatbin", nvcc and [nvcc, "-arch=sm_90", "-rdc=true", "-fatbin", source]), ("object", nvcc and [nvcc, "-arch=sm_90", "-dc", source])]
    for kind, command in made:
        if command:
            out = os.path.join(folder, "tripled." + kind.lower())
            if subprocess.run(command + ["-o", out], capture_output=True).returncode == 0:
                yield kind, out


def features(kiln, folder):
    """(what, right, how it was wrong)"""
    x = [float(i) for i in range(32)]
    data = os.path.join(folder, "x.npy")
    plain = {name: value for name, value in os.environ.items() if name != "KILN_ASSEMBLER"}
    npy.write(data, npy.Array("<f4", (32,), x))

    def run(entry, args, *options, out=1, environment=None):
        result = os.path.join(folder, "result.npy")
        command = [kiln, "run", FILE, entry, "--device", "cuda", "--out", f"{out}={result}", *options]
        for arg in args:
            command += ["--arg", arg]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**plain, **(environment or {})})
        if done.returncode:
            return f"status {done.returncode}: {done.stderr.strip()}"
        return list(npy.read(result).items)

    def check(what, got, wanted):
        return what, got == wanted, got if isinstance(got, str) else f"expected {wanted}, got {got}"

    threads = ("--threads", "32")
    tripled = [3 * v for v in x]
    for kind, path in linked_files(folder):
        yield check(f"a linked function: {kind}", run("triple", ["@" + data], "--link", path, *threads), tripled)
        if kind != "LTO-IR":
            yield check(f"a linked function: {kind}, by the driver", run("triple", ["@" + data], "--link", path, *threads, environment={"KILN_ASSEMBLER": "driver"}), tripled)
    for level in ("-O0", "-O2"):
        for which, wanted in ((0, [v + 1 for v in x]), (1, [v * v for v in x])):
            yield check(f"a function by pointer, {level}", run("choose", ["@" + data, str(which)], level, *threads), wanted)
        for which, wanted in ((0, x), (1, x[::-1])):
            yield check(f"a function by pointer that waits, {level}", run("rotate", ["@" + data, str(which)], level, *threads), wanted)
    once = [2 * v + 1 for v in x]
    for option in ((), ("--invariant-arguments",)):
        yield check(f"arrays apart {' '.join(option)}", run("running", ["zeros(Float32, 32)", "@" + data], *option, *threads), once)
    ranks = [100 * (4 * (b // 4) + (b + 1) % 4 + 1) + (b + 1) % 4 + 1 for b in range(8)]
    yield check("shared memory of another block of the cluster", run("neighbour", ["zeros(Int32, 8)"], "--cluster", "4", "--blocks", "8", "--threads", "32"), ranks)
    yield check("a cluster of sm_90a", run("neighbour", ["zeros(Int32, 8)"], "--cluster", "4", "--blocks", "8", "--threads", "32", "--arch", "sm_90a"), ranks)
