# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nested functions and lambdas see variables, not the values that they had. Expected values: the same text in CPython."""

import os
import subprocess
import sys

import numpy as np
import pytest

from kiln import cuda, errors


def assigned_after(y):
    s = 1
    h = lambda: s
    s = 5
    y[0] = h()

    def g():
        return s + 1

    s = 7
    y[1] = g()
    y[2] = h()


def around_by_a_loop(y):
    t = 0
    f = lambda: t
    for i in range(3):
        t += i
        y[i] = f()
    y[3] = f()


def last_value_of_a_loop(y):
    for i in range(4):
        if i == 1:
            h = lambda: i
    y[0] = h()


def closures_over_closures(y):
    x = 1
    inner = lambda: x + 1
    outer = lambda: 2 * inner()
    x = 20
    y[0] = outer()

    def make(q):
        return lambda: q + x

    y[1] = make(2)()


@cuda.jit(device=True)
def twice(f):
    return f() + f()


def passed_on(y):
    x = 1
    f = lambda: x
    for _ in range(2):
        x += 1
        y[0] += twice(f)


def captured_before_it_is_assigned(y):
    def f(a):
        return a + later

    later = 4
    y[0] = f(1)


def a_parameter(y):
    def g(n):
        f = lambda: n
        n = n + 1
        return f()

    y[0] = g(3)


def another_type(y):
    x = 1
    f = lambda: x
    y[0] = f()
    x = 2.5
    y[1] = 2 * f()


@pytest.mark.parametrize(
    "function",
    [assigned_after, around_by_a_loop, last_value_of_a_loop, closures_over_closures, passed_on, captured_before_it_is_assigned, a_parameter, another_type],
)
@pytest.mark.parametrize("opt", [True, False])
def test_closures_see_variables(function, opt):
    wanted, found = np.zeros(4, np.int64), np.zeros(4, np.int64)
    function.__globals__["twice"], device = (lambda f: f() + f()), twice
    function(wanted)
    function.__globals__["twice"] = device
    cuda.jit(function, opt=opt)[1, 1](found)
    np.testing.assert_array_equal(found, wanted)


OUTER = 3


def test_variables_outside_the_kernel_are_constants():
    value = 4

    @cuda.jit
    def kernel(y):
        y[0] = value + OUTER

    y = np.zeros(1, np.int64)
    kernel[1, 1](y)
    value = 5
    kernel[1, 1](y)
    assert y[0] == 7  # as numba: frozen when the kernel was compiled


def test_a_closure_that_would_be_wrong_is_refused():
    @cuda.jit
    def kernel(y):
        s = 1
        t = ((lambda: s), 2)
        s = 5
        y[0] = t[0]()

    with pytest.raises(errors.NumbaError, match="a closure over `s`, which is assigned again at .*test_closures.py:[0-9]+"):
        kernel[1, 1](np.zeros(1, np.int64))


def test_random_programs():
    path = os.path.join(os.path.dirname(__file__), "fuzz_closures.py")
    done = subprocess.run([sys.executable, "-B", path, "--programs", "40"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
