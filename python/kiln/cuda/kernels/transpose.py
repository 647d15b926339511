# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transpose of a two-dimensional array."""

from __future__ import annotations

from ... import _dispatch
from .. import _api
from .._stubs import blockDim, blockIdx, shared, syncthreads, threadIdx

_TILE = 16


def _turn(source, out):
    tile = shared.array((_TILE, _TILE + 1), source.dtype)  # the extra column puts the elements of a tile's column into different banks
    x, y = threadIdx.x, threadIdx.y
    row, column = blockIdx.y * blockDim.y, blockIdx.x * blockDim.x
    if row + y < source.shape[0] and column + x < source.shape[1]:
        tile[y, x] = source[row + y, column + x]
    syncthreads()
    if column + y < out.shape[0] and row + x < out.shape[1]:
        out[column + y, row + x] = tile[x, y]


_kernel = _dispatch.jit(_turn)


def transpose(a, b=None):
    """The transpose of a device array in memory of its own, or in `b`.

    Parameters
    ----------
    a : device array
        Of two dimensions.
    b : device array, optional
        Of its shape turned and its dtype.
    """
    if len(a.shape) != 2:
        raise ValueError(f"an array of two dimensions is transposed, not of shape {a.shape}")
    if b is None:
        b = _api.device_array(a.shape[::-1], a.dtype)
    if tuple(b.shape) != tuple(a.shape[::-1]) or b.dtype != a.dtype:
        raise ValueError(f"the transpose of shape {a.shape} and {a.dtype} does not fit one of shape {b.shape} and {b.dtype}")
    if a.size:
        blocks = tuple(-(-n // _TILE) for n in (a.shape[1], a.shape[0]))
        _kernel[blocks, (_TILE, _TILE)](a, b)
    return b
