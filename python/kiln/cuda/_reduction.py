# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``cuda.reduce``: a function of two values over an array."""

from __future__ import annotations

from .. import _dispatch
from . import _api
from ._stubs import blockDim, blockIdx, gridDim, shared, syncthreads, threadIdx

_THREADS = 256  # threads of a block: a power of two, for the reduction tree in shared memory
_BLOCKS = 512


def _kernel_of(operator):
    def reduce_parts(values, parts, count):
        scratch = shared.array(_THREADS, values.dtype)
        t = threadIdx.x
        first = blockIdx.x * blockDim.x + t
        if first < count:
            scratch[t] = values[first]
            for i in range(first + gridDim.x * blockDim.x, count, gridDim.x * blockDim.x):
                scratch[t] = operator(scratch[t], values[i])
        syncthreads()
        # Only the first `held` threads of the block have a value, if the block has more threads than elements.
        held = min(blockDim.x, count - blockIdx.x * blockDim.x)
        half = blockDim.x // 2
        while half > 0:
            if t < half and t + half < held:
                scratch[t] = operator(scratch[t], scratch[t + half])
            syncthreads()
            half = half // 2
        if t == 0:
            parts[blockIdx.x] = scratch[0]

    return reduce_parts


class Reduce:
    """A reduction by a function of two values that is associative and commutative.

    Parameters
    ----------
    functor : callable
        The function; its order of application is not fixed.

    Examples
    --------
    >>> @cuda.reduce
    ... def total(a, b):
    ...     return a + b
    >>> total(array)
    """

    def __init__(self, functor):
        self._functor = getattr(functor, "py_func", functor)
        self._kernel = _dispatch.jit(_kernel_of(self._functor))

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        """Reduces the values of `arr` (the first `size`) and `init`. Writes the result to `res[0]` if given, else returns it.

        Parameters
        ----------
        arr : array
            One dimension, on the host or a device.
        size : int, optional
            How many of its elements.
        res : device array, optional
            Where the result goes; nothing is returned then.
        init : number
            What is reduced with the elements, also where it is 0; the result if there are none.
        stream : Stream, optional
        """
        import numpy as np

        if len(arr.shape) != 1:
            raise TypeError("only support 1D array: reduce takes an array of one dimension")
        if size is not None:
            if not 0 <= size <= arr.shape[0]:
                raise ValueError(f"size={size} does not lie within the array's {arr.shape[0]} elements")
            arr = arr[:size]
        init = arr.dtype.type(init)
        count = arr.shape[0]
        result = init
        if count:
            values = _api.to_device(arr, stream=stream)
            while count > 1:
                blocks = min(_BLOCKS, (count + _THREADS - 1) // _THREADS)
                parts = _api.device_array(blocks, arr.dtype, stream=stream)
                self._kernel[blocks, _THREADS, stream](values, parts, count)
                values, count = parts, blocks
            with np.errstate(all="ignore"):
                result = arr.dtype.type(self._functor(init, values.copy_to_host(stream=stream)[0]))
        if res is None:
            return result
        res[:1].copy_to_device(np.full(1, result, arr.dtype), stream=stream)
        return None


reduce = Reduce
