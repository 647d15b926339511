#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that cuda.compile made alone, linked into kernels on a GPU, in both ABIs; bfloat16 beside torch's: python test/system/gpu/python_linked.py

Expected values are NumPy's and torch's. Status 77 without a GPU."""

import sys

import numpy as np

from kiln import cuda, float32, int64


def mixed(x, n):
    if n < 0:
        raise ValueError("negative")
    return x * x + n


def total(a, n):
    s = float32(0)
    for i in range(n):
        s += a[i]
    return s


def check_scalars(abi):
    text, result = cuda.compile(mixed, "float32(float32, int64)", abi=abi, abi_info={"abi_name": "mixed_" + abi}, cc=cuda.get_current_device().compute_capability)
    assert result == float32
    name = "mixed_c" if abi == "c" else "_Z11mixed_numba"
    linked = cuda.declare_device(name, "float32(float32, int64)", link=cuda.PTXSource(text.encode()), abi=abi)

    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = linked(x[i], i)

    x = np.linspace(0, 4, 1000, dtype=np.float32)
    out = np.zeros_like(x)
    kernel[4, 256](out, x)
    assert np.allclose(out, x * x + np.arange(1000), rtol=1e-6), abi


def check_arrays():
    text, _ = cuda.compile(total, float32(float32[:], int64), abi_info={"abi_name": "total_of"}, cc=cuda.get_current_device().compute_capability)
    words = "int64, int64, int64, int64, CPointer(float32), int64, int64"
    linked = cuda.declare_device("total_of", f"float32({words}, int64)", link=cuda.PTXSource(text.encode()), abi="c")

    class FFI:
        def from_buffer(self, array):
            raise NotImplementedError

    FFI.__module__ = "cffi.api"
    ffi = FFI()

    @cuda.jit
    def kernel(out, x):
        out[0] = linked(0, 0, x.size // 2, 4, ffi.from_buffer(x), x.size // 2, 8, x.size // 2)

    x, out = np.arange(64, dtype=np.float32), np.zeros(1, np.float32)
    kernel[1, 1](out, x)
    assert out[0] == x[::2].sum()


def check_bfloat16():
    try:
        import torch
    except ImportError:
        print("bfloat16: left out: torch is not installed")
        return
    from kiln.cuda import bf16

    @cuda.jit
    def kernel(y, x, z):
        i = cuda.grid(1)
        if i < y.size:
            y[i] = x[i] * z[i] + bf16.bfloat16(1)

    x, z = (torch.randn(10000, device="cuda").to(torch.bfloat16) for _ in range(2))
    y = torch.empty_like(x)
    kernel[40, 256](y, x, z)
    assert torch.equal(y, x * z + 1), (y - (x * z + 1)).abs().max()


def main():
    if not cuda.is_available():
        print("skipped: there is no GPU")
        return 77
    failed = 0
    for name, check in (("C ABI", lambda: check_scalars("c")), ("Numba's ABI", lambda: check_scalars("numba")), ("arrays", check_arrays), ("bfloat16", check_bfloat16)):
        try:
            check()
            print(f"{name}: passed")
        except Exception as error:
            failed += 1
            print(f"{name}: FAILED: {type(error).__name__}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
