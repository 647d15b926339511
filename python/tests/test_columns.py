# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grids whose x is the row, as in most programs: loops over a block have y inside on the CPU; every shape gives NumPy's values."""

import numpy as np
import pytest

from kiln import cuda


@cuda.jit
def heat(out, t, c):
    i, j = cuda.grid(2)
    if 0 < i < t.shape[0] - 1 and 0 < j < t.shape[1] - 1:
        out[i, j] = t[i, j] + c * (t[i - 1, j] + t[i + 1, j] + t[i, j - 1] + t[i, j + 1] - 4 * t[i, j])


@cuda.jit
def product(out, a, b):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        s = 0.0
        for k in range(a.shape[1]):
            s += a[i, k] * b[k, j]
        out[i, j] = s


@cuda.jit
def places(out):
    i, j, k = cuda.grid(3)
    if i < out.shape[0] and j < out.shape[1] and k < out.shape[2]:
        out[i, j, k] = cuda.threadIdx.x + 100 * cuda.threadIdx.y + 10000 * cuda.threadIdx.z + 1000000 * cuda.blockDim.x


@cuda.jit
def turned(out, x):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        out[j, i] = x[i, j]


BLOCKS = [(8, 32), (32, 8), (1, 64), (64, 1), (3, 5), (16, 16)]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("shape", [(40, 70), (7, 3), (65, 129)])
def test_two_dimensions(block, shape):
    grid = tuple(-(-n // b) for n, b in zip(shape, block))
    t = np.arange(shape[0] * shape[1], dtype=np.float64).reshape(shape) % 17
    out, wanted = np.zeros(shape), np.zeros(shape)
    heat[grid, block](out, t, 0.5)
    wanted[1:-1, 1:-1] = t[1:-1, 1:-1] + 0.5 * (t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:] - 4 * t[1:-1, 1:-1])
    assert np.array_equal(out, wanted)
    a, b = t[:, :11].copy(), np.arange(t[:, :11].shape[1] * shape[1], dtype=np.float64).reshape(-1, shape[1]) % 13
    product[grid, block](out, a, b)
    assert np.array_equal(out, a @ b)
    fortran = np.asfortranarray(np.zeros(shape))
    product[grid, block](fortran, a, b)
    assert np.array_equal(fortran, a @ b)
    other = np.zeros(shape[::-1])
    turned[grid, block](other, t)
    assert np.array_equal(other, t.T)


@pytest.mark.parametrize("block", [(2, 4, 8), (8, 2, 3), (1, 16, 2)])
def test_indices_in_three_dimensions(block):
    out = np.zeros((5, 9, 17))
    places[tuple(-(-n // b) for n, b in zip(out.shape, block)), block](out)
    i, j, k = np.indices(out.shape)
    assert np.array_equal(out, i % block[0] + 100 * (j % block[1]) + 10000 * (k % block[2]) + 1000000 * block[0])


def test_exceptions_name_the_thread():
    @cuda.jit(debug=True, opt=False)
    def kernel(out):
        i, j = cuda.grid(2)
        out[i, j] = 1
        if i == 2 and j == 5:
            raise ValueError("here")

    with pytest.raises(ValueError, match=r"tid=\[2, 1, 0\] ctaid=\[0, 1, 0\]: here"):
        kernel[(1, 2), (4, 4)](np.zeros((4, 8)))
        cuda.synchronize()


@cuda.jit
def blocks(out, x):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        out[cuda.blockIdx.z, i, j] = x[i, j] + 1000000 * cuda.blockIdx.z + 1000 * cuda.blockIdx.x + cuda.blockIdx.y


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("shape", [(37, 101), (300, 5), (1, 1)])
def test_places_of_blocks(block, shape):
    """One call of such code runs neighbours in y."""
    x = np.arange(shape[0] * shape[1]).reshape(shape) * 10**8
    out = np.full((3, *shape), -1)
    blocks[(*(-(-n // b) for n, b in zip(shape, block)), 3), block](out, x)
    i, j = np.indices(shape)
    assert np.array_equal(out, [x + 1000000 * k + 1000 * (i // block[0]) + j // block[1] for k in range(3)])
