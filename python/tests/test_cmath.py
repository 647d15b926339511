# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cmath in kernels where it is hard: infinite parts, NaN, signs of zeros, large and small arguments. Expected values are CPython's."""

import cmath
import math

import numpy as np
import pytest

from kiln import cuda

NAMES = "sqrt exp log log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh".split()
PARTS = [-math.inf, -2.5, -0.0, 0.0, 2.5, math.inf, math.nan]


def kernel_of(name):
    scope = {"cmath": cmath, "cuda": cuda}
    text = f"def use(z, out):\n    i = cuda.grid(1)\n    if i < z.size:\n        out[i] = cmath.{name}(z[i])\n"
    exec(text, scope)
    return cuda.jit(scope["use"])


def compare(name, points, ulps):
    z = np.array(points, complex)
    got = np.zeros_like(z)
    kernel_of(name)[(len(z) + 31) // 32, 32](z, got)
    for point, result in zip(z.tolist(), got.tolist()):
        try:
            wanted = getattr(cmath, name)(point)
        except (ValueError, OverflowError):
            continue
        for a, b in ((wanted.real, result.real), (wanted.imag, result.imag)):
            if math.isnan(a):
                assert math.isnan(b), (name, point, wanted, result)
            elif a == 0 or math.isinf(a):
                assert a == b and math.copysign(1, a) == math.copysign(1, b), (name, point, wanted, result)
            else:
                assert abs(a - b) <= ulps * math.ulp(a), (name, point, wanted, result)


@pytest.mark.parametrize("name", NAMES)
def test_special_values(name):
    compare(name, [complex(x, y) for x in PARTS for y in PARTS], 4)


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "sinh", "cosh", "tanh", "exp"])
def test_large_and_small_arguments(name):
    sizes = [1e-300, 1e-20, 1e-8, 0.1, 1.0, math.pi, 19.9, 20.1, 100.0, 340.0, 360.0, 700.0, 710.0]
    compare(name, [complex(s * x, t * y) for x in sizes for y in (1e-20, 0.1, 3.0, math.pi, 30.0) for s in (1, -1) for t in (1, -1)], 4)
    compare(name, [complex(s * y, t * x) for x in sizes for y in (1e-20, 0.1, 3.0, math.pi, 30.0) for s in (1, -1) for t in (1, -1)], 4)


def test_rect():
    @cuda.jit
    def kernel(r, phi, out):
        for i in range(r.size):
            out[i] = cmath.rect(r[i], phi[i])

    r, phi = (np.array(a) for a in zip(*[(a, b) for a in PARTS for b in PARTS]))
    out = np.zeros(r.size, complex)
    kernel[1, 1](r, phi, out)
    for a, b, result in zip(r.tolist(), phi.tolist(), out.tolist()):
        try:
            wanted = cmath.rect(a, b)
        except ValueError:
            continue
        for x, y in ((wanted.real, result.real), (wanted.imag, result.imag)):
            assert math.isnan(x) and math.isnan(y) or math.isclose(x, y, rel_tol=1e-15) and math.copysign(1, x) == math.copysign(1, y), (a, b, wanted, result)
