# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``vectorize(target="cuda")``: a function of numbers as one of arrays, which broadcasts as NumPy's functions do."""

from __future__ import annotations

import itertools
import linecache

from .. import _dispatch, _types
from . import _api
from ._stubs import grid

_THREADS = 256
_numbers = itertools.count()


def _kernel_of(function, inputs: int):
    """A kernel of `inputs` arrays in rows and the output."""
    names = [f"a{i}" for i in range(inputs)]
    text = (
        f"def vectorized({', '.join(names)}, out):\n"
        "    i = grid(1)\n"
        "    if i < out.size:\n"
        f"        out[i] = function({', '.join(f'{name}[i]' for name in names)})\n"
    )
    file = f"<kiln.vectorize {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {"grid": grid, "function": function}
    exec(compile(text, file, "exec"), scope)  # noqa: S102: the text above
    return _dispatch.jit(scope["vectorized"])


class Vectorized:
    """A function of arrays, made by :func:`vectorize`."""

    def __init__(self, function, signatures):
        import numpy as np

        self.py_func = function
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self._loops = []
        for signature in signatures:
            if isinstance(signature, str):
                signature = _types.from_text(signature)
            if not isinstance(signature, _types.Signature) or not all(isinstance(t, _types.Number) for t in (signature.return_type, *signature.args)):
                raise TypeError(f"vectorize takes signatures of numbers with a result, such as 'float32(float32, float32)', not {signature!r}")
            dtypes = [np.dtype(t.typestr) for t in (*signature.args, signature.return_type)]
            self._loops.append((tuple(dtypes[:-1]), dtypes[-1]))
        self.nin, self.nout = len(self._loops[0][0]), 1
        if any(len(inputs) != self.nin for inputs, _ in self._loops):
            raise TypeError(f"the signatures of {self.__name__} differ in their number of arguments")
        self._kernel = _kernel_of(function, self.nin)

    @property
    def types(self):
        return ["".join(d.char for d in inputs) + "->" + out.char for inputs, out in self._loops]

    def _loop(self, dtypes):
        """The signature of these types, or the first that they all convert to without loss."""
        import numpy as np

        for loop in self._loops:
            if loop[0] == dtypes:
                return loop
        for loop in self._loops:
            if all(np.can_cast(given, wanted, "safe") for given, wanted in zip(dtypes, loop[0])):
                return loop
        raise TypeError(f"{self.__name__} has no signature for ({', '.join(map(str, dtypes))}); it has {', '.join(self.types)}")

    def __call__(self, *args, out=None, stream=0):
        """The function of each element; in `out` if that is given, on the device if an argument is there."""
        import numpy as np

        if len(args) != self.nin:
            raise TypeError(f"{self.__name__} takes {self.nin} arrays, not {len(args)}")
        on_device = any(_api.is_cuda_array(arg) for arg in args)
        arrays = [_api.to_device(arg) if _api.is_cuda_array(arg) else np.asarray(arg) for arg in args]
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        inputs, result = self._loop(tuple(a.dtype for a in arrays))
        if out is not None and (tuple(out.shape) != shape or out.dtype != result):
            raise ValueError(f"out has shape {tuple(out.shape)} and type {out.dtype}; the result has {shape} and {result}")
        flat = [self._flat(a, dtype, shape, stream) for a, dtype in zip(arrays, inputs)]
        made = _api.device_array(shape, result, stream=stream)
        count = made.size
        if count:
            self._kernel[(count + _THREADS - 1) // _THREADS, _THREADS, stream](*flat, made.reshape(count))
        if out is not None:
            if _api.is_cuda_array(out):
                _api.to_device(out).copy_to_device(made, stream=stream)
            else:
                made.copy_to_host(out, stream=stream)
            return out
        if on_device:
            return made
        return made.copy_to_host(stream=stream) if shape else made.copy_to_host(stream=stream)[()]

    @staticmethod
    def _flat(array, dtype, shape, stream):
        """The array as one of `dtype` in rows; one of the device that is that already is not copied."""
        import numpy as np

        if _api.is_cuda_array(array):
            if array.dtype == dtype and array.shape == shape and array.is_c_contiguous():
                return array.reshape(array.size)
            array = array.copy_to_host(stream=stream)
        return _api.to_device(np.ascontiguousarray(np.broadcast_to(array, shape), dtype).reshape(-1), stream=stream)

    def reduce(self, arg, stream=0):
        """The function over all elements of an array of one dimension."""
        from ._reduction import Reduce

        if self.nin != 2:
            raise TypeError(f"reduce takes a function of two arguments; {self.__name__} has {self.nin}")
        if len(arg.shape) != 1:
            raise TypeError("reduce takes an array of one dimension")
        if not arg.shape[0]:
            raise TypeError("reduce of no elements")
        return Reduce(self.py_func)(arg[1:], init=_api.to_device(arg[:1]).copy_to_host()[0], stream=stream)


def vectorize(signatures=None, *, target="cuda", **options):
    """Makes a function of numbers one of arrays.

    Parameters
    ----------
    signatures : list
        Texts or signatures, ``['float32(float32, float32)']``; for others, the first that the types convert to without loss is taken.
    target : {'cuda'}, optional
        Where there is no GPU it runs on the CPU device.
    """
    if target != "cuda":
        raise ValueError(f"vectorize has no target {target!r}: there is 'cuda'")
    if callable(signatures) and not isinstance(signatures, (_types.Type, _types.Signature)) or not signatures:
        raise TypeError("vectorize takes the list of its signatures: @vectorize(['float32(float32, float32)'], target='cuda')")
    if options.pop("nopython", None) is not None:
        import warnings

        warnings.warn("nopython kwarg for cuda target is redundant", RuntimeWarning, stacklevel=2)
    options.pop("cache", None)
    if options:
        raise KeyError(f"Unrecognized options of vectorize: {', '.join(sorted(options))}")
    given = signatures if isinstance(signatures, (list, tuple)) else [signatures]
    return lambda function: Vectorized(getattr(function, "py_func", function), given)
