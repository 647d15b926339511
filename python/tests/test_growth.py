# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the time of a compile grows with the number of type combinations that the session has compiled: it does not."""

import os
import subprocess
import sys

import pytest

# Processor time of each combination's way to PTX, the first of a text left out: it loads the library's methods.
PROGRAM = """
import itertools, sys, time
from kiln import cuda
text = sys.argv[1]
scope = {"cuda": cuda}
kernels = []
for k in range(int(sys.argv[2])):
    exec(compile(text, f"<combination {k}>", "exec"), scope)
    kernels.append(scope["k"])
dtypes = ("f4", "f8", "i4", "i8", "u1", "i1", "u2", "i2", "u4", "u8", "b1", "c8", "c16", "f2")
layouts = sys.argv[3].split(";")
times = []
for kernel, (layout, dtype) in zip(kernels, itertools.product(layouts, dtypes)):
    begin = time.process_time()
    cuda.compile_ptx(kernel, f"void({dtype}[{layout}], f4[::1])", cc=(9, 0))
    times.append(time.process_time() - begin)
print(*times)
"""
THREE = ":,:,::1;:,:,:;::1,:,:"
CASES = {
    "getitem": ("def k(x, y):\n    i = cuda.threadIdx.x\n    y[0] = x[i, i, i].real\n", THREE),
    "setitem": ("def k(x, y):\n    i = cuda.threadIdx.x\n    x[i, 1, i] = i\n", THREE),
    "tuple": ("def k(x, y):\n    i = cuda.threadIdx.x\n    x[(i, i, i)] = x[i, 0, 2]\n", THREE),
    "slice": ("def k(x, y):\n    i = cuda.threadIdx.x\n    x[i, :, 1] = x[0, :, i]\n", THREE),
}


@pytest.mark.parametrize("case", CASES)
def test_type_combinations(case):
    text, layouts = CASES[case]
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, text, "30", layouts]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "KILN_CACHE_DIR": ""}, timeout=300)
    assert done.returncode == 0, done.stderr
    times = [float(each) for each in done.stdout.split()][1:]
    third = len(times) // 3
    first, last = sorted(times[:third])[third // 2], sorted(times[-third:])[third // 2]
    assert last < 3 * first + 0.01, f"{1e3 * first:.1f} ms a combination at first, {1e3 * last:.1f} ms at last"
    assert last < 0.2
