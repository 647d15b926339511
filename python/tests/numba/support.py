# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What numba's tests take of numba.cuda.testing and numba.cuda.tests.support, of our own."""

import cmath
import contextlib
import functools
import importlib
import io
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings
from functools import cached_property

import numpy as np

from kiln import errors

IS_NUMPY_2 = int(np.__version__.split(".")[0]) >= 2
test_data_dir = pathlib.Path(os.environ.get("KILN_NUMBA_TESTS", ".")) / "data"


class TestCase(unittest.TestCase):
    longMessage = True
    FLOAT16_RTOL = np.finfo(np.float16).eps

    @cached_property
    def random(self):
        return np.random.RandomState(42)

    def reset_module_warnings(self, module):
        vars(sys.modules[module] if isinstance(module, str) else module).pop("__warningregistry__", None)

    @contextlib.contextmanager
    def assertTypingError(self):
        with self.assertRaises((errors.LoweringError, errors.TypingError, TypeError, NotImplementedError)) as caught:
            yield caught

    @staticmethod
    def run_test_in_subprocess(maybefunc=None, timeout=60, envvars=None):
        """In this process, with the variables set."""

        def wrap(function):
            @functools.wraps(function)
            def inside(self, *args, **kwargs):
                with unittest.mock.patch.dict(os.environ, envvars or {}):
                    return function(self, *args, **kwargs)

            return inside

        return wrap(maybefunc) if maybefunc is not None else wrap

    def assertRefCount(self, *objects):
        return contextlib.nullcontext()

    assertNoNRTLeak = assertRefCount

    def assertStridesEqual(self, first, second):
        self.assertEqual((first.shape, first.strides), (second.shape, second.strides))

    def assertPreciseEqual(self, first, second, prec="exact", ulps=1, msg=None, ignore_sign_on_zero=False, abs_tol=None):
        """Equal in kind and value; with a precision up to `ulps` units of its last bit."""
        options = prec, ulps, msg, ignore_sign_on_zero, abs_tol
        if isinstance(first, np.ndarray):
            self.assertIsInstance(second, np.ndarray, msg)
            self.assertEqual(first.dtype, second.dtype, msg)
            self.assertEqual(first.shape, second.shape, msg)
            for a, b in zip(first.flat, second.flat):
                self.assertPreciseEqual(a, b, *options)
        elif isinstance(first, (tuple, list)):
            self.assertEqual(len(first), len(second), msg)
            for a, b in zip(first, second):
                self.assertPreciseEqual(a, b, *options)
        elif isinstance(first, (complex, np.complexfloating)):
            self.assertIsInstance(second, (complex, np.complexfloating), msg)
            self.assertPreciseEqual(float(first.real), float(second.real), *options)
            self.assertPreciseEqual(float(first.imag), float(second.imag), *options)
        elif isinstance(first, (float, np.floating)):
            self.assertIsInstance(second, (float, np.floating), msg)
            self._near(float(first), float(second), *options)
        else:
            self.assertEqual(first, second, msg)

    def _near(self, first, second, prec, ulps, msg, ignore_sign_on_zero, abs_tol):
        if math.isnan(first) and math.isnan(second):
            return
        delta = abs_tol or 0
        if prec != "exact" and not math.isinf(first):
            delta = max(delta, ulps * abs(first) * 2.0 ** (1 - {"double": 53, "single": 24}[prec]))
        if delta:
            self.assertAlmostEqual(first, second, delta=delta, msg=msg)
            return
        self.assertEqual(first, second, msg)
        if not ignore_sign_on_zero:
            self.assertEqual(math.copysign(1, first), math.copysign(1, second), msg)


class CUDATestCase(TestCase):
    """A test of kernels. Its assertions on the text of PTX and LLVM IR say that they are out by design."""

    def assertFileCheckAsm(self, *args, **kwargs):
        from .shim import NotThere

        raise NotThere("the text of numba's assembly")

    def assertFileCheckLLVM(self, *args, **kwargs):
        from .shim import NotThere

        raise NotThere("the text of numba's LLVM IR")

    assertFileCheckMatches = assertFileCheckLLVM


class MemoryLeakMixin:
    def disable_leak_check(self):
        pass


class EnableNRTStatsMixin:
    pass


class CheckWarningsMixin:
    @contextlib.contextmanager
    def check_warnings(self, messages, category=RuntimeWarning):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        found = [str(w.message) for w in caught if issubclass(w.category, category)]
        for message in messages:
            self.assertTrue(any(message in text for text in found), f"{message} is not in {found}")


class ForeignArray:
    """An array of another library: only its interface is known."""

    def __init__(self, arr):
        self._arr = arr
        self.__cuda_array_interface__ = arr.__cuda_array_interface__


def _always(function):
    return function


def _skip_never(reason):
    return _always


skip_on_cudasim = skip_on_arm = skip_on_wsl2 = skip_if_external_memmgr = skip_under_cuda_memcheck = skip_on_nvjitlink_13_1_sm_120 = _skip_never
skip_on_standalone_numba_cuda = skip_unless_cc_50 = skip_unless_cc_53 = skip_unless_cc_60 = skip_unless_cc_75 = skip_unless_cc_90 = linux_only = _always
skip_if_cudadevrt_missing = skip_unless_typeguard = skip_if_typeguard = _always
xfail_unless_cudasim = expected_failure_py314 = unittest.expectedFailure
skip_if_py314 = _always
expected_failure_py314 = _always


def skip_unless_cudasim(reason):
    return unittest.skip(reason)


windows_only = unittest.skip("for Windows")


def skip_if_nvjitlink_missing(reason):
    return unittest.skip("needs a GPU's toolkit: " + reason)


skip_without_nvdisasm = skip_with_nvdisasm = skip_unless_conda_cudatoolkit = skip_if_nvjitlink_missing
skip_if_cuda_includes_missing = skip_if_curand_kernel_missing = unittest.skip("needs a GPU's toolkit: the headers of CUDA")
skip_unless_cffi = unittest.skipUnless(importlib.util.find_spec("cffi"), "cffi is not there")


def cc_X_or_above(major, minor):
    return (9, 0) >= (major, minor)


def captured_stdout():
    return contextlib.redirect_stdout(io.StringIO())


def captured_stderr():
    return contextlib.redirect_stderr(io.StringIO())


@contextlib.contextmanager
def override_config(name, value):
    config = sys.modules["numba.core.config"]
    before = getattr(config, name)
    setattr(config, name, value)
    try:
        yield
    finally:
        setattr(config, name, before)


@contextlib.contextmanager
def override_env_config(name, value):
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        os.environ.pop(name) if before is None else os.environ.__setitem__(name, before)


def run_in_subprocess(code, flags=(), env=None, timeout=30):
    done = subprocess.run([sys.executable, *flags, "-c", code], env=env, capture_output=True, text=True, timeout=timeout)
    if done.returncode:
        raise AssertionError(f"process failed with code {done.returncode}: stderr:\n{done.stderr}\n")
    return done.stdout, done.stderr


def import_dynamic(name):
    importlib.invalidate_caches()
    return importlib.import_module(name)


def ignore_internal_warnings():
    warnings.filterwarnings("ignore", module="typeguard")


def temp_directory(prefix):
    return tempfile.mkdtemp(prefix=prefix)
