# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of a fixed length in arrays and records, against NumPy."""

import numpy as np
import pytest

import kiln
from kiln import cuda, errors

WORDS = ["XYZ", "", "äß€😀", "a much longer text", "XY"]
BYTES = [b"XYZ", b"", b"\xe9\xff", b"a much longer text", b"XY"]


@pytest.mark.parametrize("dtype, text", [("U12", "XYZ"), ("U12", "äß€😀"), ("U3", "äß€😀"), ("U2", "XYZ"), ("U1", ""), ("S12", b"XYZ"), ("S4", b"\xe9\xff"), ("S2", b"XYZ")])
def test_literals_are_stored(dtype, text):
    @kiln.jit(device="cpu")
    def kernel(a):
        i = cuda.grid(1)
        if i < len(a):
            a[i] = text

    made = np.full(5, "?" * 3 if dtype[0] == "U" else b"???", dtype)
    kernel[1, 4](made)
    expected = made.copy()
    expected[:4] = text
    np.testing.assert_array_equal(made, expected)
    assert made[4] == expected[4]


@pytest.mark.parametrize("words, dtype", [(WORDS, "U18"), (BYTES, "S18")], ids=["U", "S"])
def test_values(words, dtype):
    a, b = np.array(words, dtype), np.array(words[::-1], dtype[0] + "20")
    known = words[0]

    @kiln.jit(device="cpu")
    def kernel(a, b, equal, is_known, lengths, copies):
        i = cuda.grid(1)
        if i < a.size:
            equal[i] = a[i] == b[i]
            is_known[i] = a[i] != known
            lengths[i] = len(a[i])
            copies[i] = b[i]

    equal, is_known, lengths, copies = np.zeros(5, bool), np.zeros(5, bool), np.zeros(5, int), np.zeros(5, dtype[0] + "4")
    kernel[1, 8](a, b, equal, is_known, lengths, copies)
    np.testing.assert_array_equal(equal, a == b)
    np.testing.assert_array_equal(is_known, a != known)
    np.testing.assert_array_equal(lengths, np.char.str_len(a))
    np.testing.assert_array_equal(copies, b.astype(copies.dtype))


def test_a_text_is_a_value():
    @kiln.jit(device="cpu")
    def swap(a):
        first = a[0]
        a[0] = a[1]
        a[1] = first

    a = np.array(["one", "other"])
    swap[1, 1](a)
    assert list(a) == ["other", "one"]


@pytest.mark.parametrize("align", [False, True])
def test_fields(align):
    dtype = np.dtype([("x", "i1"), ("name", "U5"), ("code", "S3")], align=align)

    @kiln.jit(device="cpu")
    def kernel(r):
        i = cuda.grid(1)
        if i < r.size:
            if r[i].name == "blue":
                r[i]["name"] = "red"
                r[i].code = b"rd"
                r[i].x = len(r[i].name)

    r = np.array([(0, "blue", b"bl"), (0, "green", b"gr")], dtype)
    kernel[1, 4](r)
    assert r.tolist() == [(3, "red", b"rd"), (0, "green", b"gr")]


def test_errors():
    @kiln.jit(device="cpu")
    def number(a):
        a[0] = 1

    with pytest.raises(errors.TypingError, match="a value of type int64 cannot be stored as a text of characters"):
        number[1, 1](np.array(["a"]))
    with pytest.raises(TypeError, match="are no arguments of kernels"):
        number[1, 1](np.array(["a"], ">U1"))


def test_frozen_texts():
    names = np.array(["one", "two"])

    @kiln.jit(device="cpu")
    def kernel(a, found):
        i = cuda.grid(1)
        if i < a.size:
            found[i] = a[i] == names[1]

    found = np.zeros(3, bool)
    kernel[1, 4](np.array(["two", "one", "tw"]), found)
    assert found.tolist() == [True, False, False]

    @kiln.jit(device="cpu")
    def wrong(a):
        a[0] = names[1]

    with pytest.raises(errors.TypingError, match="a text cannot be stored in an array of float64"):
        wrong[1, 1](np.zeros(1))
