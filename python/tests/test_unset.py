# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""New device arrays hold zeros on the CPU device, and with KILN_CHECK_UNSET patterns whose read is reported."""

import os
import subprocess
import sys

import numpy as np

from kiln import cuda, guvectorize, vectorize


def dirty(size):
    """Memory of that size with other bytes in it, given back."""
    for _ in range(4):
        np.full(size, 0xA5, np.uint8)


def test_new_arrays_are_zero():
    for count in (1, 3, 32, 100, 1000, 10_000, 200_000, 3_000_000):
        for dtype in (np.float64, np.int8, np.complex64):
            for _ in range(8):
                dirty(count * np.dtype(dtype).itemsize)
                for made in (
                    cuda.device_array(count, dtype), cuda.device_array((count, 1), dtype, order="F"), cuda.device_array_like(np.empty(count, dtype)),
                    cuda.pinned_array(count, dtype), cuda.mapped_array(count, dtype), cuda.managed_array(count, dtype),
                ):  # fmt: skip
                    assert not np.asarray(made).any(), (count, dtype)
                    made[...] = 0x5A  # what is recycled


def test_recycled_memory_is_zero():
    for _ in range(200):
        made = cuda.device_array(1000, np.float64)
        assert (made.copy_to_host() == 0).all()
        made[:] = 7.0
        del made


def test_results_of_gufuncs_are_zero():
    @guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
    def every_other(x, out):
        for i in range(0, x.shape[0], 2):
            out[i] = x[i]

    for _ in range(50):
        dirty(8 * 1000)
        result = every_other(np.ones((10, 100)))
        assert (result[:, ::2] == 1).all() and (result[:, 1::2] == 0).all()

    @vectorize(["float64(float64)"])
    def twice(x):
        return 2 * x

    assert (twice(np.ones(1000)) == 2).all()


PROGRAM = """
import numpy as np
from kiln import cuda
@cuda.jit(debug=True)
def copy(x, y):
    i = cuda.grid(1)
    y[i] = x[i]
for dtype in ("f2", "f4", "f8", "c8", "c16", "i4", "u4", "i8", "u8"):
    x = cuda.device_array(4, dtype)
    x[:3] = np.array([np.nan, 1, 0]).astype(dtype) if dtype[0] in "fc" else np.array([-1, 1, 0]).astype(dtype)
    copy[1, 3](x, np.zeros(4, dtype))
    try:
        copy[1, 4](x, np.zeros(4, dtype))
        print(dtype, "not reported")
    except RuntimeError as error:
        assert "before anything was written" in str(error) and "tid=[3, 0, 0]" in str(error) and "line 7" in str(error), error
    x[3] = 5
    copy[1, 4](x, np.zeros(4, dtype))
print("done", np.isnan(cuda.device_array(3).copy_to_host()).all())
"""


def run(text, tmp_path, **environment):
    path = tmp_path / "program.py"
    path.write_text(text)
    done = subprocess.run([sys.executable, "-W", "ignore", str(path)], capture_output=True, text=True, env={**os.environ, **environment}, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_reads_of_unset_elements_are_reported(tmp_path):
    assert run(PROGRAM, tmp_path, KILN_CHECK_UNSET="1") == "done True\n"


def test_nothing_is_reported_without_the_variable(tmp_path):
    text = PROGRAM.replace("print(dtype", "assert dtype; (dtype").replace("print(\"done\", ", "print(")
    assert run(text, tmp_path) == "False\n"
