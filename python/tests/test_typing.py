# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Type checkers: the guide's examples pass mypy --strict, and the stubs name what there is."""

import ast
import os
import pathlib
import re
import subprocess
import sys
import types as python_types

import pytest

import kiln
from kiln import _njit, _options, cuda

PACKAGE = pathlib.Path(kiln.__file__).parent
GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs/guide"

# What the examples of a page take from the reader's program.
NAMES = "from typing import Any\n\ndask_client: Any = None\nscale_kernel: Any = None\n"

USES = """
import numpy as np
import kiln
import kiln.numba as numba
from kiln import cuda, float32, guvectorize, types, vectorize, void
from kiln.core import config
from kiln.cuda.random import create_xoroshiro128p_states
from numpy.typing import NDArray

@cuda.jit(void(float32[:], types.int64))
def with_signature(y: NDArray[np.float32], n: int) -> None:
    i, j = cuda.grid(2)
    shared = cuda.shared.array(32, float32)
    shared[cuda.threadIdx.x] = y[i + j]
    cuda.syncthreads()
    cuda.atomic.add(y, 0, shared[0])

@cuda.jit(device=True, inline=True)
def helper(x: float) -> float:
    return x * 2

@vectorize(["float64(float64)"])
def twice(x: float) -> float:
    return float(helper(x))

@guvectorize([void(float32[:], float32[:])], "(n)->(n)")
def copy(x: NDArray[np.float32], y: NDArray[np.float32]) -> None:
    y[:] = x

@kiln.jit(device="cpu")
def on_cpu(y: NDArray[np.float32]) -> None:
    y[cuda.grid(1)] = 0

stream = cuda.stream()
device_array = cuda.to_device(np.zeros(4, np.float32), stream=stream)
with_signature[1, 32, stream](device_array, 3)
on_cpu.forall(4)(device_array)
print(device_array[1:3].copy_to_host().sum(), device_array.T.reshape(2, 2), twice(np.ones(3)), cuda.gpus[0].name, len(cuda.gpus))
cuda.select_device(0).get_memory_info()
for overload in with_signature.overloads.values():
    print(overload.ptx, with_signature.inspect_asm(), numba.__version__, numba.cuda.is_available(), config.ENABLE_CUDASIM)
with cuda.pinned(np.zeros(3)), stream.auto_synchronize():
    event: cuda.Event = cuda.event()
    event.record(stream)
create_xoroshiro128p_states(4, 1)
kiln.install_as_numba()
"""


def strict(program: pathlib.Path, cache: pathlib.Path) -> str:
    # As of a package that is installed: its own files are not checked.
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--follow-imports=silent", "--cache-dir", cache, program]
    done = subprocess.run(command, capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE.parent), "PATH": ""}, cwd=program.parent)
    assert done.stdout or not done.stderr, done.stderr
    return "".join(line for line in done.stdout.splitlines(True) if line.startswith(program.name))


def test_examples_of_the_guide_and_common_uses_pass_mypy(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    for page in sorted(GUIDE.glob("python*.md")):
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
        if not blocks:
            continue
        program = tmp_path / f"{page.stem.replace('-', '_')}.py"
        program.write_text(NAMES + "\n".join(blocks).replace("import kiln.torch, torch", "import kiln.torch, torch  # type: ignore[import-not-found]"))
        assert strict(program, tmp_path / "cache") == "", page.name
    program = tmp_path / "uses.py"
    program.write_text(USES)
    assert strict(program, tmp_path / "cache") == ""
    program.write_text("from kiln import cuda\n@cuda.jit(fastmth=True)\ndef k() -> None: ...\n@cuda.jit(device=True, maxregs='64')\ndef f() -> None: ...\n")
    assert strict(program, tmp_path / "cache").count("[call-overload]") == 2
    program.write_text("from kiln import cuda\ncuda.select_device('0')\ncuda.grid(4)\n@cuda.jit\ndef k(x: int) -> None: ...\nk[1, 1](1).x\n")
    assert strict(program, tmp_path / "cache").count("error:") == 3


def keywords_of(stub: str, function: str) -> set:
    """The keyword parameters that the last overload of a function lists."""
    found = [node for node in ast.parse((PACKAGE / stub).read_text()).body if isinstance(node, ast.FunctionDef) and node.name == function]
    return {argument.arg for argument in found[-1].args.kwonlyargs}


def test_stubs_list_the_options_of_the_decorators():
    options = _options._NUMBA | set(_options.table())
    assert keywords_of("cuda/__init__.pyi", "jit") == options
    assert keywords_of("__init__.pyi", "jit") == options
    assert keywords_of("__init__.pyi", "njit") == _njit._TAKEN
    typed = next(node for node in ast.parse((PACKAGE / "_jit_options.pyi").read_text()).body if isinstance(node, ast.ClassDef))
    assert {field.target.id for field in typed.body} == options - {"device"}


@pytest.mark.parametrize("decorator", ["cuda.jit", "kiln.jit", "kiln.njit"])
def test_editors_complete_the_options_of_the_decorators(decorator):
    jedi = pytest.importorskip("jedi", reason="jedi is not installed")
    project = jedi.Project(PACKAGE.parent, added_sys_path=[str(PACKAGE.parent)])
    offered = {name.name for name in jedi.Script(f"import kiln\nfrom kiln import cuda\n@{decorator}(", project=project).complete()}
    assert offered >= {"fastmath=", "debug=", "inline=", "cache="}
    assert decorator == "kiln.njit" or offered >= {"device=", "max_registers=", "maxregs=", "coarsen=", "launch_bounds="}


def names_of(stub: pathlib.Path) -> set:
    """The public names that a stub declares."""
    named = set()
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            named.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            named.update(alias.asname for alias in node.names if alias.asname)
        elif isinstance(node, ast.AnnAssign):
            named.add(node.target.id)
        elif isinstance(node, ast.Assign):
            named.update(target.id for target in node.targets)
    return {name for name in named if not name.startswith("_") or name == "__version__"}


@pytest.mark.parametrize("module", [kiln, cuda], ids=["kiln", "kiln.cuda"])
def test_stubs_name_what_there_is(module):
    stub = pathlib.Path(module.__file__).with_suffix(".pyi")
    named = names_of(stub)
    assert [name for name in sorted(named) if not hasattr(module, name)] == []
    types = set(vars(kiln.types))
    modules = {name for name, value in vars(module).items() if isinstance(value, python_types.ModuleType)}  # submodules that were imported
    there = {name for name in vars(module) if not name.startswith("_")} - types - modules - {"annotations"}
    assert sorted(there - named) == []


def test_the_package_has_its_stubs_where_it_is_installed():
    assert all((PACKAGE / name).exists() for name in ("py.typed", "__init__.pyi", "cuda/__init__.pyi"))
    assert os.path.exists(PACKAGE / "_kiln.pyi")
