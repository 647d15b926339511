# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes `numba`, `numba.cuda` and what their tests import of them resolve to kiln, in this process: install(tests' folder).

What kiln has not becomes a placeholder, which raises NotThere where it is used: a test fails alone, not its module."""

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import sys
import types as python_types
import unittest


class NotThere(Exception):
    """A test used something of numba's insides, or a name that kiln lacks."""


_INERT = re.compile(r"numba(\.cuda)?\.(extending|cudaimpl|cudadecl|core\.imputils|lowering|typing\.templates|descriptor|core\.compiler_machinery|core\.rewrites)\b")


class _Placeholder(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return placeholder(f"{cls.__name__}.{name}")

    def __iter__(cls):
        return iter(())

    def __getitem__(cls, index):
        return placeholder(f"{cls.__name__}[{index!r}]")

    def __call__(cls, *args, **kwargs):
        if _INERT.match(cls.__name__):  # a decorator at the top of a module, which registers something with numba's compiler
            return lambda f=None, *_, **__: f
        raise NotThere(cls.__name__)


def placeholder(name: str):
    return _Placeholder(name, (), {})


class _Module(python_types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return placeholder(f"{self.__name__}.{name}")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """numba.cuda.tests from the folder; numba.cuda.X is kiln.cuda.X where there is one; all else of numba's is made here."""

    def __init__(self, tests: pathlib.Path, made):
        self.tests, self.made = tests, made

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in ("numba", "cuda", "llvmlite", "filecheck"):
            return None
        if name.startswith("numba.cuda.tests") and name != "numba.cuda.tests.support":
            place = self.tests.joinpath(*name.split(".")[3:])
            if place.is_dir():
                return importlib.machinery.ModuleSpec(name, importlib.machinery.SourceFileLoader(name, str(place / "__init__.py")), is_package=True) if (
                    place / "__init__.py"
                ).exists() and name != "numba.cuda.tests" else self._package(name, place)
            return importlib.util.spec_from_file_location(name, place.with_suffix(".py"))
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def _package(self, name, place):
        spec = importlib.machinery.ModuleSpec(name, self, is_package=True)
        spec.submodule_search_locations = [str(place)]
        return spec

    def create_module(self, spec):
        if spec.name in self.made:
            made = self.made[spec.name]()
            made.__dict__.setdefault("__path__", [])
            return made
        if spec.name.startswith("numba.cuda."):
            try:
                return _copy(spec.name, importlib.import_module("kiln." + spec.name[6:]))
            except ImportError:
                pass
        return _Module(spec.name)

    def exec_module(self, module):
        pass


def _copy(name: str, of) -> _Module:
    """A module with the names of another, and placeholders for all else; what a test sets in it is set in both."""

    class Copy(_Module):
        def __getattr__(self, key):
            if not key.startswith("__"):
                with contextlib.suppress(AttributeError):
                    return getattr(of, key)
            return super().__getattr__(key)

    made = Copy(name)
    made._kiln_namespace_ = True
    return made


def _errors():
    return _copy("numba.core.errors", importlib.import_module("kiln.errors"))


def _types():
    made = _copy("numba.core.types", sys.modules["kiln"].types)
    return made


def _config():
    class Config(python_types.ModuleType):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            from kiln.cuda import config

            if hasattr(config, name):
                setattr(config, name, value)
            if name == "CUDA_ARRAY_INTERFACE_SYNC":
                os.environ["KILN_CUDA_ARRAY_INTERFACE_SYNC"] = str(int(value))

    made = Config("numba.core.config")
    vars(made).update(
        ENABLE_CUDASIM=False, CUDA_LOW_OCCUPANCY_WARNINGS=0, CUDA_WARN_ON_IMPLICIT_COPY=0, DISABLE_PERFORMANCE_WARNINGS=0, CUDA_ENABLE_NRT=0, DUMP_ASSEMBLY=0,
        CUDA_DEBUG_POLY=0, CUDA_DEBUG_POLY_USE_TYPED_CONST=0, CUDA_MEMORY_MANAGER="default", CUDA_DEALLOCS_COUNT=10, CUDA_DEALLOCS_RATIO=0.2, HTML="", OPT=3,
        DUMP_IR=0, DEBUG_ARRAY_OPT=0, CUDA_USE_NVIDIA_BINDING=1, BOUNDSCHECK=None, CUDA_NVRTC_EXTRA_SEARCH_PATHS="", CUDA_DEBUGINFO_DEFAULT=0, _OptLevel=int, CUDA_ARRAY_INTERFACE_SYNC=1, ALWAYS_WARN_UNINIT_VAR=0,
    )  # fmt: skip
    return made


def _numba():
    import kiln

    made = _copy("numba", kiln)

    def njit(function=None, *args, **kwargs):
        if callable(function):
            return kiln.cuda.jit(function, device=True)
        return lambda f: kiln.cuda.jit(f, device=True)

    made.jit = made.njit = njit
    made.literal_unroll, made.vectorize, made.guvectorize = kiln.cuda.literal_unroll, kiln.cuda.vectorize, kiln.cuda.guvectorize
    made.__version__ = "0.68.1"
    return made


def _support():
    from . import support

    return _copy("numba.cuda.tests.support", support)


def _testing():
    from . import support

    made = _copy("numba.cuda.testing", support)
    made.unittest = unittest
    return made


def _cuda():
    import kiln.cuda

    made = _copy("numba.cuda", kiln.cuda)
    made.HAS_NUMBA = True
    return made


def install(tests: str) -> None:
    """From now on `import numba` gives kiln."""
    config = _config()
    sys.modules["numba.core.config"] = sys.modules["numba.cuda.core.config"] = sys.modules["numba.cuda.config"] = config
    made = {
        "numba": _numba, "numba.cuda": _cuda, "numba.core.errors": _errors, "numba.cuda.core.errors": _errors, "numba.cuda.errors": _errors,
        "numba.core.types": _types, "numba.types": _types, "numba.cuda.types": _types, "numba.cuda.tests.support": _support, "numba.cuda.testing": _testing,
    }  # fmt: skip
    sys.meta_path.insert(0, _Finder(pathlib.Path(tests), made))
    import kiln.cuda  # noqa: F401

    numba = importlib.import_module("numba")
    numba.cuda = importlib.import_module("numba.cuda")
    numba.errors = importlib.import_module("numba.core.errors")
    numba.types = numba.cuda.types = importlib.import_module("numba.types")
    numba.cuda.config = config
    core = importlib.import_module("numba.cuda.core")
    core.config, core.errors = config, importlib.import_module("numba.cuda.core.errors")
    for name, parts in {"numba.cuda.typing": ("typeof", "signature"), "numba.cuda.utils": ()}.items():
        importlib.import_module(name)
    import kiln

    importlib.import_module("numba.cuda.utils").PYVERSION = sys.version_info[:2]
    sys.modules["numba.cuda.typing"].signature = lambda result, *args: kiln.types.Signature(result, args)
    importlib.import_module("numba.cuda.misc.special").literal_unroll = kiln.cuda.literal_unroll
    importlib.import_module("numba.cuda.cudadrv.driver")._have_nvjitlink = lambda: True
    sys.modules["numba.cuda.devicearray"] = importlib.import_module("numba.cuda.cudadrv.devicearray")
    support = importlib.import_module("numba.cuda.np.numpy_support")
    support.as_dtype, support.from_dtype = kiln.types.as_dtype, kiln.types.from_dtype
    support.carray, support.farray = kiln.carray, kiln.farray
    support.numpy_version = tuple(int(part) for part in __import__("numpy").__version__.split(".")[:2])
    sys.modules["numba.cuda.typing.typeof"] = python_types.SimpleNamespace(typeof=kiln.typeof)
