# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assignments to parts of arrays; expected values are NumPy's."""

import itertools

import numpy as np
import pytest

from kiln import cuda


def check(function, *shapes, dtypes=(np.float64, np.float64)):
    """Runs the function as a kernel and as Python, on equal arrays."""
    made = [(np.arange(int(np.prod(shape))).reshape(shape) * 3 + 1 + 100 * k).astype(dtypes[k % 2]) for k, shape in enumerate(shapes)]
    wanted, given = [x.copy() for x in made], [x.copy() for x in made]
    function(*wanted)
    cuda.jit(debug=True)(function)[1, 1](*given)
    for x, y in zip(wanted, given):
        assert (x == y).all() and x.dtype == y.dtype, (x, y)


def test_one_dimension():
    def kernel(a, b):
        a[:3] = b[:3]
        a[4:8:2] = b[1:3]
        a[9:5:-2] = b[6:4:-1]
        a[-1:] = b[0:1]
        a[3:4] = 7
        a[10:12] = b[5:6]

    check(kernel, 12, 9)


def test_tuples():
    def kernel(a, b):
        a[:3] = 1, 2.5, -3
        a[3:6] = (b[0], b[1], b[2])
        a[6:8] = (9,)
        a[8:8] = ()

    check(kernel, 9, 4)
    check(kernel, 9, 4, dtypes=(np.int32, np.float32))

    def two(a, b):
        a[:, 1:4] = (1, 2, 3)
        a[1] = (5, 6, 7, 8)
        a[:, 0] = (4, 5, 6)

    check(two, (3, 4), 1)


def test_scalars():
    def kernel(a, b):
        a[:2] = 3
        a[2:4] = b[0]
        a[4:] = True
        a[1:3] = 2.9

    for dtypes in itertools.product([np.float32, np.int64, np.uint8], [np.float64, np.int16]):
        check(kernel, 7, 2, dtypes=dtypes)


def test_more_dimensions():
    def kernel(a, b, c):
        a[0] = b[1]
        a[1:3, 2:] = b[:2, :2]
        a[:, 1] = b[:, 0]
        a[3, ...] = c
        a[..., 3] = c
        a[1:2] = b[2:3]
        a[::2, ::-1] = b[1::2]

    check(kernel, (4, 4), (4, 4), (4,))

    def broadcast(a, b, c):
        a[:] = c
        a[1:3] = b[:1]
        a[:, :2] = b[:, 3:]

    check(broadcast, (4, 4), (4, 4), (4,))

    def three(a, b):
        a[1] = b[0]
        a[:, 0, 1:] = b[:, 1, :2]
        a[0, :, None, 0] = b[1, :, 0:1]

    check(three, (2, 3, 3), (2, 3, 3))


def test_casts_of_elements():
    def kernel(a, b):
        a[:] = b

    for to, of in itertools.product([np.int32, np.float32, np.float64, np.complex64, np.int64], [np.int32, np.float32, np.uint8]):
        check(kernel, 5, 5, dtypes=(to, of))


@pytest.mark.parametrize("shift", range(-4, 5))
@pytest.mark.parametrize("step", [1, 2, -1, 3])
def test_parts_that_overlap(shift, step):
    a = np.arange(40.0)
    start, stop = (20, 20 + 5 * step) if step > 0 else (20, 20 + 5 * step)

    @cuda.jit(debug=True)
    def kernel(a, s, t, m, n, k):
        a[s:t:k] = a[m:n:k]

    wanted, given = a.copy(), a.copy()
    wanted[start:stop:step] = a[start + shift : stop + shift : step]
    kernel[1, 1](given, start, stop, start + shift, stop + shift, step)
    assert (wanted == given).all()


@pytest.mark.parametrize("shift", range(-7, 8))
def test_parts_that_overlap_reversed(shift):
    @cuda.jit(debug=True)
    def kernel(a, s):
        a[10:18] = a[18 + s : 10 + s : -1]

    given, wanted = np.arange(40.0), np.arange(40.0)
    wanted[10:18] = wanted[18 + shift : 10 + shift : -1].copy()
    kernel[1, 1](given, shift)
    assert (wanted == given).all()


def test_rows_that_overlap():
    def down(a, b):
        a[1:] = a[:-1]

    def up(a, b):
        a[:-1, 1:] = a[1:, :-1]

    check(down, (5, 4), 1)
    check(up, (5, 4), 1)

    @cuda.jit(debug=True)
    def transpose(a):
        a[:] = a.T

    with pytest.raises(ValueError, match="overlaps"):
        transpose[1, 1](np.zeros((3, 3)))


def test_sizes_that_differ():
    @cuda.jit(debug=True)
    def of_array(a, b):
        a[:3] = b

    @cuda.jit(debug=True)
    def of_tuple(a, b):
        a[: b[0]] = 1, 2

    with pytest.raises(ValueError, match="broadcast"):
        of_array[1, 1](np.zeros(5), np.zeros(2))
    with pytest.raises(ValueError, match="different size"):
        of_tuple[1, 1](np.zeros(5), np.array([3]))


def test_errors_at_compile_time():
    from kiln.errors import TypingError

    @cuda.jit
    def of_more_dimensions(a, b):
        a[:2] = b

    @cuda.jit
    def of_complex(a, b):
        a[0:1] = b[0:1]

    @cuda.jit
    def of_nothing(a):
        a[:2] = None

    @cuda.jit
    def read_only(a, b):
        a[:2] = b[:2]

    fixed = np.zeros(3)
    fixed.flags.writeable = False
    for kernel, args, text in (
        (of_more_dimensions, (np.zeros(4), np.zeros((2, 2))), "does not fit"), (of_complex, (np.zeros(4), np.zeros(2, complex)), "complex"),
        (of_nothing, (np.zeros(4),), "takes a number, a tuple or an array"), (read_only, (fixed, np.zeros(3)), "read-only"),
    ):  # fmt: skip
        with pytest.raises(TypingError, match=text):
            kernel[1, 1](*args)


def test_other_elements():
    dtype = np.dtype([("x", np.float32), ("n", np.int64)], align=True)

    @cuda.jit
    def records(a, b):
        a[1:3] = b[:2]

    a, b = np.zeros(4, dtype), np.zeros(3, dtype)
    b["x"], b["n"] = [1, 2, 3], [4, 5, 6]
    wanted = a.copy()
    wanted[1:3] = b[:2]
    records[1, 1](a, b)
    assert (a == wanted).all()

    @cuda.jit
    def dates(a, b):
        a[1:3] = b[:2]
        a[3:] = b[2]

    a, b = np.zeros(5, "M8[D]"), np.array(["2020-01-01", "2021-02-03", "NaT"], "M8[D]")
    dates[1, 1](a, b)
    assert a.astype(str).tolist() == ["1970-01-01", "2020-01-01", "2021-02-03", "NaT", "NaT"]


def test_local_and_shared_arrays():
    @cuda.jit
    def kernel(a, out):
        own = cuda.local.array(4, np.float32)
        ours = cuda.shared.array(4, np.float32)
        own[:] = 0
        own[1:3] = a[:2]
        if cuda.threadIdx.x == 0:
            ours[:] = own[::-1]
        cuda.syncthreads()
        out[cuda.threadIdx.x] = ours

    out = np.zeros((2, 4))
    kernel[1, 2](np.array([5.0, 6.0]), out)
    assert out.tolist() == [[0, 6, 5, 0]] * 2
