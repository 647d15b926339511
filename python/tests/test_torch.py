# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as operators of PyTorch, on the CPU; expected values are PyTorch's own."""

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

import kiln.torch  # noqa: E402
from kiln import cuda  # noqa: E402


@cuda.jit
def scale_kernel(y, x, a):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = x[i] * a


def save(ctx, inputs, output):
    ctx.a = inputs[1]


@kiln.torch.custom_op(
    "kiln_tests::scale", mutates_args=(), fake=lambda x, a: torch.empty_like(x), setup_context=save, backward=lambda ctx, grad: (grad * ctx.a, None)
)
def scale(x: torch.Tensor, a: float) -> torch.Tensor:
    y = torch.empty_like(x)
    scale_kernel[(x.numel() + 255) // 256, 256](y, x, a)
    return y


@kiln.torch.custom_op("kiln_tests::scale_into", mutates_args=("y",))
def scale_into(y: torch.Tensor, x: torch.Tensor, a: float) -> None:
    scale_kernel[(x.numel() + 255) // 256, 256](y, x, a)


def test_tensors_are_arguments():
    x = torch.arange(10.0)
    y = torch.zeros(10)
    scale_kernel[1, 32](y, x, 3.0)
    assert torch.equal(y, x * 3)


def test_autograd():
    x = torch.arange(10.0, requires_grad=True)
    scale(x, 3.0).sum().backward()
    assert torch.equal(x.grad, torch.full((10,), 3.0))


def test_compile_sees_one_operator():
    def f(x):
        y = torch.empty_like(x)
        scale_into(y, x + 1, 2.0)
        return y - 1

    x = torch.arange(10.0)
    compiled = torch.compile(f, backend="aot_eager", fullgraph=True)
    assert torch.equal(compiled(x), (x + 1) * 2 - 1)
    torch.library.opcheck(scale, (x, 2.0))
