# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``vectorize(target="cuda")``: applies a function of numbers to arrays, with NumPy's broadcasting."""

from __future__ import annotations

import itertools
import linecache

from .. import _dispatch, _types
from . import _api
from ._stubs import function as _library
from ._stubs import grid

_THREADS = 256
_numbers = itertools.count()
_type_code = _library("type_code")


def _kernel_of(function, inputs: int):
    """A kernel with `inputs` row-major arrays and the output."""
    names = [f"a{i}" for i in range(inputs)]
    text = (
        f"def vectorized({', '.join(names)}, out):\n"
        "    i = grid(1)\n"
        "    if i < out.size:\n"
        f"        out[i] = function({', '.join(f'{name}[i]' for name in names)})\n"
    )
    return _dispatch.jit(_function_of(text, {"grid": grid, "function": function}, "vectorized"))


def _result_dtype(function, arrays):
    """The dtype of the function's result, from code compiled for the first elements."""
    import numpy as np

    names = ", ".join(f"a{i}" for i in range(len(arrays)))
    items = ", ".join(f"a{i}[0]" for i in range(len(arrays)))
    text = f"def result_type({names}, code):\n    code[0] = type_code(function({items}))\n"
    kernel = _dispatch.jit(_function_of(text, {"type_code": _type_code, "function": function}, "result_type"))
    code = np.zeros(1, np.int64)
    firsts = [a.reshape(a.size)[:1] if a.size else np.ones(1, a.dtype) for a in arrays]
    kernel[1, 1](*firsts, code)
    _api.synchronize()
    return np.dtype(_types.NUMBERS_BY_CODE[int(code[0])].typestr)


def _function_of(text, scope, name):
    """Defines a function from generated text, which the compiler finds through linecache."""
    file = f"<kiln.vectorize {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), scope)  # noqa: S102: the text above
    return scope[name]


class Vectorized:
    """A function of arrays, made by :func:`vectorize`."""

    def __init__(self, function, signatures):
        import numpy as np

        self.py_func = function
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self.__qualname__, self.__module__ = function.__qualname__, function.__module__
        self._signatures = tuple(signatures)
        self._is_dynamic = not signatures
        self._loops = []
        for signature in signatures:
            if isinstance(signature, str):
                signature = _types.from_text(signature)
            if isinstance(signature, tuple) and signature and all(isinstance(t, _types.Number) for t in signature):
                self._loops.append((tuple(np.dtype(_types.as_dtype(t)) for t in signature), None))  # the code determines the result's type
                continue
            if not isinstance(signature, _types.Signature) or not all(isinstance(t, _types.Number) for t in (signature.return_type, *signature.args)):
                raise TypeError(f"vectorize takes signatures of numbers with a result, such as 'float32(float32, float32)', not {signature!r}")
            dtypes = [np.dtype(t.typestr) for t in (*signature.args, signature.return_type)]
            self._loops.append((tuple(dtypes[:-1]), dtypes[-1]))
        self.nin, self.nout = len(self._loops[0][0]) if self._loops else function.__code__.co_argcount, 1
        if any(len(inputs) != self.nin for inputs, _ in self._loops):
            raise TypeError(f"the signatures of {self.__name__} differ in their number of arguments")
        self._kernel = _kernel_of(function, self.nin)

    def __repr__(self) -> str:
        from .._repr import describe

        return describe("vectorized function", self.py_func, self._signatures)

    def __reduce__(self):
        from .. import _pickle

        return _pickle.reduce_of_arrays(self, self._signatures)

    @property
    def types(self):
        return ["".join(d.char for d in inputs) + "->" + (out.char if out else "?") for inputs, out in self._loops]

    def _loop(self, arrays, are_numbers):
        """The signature of their types, or the first that they all convert to without loss; without signatures one of their types. If there is none, numbers
        take the types of the only signature that the arrays convert to, as in Numba."""
        import numpy as np

        dtypes = tuple(a.dtype for a in arrays)
        for k, loop in enumerate(self._loops):
            if loop[1] is None and all(np.can_cast(given, wanted, "safe") for given, wanted in zip(dtypes, loop[0])):
                loop = self._loops[k] = loop[0], _result_dtype(self.py_func, [np.ones(1, wanted) for wanted in loop[0]])
            if loop[0] == dtypes:
                return loop
        if self._is_dynamic:
            self._loops.append((dtypes, _result_dtype(self.py_func, arrays)))
            return self._loops[-1]
        for loop in self._loops:
            if loop[1] is not None and all(np.can_cast(given, wanted, "safe") for given, wanted in zip(dtypes, loop[0])):
                return loop
        for casting in ("equiv", "safe"):
            fitting = [
                loop
                for loop in self._loops
                if loop[1] is not None and all(is_number or np.can_cast(given, wanted, casting) for is_number, given, wanted in zip(are_numbers, dtypes, loop[0]))
            ]
            if len(fitting) == 1:
                return fitting[0]
        raise TypeError(f"{self.__name__} has no signature for ({', '.join(map(str, dtypes))}); it has {', '.join(self.types)}")

    def __call__(self, *args, out=None, stream=0):
        """Applies the function to each element. Writes to `out` if given; on the device if an argument is there."""
        import numpy as np

        from . import _arrays

        if len(args) != self.nin:
            raise TypeError(f"{self.__name__} takes {self.nin} arrays, not {len(args)}")
        on_device = any(_api.is_cuda_array(arg) for arg in args)
        arrays = [_api.to_device(arg) if _api.is_cuda_array(arg) else np.asarray(arg) for arg in args]
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        inputs, result = self._loop(arrays, [isinstance(arg, (int, float, complex, np.number)) for arg in args])
        if out is not None and _api.is_cuda_array(out):
            out = _api.to_device(out)
        if out is not None and (tuple(out.shape) != shape or out.dtype != result):
            raise ValueError(f"out has shape {tuple(out.shape)} and type {out.dtype}; the result has {shape} and {result}")
        flat = [self._flat(a, dtype, shape, stream) for a, dtype in zip(arrays, inputs)]
        made = _arrays.empty(shape, result, is_written=True)
        made.stream = stream
        count = made.size
        if count:
            self._kernel[(count + _THREADS - 1) // _THREADS, _THREADS, stream](*flat, made.reshape(count))
        if out is not None:
            if _api.is_cuda_array(out):
                out.copy_to_device(made, stream=stream)
            else:
                made.copy_to_host(out, stream=stream)
            return out
        if on_device:
            return made
        return made.copy_to_host(stream=stream) if shape else made.copy_to_host(stream=stream)[()]

    @staticmethod
    def _flat(array, dtype, shape, stream):
        """Converts the array to row-major `dtype`. A device array that already is one is not copied."""
        import numpy as np

        if _api.is_cuda_array(array):
            if array.dtype == dtype and array.shape == shape and array.is_c_contiguous():
                return array.reshape(array.size)
            array = array.copy_to_host(stream=stream)
        return _api.to_device(np.ascontiguousarray(np.broadcast_to(array, shape), dtype).reshape(-1), stream=stream)

    def reduce(self, arg, stream=0):
        """Reduces a one-dimensional array with the function."""
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
    signatures : list, optional
        Texts or signatures, ``['float32(float32, float32)']``; for others, the first that the types convert to without loss is taken.
        Without signatures, or on the function itself: the types of each call, and what the function gives for them.
    target : {'cuda', 'cpu', 'parallel'}, optional
        All run on the current device: a GPU, or the CPU device where there is none.
    """
    if target not in ("cuda", "cpu", "parallel"):
        raise ValueError(f"vectorize has no target {target!r}: there are 'cuda', 'cpu' and 'parallel'")
    if options.pop("nopython", None) is not None:
        import warnings

        warnings.warn("nopython kwarg for cuda target is redundant", RuntimeWarning, stacklevel=2)
    options.pop("cache", None)
    if options:
        raise KeyError(f"Unrecognized options of vectorize: {', '.join(sorted(options))}")
    if callable(signatures) and not isinstance(signatures, (_types.Type, _types.Signature)):
        return Vectorized(getattr(signatures, "py_func", signatures), ())
    given = signatures if isinstance(signatures, (list, tuple)) else [signatures] if signatures else ()
    return lambda function: Vectorized(getattr(function, "py_func", function), given)
