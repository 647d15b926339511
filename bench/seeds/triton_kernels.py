# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The workloads as one writes them in Triton."""
import triton
import triton.language as tl


@triton.jit
def layer_norm(y, x, bias, bias2, weight, shift, H, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * H
    at = tl.arange(0, BLOCK)
    there = at < H
    v = tl.load(x + row + at, mask=there, other=0.0).to(tl.float32)
    v += tl.load(bias + at, mask=there, other=0.0).to(tl.float32) + tl.load(bias2 + at, mask=there, other=0.0).to(tl.float32)
    mean = tl.sum(v, axis=0) / H
    d = tl.where(there, v - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(d * d, axis=0) / H + eps)
    out = d * scale * tl.load(weight + at, mask=there, other=0.0).to(tl.float32) + tl.load(shift + at, mask=there, other=0.0).to(tl.float32)
    tl.store(y + row + at, out.to(tl.float16), mask=there)


@triton.jit
def adam(g, m, v, b1, b2, eta, eps, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    there = i < n
    gi = tl.load(g + i, mask=there)
    mi = b1 * tl.load(m + i, mask=there) + (1.0 - b1) * gi
    vi = b2 * tl.load(v + i, mask=there) + (1.0 - b2) * gi * gi
    tl.store(m + i, mi, mask=there)
    tl.store(v + i, vi, mask=there)
    tl.store(g + i, mi / (1.0 - b1) / (tl.sqrt(vi / (1.0 - b2)) + eps) * eta, mask=there)


@triton.jit
def copy(y, x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)
