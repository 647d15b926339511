# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warnings of launches that waste a GPU: on the CPU device where they are asked for."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

from kiln import cuda, errors
from kiln.cuda import config


def kernel_of_its_own():
    @cuda.jit
    def kernel(x):
        x[0] = 1

    return kernel


def warned(use):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        use()
    return [str(each.message) for each in caught if each.category is errors.NumbaPerformanceWarning]


def test_small_grids(monkeypatch):
    monkeypatch.setattr(config, "CUDA_LOW_OCCUPANCY_WARNINGS", 1)
    kernel = kernel_of_its_own()
    assert ["Grid size 6 will" in message for message in warned(lambda: kernel[(2, 3), 32])] == [True]
    assert warned(lambda: kernel[(2, 3), 32]) == [] and warned(lambda: kernel[128, 32]) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(errors.NumbaPerformanceWarning, match="low occupancy"):
            kernel[1, 1]


def test_arrays_of_the_host(monkeypatch):
    monkeypatch.setattr(config, "CUDA_WARN_ON_IMPLICIT_COPY", 1)
    monkeypatch.setattr(config, "CUDA_LOW_OCCUPANCY_WARNINGS", 0)
    kernel = kernel_of_its_own()
    on_device = cuda.device_array(1)
    assert warned(lambda: kernel[1, 1](on_device)) == []
    assert ["Host array used in CUDA kernel will incur copy overhead" in m for m in warned(lambda: kernel[1, 1](np.zeros(1)))] == [True]
    assert warned(lambda: kernel[1, 1](np.zeros(1))) == []
    assert ["Host array" in m for m in warned(lambda: kernel[1, 2]((np.zeros(1), 1)[0]))] == [True]


def test_not_on_the_cpu_unless_asked_for(monkeypatch):
    if cuda.is_available():
        pytest.skip("there is a GPU")
    assert warned(lambda: kernel_of_its_own()[1, 1](np.zeros(1))) == []
    text = "import os, sys; from kiln.cuda import config; sys.exit(config.is_on('CUDA_LOW_OCCUPANCY_WARNINGS') * 2 + config.is_on('CUDA_WARN_ON_IMPLICIT_COPY'))"
    for low, copies in ((0, 1), (1, 0)):
        monkeypatch.setenv("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", str(low))
        monkeypatch.setenv("NUMBA_CUDA_WARN_ON_IMPLICIT_COPY", str(copies))
        assert subprocess.run([sys.executable, "-c", text]).returncode == low * 2 + copies
