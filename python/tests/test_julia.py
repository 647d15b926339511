# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of Julia files, called from Python."""

import numpy as np
import pytest

import kiln
from kiln import errors

TEXT = """
using CUDA
function place(A, s)
    i = threadIdx().x
    j = threadIdx().y
    A[i, j] = i + 10j + s
    return
end
function beyond(A)
    A[1000] = 1
    return
end
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("julia") / "kernels.jl"
    path.write_text(TEXT)
    return kiln.julia(path)


def test_values(kernels):
    a = np.zeros((2, 3), order="F")
    kernels.place[1, (2, 3)](a, 0.5)
    assert a.tolist() == [[11.5, 21.5, 31.5], [12.5, 22.5, 32.5]]


def test_what_is_wrong(kernels):
    with pytest.raises(ValueError, match="asfortranarray"):
        kernels.place[1, 1](np.zeros((2, 3)), 1)
    with pytest.raises(errors.TypingError, match="`nowhere` not defined"):
        kernels.nowhere[1, 1](np.zeros(3))
    with pytest.raises(IndexError, match="thread"):
        kernels.beyond[1, 1](np.zeros(3))
