# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads, fork, the interpreter's end: each in a process of its own."""

import subprocess
import sys

PRELUDE = """
import os, sys, threading
import numpy as np
from kiln import cuda

@cuda.jit(device=True)
def twice(x):
    return x * 2

@cuda.jit
def double(y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = twice(y[i])

def check(dtype=np.float32):
    y = np.arange(100, dtype=dtype)
    double[1, 128](y)
    assert np.array_equal(y, np.arange(100) * 2), y
"""


def program(tmp_path, text):
    path = tmp_path / "program.py"
    path.write_text(PRELUDE + text)
    done = subprocess.run([sys.executable, "-B", "-W", "ignore", path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_threads_compile_the_same_and_other_kernels(tmp_path):
    text = """
failed = []
def work(k):
    try:
        for dtype in (np.float32, np.float64, np.int32, np.int64)[k % 4:] + (np.float32,):
            check(dtype)
    except BaseException as error:
        failed.append(error)
threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
for t in threads: t.start()
for t in threads: t.join()
assert not failed, failed
assert len(double.overloads) == 4
"""
    program(tmp_path, text)


def test_threads_launch_a_new_kernel_at_the_same_time(tmp_path):
    text = """
def adder(n):
    @cuda.jit
    def add(y):
        i = cuda.grid(1)
        if i < y.size:
            y[i] += n
    return add
kernels = [adder(n) for n in range(1, 25)]
barrier = threading.Barrier(8)
failed = []
def work():
    for n, add in enumerate(kernels, 1):
        y = np.zeros(10)
        barrier.wait(60)
        try:
            add[1, 32](y)
            assert np.array_equal(y, np.full(10, n)), y
        except BaseException as error:
            failed.append(error)
threads = [threading.Thread(target=work) for _ in range(8)]
for t in threads: t.start()
for t in threads: t.join()
assert not failed, failed
"""
    program(tmp_path, text)


def test_the_gil_is_released_while_compiling(tmp_path):
    text = """
import time
ticks = []
stop = False
def tick():
    while not stop:
        ticks.append(time.perf_counter())
        time.sleep(0.0005)
t = threading.Thread(target=tick); t.start()
begin = time.perf_counter()
check()
end = time.perf_counter()
stop = True; t.join()
assert sum(begin < x < end for x in ticks) >= 3, (len(ticks), end - begin)
"""
    program(tmp_path, text)


def test_a_child_compiles_in_a_session_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")  # a driver that was started works in no child: the error says so
    text = """
check()
pid = os.fork()
if not pid:
    try:
        check(); check(np.float64)
    except BaseException as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
check(np.float64)
"""
    program(tmp_path, text)


def test_the_end_is_quiet(tmp_path):
    out, err = program(tmp_path, "check()\n")
    assert out == "" and err == ""


def test_other_interpreters_are_refused(tmp_path):
    text = """
check()
try:
    import _interpreters as interpreters
except ImportError:
    try:
        import _xxsubinterpreters as interpreters
    except ImportError:
        print("refused: this Python has no interpreters")
        sys.exit()
made = interpreters.create()
try:
    failed = interpreters.run_string(made, "import kiln")
except Exception as error:
    failed = error
assert failed is not None
interpreters.destroy(made)
print("refused:", failed)
check(np.float64)
"""
    out, _ = program(tmp_path, text)
    assert "refused:" in out


def test_the_process_ends_while_a_kernel_is_optimised(tmp_path):
    """A kernel that runs long is compiled again in the background; the end of the process must not meet that compile."""
    text = """
@cuda.jit
def histogram(x, low, high, counts):
    width = (high - low) / counts.shape[0]
    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
        k = np.int32((x[i] - low) / width)
        if k >= 0 and k < counts.shape[0]:
            cuda.atomic.add(counts, k, 1)
        else:
            print("outside", x[i], k)

counts = np.zeros(10, np.int32)
histogram[64, 64](np.linspace(-4, 4, 50), -4.0, 4.0, counts)
assert counts.sum() == 49  # the last is high itself
"""
    for _ in range(4):
        program(tmp_path, text)
