# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variables that some paths assign: their values, and what debug=True says; where threads are, counted from zero."""

import re

import numpy as np
import pytest

import kiln
from kiln import cuda, errors


def nested(w, s, t):
    count = 0
    best = -10
    for i in range(s):
        for j in range(t):
            count += 1
            value = w[0] + i * j
            if value > best:
                best = value
                where = 10 * i + j
    w[1] = count
    w[2] = best
    w[3] = where


def deep(w, n):
    for i in range(n):
        for j in range(i):
            k = j
            while k > 0:
                k -= 1
                if k == 2:
                    last = i + j
                    break
            else:
                other = i
    w[0] = last
    w[1] = other


@pytest.mark.parametrize("debug", [False, True])
def test_of_nested_loops(debug):
    """The inner loop was taken for never reached, since the variable has no value where it begins."""
    for function, args in ((nested, (5, 3)), (deep, (9,))):
        wanted, w = np.full(4, 0.5), np.full(4, 0.5)
        function(wanted, *args)
        cuda.jit(function, debug=debug, opt=not debug)[1, 1](w, *args)
        cuda.synchronize()
        assert np.array_equal(w, wanted)


def never(w, n):
    for i in range(n):
        found = i + 0.5
        pair = (i, w[0])
        one = 1.0
    w[1] = found
    w[2] = pair[1]
    w[3] = one


def test_what_no_path_assigned_is_zero():
    kernel = cuda.jit(never)
    w = np.full(4, 7.0)
    kernel[1, 1](w, 0)
    assert np.array_equal(w, [7, 0, 0, 0])
    kernel[1, 1](w, 3)
    assert np.array_equal(w, [7, 2.5, 7, 1])


def test_debug_raises_where_it_is_read():
    kernel = cuda.jit(never, debug=True, opt=False)
    w = np.full(4, 7.0)
    with pytest.raises(UnboundLocalError, match=re.escape("`found` not defined, in thread (0, 0, 0) of block (0, 0, 0)")) as raised:
        kernel[1, 1](w, 0)
        cuda.synchronize()
    assert "w[1] = found" in str(raised.value)


def test_what_nothing_assigned_before_is_an_error():
    @cuda.jit
    def kernel(w):
        w[0] = later
        later = w[1]  # noqa: F841

    with pytest.raises(UnboundLocalError, match="`later` not defined"):
        kernel[1, 1](np.zeros(2))


@pytest.mark.skipif(cuda.is_available(), reason="a GPU does not notice")
def test_threads_that_wait_for_ever_are_told():
    @cuda.jit
    def kernel(w):
        if cuda.threadIdx.x < 3:
            cuda.syncthreads()
        cuda.syncthreads()

    with pytest.raises(errors.SynchronizationError, match=re.escape("block (0, 0, 0)")) as raised:
        kernel[1, 6](np.zeros(1))
    text = str(raised.value)
    assert "thread (0, 0, 0) and 2 more wait" in text and "thread (3, 0, 0) and 2 more wait" in text


def test_njit_and_prange_beside_kernels():
    @kiln.njit(parallel=True, fastmath=True)
    def total(x):
        s = 0.0
        for i in kiln.prange(x.shape[0]):
            s += x[i]
        return s

    @kiln.njit("float64(float64)")
    def double(x):
        return x * 2

    @cuda.jit
    def kernel(x, out):
        out[0] = double(total(x))

    @kiln.jit(nopython=True, nogil=True)  # as modules write that import numba's
    def triple(x):
        return x * 3

    assert triple(2) == 6
    x, out = np.arange(5.0), np.zeros(1)
    kernel[1, 1](x, out)
    assert out[0] == 20 and total(x) == 10 and double(4) == 8
    with pytest.raises(TypeError, match="nonsense"):
        kiln.njit(nonsense=1)
    with pytest.raises(TypeError, match="takes a function"):
        kiln.njit(3)


def test_guvectorize_of_the_package():
    @kiln.guvectorize(["void(float64[:], float64[:])"], "(n)->()", target="cuda")
    def total(x, out):
        out[0] = 0
        for i in range(x.shape[0]):
            out[0] += x[i]

    x = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(total(x), x.sum(1))
    with pytest.raises(AttributeError, match="nonsense"):
        kiln.nonsense
