# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Syntax that kernels do not have, and functions whose text is in no file: an exception of the right class with a place, or the right result."""

import doctest
import linecache
import textwrap

import numpy as np
import pytest

import kiln
from kiln import cuda, errors

SYNTAX = {
    "generator": ("yield y[0]", "a generator"),
    "yield from": ("yield from y", "a generator"),
    "try": ("try:\n    y[0] = 1\nfinally:\n    y[0] = 2", "`try`"),
    "except group": ("try:\n    y[0] = 1\nexcept* ValueError:\n    pass", "`try`"),
    "with": ("with y:\n    pass", "`with`"),
    "list comprehension": ("y[0] = [x for x in y][0]", "a comprehension"),
    "set comprehension": ("z = {x for x in y}", "a comprehension"),
    "dict comprehension": ("z = {x: x for x in y}", "a comprehension"),
    "generator expression": ("y[0] = sum(x for x in y)", "a generator expression"),
    "f-string": ("print(f'{y[0]}')", "an f-string"),
    "dict": ("z = {1: 2}", "a dict"),
    "set": ("z = {1, 2}", "a set"),
    "list": ("z = [1, 2]", "lists are not for kernels"),
    "del": ("z = 1\ndel z", "`del`"),
    "global": ("global q\nq = 1", "`global`"),
    "nonlocal function": ("z = 1\ndef g():\n    nonlocal z\n    z = 2\ng()", "`nonlocal`"),
    "class": ("class C:\n    pass", "`class`"),
    "import": ("import math", "`import`"),
    "from import": ("from math import sin", "`import`"),
    "async def": ("async def g():\n    pass", "`async def`"),
    "star keywords": ("print(**y)", "`**` in a call"),
    "bare raise": ("raise", "`raise` without an exception"),
}


def made(text: str):
    """The function `kernel` of a text that has a name in linecache, as a notebook's cell has."""
    file = f"<cell {len(linecache.cache)}>"
    kiln.register_source(file, text)
    scope = {"cuda": cuda}
    exec(compile(text, file, "exec"), scope)
    return scope["kernel"], file


@pytest.mark.parametrize("name", SYNTAX)
def test_syntax_that_kernels_lack(name):
    body, says = SYNTAX[name]
    kernel, file = made("def kernel(y):\n" + textwrap.indent(body, "    ") + "\n")
    with pytest.raises(errors.UnsupportedError) as found:
        cuda.jit(kernel)[1, 1](np.zeros(2))
    assert says in str(found.value)
    assert found.value.filename == file and found.value.lineno >= 1 and "^" in str(found.value)


@pytest.mark.parametrize("text", ["async def kernel(y):\n    pass\n", "async def kernel(y):\n    async with y:\n        pass\n", "async def kernel(y):\n    await y\n"])
def test_async_functions(text):
    with pytest.raises(errors.UnsupportedError, match="async"):
        cuda.jit(made(text)[0])[1, 1](np.zeros(2))


def endless(n):
    return endless(n + 1) + 1


def grows(t):
    return grows((t, t))


@pytest.mark.parametrize("function", [endless, grows])
def test_recursion_without_end(function):
    @cuda.jit
    def kernel(y):
        if y[0] > 1:
            y[0] = function(1)

    try:
        cuda.jit(kernel)[1, 1](np.zeros(1))
    except errors.NumbaError as error:
        assert "^" in str(error) or "recursi" in str(error)


def test_types_that_do_not_meet():
    def kernel(y, t):
        if y[0] > 1:
            x = (1, 2)
        else:
            x = 1.5
        y[0] = x

    with pytest.raises(errors.NumbaError):
        cuda.jit(kernel)[1, 1](np.zeros(1), 1)


def test_text_of_exec_in_a_local():
    text = "def kernel(y):\n    y[0] = 7\n"
    scope = {}
    exec(text, scope)
    y = np.zeros(1)
    cuda.jit(scope["kernel"])[1, 1](y)
    assert y[0] == 7


def test_text_of_exec_is_the_one_that_made_it():
    other = "def kernel(y):\n    y[0] = 8\n"  # defines the same name
    text = "def kernel(y):\n    y[0] = 9\n"
    scope = {}
    exec(text, scope)
    y = np.zeros(1)
    cuda.jit(scope["kernel"])[1, 1](y)
    assert y[0] == 9 and other


def test_exec_that_is_indented():
    text = """
        @cuda.jit
        def kernel(y):
            y[0] = 3
    """
    scope = {"cuda": cuda}
    exec(textwrap.dedent(text), scope)
    y = np.zeros(1)
    scope["kernel"][1, 1](y)
    assert y[0] == 3


def test_doctests():
    test = doctest.DocTestParser().get_doctest(
        ">>> @cuda.jit\n... def kernel(y):\n...     y[0] = 4\n>>> y = np.zeros(1)\n>>> kernel[1, 1](y)\n>>> float(y[0])\n4.0\n", {"cuda": cuda, "np": np}, "kernels", None, 0
    )
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_lambdas():
    y = np.zeros(2)
    double = lambda x: 2 * x  # noqa: E731

    @cuda.jit
    def kernel(y):
        y[0] = double(3)
        y[1] = (lambda a: a + 5)(1)

    kernel[1, 1](y)
    assert y.tolist() == [6, 6]


def test_code_that_no_frame_runs():
    """A text of an embedding program, which begins a stack of its own: the audit hook lets it pass."""
    import subprocess
    import sys

    text = "import ctypes, kiln.cuda\nctypes.pythonapi.PyRun_SimpleString(b'x = 7')\nimport threading, _thread\n_thread.start_new_thread(exec, ('y = 8', globals()))\nimport time\ntime.sleep(0.2)\nprint(x, y)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.split() == ["7", "8"], done.stderr


OBJECTS = np.array([None, 1], dtype=object)
MASKED = np.ma.masked


@pytest.mark.parametrize("frozen", [OBJECTS, MASKED, np.dtype("V8"), np.zeros(2, np.longdouble)], ids=["objects", "masked", "void", "longdouble"])
def test_frozen_objects_of_no_kernel_are_named_with_their_place(frozen):
    @cuda.jit
    def kernel(x):
        x[0] = frozen[1]

    with pytest.raises(errors.TypingError, match="cannot be frozen in a kernel") as raised:
        kernel[1, 1](np.zeros(1))
    assert raised.value.lineno is not None and "frozen" in str(raised.value)
