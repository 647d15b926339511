# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`import numba` by Kiln: versions, names of modules, programs that stay as they are."""

import importlib
import importlib.metadata
import os
import subprocess
import sys

import numpy as np
import pytest

import kiln
from kiln import numba, types


def run(*arguments, text=None, tmp_path=None):
    if text is not None:
        path = tmp_path / "program.py"
        path.write_text(text)
        arguments = [*arguments, str(path)]
    done = subprocess.run([sys.executable, "-W", "ignore", *map(str, arguments)], capture_output=True, text=True, env={**os.environ, "KILN_CACHE_DIR": ""}, timeout=120)
    return done.returncode, done.stdout, done.stderr


def test_versions():
    for module in (kiln, numba):
        assert (0, 60) <= tuple(int(part) for part in module.__version__.split(".")[:2]) < (1, 0)
        assert module.version_info.short == (module.version_info.major, module.version_info.minor) >= (0, 60)
        assert module.version_info.string == module.__version__
    assert kiln.kiln_version == numba.kiln_version != kiln.__version__
    try:
        assert importlib.metadata.version("kiln-jit") == kiln.kiln_version
    except importlib.metadata.PackageNotFoundError:
        pass  # a build's folder has no metadata


def test_names_of_numba():
    from kiln.core import config, errors, types as core_types
    from kiln.core.types import float32
    from kiln.cuda.random import xoroshiro128p_dtype, xoroshiro128p_type
    from kiln.numba import cuda, errors as numba_errors, prange, vectorize  # noqa: F401
    from kiln.numba.core.errors import NumbaPerformanceWarning
    from kiln.numba.cuda.random import create_xoroshiro128p_states
    from kiln.numba.np.numpy_support import as_dtype, from_dtype

    assert cuda is kiln.cuda and core_types is types and errors is kiln.errors and float32 is kiln.float32
    assert NumbaPerformanceWarning is kiln.errors.NumbaPerformanceWarning
    assert create_xoroshiro128p_states is kiln.cuda.random.create_xoroshiro128p_states
    assert numba.core.types.float64 is kiln.float64 and numba.config is config and config.ENABLE_CUDASIM is False
    assert xoroshiro128p_type == from_dtype(xoroshiro128p_dtype) and as_dtype(kiln.int16) == np.int16
    assert numba.jit is kiln.njit and kiln.types is types
    with pytest.raises(ImportError):
        from kiln.numba import there_is_no_such_name  # noqa: F401
    with pytest.raises(ImportError):
        importlib.import_module("kiln.numba.there_is_no_such_module")


def test_classes_of_types():
    for made in (kiln.float16, kiln.float32, kiln.float64):
        assert isinstance(made, types.Float) and types.Float(made.name) == made and isinstance(made, types.Number)
    for made in (kiln.int8, kiln.uint64):
        assert isinstance(made, types.Integer) and types.Integer(made.name) == made and not isinstance(made, types.Float)
        info = np.iinfo(made.name)
        assert (made.minval, made.maxval, made.signed) == (info.min, info.max, info.min < 0)
    assert isinstance(kiln.complex64, types.Complex) and kiln.complex64.underlying_float == kiln.float32
    assert isinstance(kiln.boolean, types.Boolean) and not isinstance(kiln.boolean, types.Integer)
    for wrong in (lambda: types.Float("int32"), lambda: types.Integer("int24"), lambda: types.Integer("float32"), lambda: types.Complex("complex32")):
        with pytest.raises(ValueError, match="there are"):
            wrong()


PROGRAM = """
import sys
import numba, numba.cuda
import numpy as np
from numba import cuda, float32, types, vectorize
from numba.core import config
from numba.core.errors import NumbaPerformanceWarning
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32
if tuple(int(part) for part in numba.__version__.split(".")[:2]) < (0, 60):
    sys.exit("too old")
@cuda.jit("void(float32[:])")
def twice(x):
    i = numba.cuda.grid(1)
    if i < x.size:
        x[i] *= float32(2)
x = np.ones(4, np.float32)
twice[1, 4](x)
@numba.jit(nopython=True)
def host(n):
    return n + 1
print(x.tolist(), host(1), sys.argv[1:], __name__, numba.cuda is cuda, cuda.__name__)
"""


def test_programs_that_stay_as_they_are(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    expected = "[2.0, 2.0, 2.0, 2.0] 2 ['a', '-b'] __main__ True kiln.cuda\n"
    for arguments in (["-m", "kiln.numba", path], ["-c", f"import kiln, runpy; kiln.install_as_numba(); runpy.run_path({str(path)!r}, run_name='__main__')"]):
        code, out, err = run(*arguments, "a", "-b")
        assert (code, out) == (0, expected), err
    code, out, err = run("-m", "kiln.numba", text="import sys\nsys.exit(3)\n", tmp_path=tmp_path)
    assert code == 3
    code, out, err = run("-m", "kiln.numba", "-m", "json.tool", "--help")
    assert code == 0 and "usage" in out
    code, out, err = run("-m", "kiln.numba")
    assert code != 0 and "usage" in err


def test_numba_that_is_imported_already(tmp_path):
    text = "import sys, types\nsys.modules['numba'] = types.ModuleType('numba')\nimport kiln\ntry:\n    kiln.install_as_numba()\nexcept ImportError as error:\n    print(error)\n"
    code, out, err = run(text=text, tmp_path=tmp_path)
    assert code == 0 and "before the first `import numba`" in out, err
    text = "import kiln\nkiln.install_as_numba()\nkiln.install_as_numba()\nimport numba\nprint(numba.__name__)\ntry:\n    import numba.parfors\nexcept ImportError as error:\n    print(error)\n"
    code, out, err = run(text=text, tmp_path=tmp_path)
    assert code == 0 and out.splitlines()[0] == "kiln.numba" and "numba.parfors" in out, err
