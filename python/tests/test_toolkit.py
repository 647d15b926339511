# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of NVIDIA's toolkit that wheels brought: which folders are told, and what is compiled with them."""

import os
import pathlib
import subprocess
import sys

import pytest

from kiln import _toolkit

PROGRAM = """
import math, warnings
warnings.simplefilter("ignore")
from kiln import cuda

@cuda.jit
def kernel(y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = math.sin(y[i])

print(kernel.inspect("asm", "void(f8[::1])", cc=90))
cubin = kernel.inspect("cubin", "void(f8[::1])", cc=90)
assert cubin[:4] == b"\\x7fELF", cubin[:4]
"""


def test_folders_of_wheels(tmp_path, monkeypatch):
    for part in ("cu13", "nvjitlink", "cuda_nvcc", "cudnn"):
        (tmp_path / "nvidia" / part).mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "none"), str(tmp_path)])
    found = _toolkit.folders()
    assert [os.path.basename(folder) for folder, _ in found] == ["cu13", "cuda_nvcc", "nvjitlink"]
    assert all(source.startswith("PyPI package nvidia/") for _, source in found)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "none")])
    assert _toolkit.folders() == []


def test_compiles_with_nvidias_wheels(tmp_path):
    """KILN_TEST_NVIDIA_WHEELS: the site-packages of an environment with nvidia-nvjitlink and nvidia-nvvm."""
    packages = os.environ.get("KILN_TEST_NVIDIA_WHEELS")
    if not packages:
        found = [path for path in sys.path if (pathlib.Path(path) / "nvidia/cu13/nvvm").exists()]
        packages = found[0] if found else None
    if not packages:
        pytest.skip("nvidia-nvjitlink and nvidia-nvvm are not installed (KILN_TEST_NVIDIA_WHEELS names their site-packages)")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    kept = {**os.environ, "KILN_CUDA_HOME": "/nowhere", "KILN_CACHE_DIR": ""}
    without = subprocess.run([sys.executable, "-B", program], env=kept, capture_output=True, text=True)
    assert without.returncode and "libdevice" in without.stderr, without.stderr
    kept["PYTHONPATH"] = os.pathsep.join([kept.get("PYTHONPATH", ""), packages])
    done = subprocess.run([sys.executable, "-B", program], env=kept, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert ".visible .entry" in done.stdout
