# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C during a kernel on the CPU: KeyboardInterrupt at once, and the process goes on."""
import os
import signal
import subprocess
import sys
import time

import pytest

LIMIT = 5.0  # seconds; 0.2 on an idle machine

PROGRAM = """
import sys
import numpy as np
from kiln import cuda

@cuda.jit
def slow(y, n):
    s = 0.0
    for i in range(n):
        s = s * 0.999 + i
    y[cuda.grid(1)] = s

@cuda.jit
def waits(flag, looks):
    while cuda.atomic.add(flag, 0, 0) == 0:
        cuda.atomic.add(looks, 0, 1)

y = np.zeros(1)
slow[1, 1](y, 2)
assert y[0] == 1.0, y          # 0 * 0.999 + 1
try:
    print("ready", flush=True)
    {launch}
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted", flush=True)
slow[1, 1](y, 3)
assert y[0] == 2.999, y        # 1 * 0.999 + 2
print("works")
"""


@pytest.mark.parametrize("launch", ["slow[1, 1](y, 10**12)", "slow[100000, 64](np.zeros(6400000), 10**7)",
                                    "waits[1, 4](np.zeros(1, np.int32), np.zeros(1, np.int64))",
                                    "for k in range(10**9): slow[1, 1](y, 1000)"])
def test_interrupt_of_a_kernel(launch):
    run = subprocess.Popen([sys.executable, "-c", PROGRAM.format(launch=launch)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
    try:
        assert run.stdout.readline() == "ready\n"
        time.sleep(0.5)
        begin = time.monotonic()
        run.send_signal(signal.SIGINT)
        assert run.stdout.readline() == "interrupted\n"
        seconds = time.monotonic() - begin
        out, err = run.stdout.read(), run.stderr.read()  # what readline left in the buffer, too
        status = run.wait(timeout=60)
    finally:
        run.kill()
    assert seconds < LIMIT
    assert out == "works\n", err
    assert status == 0


def test_a_handler_of_the_program():
    program = PROGRAM.replace("import sys\n", "import signal, sys\nclass Mine(Exception): pass\ndef handler(*_): raise Mine\nsignal.signal(signal.SIGINT, handler)\n", 1)
    run = subprocess.Popen([sys.executable, "-c", program.replace("KeyboardInterrupt", "Mine").format(launch="slow[1, 1](y, 10**12)")],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert run.stdout.readline() == "ready\n"
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    finally:
        run.kill()
    assert out == "interrupted\nworks\n", err
