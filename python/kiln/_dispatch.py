# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels and device functions made by decorators."""

from __future__ import annotations

import functools
import itertools
from types import FunctionType

from . import _kiln, _names, _options, _types
from ._names import LinkedFunction
from .errors import NumbaInvalidConfigWarning, NumbaPerformanceWarning

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._overload import ForAll, Overload

_numbers = itertools.count(1)


class KernelDispatcher(_kiln.Dispatcher):
    """A kernel: ``kernel[blocks, threads, stream, shared_bytes](...)`` launches it.

    Parameters
    ----------
    function : callable
        The Python function.
    signatures : list
        Argument types to compile for at once; no others are compiled then.
    options : dict
        Of the decorator.
    """

    is_kernel = True

    def __init__(self, function, signatures=(), options=None):
        options = dict(options or {})
        native = _options.as_json(options)
        if options.get("link") or LinkedFunction.are_any:
            from . import _linkable

            native["linked"] = _linkable.linked_items(function, options.get("link"))
        if options.get("_entry"):
            native.update(function=True, entry=options.pop("_entry"))
        super().__init__(function, native)
        if options.get("_number") is not None:  # sets the device before the signatures are compiled
            self._set_device(options["_number"])
        self.targetoptions = {name: value for name, value in options.items() if name != "_number"}
        self._options = options
        self.specializations = {}
        functools.update_wrapper(self, function)
        code = function.__code__
        if not code.co_flags & 0x0C:
            self._set_parameters(code.co_varnames[: code.co_argcount])
        self._take_signatures(signatures)

    def _take_signatures(self, signatures) -> None:
        """Compiles for these types now, and for no others later."""
        self._signatures = [_types.arguments_of(signature) for signature in signatures]
        for types in self._signatures:
            self.compile(types)
        self.specialized = bool(signatures)

    def __repr__(self) -> str:
        from ._repr import describe

        return describe("kernel", self.py_func, self.signatures)

    def __call__(self, *args, **kwargs):
        raise ValueError(
            f"the launch configuration was not specified: a kernel is launched with its grid, {self.__name__}[blocks, threads](...), where blocks and threads are integers or tuples of up to three"
        )

    def compile(self, signature: Any) -> Overload:
        """Compiles for these argument types: text, a signature, or a tuple of types."""
        _names.register_numpy()
        engine_types = [item.engine_type for item in _types.arguments_of(signature)]
        self._compile(engine_types)
        return self._overload(engine_types)

    def specialize(self, *args: Any) -> KernelDispatcher:
        """A kernel for only the types of these arguments; cached by types."""
        if self.specialized:
            raise RuntimeError("Dispatcher already specialized: specialize the kernel that was decorated without signatures")
        types = tuple(arg if isinstance(arg, _types.Type) else _types.typeof(arg) for arg in args)
        made = self.specializations.get(types)
        if made is None:
            made = self.specializations[types] = type(self)(self.py_func, [types], self._options)
        return made

    def configure(self, griddim: Any, blockdim: Any, stream: Any = 0, sharedmem: int = 0) -> Callable[..., None]:
        return self[griddim, blockdim, stream, sharedmem]

    def forall(self, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0) -> ForAll:
        """Launches one thread for each of `ntasks` elements."""
        from ._overload import ForAll

        return ForAll(self, ntasks, tpb, stream, sharedmem)

    # ---- compiled code

    def _overload(self, engine_types) -> Overload:
        from ._overload import Overload  # imported here, because the import takes a millisecond of `import kiln`

        return Overload(self, engine_types)

    @property
    def overloads(self) -> dict[Any, Overload]:
        made = [self._overload(types) for types in self._specialisations()]
        return {overload.argtypes: overload for overload in made}

    @property
    def signatures(self) -> list[Any]:
        return list(self.overloads)

    nopython_signatures = signatures

    def _each(self, what, signature, is_one=False):
        overloads = self.overloads
        if signature is not None:
            wanted = tuple(_types.arguments_of(signature))
            return what(overloads.get(wanted) or self._overload([item.engine_type for item in wanted]))
        if self.specialized and is_one and len(overloads) == 1:
            return what(*overloads.values())
        return {types: what(overload) for types, overload in overloads.items()}

    def inspect(self, stage: str, signature: Any = None, cc: int | str | None = None) -> Any:
        """A product of the compiler for the kernel.

        Parameters
        ----------
        stage : {'lowered', 'typed', 'llvm', 'llvm-opt', 'asm', 'object', 'cubin'}
            Which product; the last two are bytes.
        signature : optional
            The argument types; they are compiled if they were not. Without it: all that were compiled.
        cc : int or str, optional
            For a GPU of this compute capability (90 for 9.0; "90a", "100f" with the features of the chip or its family), which need not be here.

        Returns
        -------
        str or bytes, or a dict of them by argument types
        """
        return self._each(lambda overload: self._product(overload._engine_types, stage, cc or 0), signature)

    def advice(self, signature: Any = None, cc: int | str | None = None) -> Any:
        """Reasons why the kernel is slow, with source lines and suggested rewrites.

        Parameters
        ----------
        signature : optional
            The argument types; else all that were compiled.
        cc : int or str, optional
            For a GPU of this compute capability (90 for 9.0; "90a", "100f" with the features of the chip or its family), which need not be here. On the CPU device without it most rules have nothing to say.

        Returns
        -------
        AdviceReport, or a dict of them by argument types
        """
        from ._reports import AdviceReport

        return self._each(lambda overload: AdviceReport(self._advice(overload._engine_types, cc or 0)), signature)

    def __reduce__(self):
        from . import _pickle

        return _pickle.reduce(self, remake, self._signatures)

    def inspect_llvm(self, signature: Any = None) -> Any:
        return self.inspect("llvm-opt", signature)

    def inspect_asm(self, signature: Any = None) -> Any:
        return self.inspect("asm", signature)

    def inspect_lto_ptx(self, signature=None):
        return self.inspect("asm", signature)

    def inspect_sass(self, signature: Any = None) -> Any:
        return self.inspect("cubin", signature)

    def inspect_types(self, file: Any = None) -> None:
        for types, text in self.inspect("typed").items():
            print(f"{self.__name__} {types}\n{'-' * 80}\n{text}", file=file)

    @property
    def ptx(self) -> dict[Any, str]:
        """PTX by argument types. Without a GPU, for compute capability 9.0, which the CPU device reports."""
        return {types: overload.ptx for types, overload in self.overloads.items()}

    def get_regs_per_thread(self, signature: Any = None) -> Any:
        return self._each(lambda overload: overload.regs_per_thread, signature, True)

    def get_shared_mem_per_block(self, signature: Any = None) -> Any:
        return self._each(lambda overload: overload.shared_mem_per_block, signature, True)

    def get_local_mem_per_thread(self, signature: Any = None) -> Any:
        return self._each(lambda overload: overload.local_mem_per_thread, signature, True)

    def get_const_mem_size(self, signature: Any = None) -> Any:
        return self._each(lambda overload: overload.const_mem_size, signature, True)

    def get_max_threads_per_block(self, signature: Any = None) -> Any:
        return self._each(lambda overload: 1024, signature, True)

    @property
    def extensions(self) -> list[Any]:
        return list(self._options.get("extensions") or ())


class DeviceFunction(_kiln.Dispatcher):
    """A function that kernels call; on the host, the Python function itself."""

    is_kernel = False

    def __init__(self, function, options=None, signatures=()):
        super().__init__(function, {})
        self.targetoptions = self._options = dict(options or {})
        functools.update_wrapper(self, function)
        self._take_signatures(signatures)

    def _take_signatures(self, signatures) -> None:
        self._signatures = list(signatures)
        self._converting = self._converting_function(signatures[0]) if len(signatures) == 1 else None

    def __reduce__(self):
        from . import _pickle

        return _pickle.reduce(self, remake, self._signatures)

    def in_kernels(self):
        """The function that kernels call. With one signature, it converts arguments and result to its types."""
        return self._converting or self.py_func

    def _converting_function(self, signature):
        if isinstance(signature, str):
            signature = _types.from_text(signature)
        types = _types.arguments_of(signature)
        result = signature.return_type if isinstance(signature, _types.Signature) else None
        code = self.py_func.__code__
        names = code.co_varnames[: code.co_argcount]
        if code.co_flags & 0x0C or code.co_kwonlyargcount or len(names) != len(types):
            return None
        scope, given = {"_function": self.py_func}, []
        for k, (name, type_) in enumerate(zip(names, types)):
            scope[f"_type{k}"] = type_
            given.append(f"_type{k}({name})" if isinstance(type_, _types.Number) else name)
        call = f"_function({', '.join(given)})"
        if isinstance(result, _types.Number):
            scope["_result"], call = result, f"_result({call})"
        text = f"def {self.__name__ if self.__name__.isidentifier() else 'function'}({', '.join(names)}):\n    return {call}\n"
        plain = len(names) - len(self.py_func.__defaults__ or ())
        text = text.replace(f"({', '.join(names)}):", f"({', '.join(name if k < plain else name + '=None' for k, name in enumerate(names))}):", 1)
        import linecache

        file = f"<kiln signature of {self.py_func.__qualname__} {next(_numbers)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        exec(compile(text, file, "exec"), scope)  # noqa: S102: the text above
        made = next(value for key, value in scope.items() if isinstance(value, FunctionType) and key != "_function")
        made.__defaults__, made.__module__, made.__qualname__ = self.py_func.__defaults__, self.py_func.__module__, self.py_func.__qualname__ + ".signature"
        return made

    def __repr__(self) -> str:
        from ._repr import describe

        return describe("device function", self.py_func, self._signatures)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.py_func(*args, **kwargs)

    def __getitem__(self, configuration):
        raise RuntimeError(f"Cannot compile a device function as a kernel: decorate {self.__name__} without device=True")

    def compile(self, signature):
        return self

    def compile_device(self, args, return_type=None):
        return self


def check_options(options) -> None:
    _options.check_names(options)
    carveout = options.get("shared_memory_carveout")
    if isinstance(carveout, str) and carveout.lower() not in ("default", "maxl1", "maxshared"):
        raise ValueError(f"Invalid carveout value: {carveout!r}; there are 'default', 'MaxL1', 'MaxShared' and -1 to 100")
    if isinstance(carveout, int) and not -1 <= carveout <= 100:
        raise ValueError(f"shared_memory_carveout must be between -1 and 100, not {carveout}")
    if options.get("debug") and options.get("opt"):
        import warnings

        warnings.warn("debug=True with opt=True is not supported by CUDA: debug information may be inaccurate", NumbaInvalidConfigWarning, stacklevel=4)


def is_signature(value) -> bool:
    if isinstance(value, (str, _types.Signature, _types.Type)):
        return True
    return isinstance(value, (tuple, list)) and all(is_signature(item) for item in value)


def make(function, signatures, options):
    """A kernel, or with device=True a device function."""
    _names.register_numpy()
    if isinstance(function, _kiln.Dispatcher):
        function = function.py_func
    if not isinstance(function, FunctionType):
        raise TypeError(f"jit takes a Python function, not {function!r}")
    if function.__code__.co_filename.startswith("<"):
        from ._exec import find_text

        find_text(function)
    if options.get("device"):
        return DeviceFunction(function, options, signatures)
    return KernelDispatcher(function, signatures, options)


def remake(head, options):
    """Recreates a kernel or device function from a pickle: with an empty function, which the pickle fills."""
    from . import _pickle

    return make(_pickle.skeleton(*head), (), options)


def jit(function=None, *, _number=None, **options):
    """Implements ``cuda.jit`` and ``kiln.jit``. ``_number``: a device, -1 for the CPU."""
    check_options(options)
    if _number is not None:
        options["_number"] = _number
    if function is None:
        return lambda f: make(f, (), options)
    if isinstance(function, list):
        return lambda f: make(f, function, options)
    if is_signature(function):
        return lambda f: make(f, [function], options)
    return make(function, (), options)


def warn_performance(message: str) -> None:
    import warnings

    warnings.warn(message, NumbaPerformanceWarning, stacklevel=4)
