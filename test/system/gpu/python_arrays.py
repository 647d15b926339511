#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries in kernels on a GPU: PYTHONPATH=build/release/python/package python test/system/gpu/python_arrays.py

Values are the other library's own. A long chain of work goes into its stream before each launch: who does not wait for it reads stale data.
What is not installed is named and left out; status 77 without a GPU, or with none of the libraries."""

import sys

import numpy as np

from kiln import cuda


@cuda.jit
def double(y, x):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = x[i] * 2


N, GRID = 1 << 20, ((1 << 20) // 256, 256)


def with_torch():
    import torch

    import kiln.torch

    x = torch.zeros(N, device="cuda")
    big = torch.ones(4096, 4096, device="cuda")
    for stream in (torch.cuda.default_stream(), torch.cuda.Stream()):
        with torch.cuda.stream(stream):
            for k in range(8):
                for _ in range(10):
                    big = big @ big * 1e-4
                x.fill_(k)
                y = torch.empty_like(x)
                double[GRID](y, x)  # no stream: PyTorch's current one
                z = y + 1
                assert torch.equal(z, x * 2 + 1), (stream, k)
    device = cuda.to_device(np.arange(8, dtype=np.float32))
    shared = torch.from_dlpack(device)
    shared += 1
    torch.cuda.synchronize()
    assert device.copy_to_host().tolist() == list(range(1, 9))

    @kiln.torch.custom_op("kiln_gpu::double", mutates_args=(), fake=lambda x: torch.empty_like(x), backward=lambda ctx, grad: grad * 2)
    def operator(x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        double[GRID](y, x)
        return y

    x = torch.rand(N, device="cuda", requires_grad=True)
    made = torch.compile(lambda v: operator(v + 1) - 1, fullgraph=True)(x)
    assert torch.allclose(made, (x + 1) * 2 - 1)
    made.sum().backward()
    assert torch.equal(x.grad, torch.full_like(x, 2))


def with_cupy():
    import cupy

    for stream in (cupy.cuda.Stream.null, cupy.cuda.Stream(non_blocking=True)):
        with stream:
            big = cupy.ones((4096, 4096), cupy.float32)
            for k in range(8):
                for _ in range(10):
                    big = big @ big * 1e-4
                x = cupy.full(N, k, cupy.float32)
                y = cupy.empty_like(x)
                double[GRID](y, x)  # its __cuda_array_interface__ names the stream, which is waited for
                cuda.synchronize()
                assert (y == 2 * k).all(), (stream, k)
    assert cupy.from_dlpack(cuda.to_device(np.arange(8))).sum() == 28


def main():
    if not cuda.is_available():
        print("skipped: there is no GPU")
        return 77
    ran = 0
    for name, check in (("torch", with_torch), ("cupy", with_cupy)):
        try:
            __import__(name)
        except ImportError:
            print(f"{name}: left out: not installed")
            continue
        check()
        print(f"{name}: passed")
        ran += 1
    return 0 if ran else 77


if __name__ == "__main__":
    sys.exit(main())
