# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of Numba: the lists of docs/guide/numba-names.md are true, and host functions behave as in Python."""

import importlib
import subprocess
import sys
import warnings

import numpy as np
import pytest

from kiln import _advice, _numba_names, cuda, numba


def module_of(name):
    """The module, or the object of a module such as cuda.atomic."""
    place = "kiln" + name.removeprefix("numba") if name != "numba" else "kiln.numba"
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError:
        package, _, last = place.rpartition(".")
        return getattr(importlib.import_module(package), last)


@pytest.mark.parametrize("module", dict.fromkeys(module for module, _ in _numba_names.SUPPORTED))
def test_supported(module):
    names = " ".join(names for of, names in _numba_names.SUPPORTED if of == module).split()
    assert [name for name in names if not hasattr(module_of(module), name)] == []


REFUSED = [(of, name, advice) for of, advice, names in _numba_names.REFUSED for name in names.split() if of != "numba.cuda.libdevice"]
REFUSED += [(of, name, _advice.OUT_OF_SCOPE) for of, names in _numba_names.INTERNAL for name in names.split() if of in ("numba", "numba.cuda", "numba.extending", "numba.experimental")]


def test_refused():
    """`from module import name` and `module.name` give the advice."""
    script = ["import kiln; kiln.install_as_numba()", "import importlib, numba, numba.cuda, numba.extending, numba.experimental"]
    for of, name, advice in REFUSED:
        if of not in ("numba", "numba.cuda", "numba.extending", "numba.experimental"):
            continue
        script.append(f"try:\n    from {of} import {name}\nexcept ImportError as error:\n    assert {advice!r} in str(error), error\nelse:\n    raise SystemExit('{of}.{name}')")
        script.append(f"try:\n    {of}.{name}\nexcept AttributeError as error:\n    assert {advice!r} in str(error), error\nelse:\n    raise SystemExit('{of}.{name}')")
    script.append("try:\n    import numba.cuda.extending\nexcept ImportError as error:\n    assert 'numba.cuda.extending is not supported' in str(error)")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", "\n".join(script)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]


def test_host_functions_run_as_python():
    from kiln import experimental, typed
    from kiln.extending import is_jitted, register_jitable

    @numba.jit(nopython=True, parallel=True)
    def sums(words):
        found = typed.Dict.empty(numba.types.unicode_type, numba.int64)
        for word in words:
            found[word] = found.get(word, 0) + 1
        with numba.objmode(total="int64"):
            total = sum(found.values())
        return found, total

    assert sums(["a", "b", "a"]) == ({"a": 2, "b": 1}, 3) and is_jitted(sums)

    @experimental.jitclass([("x", numba.float64), ("items", numba.types.ListType(numba.int64))])
    class Point:
        def __init__(self, x):
            self.x = x
            self.items = typed.List([1, 2])

    assert Point(2.5).x == 2.5 and Point(1).items == [1, 2] and typed.List.empty_list(numba.int64) == []

    @register_jitable
    def twice(x):
        return 2 * x

    @cuda.jit
    def kernel(y):
        y[0] = twice(y[0])

    y = np.full(1, 3.0)
    kernel[1, 1](y)
    assert y[0] == twice(3)
    assert list(numba.pndindex(2, 2)) == list(np.ndindex(2, 2)) and numba.get_num_threads() == 1 and numba.get_thread_id() == 0
    numba.set_num_threads(1)
    with pytest.raises(ValueError, match="between 1 and"):
        numba.set_num_threads(0)


def test_errors_and_switches():
    from kiln.core import config, errors

    for name in ("NumbaValueError", "NumbaTypeError", "NumbaNotImplementedError"):
        assert issubclass(getattr(errors, name), errors.TypingError) and getattr(numba, name) is getattr(errors, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category=errors.NumbaPedanticWarning)
    assert config.DUMP_IR == 0 and config.PYVERSION == sys.version_info[:2]
    with pytest.raises(AttributeError, match="NO_SUCH_SWITCH"):
        config.NO_SUCH_SWITCH
