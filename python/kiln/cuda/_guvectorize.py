# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``guvectorize(target="cuda")``: applies a function of arrays to arrays of more dimensions; threads loop over the extra ones."""

from __future__ import annotations

import itertools
import linecache
import re
import warnings

from .. import _dispatch, _types
from . import _api
from ._stubs import grid

_THREADS = 128
_numbers = itertools.count()


class Layout:
    """Parses '(m,n),(n,p)->(m,p)': the dimension names of each input and output."""

    def __init__(self, text: str):
        sides = text.replace(" ", "").split("->")
        groups = r"(\((\w+(,\w+)*)?\))(,\((\w+(,\w+)*)?\))*"
        if len(sides) != 2 or not all(re.fullmatch(groups, side) for side in sides):
            raise ValueError(f"{text!r} is no layout: write it as '(m,n),(n,p)->(m,p)'")
        self.inputs, self.outputs = ([tuple(filter(None, group.split(","))) for group in re.findall(r"\(([\w,]*)\)", side)] for side in sides)
        known = {name for dims in self.inputs for name in dims}
        missing = {name for dims in self.outputs for name in dims} - known
        if missing:
            raise NameError(f"undefined output symbols: {', '.join(sorted(missing))}")

    def schedule(self, shapes):
        """(loop shape, sizes by name) for these input shapes."""
        sizes, loops = {}, []
        for number, (dims, shape) in enumerate(zip(self.inputs, shapes)):
            if len(shape) < len(dims):
                raise ValueError(f"input {number} has {len(shape)} dimensions; its layout has {len(dims)}")
            inner = shape[len(shape) - len(dims) :]
            loops.append(tuple(shape[: len(shape) - len(dims)]))
            for name, size in zip(dims, inner):
                if sizes.setdefault(name, size) != size:
                    raise ValueError(f"the dimension {name!r} is {sizes[name]} and {size}")
        import numpy as np

        return np.broadcast_shapes(*loops), sizes


def _kernel_of(function, ranks):
    """A kernel whose thread i calls the function with part i of each argument. `ranks`: (dimensions of the part, is an array)."""
    names = [f"a{i}" for i in range(len(ranks))]
    parts = [f"{name}[i]" if rank else f"{name}[i : i + 1]" if is_array else f"{name}[i]" for name, (rank, is_array) in zip(names, ranks)]
    text = f"def gufunc({', '.join(names)}, count):\n    i = grid(1)\n    if i < count:\n        function({', '.join(parts)})\n"
    file = f"<kiln.guvectorize {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {"grid": grid, "function": function}
    exec(compile(text, file, "exec"), scope)  # noqa: S102: the text above
    return _dispatch.jit(scope["gufunc"])


class GUFunc:
    """A function of arrays, made by :func:`guvectorize`."""

    def __init__(self, function, signatures, layout):
        import numpy as np

        if isinstance(function, _dispatch.DeviceFunction):
            function = function.py_func
        self.py_func = function
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__
        self.__qualname__, self._given = function.__qualname__, (tuple(signatures), layout)
        self.layout = Layout(layout)
        self.nin, self.nout = len(self.layout.inputs), len(self.layout.outputs)
        self.max_blocksize = 0
        self._loops = []
        for signature in signatures:
            if isinstance(signature, str):
                signature = _types.from_text(signature)
            if isinstance(signature, _types.Signature):
                if signature.return_type != _types.void:
                    raise TypeError(f"guvectorized functions cannot return values: signature {signature} specifies {signature.return_type} return type")
                signature = signature.args
            if len(signature) != self.nin + self.nout:
                raise TypeError(f"the signature has {len(signature)} arguments; the layout {layout!r} has {self.nin + self.nout}")
            are_arrays = [isinstance(t, _types.Array) for t in signature]
            self._loops.append(tuple(np.dtype(_types.as_dtype(t.dtype if isinstance(t, _types.Array) else t)) for t in signature))
        # An argument without dimensions in the layout is a number or, if the signature has an array there, an array of
        # one element.
        ranks = [(len(dims), is_array) for dims, is_array in zip(self.layout.inputs, are_arrays)] + [(len(dims), True) for dims in self.layout.outputs]
        self._kernel = _kernel_of(function, ranks)
        code = function.__code__
        if code.co_argcount != self.nin + self.nout:
            raise TypeError(f"{self.__name__}() takes {code.co_argcount} arguments; the layout {layout!r} has {self.nin + self.nout}")

    def __repr__(self) -> str:
        from .._repr import describe

        return describe(f"guvectorized function {self._given[1]}", self.py_func, self._given[0])

    def __call__(self, *args, out=None, stream=0):
        """The function for each part of the inputs; into `out` if that is given, as the last arguments or by keyword."""
        import numpy as np

        outs = () if out is None else out if isinstance(out, tuple) else (out,)
        if len(args) > self.nin and outs:
            raise ValueError("cannot specify argument 'out' as both positional and keyword")
        if len(args) not in (self.nin, self.nin + self.nout):
            raise TypeError(
                f"gufunc accepts {self.nin} positional arguments (when providing input only) or {self.nin + self.nout} positional arguments "
                f"(when providing input and output). Got {len(args)} positional argument{'s' if len(args) != 1 else ''}."
            )
        outs = tuple(_api.to_device(o) if _api.is_cuda_array(o) else o for o in tuple(args[self.nin :]) or outs)
        given = args[: self.nin]
        on_device = any(_api.is_cuda_array(arg) for arg in given)
        inputs = [arg if _api.is_cuda_array(arg) else np.asarray(arg) for arg in given]
        inputs = [_api.to_device(arg) if _api.is_cuda_array(arg) else arg for arg in inputs]
        loop, sizes = self.layout.schedule([tuple(a.shape) for a in inputs])
        types = self._types(tuple(a.dtype for a in inputs))
        count = int(np.prod(loop, dtype=np.int64))
        flat = [self._flat(a, dtype, loop, dims, stream) for a, dtype, dims in zip(inputs, types, self.layout.inputs)]
        made = []
        for place, (dims, dtype) in enumerate(zip(self.layout.outputs, types[self.nin :])):
            shape = loop + tuple(sizes[name] for name in dims)
            core = outs and tuple(outs[place].shape) == shape[len(loop) :] and count == 1  # without the loop's dimensions, and with one element
            if outs and (tuple(outs[place].shape) != shape and not core or outs[place].dtype != dtype):
                raise ValueError(f"output {place} has shape {tuple(outs[place].shape)} and type {outs[place].dtype}; it has to be {shape} and {dtype}")
            made.append(_api.to_device(outs[place], stream=stream).reshape(shape) if outs else _api.device_array(shape, dtype, stream=stream))
        if count:
            parts = [m.reshape((count, *m.shape[len(loop) :])) for m in made]
            threads = min(_THREADS, self.max_blocksize or _THREADS)
            blocks = (count + threads - 1) // threads
            self._warn(blocks)
            self._kernel[blocks, threads, stream](*flat, *parts, count)
        results = [self._given_back(m, o, on_device, stream) for m, o in zip(made, outs or [None] * self.nout)]
        return results[0] if self.nout == 1 else tuple(results)

    def __reduce__(self):
        from .. import _pickle

        return _pickle.reduce_of_arrays(self, *self._given)

    @staticmethod
    def _warn(blocks):
        pass

    @staticmethod
    def _given_back(made, out, on_device, stream):
        if out is None:
            return made if on_device else made.copy_to_host(stream=stream)
        if _api.is_cuda_array(out):
            if made is not out:
                _api.to_device(out).copy_to_device(made, stream=stream)
        else:
            made.copy_to_host(out, stream=stream)
        return out

    def _types(self, dtypes):
        import numpy as np

        for loop in self._loops:
            if loop[: self.nin] == dtypes:
                return loop
        for rule in ("safe", "same_kind"):
            for loop in self._loops:
                if all(np.can_cast(given, wanted, rule) for given, wanted in zip(dtypes, loop)):
                    return loop
        raise TypeError(f"no matching signature of {self.__name__} for input types ({', '.join(map(str, dtypes))})")

    @staticmethod
    def _flat(array, dtype, loop, dims, stream):
        """The input converted to `dtype`, with the loop as its first dimension."""
        import numpy as np

        inner = tuple(array.shape[len(array.shape) - len(dims) :])
        count = int(np.prod(loop, dtype=np.int64))
        if _api.is_cuda_array(array):
            if array.dtype == dtype and tuple(array.shape) == loop + inner and array.is_c_contiguous():
                return array.reshape((count, *inner))
            array = array.copy_to_host(stream=stream)
        whole = np.ascontiguousarray(np.broadcast_to(array, loop + inner), dtype).reshape((count, *inner))
        return _api.to_device(whole, stream=stream)


def guvectorize(signatures, layout=None, *, target="cuda", **options):
    """Makes a function that writes its results into its last arguments one of arrays with more dimensions.

    Parameters
    ----------
    signatures : list
        Of types of arrays, ``[void(float32[:], float32[:])]``; a scalar where the layout has ``()``.
    layout : str
        The dimensions of inputs and outputs, ``'(m,n),(n,p)->(m,p)'``.
    target : {'cuda', 'cpu', 'parallel'}, optional
        Where there is no GPU it runs on the CPU device.
    """
    if target not in ("cuda", "cpu", "parallel"):
        raise ValueError(f"guvectorize has no target {target!r}: there are 'cuda', 'cpu' and 'parallel'")
    if layout is None:
        raise TypeError("guvectorize takes signatures and a layout: guvectorize([void(f4[:], f4[:])], '(n)->(n)')")
    if not options.pop("nopython", True):
        raise TypeError("nopython flag must be True")
    options.pop("cache", None)
    unknown = set(options) - {"fastmath", "writable_args"}
    if unknown:
        raise TypeError("The following target options are not supported: " + ", ".join(sorted(unknown)))
    if options.get("writable_args"):
        warnings.warn("writable_args has no effect: inputs are not written back", stacklevel=2)
    given = signatures if isinstance(signatures, list) else [signatures]
    return lambda function: GUFunc(function, given, layout)
