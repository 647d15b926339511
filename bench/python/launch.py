#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a launch from Python costs: launch.py [--cpu] [--peers NAME,...].

On a GPU with torch's arrays where torch is there, beside cuLaunchKernel alone (launch_bound.c, compiled by cc) and beside the peers that are installed:
numba-cuda, CuPy's RawKernel, cuda.bindings and Triton. The kernels do nothing. Each figure is of rounds of 1,000 launches without waiting between
them, all by turns in one process; the goals are those of what a launch takes besides cuLaunchKernel."""

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import kiln
from kiln import cuda

GOALS = {0: 0.5, 1: 0.8, 3: 1.2, 16: 4.0}  # microseconds besides cuLaunchKernel, by torch arrays
ARRAY_BYTES = 32  # what Kiln passes for an array of one dimension
PEERS = ("numba", "cupy", "bindings", "triton")


def kernel_text(count):
    return f"def kernel({', '.join(f'a{i}' for i in range(count))}):\n    return\n"


def kernel_of(count):
    """A kernel of so many arguments, which does nothing."""
    text, name = kernel_text(count), f"<kernel of {count}>"
    kiln.register_source(name, text)
    made = {}
    exec(compile(text, name, "exec"), made)
    return cuda.jit(made["kernel"])


def of_bound(folder):
    """A function from a number of arrays to what times launches by cuLaunchKernel; None where there is no compiler."""
    library = os.path.join(folder, "launch_bound.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "launch_bound.c")
    if subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=False).returncode:
        return None
    bound = ctypes.CDLL(library)
    bound.bound_kernel.restype = ctypes.c_void_p
    bound.bound_microseconds.argtypes = [ctypes.c_void_p, ctypes.c_int]
    bound.bound_microseconds.restype = ctypes.c_double

    def make(count):
        kernel = bound.bound_kernel(count, ARRAY_BYTES)
        return kernel and (lambda launches: bound.bound_microseconds(kernel, launches))

    return make


def of_numba(count, arrays):
    from numba import cuda as numba_cuda

    made = {}
    exec(kernel_text(count), made)
    kernel = numba_cuda.jit(made["kernel"])[1, 32]
    return lambda: kernel(*arrays)


def of_cupy(count, arrays):
    import cupy

    kernel = cupy.RawKernel(f'extern "C" __global__ void kernel({", ".join(f"float *a{i}" for i in range(count))}) {{}}', "kernel")
    args = tuple(cupy.asarray(a) for a in arrays)
    return lambda: kernel((1,), (32,), args)


def of_bindings(count, arrays):
    from cuda.bindings import driver, nvrtc

    text = f'extern "C" __global__ void kernel({", ".join(f"float *a{i}" for i in range(count))}) {{}}'.encode()
    program = nvrtc.nvrtcCreateProgram(text, b"kernel.cu", 0, [], [])[1]
    nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_75"])
    ptx = bytes(nvrtc.nvrtcGetPTXSize(program)[1])
    nvrtc.nvrtcGetPTX(program, ptx)
    function = driver.cuModuleGetFunction(driver.cuModuleLoadData(ptx)[1], b"kernel")[1]
    types = (ctypes.c_void_p,) * count
    return lambda: driver.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, (tuple(a.data_ptr() for a in arrays), types), 0)


def of_triton(count, arrays):
    import importlib.util

    path = os.path.join(tempfile.mkdtemp(), f"triton_{count}.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write("import triton\n\n@triton.jit\n" + kernel_text(count))
    spec = importlib.util.spec_from_file_location(f"triton_{count}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return lambda: module.kernel[(1,)](*arrays)


def timed(launch, launches):
    begin = time.perf_counter_ns()
    for _ in range(launches):
        launch()
    return (time.perf_counter_ns() - begin) / launches / 1000


def by_turns(cases, wait, rounds=15, launches=1000):
    """Least and median microseconds of each case: a function of the number of launches."""
    times = {name: [] for name in cases}
    for run in cases.values():
        run(3)
    wait()
    for _ in range(rounds):
        for name, run in cases.items():
            times[name].append(run(launches))
            wait()
    return {name: (min(all_), statistics.median(all_)) for name, all_ in times.items()}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--cpu", action="store_true")
    options.add_argument("--peers", default=",".join(PEERS))
    options = options.parse_args()
    on_cpu = options.cpu or not cuda.is_available()
    begin = time.perf_counter()
    first = kernel_of(0)
    first[1, 32]()
    cuda.synchronize()
    print(f"first kernel, with the library: {(time.perf_counter() - begin) * 1e3:.1f} ms")
    wait, bound, peers = cuda.synchronize, None, {}
    if on_cpu:
        kind, arrays = "numpy", [np.zeros(1000, np.float32) for _ in range(16)]
    else:
        try:
            import torch

            kind, arrays, wait = "torch", [torch.zeros(1000, device="cuda") for _ in range(16)], torch.cuda.synchronize
        except ImportError:
            kind, arrays = "device", [cuda.to_device(np.zeros(1000, np.float32)) for _ in range(16)]
        with tempfile.TemporaryDirectory() as folder:
            bound = of_bound(folder)
        for name in options.peers.split(","):
            try:
                peers[name] = {count: globals()[f"of_{name}"](count, arrays[:count]) for count in GOALS}
                for launch in peers[name].values():
                    launch()
            except Exception as error:  # whatever a peer that is not installed, or not for these versions, throws
                peers.pop(name, None)
                print(f"left out: {name}: {type(error).__name__}: {str(error)[:200]}")
    for count, args, integers in [*((count, arrays[:count], False) for count in GOALS), (16, list(range(16)), True)]:
        kernel = kernel_of(count)
        configured = kernel[1, 32]
        cases = {"kiln": lambda n: timed(lambda: kernel[1, 32](*args), n), "kiln, configured": lambda n: timed(lambda: configured(*args), n)}
        own = bound and not integers and bound(count)
        if own:
            cases["cuLaunchKernel"] = own
        if not integers:
            for name, launches in peers.items():
                cases[name] = lambda n, launch=launches[count]: timed(launch, n)
        took = by_turns(cases, wait)
        print(f"\n{count} {'integers' if integers else kind + ' arrays'}: least us, median us" + (", least and median besides cuLaunchKernel" if own else ""))
        for name, (least, median) in took.items():
            line = f"  {name:18} {least:7.2f} {median:7.2f}"
            if own and name != "cuLaunchKernel":
                line += f" {least - took['cuLaunchKernel'][0]:7.2f} {median - took['cuLaunchKernel'][1]:7.2f}"
                if name == "kiln":
                    line += f"   goal {GOALS[count]}: {'met' if median - took['cuLaunchKernel'][1] <= GOALS[count] else 'missed'}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
