# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every public name is documented, and what type checkers read agrees with what there is."""

import ast
import importlib
import inspect
import pathlib
import subprocess
import sys

import pytest

import kiln
from kiln import _kiln, cuda, errors
from kiln.cuda import _arrays, _devices, _streams, random
from kiln.errors import NumbaError

PACKAGE = pathlib.Path(kiln.__file__).parent
MODULES = [kiln, cuda, random, errors]


def public(module):
    for name, value in vars(module).items():
        if not name.startswith("_") and (inspect.isfunction(value) or inspect.isclass(value)) and value.__module__.partition(".")[0] == "kiln":
            yield name, value


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_names_have_docstrings(module):
    assert module.__doc__
    assert [name for name, value in public(module) if not (value.__doc__ or "").strip()] == []


@pytest.mark.parametrize("made", [_arrays.DeviceNDArray, _devices.Device, _streams.Stream, _streams.Event, kiln.Timings, kiln.AdviceReport, NumbaError], ids=lambda made: made.__name__)
def test_methods_have_docstrings(made):
    lacking = [name for name, value in vars(made).items() if not name.startswith("_") and inspect.isfunction(value) and not inspect.getdoc(value)]
    assert lacking == []


@pytest.mark.parametrize("function", [kiln.jit, kiln.precompile, kiln.register_source, cuda.jit, cuda.as_cuda_array, kiln.use_cache_dir, kiln.use_remote_cache], ids=lambda f: f.__qualname__)
def test_parameters_are_described(function):
    documented = inspect.getdoc(function)
    assert "Parameters\n----------" in documented
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is not parameter.VAR_KEYWORD:
            assert name in documented, name


def test_the_stub_names_what_the_extension_has():
    tree = ast.parse((PACKAGE / "_kiln.pyi").read_text())
    told = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    there = {name for name in vars(_kiln) if not name.startswith("_")}
    assert told == there, "python -m nanobind.stubgen -m kiln._kiln -o python/kiln/_kiln.pyi"


def test_a_type_checker_takes_the_package(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    assert (PACKAGE / "py.typed").exists()
    program = tmp_path / "program.py"
    program.write_text(
        "import kiln\nfrom kiln import cuda\nreveal_type(kiln.timings())\nreveal_type(cuda.stream())\nreveal_type(kiln.precompile([]))\nkiln.use_cache_dir(3)\n"
    )
    # A copy without links: mypy tells a package that is installed from sources by its place.
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--follow-imports=silent", "--ignore-missing-imports", "--cache-dir", tmp_path / "cache", program]
    done = subprocess.run(command, capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE.parent), "PATH": ""}, cwd=tmp_path)
    for shown in ("kiln._reports.Timings", "kiln.cuda._streams.Stream", "kiln._precompile.PrecompileReport"):
        assert shown in done.stdout, done.stdout + done.stderr


def test_public_modules_import_alone():
    for name in ("kiln.cuda", "kiln.types", "kiln.errors", "kiln.cuda.random"):
        if name != "kiln.types":
            importlib.import_module(name)
    assert kiln.types.float32 is kiln.float32
