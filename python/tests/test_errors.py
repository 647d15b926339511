# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is wrong is an exception of the right class, with the place in this file and what to do."""

import math

import numpy as np
import pytest

from kiln import cuda, errors, float32

def e1(y): y[0]=[x for x in range(3)]
def e2(y):
    try: y[0]=1
    except: pass
def e3(y): y[0]=undefined_name
def e4(y): y[0]=math.sqrtt(2)
def e5(y): y[0]='a'+1
def e6(y): return 5
def e7(y): y.foo()
def e8(y):
    i=cuda.grid(1)
    y[1.5]=i
def e9(y): y[0,0]=1
def e10(y):
    n=cuda.grid(1)
    s=cuda.shared.array(n,np.float32)
    y[0]=s[0]
def e11(y): y[0] = y + 1
def e12(y):
    z=(1,2)
    a,b,c=z
def e13(y): y[0]=f"{y}"
def dev(a): return a.nope
def e14(y): y[0]=dev(y)
def e15(y): y[0]=dev(1,2)
def e16(y):
    with open('x'): pass
d={}
def e17(y): y[0]=d[1]
def e18(y): cuda.grid(4)
def e19(y): cuda.nope(4)
def e20(y): yield 1


WRONG = [
    (e1, errors.UnsupportedError, "a comprehension", "cuda.local.array"),
    (e2, errors.UnsupportedError, "`try`", "if"),
    (e3, errors.TypingError, "`undefined_name` is not defined", ""),
    (e4, errors.TypingError, "module math has no attribute `sqrtt`", ""),
    (e5, errors.TypingError, "no implementation of + for argument types (literal 'a', int64)", ""),
    (e6, errors.TypingError, "a kernel returns nothing", "return 5"),
    (e7, errors.TypingError, "array(float64, 1d, C) has no method foo", ""),
    (e8, errors.TypingError, "cannot be indexed by a value of type float64", "y[1.5]=i"),
    (e9, errors.TypingError, "too many indices", ""),
    (e10, errors.TypingError, "has to be constant", "s=cuda.shared.array"),
    (e11, errors.TypingError, "have to allocate its result", ""),
    (e12, errors.TypingError, "cannot unpack a tuple of 2 into 3 names", ""),
    (e13, errors.UnsupportedError, "an f-string", "print takes several arguments"),
    (e14, errors.TypingError, "has no attribute nope", "called from e14"),
    (e15, errors.TypingError, "dev() takes 1 arguments, not 2", ""),
    (e16, errors.UnsupportedError, "`with`", ""),
    (e17, errors.TypingError, "a dict of the program cannot be frozen", ""),
    (e18, errors.TypingError, "cuda.grid takes the literal 1, 2 or 3", ""),
    (e19, errors.TypingError, "has no attribute `nope`", ""),
    (e20, errors.UnsupportedError, "a generator", ""),
]


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case[0].__name__)
def test_what_is_wrong(case):
    function, kind, says, also = case
    with pytest.raises(kind) as found:
        cuda.jit(function)[1, 4](np.zeros(4))
    text = str(found.value)
    assert says in text and also in text
    assert __file__ in text and "^" in text
    assert found.value.filename == __file__


def raises(y):
    if cuda.grid(1) == 2:
        raise ValueError("bad", 3)
    y[cuda.grid(1)] = 1


def test_raise_ends_the_thread():
    y = np.zeros(4)
    cuda.jit(raises)[1, 4](y)
    assert y.tolist() == [1, 1, 0, 1]


def asserts(y):
    assert y[0] == 5, "five"


def out_of_bounds(y):
    y[7] = 1


def divides(y):
    y[0] = int(y[0]) // int(y[1])


DEBUG = [(raises, ValueError, "tid=[2, 0, 0] ctaid=[0, 0, 0]: bad, 3"), (asserts, AssertionError, "five"), (out_of_bounds, IndexError, "out of bounds"), (divides, ZeroDivisionError, "division")]  # fmt: skip


@pytest.mark.parametrize("case", DEBUG, ids=lambda case: case[0].__name__)
def test_debug_raises_on_the_host(case):
    function, kind, says = case
    with pytest.raises(kind) as found:
        cuda.jit(debug=True, opt=False)(function)[1, 4](np.zeros(4))
    assert says in str(found.value) and __file__ in str(found.value)


def two(y, i):
    y[i] = 1


LAUNCHES = [
    (lambda k, y: k(y, 1), ValueError, "kernel is launched with its grid"),
    (lambda k, y: k[1](y, 1), ValueError, "griddim and blockdim"),
    (lambda k, y: k[1.5, 2](y, 1), TypeError, "griddim"),
    (lambda k, y: k[(1, 1, 1, 1), 2](y, 1), ValueError, "1, 2 or 3 integers"),
    (lambda k, y: k[-1, 2](y, 1), ValueError, "-1"),
    (lambda k, y: k[0, 2](y, 1), ValueError, "at least 1"),
    (lambda k, y: k[1, 5000](y, 1), ValueError, "1024"),
    (lambda k, y: k[1, 2](y), TypeError, "missing"),
    (lambda k, y: k[1, 2](y, 1, 2), TypeError, "too many"),
    (lambda k, y: k[1, 2](y, "text"), TypeError, "builtins.str"),
    (lambda k, y: k[1, 2](y, None), TypeError, "NoneType"),
    (lambda k, y: k[1, 2](y.astype(object), 1), TypeError, "dtype"),
    (lambda k, y: k[1, 2](y.astype(">f8"), 1), TypeError, "byte order"),
    (lambda k, y: k[1, 2](y, 2**70), OverflowError, "64 bits"),
]


@pytest.mark.parametrize("case", LAUNCHES, ids=range(len(LAUNCHES)))
def test_wrong_launches(case):
    launch, kind, says = case
    with pytest.raises(kind, match=says):
        launch(cuda.jit(two), np.zeros(4))


def test_read_only_arrays():
    y = np.zeros(4)
    y.flags.writeable = False
    with pytest.raises(errors.TypingError, match="read-only"):
        cuda.jit(two)[1, 1](y, 0)


def test_source_that_is_not_there():
    made = {}

    def make(parts):
        exec("".join(parts), made)  # the text is nowhere when the kernel is compiled

    make(["def kernel(y):\n", "    y[0] = 1\n"])
    with pytest.raises(errors.SourceError, match="register_source"):
        cuda.jit(made["kernel"])[1, 1](np.zeros(1))


def test_messages_that_quote_bytes():
    @cuda.jit
    def kernel(x):
        if x == b"\xff\xd8":
            return

    with pytest.raises(errors.TypingError, match=r"\\xff\\xd8"):
        kernel[1, 1]((1, 2.5))


def test_the_same_fault_twice():
    @cuda.jit
    def kernel(x):
        for each in x:
            x.missing(1)
        x.missing(0)

    with pytest.raises(errors.TypingError, match="has no method missing") as raised:
        kernel.inspect("asm", (float32[:],), cc=90)
    assert raised.value.lineno is not None


def test_diagnostics_have_the_numbers_that_kiln_explains():
    with pytest.raises(errors.TypingError) as caught:
        cuda.jit(e6)[1, 1](np.zeros(1))
    assert [each[6] for each in caught.value.diagnostics] == [126]  # docs/guide/errors.md: KernelError
