# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels and device functions through pickle, into other processes, with what they name."""

import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from kiln import cuda, float32, guvectorize, vectorize, void

PROGRAM = """
import math, pickle, sys
import numpy as np
import numpy
from kiln import cuda, float32
import kiln

SCALE = 3.0
TABLE = np.array([10.0, 20.0, 30.0])

def half(x):
    return x / 2

def even(n):
    return True if n == 0 else odd(n - 1)

def odd(n):
    return False if n == 0 else even(n - 1)

@cuda.jit(device=True)
def double(x):
    return 2 * x

@cuda.jit("float32(float32)", device=True)
def narrow(x):
    return x

@cuda.jit
def plain(y):
    i = cuda.grid(1)
    y[i] = half(y[i]) * SCALE + TABLE[i] + math.sqrt(double(y[i])) + (1 if even(4) else 2) + float32(0.5) + numpy.float64(0.25) + narrow(0.1)

def factory(n):
    inner = lambda x: x + n

    @cuda.jit("void(float64[::1], int64)", fastmath=True)
    def made(y, k=2):
        y[0] = inner(y[0])
    return made

closure = factory(7)
"""
DUMP = PROGRAM + """
with open(sys.argv[1], "wb") as file:
    pickle.dump([plain, closure, double, plain], file)
"""
LOAD = """
import pickle, sys
import numpy as np
with open(sys.argv[1], "rb") as file:
    plain, closure, double, again = pickle.load(file)
assert again is plain
y = np.array([8.0, 2.0, 18.0])
plain[1, 3](y)
print(y.tolist())
z = np.array([1.0])
closure[1, 1](z)
print(z[0], closure.specialized, len(closure.overloads), closure.targetoptions.get("fastmath"), double(4), double.py_func.__module__)
"""


def run(tmp_path, name, text, *arguments):
    path = tmp_path / name
    path.write_text(text)
    done = subprocess.run([sys.executable, "-W", "ignore", str(path), *map(str, arguments)], capture_output=True, text=True, env={**os.environ, "KILN_CACHE_DIR": ""}, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_another_process_takes_kernels_of_a_program(tmp_path):
    held = tmp_path / "kernels.pickle"
    run(tmp_path, "dump.py", DUMP, held)
    (tmp_path / "dump.py").write_text("another = 1\n")
    narrow = float(np.float32(0.1))
    wanted = [y / 2 * 3 + t + math.sqrt(2 * y) + 1 + 0.5 + 0.25 + narrow for y, t in zip((8.0, 2.0, 18.0), (10.0, 20.0, 30.0))]
    for there in (True, False):
        if not there:
            os.remove(tmp_path / "dump.py")
        first, second = run(tmp_path, "load.py", LOAD, held).splitlines()
        assert np.allclose(eval(first), wanted, rtol=1e-12)
        assert second == "8.0 True 1 True 8 __main__"


def test_multiprocessing(tmp_path):
    text = PROGRAM + """
import multiprocessing
def work(kernel, queue):
    y = np.array([1.0])
    kernel[1, 1](y)
    queue.put(y[0])
if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=work, args=(factory(5), queue))
    process.start()
    print(queue.get(timeout=100))
    process.join()
"""
    assert run(tmp_path, "program.py", text) == "6.0\n"


@cuda.jit
def of_module(y):
    y[0] = float32(1.5)


@cuda.jit(device=True)
def device_of_module(x):
    return x + 1


def test_by_name_where_a_name_leads_to_them():
    for made in (of_module, device_of_module):
        assert pickle.loads(pickle.dumps(made)) is made


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_by_parts_in_one_process(protocol):
    n = 4

    @cuda.jit
    def local(y):
        y[0] = n * device_of_module(y[0])

    made = pickle.loads(pickle.dumps(local, protocol))
    y = np.array([2.0])
    made[1, 1](y)
    assert y[0] == 12 and made is not local and made.__name__ == "local"


def test_recursion_by_the_name_of_the_device_function():
    scope = {"cuda": cuda, "__name__": "__main__"}
    text = "@cuda.jit(device=True)\ndef fact(n):\n    return 1 if n <= 1 else n * fact(n - 1)\n@cuda.jit\ndef kernel(y):\n    y[0] = fact(5)\n"
    exec(text, scope)
    made = pickle.loads(pickle.dumps(scope["kernel"]))
    y = np.zeros(1)
    made[1, 1](y)
    assert y[0] == 120


def test_cloudpickle():
    cloudpickle = pytest.importorskip("cloudpickle", reason="cloudpickle is not installed")
    n = 3

    @cuda.jit
    def local(y):
        y[0] = n

    y = np.zeros(1)
    pickle.loads(cloudpickle.dumps(local))[1, 1](y)
    assert y[0] == 3


def test_functions_of_arrays():
    factor = 3.0

    @vectorize(["float64(float64)"])
    def scaled(x):
        return x * factor

    @vectorize
    def of_any_type(x, y):
        return x + y

    @guvectorize([void(float32[:], float32[:])], "(n)->(n)")
    def reversed_row(x, out):
        for i in range(x.shape[0]):
            out[i] = x[x.shape[0] - 1 - i]

    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        first, second, third = pickle.loads(pickle.dumps((scaled, of_any_type, reversed_row), protocol))
        assert first(np.arange(3.0)).tolist() == [0, 3, 6]
        assert second(np.arange(3), np.arange(3)).tolist() == [0, 2, 4]
        assert third(np.arange(3, dtype=np.float32)).tolist() == [2, 1, 0]
