#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a launch from Python costs, and the first call of a kernel: launch.py [--cpu]. On a GPU with torch's arrays where torch is there.

Each figure is the least mean of rounds of 1,000 launches, without waiting between them."""

import argparse
import statistics
import time

import numpy as np

import kiln
from kiln import cuda


def kernel_of(count):
    """A kernel of so many arguments, which does nothing."""
    names = ", ".join(f"a{i}" for i in range(count))
    text, name = f"def kernel({names}):\n    return\n", f"<kernel of {count}>"
    kiln.register_source(name, text)
    made = {}
    exec(compile(text, name, "exec"), made)
    return cuda.jit(made["kernel"])


def microseconds(launch, wait, rounds=15, count=1000):
    launch()
    wait()
    times = []
    for _ in range(rounds):
        begin = time.perf_counter_ns()
        for _ in range(count):
            launch()
        times.append((time.perf_counter_ns() - begin) / count / 1000)
        wait()
    return min(times), statistics.median(times)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--cpu", action="store_true")
    on_cpu = options.parse_args().cpu or not cuda.is_available()
    begin = time.perf_counter()
    first = kernel_of(0)
    first[1, 32]()
    cuda.synchronize()
    print(f"first kernel, with the library: {(time.perf_counter() - begin) * 1e3:.1f} ms")

    @cuda.jit
    def saxpy(y, x, a):
        i = cuda.grid(1)
        if i < y.shape[0]:
            y[i] = a * x[i] + y[i]

    arrays = {"numpy": [np.zeros(1000, np.float32) for _ in range(16)]} if on_cpu else {}
    if not on_cpu:
        try:
            import torch

            arrays["torch"] = [torch.zeros(1000, device="cuda") for _ in range(16)]
        except ImportError:
            pass
    for name, made in arrays.items():
        begin = time.perf_counter()
        saxpy[4, 256](made[0], made[1], np.float32(2))
        cuda.synchronize()
        print(f"saxpy on {name} arrays, first call: {(time.perf_counter() - begin) * 1e3:.2f} ms")
    cases = [("no argument", 0, []), ("16 integers", 16, list(range(16)))]
    for name, made in arrays.items():
        cases += [(f"{n} {name} array(s)", n, made[:n]) for n in (1, 3, 16)]
    for name, count, args in cases:
        kernel = kernel_of(count)
        least, median = microseconds(lambda: kernel[1, 32](*args), cuda.synchronize)
        configured = kernel[1, 32]
        bare, _ = microseconds(lambda: configured(*args), cuda.synchronize)
        print(f"{name:24} {least:7.2f} us least, {median:7.2f} median; configured {bare:7.2f}")


if __name__ == "__main__":
    main()
