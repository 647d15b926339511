# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signatures, what was compiled, configured kernels, keywords and defaults."""

import pickle
import re

import numpy as np
import pytest

import kiln
from kiln import cuda, float32, int64, types, void


def store(y, a):
    y[cuda.grid(1)] = a


def test_a_signature_compiles_at_once_and_converts():
    kernel = cuda.jit("void(float32[:], int64)")(store)
    assert list(kernel.overloads) == [(types.float32[:], types.int64)]
    y = np.zeros(4, np.float32)
    for value, wanted in ((3, 3), (3.7, 3), (np.int8(5), 5)):
        kernel[1, 4](y, value)
        assert y.tolist() == [wanted] * 4
    z = np.zeros(8, np.float32)
    kernel[1, 4](z[::2], 6)
    assert z.tolist() == [6, 0] * 4
    with pytest.raises(TypeError, match="No matching definition"):
        kernel[1, 4](np.zeros(4), 3)


def test_lists_and_tuples_of_types():
    kernel = cuda.jit([void(float32[::1], int64), (types.float64[:], types.int64)])(store)
    assert len(kernel.overloads) == 2
    for dtype in (np.float32, np.float64):
        y = np.zeros(4, dtype)
        kernel[1, 4](y, 9)
        assert y.tolist() == [9] * 4


def test_lazy_kernels_compile_once_for_equal_types():
    kernel = cuda.jit(store)
    y = np.zeros(4)
    for value in (1, 2, 3.0, np.float64(4)):
        kernel[1, 4](y, value)
        assert y.tolist() == [float(value)] * 4
    assert len(kernel.overloads) == 2
    assert kernel[1, 4] is kernel[1, 4]


def test_products():
    kernel = cuda.jit(store)
    kernel[1, 4](np.zeros(4), 1)
    assert ".entry" in next(iter(kernel.inspect("asm", cc=90).values()))
    assert "define" in next(iter(kernel.inspect_llvm().values()))
    assert "store" in next(iter(kernel.overloads.values())).entry_name
    assert kernel.get_shared_mem_per_block() == {(types.float64[::1], types.int64): 0}


def test_keywords_and_defaults():
    @cuda.jit
    def kernel(y, a=5):
        y[0] = a

    y = np.zeros(1)
    for args, kwargs, wanted in (((), {}, 5), ((), {"a": 7}, 7), ((8,), {}, 8)):
        kernel[1, 1](y, *args, **kwargs)
        assert y[0] == wanted


def test_forall_and_specialize():
    kernel = cuda.jit(store)
    y = np.zeros(256)
    kernel.forall(256)(y, 2)
    assert (y == 2).all()
    kernel.forall(0)(y, 3)
    assert (y == 2).all()
    kernel.specialize(y, 3)[1, 4](y, 11)
    assert y[3] == 11


def test_tuples_as_arguments():
    @cuda.jit
    def kernel(y, t, arrays):
        y[0] = t[0] + t[1][0] * t[1][1] + arrays[1][2]

    y = np.zeros(1)
    kernel[1, 1](y, (np.int8(1), (2.5, np.float32(2))), (y, np.arange(5)))
    assert y[0] == 8


def test_one_array_twice():
    @cuda.jit
    def kernel(x, y):
        y[1] = x[0] + 1
        x[2] = y[1] + 1

    y = np.array([5.0, 0, 0])
    kernel[1, 1](y, y)
    assert y.tolist() == [5, 6, 7]


def test_types():
    assert kiln.typeof(np.zeros((2, 2), np.float32)) == types.float32[:, ::1]
    assert kiln.typeof((1, 2.0)) == types.Tuple((int64, types.float64))
    assert str(float32[:, :]) == "array(float32, 2d, A)"
    with pytest.raises(KeyError):
        float32[1]


def test_unknown_options_are_named():
    with pytest.raises(TypeError, match="nonsense"):
        cuda.jit(nonsense=True)


def test_print(capfd):
    @cuda.jit
    def kernel(x):
        print("x is", x, 2.5)

    kernel[1, 1](3)
    cuda.synchronize()  # a GPU's driver prints when somebody waits
    import ctypes

    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out == "x is 3 2.500000\n"


def test_a_device_is_kept():
    """By signatures that are compiled at once, and by copies."""

    @kiln.jit("void(float32[:], float32)", device="cpu")
    def fill(x, a):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = a

    assert fill._device() == -1
    again = pickle.loads(pickle.dumps(fill))
    for kernel in (fill, again):
        x = np.zeros(5, np.float32)
        kernel[1, 8](x, np.float32(3))
        assert (x == 3).all() and kernel._device() == -1
    assert "_number" not in fill.targetoptions


def test_decorated_functions_show_their_name_place_and_signatures():
    place = f"test_dispatch.py:{store.__code__.co_firstlineno}"
    assert repr(cuda.jit(store)) == f"<kiln.cuda kernel store at {place}>"
    kernel = cuda.jit([void(float32[:], int64), (types.float64[:, ::1], float32)])(store)
    assert repr(kernel) == f"<kiln.cuda kernel store at {place}: 2 signatures (float32[:], int64), (float64[:, ::1], float32)>"
    lazy = cuda.jit(store)
    for a in (1, 1.5, 1j, True):
        lazy[1, 1](np.zeros(4, np.complex64)[::2], a)
    assert repr(lazy).startswith(f"<kiln.cuda kernel store at {place}: 4 signatures (complex64[:], int64), (complex64[:], float64), ")
    assert repr(lazy).endswith(", ...>")
    twice = cuda.jit("float32(float32)", device=True)(lambda x: 2 * x)
    assert re.fullmatch(r"<kiln.cuda device function .*<lambda> at test_dispatch.py:\d+: 1 signature float32\(float32\)>", repr(twice))
    assert repr(kiln.njit(store)) == f"<kiln.cuda device function store at {place}>"
    assert repr(kiln.vectorize(["int64(int64)"])(int_twice)).endswith(": 1 signature int64(int64)>")


def int_twice(x):
    return 2 * x
