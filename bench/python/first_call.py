#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the first call of a new kernel costs, beside numba-cuda, Triton and CuPy's RawKernel where they are installed: first_call.py [--rounds N] [--json FILE].

For each kind of kernel the least of N rounds, each with a kernel of its own text, from its source to the end of its first launch, in a process that
compiled another kernel before; then a fresh process with the folder that the first one filled, from `import` to the end of the first launch, NumPy's own
import taken off. Peers run in processes of their own; those that are not installed, and numba-cuda without a GPU, are named as left out."""

import argparse
import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
import time

KINDS = {
    "empty": ("a", ["return"]),
    "saxpy": ("y, x, a", ["i = cuda.grid(1)", "if i < y.size:", "    y[i] = a * x[i] + y[i]"]),
    "stencil": ("y, x", ["i = cuda.grid(1)", "if 0 < i < y.size - 1:", "    y[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) / 4"]),
    "stride loop": ("y, x", ["for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):", "    y[i] = math.sqrt(x[i]) + math.exp(-x[i])"]),
    "block sum": ("y, x", [
        "part = cuda.shared.array(128, numba_types.float32)", "t = cuda.threadIdx.x", "part[t] = x[cuda.grid(1)]", "cuda.syncthreads()", "step = 64", "while step > 0:",
        "    if t < step:", "        part[t] += part[t + step]", "    cuda.syncthreads()", "    step //= 2", "if t == 0:", "    cuda.atomic.add(y, 0, part[0])"]),
    "rows": ("z, z2", ["i, j = cuda.grid(2)", "if i < z.shape[0] and j < z.shape[1]:", "    s = 0.0", "    for k in range(z.shape[1]):", "        s += z[i, k] * z2[k, j]", "    z[i, j] = s"]),
    "histogram": ("h, x", ["i = cuda.grid(1)", "if i < x.size:", "    cuda.atomic.add(h, int(x[i] * 8) & 7, 1)"]),
}  # fmt: skip


def arguments(kind, np):
    y, x = np.zeros(128, np.float32), np.ones(128, np.float32)
    by_kind = {"empty": (1,), "saxpy": (y, x, np.float32(2)), "rows": (np.ones((16, 16), np.float32), np.ones((16, 16), np.float32)), "histogram": (np.zeros(8, np.int32), x)}
    return by_kind.get(kind, (y, x))


def child(peer, rounds, folder):
    """Prints a JSON object of milliseconds by kind; files of kernels lie in `folder`."""
    begin = time.perf_counter()
    import numpy as np

    numpy_took = time.perf_counter() - begin
    begin = time.perf_counter()
    if peer in ("triton", "cupy"):
        from first_call_peers import milliseconds

        importlib.import_module(peer)
        imported = time.perf_counter() - begin
        print(json.dumps({"numpy": numpy_took * 1e3, "import": imported * 1e3, "first": milliseconds(peer, rounds, folder)}))
        return
    if peer == "kiln":
        import warnings

        import kiln
        from kiln import cuda

        warnings.simplefilter("ignore", kiln.errors.NoDeviceWarning)
        types = kiln
    else:
        import numba as types
        from numba import cuda
    imported = time.perf_counter() - begin
    took = {}
    for kind, (parameters, body) in KINDS.items():
        for k in range(rounds):
            path = os.path.join(folder, f"{kind.replace(' ', '_')}_{k}.py")
            text = f"def kernel({parameters}):\n    " + "\n    ".join([*body, "return"]).replace("2 *", f"{k + 2} *") + f"\n# {k}\n"
            if not os.path.exists(path):
                with open(path, "w") as file:
                    file.write(text)
            names = {"cuda": cuda, "math": math, "numba_types": types, "__name__": "kernels"}
            exec(compile(text, path, "exec"), names)
            args = arguments(kind, np)
            start = time.perf_counter()
            cuda.jit(names["kernel"])[1, 128 if kind != "rows" else (16, 16)](*args)
            cuda.synchronize()
            if k or rounds == 1:
                took.setdefault(kind, []).append((time.perf_counter() - start) * 1e3)
        if rounds == 1:
            break
    made = {kind: min(times) for kind, times in took.items()}
    print(json.dumps({"numpy": numpy_took * 1e3, "import": imported * 1e3, "first": made}))


def run(peer, rounds, folder):
    cache = {"KILN_CACHE_DIR": os.path.join(folder, "cache"), "NUMBA_CUDA_LOG_LEVEL": "CRITICAL"}
    done = subprocess.run([sys.executable, __file__, "--child", peer, "--rounds", str(rounds), "--folder", folder], capture_output=True, text=True, env={**os.environ, **cache})
    if done.returncode:
        print(f"{peer}: left out: {done.stderr.strip().splitlines()[-1]}")
        return None
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="a file for the figures")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child, options.rounds, options.folder)
    figures = {}
    for peer, module in (("kiln", "kiln"), ("numba-cuda", "numba"), ("triton", "triton"), ("cupy", "cupy")):
        if importlib.util.find_spec(module) is None:
            print(f"{peer}: left out: not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            warm = run(peer, options.rounds + 1, folder)
            if warm is None:
                continue
            run(peer, 1, folder)
            fresh = run(peer, 1, folder)
        mean = math.exp(sum(map(math.log, warm["first"].values())) / len(warm["first"]))
        print(f"{peer}: first call of a new kernel in a warm process, ms: geometric mean {mean:.2f}; " + ", ".join(f"{kind} {time:.2f}" for kind, time in warm["first"].items()))
        second = fresh["import"] + fresh["first"]["empty"]
        print(f"{peer}: fresh process, folder filled, ms: import {fresh['import']:.1f} (NumPy's own {fresh['numpy']:.1f} besides), with the first launch {second:.1f}")
        figures[peer] = {"warm": warm, "geometric_mean": mean, "fresh": fresh}
    if "kiln" in figures:
        for peer, goal in (("numba-cuda", 10), ("triton", 3)):
            if peer in figures:
                ratio = figures[peer]["geometric_mean"] / figures["kiln"]["geometric_mean"]
                print(f"{peer}'s mean is {ratio:.1f} times Kiln's (goal {goal}): {'met' if ratio >= goal else 'missed'}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
